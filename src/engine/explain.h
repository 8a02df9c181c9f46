#pragma once
// What published files tell about one person, or about one combination of labels.

#include <cstddef>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/priors.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

// `about` is one CSV record, whose fields the model names. `requirement` counts from 1.
Result<contract::ExplainReport> Explain(const io::Policy& policy,
                                        const std::vector<std::string>& releases,
                                        const std::string& about, binding::Context& context,
                                        const std::vector<binding::PriorFile>& priors = {},
                                        std::size_t requirement = 1);

}  // namespace reissue::engine
