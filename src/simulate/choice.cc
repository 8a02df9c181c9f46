#include "reissue/simulate/choice.h"

#include <numeric>

#include "reissue/core/result.h"

namespace reissue::simulate {

Choice::Choice(std::span<const Weight> weights, std::size_t outcomes) : outcomes_(outcomes) {
  REISSUE_CHECK(outcomes > 0 && !weights.empty() && weights.size() % outcomes == 0);
  slots_.resize(weights.size());
  for (std::size_t first = 0; first < weights.size(); first += outcomes) {
    Build(weights.subspan(first, outcomes), std::span(slots_).subspan(first, outcomes));
  }
}

void Choice::Build(std::span<const Weight> weights, std::span<Slot> slots) {
  const std::uint64_t total = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  REISSUE_CHECK(total > 0 && total < (std::uint64_t{1} << 31));
  // Each column holds `total` units: its own first, the rest from one richer outcome.
  std::vector<std::uint64_t> units(weights.begin(), weights.end());
  std::vector<std::uint32_t> poor, rich;
  for (std::uint32_t i = 0; i < units.size(); ++i) {
    units[i] *= units.size();
    (units[i] < total ? poor : rich).push_back(i);
  }
  while (!poor.empty()) {
    const std::uint32_t taker = poor.back();
    const std::uint32_t giver = rich.back();
    poor.pop_back();
    slots[taker] = {static_cast<std::uint32_t>((units[taker] << 32) / total), giver};
    units[giver] -= total - units[taker];
    if (units[giver] < total) {
      rich.pop_back();
      poor.push_back(giver);
    }
  }
  for (const std::uint32_t full : rich) slots[full] = {0, full};
}

}  // namespace reissue::simulate
