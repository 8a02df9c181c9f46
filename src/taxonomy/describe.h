#pragma once
// A tree in numbers and as text, for `reissue taxonomy show`. Pure functions.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

struct Description {
  std::size_t nodes = 0;
  std::size_t leaves = 0;
  std::size_t levels = 0;           // nodes on the longest path from the root to a leaf
  std::size_t largest_fan_out = 0;  // children of one node
  std::string widest;               // the first node that has so many; empty where all are leaves
};

// O(nodes).
Description Describe(const Taxonomy& tree);

// One line per node, two blanks of indent per level, inner nodes with the number of their leaves:
//   * (4 leaves)
//     A (2 leaves)
//       a1
// Nodes deeper than `depth_limit` (root: 0) are left out. Control characters are shown as `?`.
std::string Render(const Taxonomy& tree,
                   std::uint32_t depth_limit = std::numeric_limits<std::uint32_t>::max());

}  // namespace reissue::taxonomy
