#pragma once
// Small systems of equations in whole numbers, by trying: which variables are 0, or as large as
// they may be, in all solutions? Internal to the adversary.

#include <cstdint>
#include <vector>

namespace reissue::models::invariance {

// Variables 0 … most; each stands once in its rows, and the variables of a row have its sum.
struct SmallSystem {
  std::vector<std::uint64_t> most;               // per variable, at least 1
  std::vector<std::vector<std::uint32_t>> rows;  // per variable
  std::vector<std::int64_t> sums;                // per row
};

struct SmallAnswer {
  bool answered = false;  // else the nodes did not suffice, and the rest says nothing
  bool possible = false;
  std::vector<bool> can_be_some, can_be_less;  // per variable: at least 1, less than `most`
};

// Depth first, with the bounds that rows impose. Exponential; takes from `nodes` what it uses.
SmallAnswer Try(const SmallSystem& system, std::uint64_t& nodes);

}  // namespace reissue::models::invariance
