#pragma once
// Says everything that is wrong with a policy, its taxonomies and tables, not only the first thing.

#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/context.h"
#include "reissue/engine/linked.h"

namespace reissue::engine {

struct CheckReport {
  std::vector<Error> problems;
  std::vector<std::string> notes;     // what is there, what looks odd but is allowed
  std::vector<std::string> warnings;  // what is allowed, and better not left so
};

// `priors`: what readers have already (model `xy`); without them the names of a promise about
// linked releases are not looked at.
CheckReport Check(const std::string& policy, const std::vector<std::string>& tables,
                  Context& context, const std::vector<PriorFile>& priors = {});

}  // namespace reissue::engine
