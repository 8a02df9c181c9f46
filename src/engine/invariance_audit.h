#pragma once
// Audits of a changing table (model `m-invariance`): of holder's copies, which say who was in which
// group with which value, made by any tool; or of the state that a vault keeps.

#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/context.h"
#include "reissue/engine/invariance_promise.h"
#include "reissue/engine/invariance_state.h"
#include "reissue/engine/load.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/invariance/release/series.h"

namespace reissue::engine {

// A series with names. An identity is an identifier with one value.
struct HolderCopies {
  models::invariance::Series series;
  std::vector<std::string> ids;     // per person
  std::vector<std::string> values;  // per value
  struct File {
    std::string file, digest;
    std::uint64_t rows = 0, groups = 0;
    std::vector<std::string> group_names;  // per group
  };
  std::vector<File> files;
  std::uint64_t changed_values = 0;  // identifiers with several values
};
// Oldest first. Needed are the identifier, `group` and the sensitive columns; `counterfeit` (yes or
// no) may be there, others too. Where `columns` names no identifier it is the one column that
// nothing else is known about. Errors: a column that is missing, an identifier twice in a file.
Result<HolderCopies> ReadCopies(const ReleaseColumns& columns,
                                const std::vector<std::string>& files, Context& context);

// `knows`: "ID=VALUE" each; what follows from them is in the report. Usage errors: somebody or a
// value that the copies do not have.
Result<AuditReport> AuditCopies(const HolderCopies& copies, const InvariancePromise& promise,
                                std::size_t worst, const std::vector<std::string>& knows,
                                Context& context);

// As far as the state knows the series: a promise that is kept is kept.
AuditReport AuditState(const Remembered& remembered, const InvariancePromise& promise);

// Opens the vault for writing: its state is sealed. `policy` may be empty: the one of the series.
// Model `j-similarity`: AuditEvolvingVault.
Result<AuditReport> AuditVault(const std::string& vault, const std::string& policy,
                               const ledger::Passphrase& passphrase, Context& context,
                               std::size_t worst = 10);

}  // namespace reissue::engine
