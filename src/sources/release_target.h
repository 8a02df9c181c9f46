#pragma once
// Where a release is written when that is no file: a table of a database, in one transaction. Files
// need none of this, for the vault renames them itself (ledger/vault.h); certificates, companions
// and holder's copies are files whatever the target is.
//
// The order, and what holds if either side dies after each step (docs/design/0014):
//   Write     in a transaction that nobody sees, with a nonce of this publication
//   ReadBack  in the same transaction; the adversary judges what comes back
//   Seal      what the vault records with its intent (Vault::Prepare), before
//   Commit    the moment from which the release exists; then the vault marks it published
// A target that is destroyed before Commit leaves nothing behind. It belongs to one thread.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/core/result.h"
#include "reissue/sources/table_source.h"

namespace reissue::sources {

// A release as distinct rows with counts.
struct PublishedRows {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> texts;  // per column; as readers see them, nothing quoted
  std::vector<std::uint32_t> codes;             // per distinct row and column: which of the texts
  std::vector<std::uint64_t> counts;            // per distinct row
};

class ReleaseTarget {
 public:
  virtual ~ReleaseTarget() = default;
  virtual const std::string& name() const = 0;  // for the vault, reports and messages
  // Rows in random order: order is information.
  virtual Status Write(const PublishedRows& rows, Random& random) = 0;
  // All columns that were written. The digest is that of combinations and counts.
  virtual Result<Counted> ReadBack() = 0;
  // What FateOf needs: no secret, no value of a table.
  virtual Result<std::string> Seal() = 0;
  // kMachine where nobody knows whether it is done (the connection broke): the vault leaves its
  // intent, and FateOf decides when it is opened next.
  virtual Status Commit() = 0;
};

// Of an intent that the vault has recorded.
enum class Fate { kPublished, kForgotten };

class TargetRecovery {
 public:
  virtual ~TargetRecovery() = default;
  // An error where the target cannot be asked: then nothing is guessed, and the vault is not opened
  // for another publication.
  virtual Result<Fate> FateOf(std::string_view seal) = 0;
};

// Where releases can be tables.
class TargetServer : public TargetRecovery {
 public:
  // A release under this name. Whatever can be known before anything is written is an error here:
  // no server was named (kUsage), the name is taken or too long, no right to make tables there.
  virtual Result<std::unique_ptr<ReleaseTarget>> OpenTarget(const std::string& table) = 0;
};

}  // namespace reissue::sources
