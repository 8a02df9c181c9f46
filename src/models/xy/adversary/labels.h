#pragma once
// Which labels of a join attribute match, table by table, and which labels are as good as each
// other.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/xy/release/linked.h"

namespace reissue::models::xy {

// One join attribute. Labels of a table are in one class if they match the same labels in each of
// the other tables that have the attribute. Where two tables are global recodings, a class is a
// node of their envelope (docs/design/0002).
class JoinLabels {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  JoinLabels(const Linked& linked, const std::vector<Attribute>& join);

  bool has(std::size_t table) const { return !sides_[table].class_of.empty(); }
  std::size_t column(std::size_t table) const { return sides_[table].column; }
  // In no table one label stands above another.
  bool global() const { return global_; }
  // Each class matches at most one class in each other table: to know it in one is to know it in
  // all.
  bool one_to_one() const { return one_to_one_; }
  std::uint32_t class_of(std::size_t table, std::uint32_t label) const {
    return sides_[table].class_of[label];
  }
  // A label that stands for its class.
  std::uint32_t label_of(std::size_t table, std::uint32_t number) const {
    return sides_[table].label_of[number];
  }
  // The classes of `other` that match a class of `table`, ascending.
  std::span<const std::uint32_t> Matches(std::size_t table, std::uint32_t number,
                                         std::size_t other) const {
    return sides_[table].matches[other][number];
  }

 private:
  struct Side {
    std::size_t column = 0;
    std::vector<std::uint32_t> labels;    // ascending
    std::vector<std::uint32_t> class_of;  // per node of the tree; kNone where it is no label
    std::vector<std::uint32_t> label_of;  // per class
    // Per other table and class: classes there.
    std::vector<std::vector<std::vector<std::uint32_t>>> matches;
  };
  std::vector<Side> sides_;  // per table
  bool global_ = true;
  bool one_to_one_ = true;
};

}  // namespace reissue::models::xy
