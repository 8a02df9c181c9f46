#pragma once
// Audits of a changing table: of holder's copies, which say who was in which
// group with which value, made by any tool; or of the state that a vault keeps.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/invariance/release/series.h"
#include "reissue/models/invariance/service/promise.h"
#include "reissue/models/invariance/service/report.h"
#include "reissue/models/invariance/service/state.h"

namespace reissue::models::invariance::service {

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
Result<HolderCopies> ReadCopies(const binding::ReleaseColumns& columns,
                                const std::vector<std::string>& files, binding::Context& context);

// `knows`: "ID=VALUE" each; what follows from them is in the report. Usage errors: somebody or a
// value that the copies do not have.
Result<contract::AuditReport> AuditCopies(const HolderCopies& copies, const Promise& promise,
                                          std::size_t worst, const std::vector<std::string>& knows,
                                          binding::Context& context);

// As far as the state knows the series: a promise that is kept is kept.
contract::AuditReport AuditState(const SeriesState& remembered, const Promise& promise);

// As far as a vault knows the series. `vault` is open for writing: its state is sealed.
Result<contract::AuditReport> AuditVault(ledger::Vault& vault, const Promise& promise);

}  // namespace reissue::models::invariance::service
