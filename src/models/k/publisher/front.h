#pragma once
// What the searches have found, for every number of rows that may be left out. Internal to the
// publisher.

#include <cstdint>
#include <limits>
#include <map>

#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::internal {

// The cost of no solution.
inline constexpr double kNoSolution = std::numeric_limits<double>::infinity();

struct Solution {
  Recoding recoding;
  double cost = 0;
  std::uint64_t left_out = 0;  // rows
};

class Front {
 public:
  // Whether nothing known leaves out as few rows and costs as little.
  bool Wants(std::uint64_t left_out, double cost) const {
    const Solution* known = Best(left_out);
    return cost < (known == nullptr ? kNoSolution : known->cost);
  }
  void Offer(Solution solution) {
    if (!Wants(solution.left_out, solution.cost)) return;
    auto next = by_rows_.lower_bound(solution.left_out);
    while (next != by_rows_.end() && next->second.cost >= solution.cost) {
      next = by_rows_.erase(next);
    }
    const std::uint64_t left_out = solution.left_out;
    by_rows_.emplace_hint(next, left_out, std::move(solution));
  }
  void Offer(const Front& other) {
    for (const auto& [left_out, solution] : other.by_rows_) Offer(solution);
  }

  // The cheapest that leaves out at most `limit` rows; null: there is none.
  const Solution* Best(std::uint64_t limit) const {
    const auto after = by_rows_.upper_bound(limit);
    return after == by_rows_.begin() ? nullptr : &std::prev(after)->second;
  }

 private:
  std::map<std::uint64_t, Solution> by_rows_;  // the more is left out, the less it costs
};

}  // namespace reissue::models::k::internal
