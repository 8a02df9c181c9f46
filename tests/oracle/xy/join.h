#pragma once
// The slow twin of model `xy`, from sections 3.1, 3.3 and 7 of Wang and Fung (KDD 2006): makes the
// join of tiny tables row by row and counts in it. For tests only; knows nothing of the product's
// code. Plain values.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace oracle::xy {

using Label = int;
using Labels = std::vector<Label>;

// The parent of each node; node 0 is the root, its parent is −1. Parents come before children.
struct Tree {
  std::vector<Label> parents;

  bool AtOrAbove(Label above, Label below) const;
  bool OnOnePath(Label a, Label b) const;
  std::vector<Label> Children(Label node) const;
  std::vector<Label> Leaves() const;
};

// A column of a table. Table 0 is the one to be released.
struct Place {
  std::size_t table = 0;
  std::size_t column = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Table {
  std::vector<std::optional<std::size_t>> trees;  // per column, in World::trees; none: plain values
  std::vector<Labels> rows;
};

// Rows at or below both labels are never the same person.
struct Forbidden {
  Place a;
  Label a_label = 0;
  Place b;
  Label b_label = 0;
};

struct World {
  std::vector<Tree> trees;
  std::vector<Table> tables;
  std::vector<std::vector<Place>> joins;
  std::vector<Forbidden> forbidden;
};

// Definition 3.1 (anonymity) or 3.2.
struct Promise {
  bool anonymity = true;
  std::vector<Place> x;
  std::vector<Place> y;
  std::vector<std::size_t> y_keys;  // tables of which every row is a y of its own
  long k = 1;
  double confidence = 1;
  struct Named {
    Place place;
    Label label = 0;
    double threshold = 1;
  };
  std::vector<Named> named;  // linkability: only these are sensitive, and what lies below them
};

// Both predicates of section 3.3, for a row of table i and a row of table j.
bool Match(const World& world, std::size_t i, const Labels& row_i, std::size_t j,
           const Labels& row_j);

// One row number per table.
using Tuple = std::vector<std::size_t>;
std::vector<Tuple> Join(const World& world);

// What occurs with one x: a(x), and a(x, y) for every y that occurs. A y is the labels of the
// columns of Y and the numbers of the rows that are keys. Of named values, all are there, by index,
// also those that do not occur.
struct Facts {
  long records = 0;
  std::map<Labels, long> with_y;
  std::set<std::size_t> rows;  // of the new table
};
std::map<Labels, Facts> GroupByX(const World& world, const std::vector<Tuple>& join,
                                 const Promise& promise);

// What one x gives away: the y that exceeds its threshold most.
struct Worst {
  Labels x;
  long records = 0;
  long distinct = 0;
  Labels y;
  long records_with_y = 0;
  double share = 0, threshold = 0;
};

struct Answer {
  bool satisfied = true;
  std::optional<long> anonymity;
  std::optional<double> linkability;
  long violating = 0;
  long one_row = 0;          // x that leave one row of the new table
  long certain = 0;          // linkability: x that make a y certain
  std::vector<Worst> worst;  // every x, in the order of x
  friend bool operator==(const Answer& a, const Answer& b) {
    return a.satisfied == b.satisfied && a.anonymity == b.anonymity &&
           a.linkability == b.linkability && a.violating == b.violating && a.one_row == b.one_row &&
           a.certain == b.certain;
  }
};
Answer AnswerOf(const World& world, const std::vector<Tuple>& join, const Promise& promise);

struct Answers {
  bool satisfied = true;
  std::vector<Answer> promises;
  long join_rows = 0;
  std::vector<long> dangling;  // per table: rows in no tuple of the join
  friend bool operator==(const Answers&, const Answers&) = default;
};
Answers AnswersOf(const World& world, const std::vector<Tuple>& join,
                  const std::vector<Promise>& promises);
Answers AnswersOf(const World& world, const std::vector<Promise>& promises);

std::string Describe(const World& world);
std::string Describe(const Promise& promise);
std::string Describe(const Answers& answers);

}  // namespace oracle::xy
