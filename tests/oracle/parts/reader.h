#pragma once
// A reader of one or two releases of a growing table who tries out all worlds, written from the
// definitions (docs/design/0002-growing-tables.md) and from nothing else. Labels are intervals of
// places on a line, of any shape: the files of several parts need not agree on them. Exponential in
// principle, for tiny tables. For tests only; plain values.

#include <map>
#include <optional>
#include <vector>

namespace oracle::parts {

struct Row {
  int low = 0, high = 0;  // the label: places from low to high
  int value = 0;          // sensitive
};
using Release = std::vector<Row>;
using Series = std::vector<Release>;  // one or two, oldest first

struct Person {
  int place = 0, value = 0;
  int birth = 1;  // release of the first appearance
  int part = 0;
};

// By value, how many rows cannot be excluded of somebody who lives at `place` and came with release
// `birth`: the most that any world has of people who came then and of whom all rows fit the place.
// In a world everybody of the first release has one row of each, with one value, whose labels have
// a place in common. Nothing where there is no world: not a growing table.
std::optional<std::map<int, int>> Left(const Series& series, int place, int birth);

int Sum(const std::map<int, int>& left);
int Distinct(const std::map<int, int>& left);
double LargestShare(const std::map<int, int>& left);  // 0 of nothing
double Entropy(const std::map<int, int>& left);
// Largest count over the sum of all but the l − 1 largest; infinite where that is nothing.
double RecursiveBound(const std::map<int, int>& left, int l);
// Half the sum of |p − q| of two distributions of counts.
double Distance(const std::map<int, int>& some, const std::map<int, int>& all);
// Largest p/q − 1.
double Gain(const std::map<int, int>& some, const std::map<int, int>& all);

// All rows, by value; those of one label.
std::map<int, int> Values(const Release& release);
std::map<std::pair<int, int>, std::map<int, int>> Groups(const Release& release);

// The parts' files as one.
Series Together(const std::vector<Series>& parts);

}  // namespace oracle::parts
