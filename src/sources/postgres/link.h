#pragma once
// The wire under a Connection: opening it as safely as was asked, and waiting with a limit. Only
// this module includes it.

#include <libpq-fe.h>

#include <memory>
#include <string>

#include "reissue/core/result.h"
#include "reissue/io/interrupt.h"
#include "reissue/sources/postgres/connection.h"

namespace reissue::sources::postgres {

class Link {
 public:
  Link() = default;
  static Result<Link> Open(const Address& address, const Patience& patience);

  PGconn* get() const { return connection_.get(); }
  const std::string& name() const { return name_; }

  // Waits until all is sent; until something came, and takes it. Errors (kMachine): the server is
  // silent for too long, does not answer others either, or is gone; nobody needs an answer any
  // more.
  Status Flush(const Patience& patience);
  Status Receive(const Patience& patience);
  // Asks the server to break off what it does; not waited for.
  void Cancel();

 private:
  Status Await(short events, const Patience& patience);
  bool ServerAnswers(const Patience& patience) const;

  // A signal that ends the program also ends what the server does for it.
  class Canceller {
   public:
    explicit Canceller(PGconn* connection);
    ~Canceller();

   private:
    PGcancel* cancel_;
    io::ActOnInterrupt act_;
  };

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_{nullptr, PQfinish};
  std::unique_ptr<Canceller> canceller_;
  std::string name_;
};

}  // namespace reissue::sources::postgres
