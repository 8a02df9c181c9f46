#pragma once
// Tables with places, and what a release of them is worth: shapes of groups (Definition 7),
// certainty penalty and record linkage (section 6.2), nearest point next and Algorithm 1. All by
// brute force; sees nothing of the product.

#include <cstdint>
#include <utility>
#include <vector>

#include "chain.h"

namespace oracle::similarity {

// A numeric column, or a tree of leaves 0 … leaves - 1, whose nodes are ranges of leaves.
struct Axis {
  bool tree = false;
  double least = 0, largest = 0, deviation = 1;
  int leaves = 0;
  std::vector<std::pair<int, int>> nodes;  // first and last leaf; the root is one of them

  double Penalty(double low, double high) const;
  double Apart(double a, double b) const;
};

struct Rows {
  std::vector<Axis> axes;
  std::vector<std::vector<double>> place;  // per row
  std::vector<int> value;                  // the true one
  std::vector<Belief> belief;              // per row
  int values = 0;
  std::size_t size() const { return value.size(); }
};

struct Asked {
  int k = 2;
  double j = 1, beta = 0, t = 0;
  bool ordered = false;
};

// Groups of a release; -1: left out.
struct Groups {
  std::vector<int> of;
  std::vector<int> shown;
  std::vector<std::vector<std::size_t>> Members() const;
};

struct Measured {
  int k = 0;
  double j = 0, beta = 0, t = 0;
};
// Shares are those among the rows in `all`.
Measured MeasureGroup(const Rows& rows, const std::vector<int>& shown,
                      const std::vector<std::size_t>& members, const std::vector<std::size_t>& all,
                      bool ordered);
// The worst of each, against the rows shown.
Measured MeasureRelease(const Rows& rows, const Groups& groups, bool ordered);
// By how much the promise is broken: at most 0 where it is kept.
double Breach(const Measured& measured, const Asked& asked);

double Bits(const Belief& belief);

double PenaltyOf(const Rows& rows, const Groups& groups);
double LinkageOf(const Rows& rows, const Groups& groups);
double Squared(const Rows& rows, std::size_t a, std::size_t b);

// Whether the order is nearest point next: it begins with the row of largest mean squared distance
// to all rows, and goes on with the nearest row that is left; the first of several.
struct OrderCheck {
  bool right = true;
  std::size_t steps = 0, ties = 0,
              close = 0;  // close: different places, equally far but for rounding
};
OrderCheck CheckOrder(const Rows& rows, const std::vector<std::uint32_t>& order);

// Lines 4 to 13 of Algorithm 1 along an order; shares are those of all rows. What is left at the
// end has -1.
Groups CloseGroups(const Rows& rows, const std::vector<std::uint32_t>& order, const Asked& asked);

// Whether any set of at least k rows keeps the promise: alone in a release, or against the shares
// of the whole table. Up to 16 rows.
bool AnyGroup(const Rows& rows, const Asked& asked, bool of_table = false);

}  // namespace oracle::similarity
