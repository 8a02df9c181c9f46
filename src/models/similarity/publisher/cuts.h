#pragma once
// Where to cut rows in two along a column, so that both parts keep the guarantee and cost least.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reissue/models/similarity/publisher/draft.h"

namespace reissue::models::similarity::internal {

// One per thread; remembers nothing but room.
class Cutter {
 public:
  explicit Cutter(const Draft& draft);

  // The cheapest pair of valid groups that one cut through the rows can make, among those that cost
  // less than `limit` together. Cuts go through the columns and, with `beliefs`, through these.
  // O(rows · (log rows + columns) · columns), and O(rows · values) for each cut that is tried.
  std::optional<std::pair<Bunch, Bunch>> Best(std::span<const std::uint32_t> rows, double limit,
                                              bool beliefs);

 private:
  struct Cut {
    double cost = 0;
    std::uint32_t line = 0, at = 0;
    auto operator<=>(const Cut&) const = default;
  };
  void SortAlong(std::size_t line);
  void FindCuts(std::uint32_t line, double limit);
  Bunch Gather(std::size_t from, std::size_t to) const;

  const Draft& draft_;
  std::size_t columns_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::pair<double, std::uint32_t>> sorted_;
  std::vector<double> before_;
  std::vector<double> low_, high_;
  std::vector<Cut> cuts_;
};

}  // namespace reissue::models::similarity::internal
