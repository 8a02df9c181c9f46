#pragma once
// Says everything that is wrong with a policy, its taxonomies and tables, not only the first thing.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/priors.h"
#include "reissue/contract/parts.h"
#include "reissue/contract/reports.h"

namespace reissue::engine {

// `priors`: what readers have already; without them the names of a promise about linked releases
// are not looked at. `why`: also say why columns would not be finer. `part`: tables as
// that part sees them.
contract::CheckReport Check(const std::string& policy, const std::vector<std::string>& tables,
                            binding::Context& context,
                            const std::vector<binding::PriorFile>& priors = {}, bool why = false,
                            const contract::AskedPart& part = {});

}  // namespace reissue::engine
