#pragma once
// What a tree of boxes is good for in a series: which of its splits later releases can make again.
// Internal to the publisher.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/k/publisher/problem.h"
#include "reissue/taxonomy/space_tree.h"

namespace reissue::models::k::internal {

inline constexpr double kShareOfLater = 0.95;  // of later releases in what a series costs

// How likely a box has nobody new or enough people in a later release, by the rows it has now.
class Survival {
 public:
  // Newcomers per row; how many a box needs.
  Survival(double growth, std::uint64_t least);

  double Of(std::uint64_t rows);
  // A split can be made again where all children do. Whoever is the first in a child that had
  // nobody is alone there; there is about one such person in a table of any size.
  double OfAll(std::span<const std::uint64_t> rows_of_child);
  double first() const { return first_; }

 private:
  double growth_;
  std::uint64_t least_;
  double first_;
  std::vector<double> known_;  // by rows; below 0: not known yet
};

// Of this release, and of a later one.
struct Costs {
  double now = 0, later = 0;
  double Both() const { return (1 - kShareOfLater) * now + kShareOfLater * later; }
};

// What a tree is good for in a series that grows so: the cost of its leaves now, and what a cut of
// a later release will cost on average. Of loss, per row. Rows that are left out cost their whole
// detail.
double CostInSeries(const Problem& problem, const LocalRecoding& local, double growth);

}  // namespace reissue::models::k::internal
