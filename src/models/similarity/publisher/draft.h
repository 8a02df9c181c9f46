#pragma once
// A release in the making: groups with running sums, so that adding a row, or asking whether a
// group keeps the guarantee, takes O(values).

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/similarity/publisher/publish.h"

namespace reissue::models::similarity::internal {

struct Bunch {
  std::vector<std::uint32_t> rows;
  std::vector<double> belief;         // sum of the members'
  double entropy = 0;                 // sum of the members', in bits
  std::vector<std::uint32_t> counts;  // rows per value shown
  Box box;
  std::uint64_t changed = 0;  // in which round of improvement
  bool judged = false;        // and found to be fine, since the last change
};

class Draft {
 public:
  // Nobody in a group, true values shown; shares are those of the whole table.
  Draft(const Table& table, const Guarantee& guarantee);

  const Table& table() const { return *table_; }
  const Guarantee& guarantee() const { return guarantee_; }

  Bunch Empty() const;
  void Add(Bunch& bunch, std::uint32_t row) const { Add(bunch, row, shown[row]); }
  void Add(Bunch& bunch, std::uint32_t row, Value as) const;
  void Join(Bunch& bunch, const Bunch& other) const;
  // O(values + members · columns).
  void Remove(Bunch& bunch, std::uint32_t row, Value as) const;

  bool Keeps(const Bunch& bunch) const;
  // Whether it has the shape that is asked for except for J, which is dearer to find out.
  bool KeepsShares(const Bunch& bunch) const;
  bool KeepsSimilarity(const Bunch& bunch) const { return Alike(bunch, 1); }
  // Whether the divergence is at most that share of J.
  bool Alike(const Bunch& bunch, double share) const;
  Shape ShapeOf(const Bunch& bunch) const;
  // How many more rows of the value there could be before its share is above the table's.
  double RoomFor(const Bunch& bunch, Value value) const;
  // Rows of a group in which one may have the value (beta).
  std::size_t LeastRows(Value value) const;
  // Whether a group of so many rows may have one more of the value than the bunch has (beta).
  bool Bears(const Bunch& bunch, Value value, std::size_t rows) const;
  bool AllAlike() const;  // the whole table's beliefs
  bool beliefs_differ() const { return beliefs_differ_; }
  // Of the box; of trees the leaf there.
  void AppendMiddle(const Bunch& bunch, std::vector<double>& places) const;

  // Part of the certainty penalty.
  double Cost(const Bunch& bunch) const;
  // The cost of both together less that of each.
  double CostOfAdding(const Bunch& bunch, std::uint32_t row) const;
  double CostOfJoining(const Bunch& bunch, const Bunch& other) const;
  // Of all groups and of the rows that are out.
  double Cost() const;

  // Shares are from now on those of the rows in groups, as shown.
  void Recount();
  // The guarantee is from now on no more than what the shape keeps.
  void Relax(const Shape& shape);
  // Empties it; its rows have their true values again.
  std::vector<std::uint32_t> Dissolve(Bunch& bunch);
  // Forgets groups without rows.
  void Tidy();
  Outcome ToOutcome() const;

  std::vector<Bunch> groups;
  std::vector<std::uint32_t> out;  // rows in no group
  std::vector<Value> shown;

 private:
  double DivergenceOf(const Bunch& bunch) const;
  void SetShares(const std::vector<std::uint64_t>& rows);

  const Table* table_;
  Guarantee guarantee_;
  std::vector<double> entropy_;       // per belief
  std::vector<std::uint64_t> all_;    // rows per value
  std::vector<double> share_, most_;  // per value: in the table; in a group at most (beta)
  bool beliefs_differ_ = true;
};

}  // namespace reissue::models::similarity::internal
