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

// What comes in a release of a series.
struct Prospect {
  double growth = 0;  // newcomers per row; 0: there is no series
  double firsts =
      1;  // first people in boxes that had nobody: times what Survival expects of any table
};

// As the table tells: whoever is alone in a box was the first there (Good and Turing).
// O(tuples · columns²).
Prospect ProspectOf(const Problem& problem, double growth);

// How likely a later release can tell rows apart, by the rows that there are now.
class Survival {
 public:
  // The problem must outlive it.
  Survival(const Problem& problem, const Prospect& prospect);

  // Of a split: all children are boxes that can be told apart again.
  double OfSplit(Spot place, std::span<const std::uint64_t> rows_of_child);
  // Of a split in which one child has all rows.
  double OfOnly(Spot child, std::uint64_t rows) const;

 private:
  // There is nobody new, or there are enough people.
  double OfBox(std::uint64_t rows);
  // How many come to a child that has nobody, of a box with so many rows.
  double Firsts(Spot child, std::uint64_t rows) const;

  const Problem& problem_;
  Prospect prospect_;
  std::uint64_t least_;
  std::vector<double> known_;  // OfBox by rows; below 0: not known yet
};

// Of this release, and of a later one.
struct Costs {
  double now = 0, later = 0;
  double Both() const { return (1 - kShareOfLater) * now + kShareOfLater * later; }
};

// What a tree is good for in a series that grows so: the cost of its leaves now, and what a cut of
// a later release will cost on average. Of loss, per row. Rows that are left out cost their whole
// detail.
double CostInSeries(const Problem& problem, const LocalRecoding& local, const Prospect& prospect);

}  // namespace reissue::models::k::internal
