#include <cstdlib>

#include "reissue/models/invariance/adversary/history.h"
namespace reissue::models::invariance {
LeastEquality Least(const History&, const EqualityLimits&) { std::abort(); }
}  // namespace reissue::models::invariance
