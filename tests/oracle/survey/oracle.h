#pragma once
// What readers of files without a promise find, by the definitions of docs/design/0011: every raw
// combination x is tried. Knows nothing of the product.

#include <cstdint>
#include <vector>

namespace oracle::survey {

// A label: the raw values (from 0) that it stands for.
using Meaning = std::vector<char>;

struct Row {
  std::vector<Meaning> labels;  // per column
  int value = 0;                // sensitive
};
using File = std::vector<Row>;

struct Interval {
  std::uint64_t lower = 0, upper = 0;
  bool operator==(const Interval&) const = default;
};

// Of each row, over all x within its labels.
struct RowFound {
  bool single_surely = false, single_possibly = false;
  bool certain_surely = false, certain_possibly = false;
  std::uint64_t least = 0;  // rows that match some x
  bool meets = false;       // something of another file
  bool operator==(const RowFound&) const = default;
};

// One file: the rows that match x.
std::vector<RowFound> Alone(const File& file);
// Files about people who came and went: `which` of them.
std::vector<RowFound> Together(const std::vector<File>& files, std::size_t which);
// The rows of the one, joined with the other: one row of it left, one value of it left, over those
// x that something there matches.
std::vector<RowFound> Joined(const File& from, const File& to);

Interval Singled(const std::vector<RowFound>& rows);
Interval Certain(const std::vector<RowFound>& rows);
Interval Either(const std::vector<RowFound>& rows);

}  // namespace oracle::survey
