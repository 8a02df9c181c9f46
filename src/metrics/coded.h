#pragma once
// A table and a release of it in codes: every column has a scale of codes 0, 1, …, a raw value is
// one of them, and a published label stands for some. What is asked of labels here is only which
// codes they stand for: a node of a tree, a range of numbers and a set of values are all the same.
// Plain values.

#include <cstdint>
#include <vector>

namespace reissue::metrics {

// The codes first … last.
struct CodeRange {
  std::uint32_t first = 0, last = 0;

  std::uint64_t codes() const { return std::uint64_t{last} - first + 1; }
  bool operator==(const CodeRange&) const = default;
};

// What a label stands for: ranges in ascending order that do not touch. Never empty.
using Coverage = std::vector<CodeRange>;

std::uint64_t CodesIn(const Coverage& label);
// Those of them that are in the range.
std::uint64_t CodesIn(const Coverage& label, CodeRange range);

// Raw rows: codes per column (row-major) and sensitive values; all 0 where nothing is sensitive.
struct CodedTable {
  std::size_t columns = 0;
  std::vector<std::uint32_t> codes;
  std::vector<std::uint32_t> values;
  // How many rows each of them stands for; empty: one.
  std::vector<std::uint64_t> weights = {};

  std::uint64_t weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
  std::uint64_t total() const;
};

// Finds, of all rows that a table stands for, the one of a number: by rank.
class RowFinder {
 public:
  explicit RowFinder(const CodedTable& table);
  std::uint64_t total() const { return total_; }
  std::size_t operator()(std::uint64_t rank) const;

 private:
  std::uint64_t total_;
  std::vector<std::uint64_t> end_;  // ranks before which rows end; empty: row = rank
};

// A release. An entry is rows of one group that look alike; readers know how often each value
// occurs in a group, and not who has it. Where every row shows its own value, the rows that look
// alike are a group. A row may be at every code of its labels, with the same chance.
struct CodedRelease {
  std::vector<std::vector<Coverage>> labels;  // per column
  std::vector<std::uint32_t> shown;           // per entry a label of every column
  std::vector<std::uint32_t> group;           // per entry
  std::vector<std::uint64_t> rows;            // per entry
  struct Count {
    std::uint32_t group = 0, value = 0;
    std::uint64_t rows = 0;
  };
  std::vector<Count> counts;

  std::size_t columns() const { return labels.size(); }
};

}  // namespace reissue::metrics
