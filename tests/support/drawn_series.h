#pragma once
// Random series of a growing table whose cuts wander, return and get coarser, and what two attacks
// on one of them must agree in.

#include <algorithm>
#include <vector>

#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/adversary/small_series.h"

namespace reissue::models::bcf::testing {

// Cuts that are nowhere finer than these.
inline Cuts Coarser(Random& random, const Taxonomies& trees, Cuts cuts) {
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    for (std::uint64_t times = random.Below(3); times > 0; --times) {
      const auto nodes = cuts[j].Nodes();
      const NodeId node = nodes[random.Below(nodes.size())];
      if (node != taxonomy::Taxonomy::root()) cuts[j].Generalise(*trees[j], trees[j]->parent(node));
    }
  }
  return cuts;
}

// Cuts that wander, return, and get coarser.
inline std::vector<Cuts> Wandering(Random& random, const Taxonomies& trees, std::size_t n) {
  std::vector<Cuts> cuts;
  for (std::size_t i = 0; i < n; ++i) {
    cuts.push_back(i > 0 && random.Below(3) > 0 ? Coarser(random, trees, cuts[random.Below(i)])
                                                : RandomCuts(random, trees));
  }
  return cuts;
}

// Every fourth series has boxes, every fourth cells that overlap.
inline Series Drawn(Random& random, int round) {
  const std::size_t n = 2 + random.Below(5);
  const auto table = RandomTable(random, 1 + random.Below(2), 4, 40, 2, n);
  if (round % 4 == 0) return PublishLocally(random, table, std::min<std::size_t>(n, 3));
  if (round % 4 == 1) return PublishBoxes(random, table, n);
  return Publish(table, Wandering(random, table.trees, n));
}

// Bounds of one number.
inline bool Agree(const Interval& a, const Interval& b) {
  return a.lower <= b.upper && b.lower <= a.upper;
}

inline bool TellTheSame(const SeriesAttackReport& a, const SeriesAttackReport& b) {
  return a.verdict == b.verdict && a.of_birth == b.of_birth && a.targets == b.targets &&
         a.exposed == b.exposed && Agree(a.singled_out, b.singled_out) &&
         Agree(a.value_certain, b.value_certain);
}

}  // namespace reissue::models::bcf::testing
