#pragma once
// The quasi-identifiers of a table as places, and what groups of them cost. A numeric column has a
// number per row. A column with a taxonomy has the position of the leaf in the tree's order (depth
// first), so that a group is a box in both cases: the least and the largest place per column.
// Publisher and audit measure with the same functions.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/models/similarity/release/series.h"

namespace reissue::models::similarity {

class Column {
 public:
  // `least` … `largest`: of the table's rows.
  static Column Number(double least, double largest);
  // `joins[i]`: how many leaves there are below the lowest node above leaves i and i + 1. A tree of
  // n leaves has n - 1 of them. A column without a taxonomy: all n.
  static Column Tree(std::vector<std::uint32_t> joins);

  bool tree() const { return tree_; }
  // Certainty penalty of what is published of places from `low` to `high`: the interval's share of
  // the table's range, or, where they differ, the share of the leaves below their lowest common
  // node. From 0 to 1; 0 for a column in which all rows agree.
  double Penalty(double low, double high) const {
    return tree_ ? LeavesBetween(low, high) : (high - low) * inverse_;
  }
  // Of two places; numbers: the difference in standard deviations of the table (`scale`), trees:
  // Penalty. Grows with the distance between places in both cases, so that nothing within
  // [low, high] is nearer than the nearer end.
  double Distance(double a, double b) const {
    if (!tree_) return std::abs(a - b) * scale_;
    if (!between_.empty()) return Between(a, b);
    return a < b ? LeavesBetween(a, b) : LeavesBetween(b, a);
  }
  void SetScale(double deviation);  // numbers; 1 / (largest - least) until then

 private:
  double LeavesBetween(double low, double high) const {
    if (!between_.empty()) return Between(low, high);
    if (low == high) return 0;
    const auto first = static_cast<std::size_t>(low), end = static_cast<std::size_t>(high);
    const auto level = static_cast<std::size_t>(std::bit_width(end - first) - 1);
    const double* widest = widest_.data() + level * steps_;
    return std::max(widest[first], widest[end - (std::size_t{1} << level)]);
  }

  // In either order, without a choice that a processor could guess wrongly.
  double Between(double a, double b) const {
    return between_[static_cast<std::size_t>(a) * (steps_ + 1) + static_cast<std::size_t>(b)];
  }
  void FillBetween();

  bool tree_ = false;
  double inverse_ = 0, scale_ = 0;  // of the range; of the deviation
  std::size_t steps_ = 0;           // from leaf to leaf
  std::vector<double>
      widest_;  // per level and step: the largest join over 2^level steps, as a share
  std::vector<double> between_;  // LeavesBetween of all pairs of leaves, where there are few
};

struct Points {
  std::vector<Column> columns;
  std::vector<double> place;  // rows * columns.size(), row by row
  std::size_t rows() const { return columns.empty() ? 0 : place.size() / columns.size(); }
  std::span<const double> of(std::size_t row) const {
    return {place.data() + row * columns.size(), columns.size()};
  }
};
// Standard deviations of the numeric columns.
void Standardise(Points& points);

// The places of a group.
struct Box {
  std::uint64_t rows = 0;
  std::vector<double> low, high;  // per column; empty without rows

  void Add(std::span<const double> place);
  void Join(const Box& other);
  double Penalty(std::span<const Column> columns) const;  // the mean over columns
};
// One per group number up to the largest; a number that no row has: no rows.
std::vector<Box> BoxesOf(const Points& points, std::span<const std::uint32_t> group);

// `group`: per row, kSuppressed where the row is left out.
// Global certainty penalty of Xu et al. (KDD 2006) as in section 6.2: the sum over rows of the mean
// penalty of their group's columns; a row that is left out costs 1.
double CertaintyPenalty(const Points& points, std::span<const std::uint32_t> group);

// Record linkage, equation 7: whoever knows everybody's quasi-identifiers links each person to the
// nearest group, by the distance of the person to the middle of the group's intervals and to its
// taxonomy nodes (for a tree: Penalty of the person's leaf and the group's box together). Sum over
// people of 1/size where that is the person's own group; groups equally near (within 1e-12 of the
// squared distance) share the chance. O(rows log groups) where places are spread.
double RecordLinkage(const Points& points, std::span<const std::uint32_t> group, ThreadPool& pool);

}  // namespace reissue::models::similarity
