#pragma once
// Which rows of linked tables match, without a row being looked at twice. Rows of a table that
// match the same rows elsewhere are a group. Tables are joined one after the other: of a tuple of
// groups of the first tables, later tables see no more than the lowest label per attribute and the
// inconsistent pairs to which it is party. That is a state, and the join is the set of paths
// through the states.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/xy/adversary/attack.h"
#include "reissue/models/xy/adversary/labels.h"
#include "reissue/models/xy/adversary/tuple_index.h"

namespace reissue::models::xy {

class Matching {
 public:
  static constexpr std::uint32_t kDangling = 0xffffffff;

  explicit Matching(const Linked& linked);

  std::size_t tables() const { return group_of_cell_.size(); }
  bool global() const { return global_; }
  // The columns that decide what a row matches, ascending.
  const std::vector<std::size_t>& columns(std::size_t table) const { return columns_[table]; }
  // kDangling for rows without a partner, and for cells without rows.
  std::uint32_t group_of_cell(std::size_t table, std::size_t cell) const {
    return group_of_cell_[table][cell];
  }
  std::size_t groups(std::size_t table) const { return groups_[table].size(); }
  // What makes a group: a class per join attribute, then words of bits.
  std::span<const std::uint32_t> group_key(std::size_t table, std::size_t group) const {
    return groups_[table].key(group);
  }
  const std::vector<JoinLabels>& joins() const { return joins_; }

  // After table 0, a state is a group of it. After the last table all states are one, numbered 0.
  std::size_t states(std::size_t table) const { return states_[table]; }
  struct Step {
    std::uint32_t group;  // of the next table
    std::uint32_t state;  // after the next table
  };
  // What matches a state after `table` in the next one. Leads to complete tuples only.
  std::span<const Step> steps(std::size_t table, std::size_t state) const {
    const auto& begin = begin_[table];
    return {steps_[table].data() + begin[state], begin[state + 1] - begin[state]};
  }

  Wide join_rows() const { return join_rows_; }
  const std::vector<std::uint64_t>& dangling() const { return dangling_; }

 private:
  void FindColumns(const Linked& linked);
  void MakeGroups(const Linked& linked, std::size_t table);
  void Join(const Linked& linked, std::size_t table, TupleIndex& state_keys);
  void DropDeadEnds();
  void Count(const Linked& linked);

  bool global_ = true;
  std::vector<JoinLabels> joins_;
  std::vector<std::vector<std::size_t>> columns_;
  // Per table: one class per join attribute (kNone where it has none), then bits of pairs.
  std::vector<TupleIndex> groups_;
  std::vector<std::vector<std::uint32_t>> group_of_cell_;
  std::vector<std::size_t> states_;
  std::vector<std::vector<Step>> steps_;
  std::vector<std::vector<std::size_t>> begin_;
  Wide join_rows_ = 0;
  std::vector<std::uint64_t> dangling_;
};

}  // namespace reissue::models::xy
