#pragma once
// What the vault records, authenticated with its data key (docs/formats/vault.md, "Seal"): whatever
// was changed by somebody without the key is noticed before it is believed. For src/ledger only.

#include <functional>
#include <string>

#include "reissue/core/result.h"
#include "reissue/ledger/database.h"
#include "reissue/ledger/keys.h"

namespace reissue::ledger {

class Seal {
 public:
  // `keys` null: a reader without the key, or a vault of an earlier format; nothing is checked or
  // sealed. `alone`: nobody else writes, so what this process has seen last stays so. Both must
  // outlive it.
  Seal(Database& database, const KeyRing* keys, bool alone = true)
      : database_(database), keys_(keys), alone_(alone) {}

  // What `body` reads, a Result: of one state of the database, and of one that was sealed.
  template <typename Body>
  auto Read(const Body& body) -> decltype(body()) {
    if (const Status begun = BeginReading(); !begun) return begun.error();
    auto found = body();
    EndReading();
    return found;
  }
  // A transaction: all of `body` or nothing of it, on what was sealed, and sealed afterwards. What
  // is sealed is read from memory, not from a file that somebody may have changed since it was
  // checked: so a body that writes or erases more than a piece calls KeepAtHand after each
  // (records.h).
  Status Write(const std::function<Status()>& body);
  // Seals what is there now, within a transaction: a vault that has just been made.
  Status Renew();

  Database& database() { return database_; }

 private:
  Status Check();
  Status BeginReading();
  void EndReading();

  Database& database_;
  const KeyRing* keys_;
  bool alone_;
  // What this process has seen last: nobody puts back an older state meanwhile. Empty: not known.
  std::string last_;
};

}  // namespace reissue::ledger
