#pragma once
// Rows of which one column proves the class and several others only hint at it.

#include <cstdint>
#include <memory>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::support {

inline constexpr std::size_t kHints = 5;

inline std::shared_ptr<const taxonomy::Taxonomy> FourLeaves() {
  const std::vector<taxonomy::HierarchyLine> lines = {
      {1, {"a", "*"}}, {2, {"b", "*"}}, {3, {"c", "*"}}, {4, {"d", "*"}}};
  return std::make_shared<const taxonomy::Taxonomy>(
      taxonomy::FromHierarchy(lines, "four.csv").value());
}

// Leaf ranks of 1 + kHints columns of four leaves, and the class. The first column tells the class
// of nine rows in ten. The others all give the same hint, right three times in four: together they
// look like more, and there is no room for both.
struct HintedRow {
  std::vector<std::uint32_t> leaves;
  std::uint32_t value = 0;
};
inline HintedRow NextHintedRow(Random& random) {
  HintedRow row;
  row.value = static_cast<std::uint32_t>(random.Below(2));
  const auto told = [&](double right) {
    const bool is_right = random.Unit() < right;
    return 2 * (is_right ? row.value : 1 - row.value) + static_cast<std::uint32_t>(random.Below(2));
  };
  row.leaves.push_back(told(0.9));
  row.leaves.insert(row.leaves.end(), kHints, told(0.75));
  return row;
}

}  // namespace reissue::support
