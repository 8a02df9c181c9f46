#pragma once
// Says everything that is wrong with a policy, its taxonomies and tables, not only the first thing.

#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/context.h"

namespace reissue::engine {

struct CheckReport {
  std::vector<Error> problems;
  std::vector<std::string> notes;  // what is there, what looks odd but is allowed
};

CheckReport Check(const std::string& policy, const std::vector<std::string>& tables,
                  Context& context);

}  // namespace reissue::engine
