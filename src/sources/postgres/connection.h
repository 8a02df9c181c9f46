#pragma once
// One connection to one server. Waits for it with a limit, so that a server that is dead or stalled
// gives an error in bounded time, and speaks of failures in words of ours (errors.h). Used by one
// thread at a time.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/sources/postgres/address.h"

namespace reissue::sources::postgres {

// How long a server may keep its client waiting.
struct Patience {
  std::chrono::seconds connect{15};         // unless connect_timeout is written
  std::chrono::seconds answer{3600};        // for one statement; the server is told, too
  std::chrono::seconds lock{60};            // for a lock on a table
  std::chrono::seconds look_every{10};      // whether a silent server still answers others
  const std::atomic<bool>* stop = nullptr;  // set by whoever needs no answer any more
};

// A field of a row as the server writes it; valid until the next one. Empty where it is NULL.
using Field = std::optional<std::string_view>;
using RowSink = std::function<Status(std::span<const Field>)>;

struct ResultColumn {
  std::string name;
  std::uint32_t type = 0;  // OID; that of the base type where the type is a domain
  int modifier = -1;
};

class Connection {
 public:
  // Errors: kInput where the server does not let us in, or where the connection could be overheard
  // (neither local nor encrypted) and nobody has written sslmode=disable; kMachine where it does
  // not answer.
  static Result<Connection> Open(const Address& address, const Patience& patience);
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  ~Connection();

  // For messages: the database and where it is, without user and password.
  const std::string& name() const;
  int server_version() const;  // 150018
  const Patience& patience() const;

  // Statements without rows; several where `sql` has several.
  Status Execute(const std::string& sql);
  // One statement; what the server says that it has done, such as COMMIT (or ROLLBACK, to a COMMIT
  // that came too late).
  Result<std::string> ExecuteTagged(const std::string& sql);
  // As Execute; true where the server answered with one of `states` instead.
  Result<bool> ExecuteUnless(const std::string& sql, std::span<const std::string_view> states);
  // One statement; its rows one by one, as they come.
  Status Query(const std::string& sql, const std::vector<std::string>& parameters,
               const RowSink& row);
  // Of a statement with few rows: all of them, NULL as empty.
  Result<std::vector<std::vector<std::optional<std::string>>>> Rows(
      const std::string& sql, const std::vector<std::string>& parameters = {});
  // What a statement would give.
  Result<std::vector<ResultColumn>> Describe(const std::string& sql);
  // The lines of COPY … TO STDOUT in its text format, unescaped.
  Status CopyOut(const std::string& sql, std::size_t width, const RowSink& row);
  // COPY … FROM STDIN: `next` hands out pieces of text, empty at the end.
  Status CopyIn(const std::string& sql, const std::function<Result<std::string_view>()>& next);

  // The name in quotes, for SQL. Errors: longer than the server keeps names.
  Result<std::string> Quoted(const std::string& identifier) const;
  std::string Literal(const std::string& text) const;
  // SQLSTATE of the last failure; empty where the connection broke.
  const std::string& state() const;
  bool broken() const;

 private:
  struct Impl;
  explicit Connection(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The longest name that a server keeps; longer ones it cuts, silently.
inline constexpr std::size_t kLongestName = 63;

}  // namespace reissue::sources::postgres
