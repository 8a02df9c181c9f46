#include "promised.h"

#include <algorithm>

namespace oracle::similarity {
namespace {

constexpr double kSure = 1 - 1e-9;

int Shown(const std::vector<Member>& group, int value) {
  return int(std::count_if(group.begin(), group.end(),
                           [&](const Member& other) { return other.value == value; }));
}

}  // namespace

bool KnownBefore(const Member& member, const std::vector<Member>& group) {
  for (const Said& one : member.said) {
    if (one.confidence >= 1) return true;
  }
  for (const Member& other : group) {
    if (member.prior[std::size_t(other.value)] >= kSure) return true;
  }
  return false;
}

double Beyond(const std::vector<Member>& group, const std::vector<Belief>& belief,
              const Promised& promised, const Mistake& mistake) {
  double beyond = -1;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (KnownBefore(group[i], group)) continue;
    for (int value = 0; value < int(group[i].prior.size()); ++value) {
      const int rows = Shown(group, value);
      if (rows == 0 || (mistake.true_values_only && value != group[i].value)) continue;
      const double believed = belief[i][std::size_t(value)];
      if (promised.max_belief) {
        const double before = group[i].prior[std::size_t(value)];
        beyond = std::max(beyond, believed - std::max(*promised.max_belief, before));
      }
      if (!promised.max_gain) continue;
      const double gain = inference::GainOf(believed, rows, int(group.size()));
      beyond = std::max(beyond, gain - *promised.max_gain);
      if (believed >= kSure && !mistake.certainty_is_no_gain) beyond = std::max(beyond, 1.0);
    }
  }
  return beyond;
}

}  // namespace oracle::similarity
