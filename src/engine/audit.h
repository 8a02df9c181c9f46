#pragma once
// Attacks published files as their readers could, and says what they find.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/priors.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/ledger/vault.h"

namespace reissue::engine {

// Oldest first; what the files are, and what else may be given, the model says. Usage errors: what
// it has no use for.
Result<contract::AuditReport> Audit(const io::Policy& policy,
                                    const std::vector<std::string>& releases,
                                    binding::Context& context,
                                    std::size_t worst = contract::kWorstShown,
                                    const std::vector<binding::PriorFile>& priors = {},
                                    const std::vector<std::string>& knows = {});

// The state of a series instead of files. Opens the vault for writing: its state is sealed.
// `policy` may be empty: the one of the series.
Result<contract::AuditReport> AuditVault(const std::string& vault, const std::string& policy,
                                         const ledger::Passphrase& passphrase,
                                         binding::Context& context,
                                         std::size_t worst = contract::kWorstShown);

}  // namespace reissue::engine
