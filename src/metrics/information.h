#pragma once
// How much of each column, and of what columns have to do with each other, can still be seen in a
// release. docs/metrics.md has the definitions. Pure functions.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reissue/metrics/coded.h"

namespace reissue::metrics {

struct ColumnInformation {
  std::string name;
  double entropy = 0;  // of the raw column, in bits
  // Mutual information of raw value and label over the entropy, 0 … 1. Rows that are left out, or
  // whose label stands for everything, tell nothing. 1 where all raw values are the same.
  double kept = 1;
};

// Which row became which label is not asked: rows are matched as evenly as the counts allow (the
// matching of greatest entropy). With one cut per column there is only one. `column` is counted
// from 0. O(rows + codes · labels above a code); where labels cross, some rounds of fitting.
ColumnInformation MeasureInformation(const CodedTable& table, const CodedRelease& release,
                                     std::size_t column, std::uint32_t codes);

// Cramér's V of pairs of columns, the sensitive one included.
struct Correlations {
  struct Pair {
    std::size_t first = 0, second = 0;  // columns; the sensitive one comes after the others
    double raw = 0, published = 0;      // V, 0 … 1
    double difference() const { return raw < published ? published - raw : raw - published; }
  };
  std::vector<Pair> pairs;  // of columns with at least two categories each
  double mean_difference = 0;
  std::size_t worst = 0;  // the pair of the greatest difference; the first of equals
};

// Each published row is spread evenly over what its labels stand for, and over the values of its
// group. A column of more than kMostCategories values is cut into so many parts of about equally
// many raw rows, in the order of its codes; codes that no raw row has join the one before. O(rows ·
// columns²) for the table; for the release O(entries · columns² · kMostCategories²).
inline constexpr std::size_t kMostCategories = 16;
Correlations MeasureCorrelations(const CodedTable& table, const CodedRelease& release,
                                 std::span<const std::uint32_t> domain);

// Cramér's V of a table of shares (row-major) with so many rows and columns.
double CramersV(std::span<const double> shares, std::size_t rows, std::size_t columns);

}  // namespace reissue::metrics
