#pragma once
// A tree of boxes, for local recoding. The root is the whole domain; every inner node splits one
// column: its children have the children of the column's node, and the same nodes elsewhere. A cut
// through the tree recodes a table: neighbouring boxes may be recoded to different depths. Two
// boxes of the tree intersect exactly if one contains the other, so recoding through the tree is
// recoding of one composite column whose taxonomy the tree is.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

class SpaceTree {
 public:
  using Trees = std::vector<std::shared_ptr<const Taxonomy>>;
  using Box = std::uint32_t;  // a node; the root is 0, parents come before their children

  // The root alone. At least one tree.
  explicit SpaceTree(Trees trees);

  std::size_t size() const { return parents_.size(); }
  std::size_t columns() const { return trees_.size(); }
  const Trees& trees() const { return trees_; }
  // A node per column.
  std::span<const NodeId> nodes(Box box) const {
    return {nodes_.data() + box * columns(), columns()};
  }
  bool is_leaf(Box box) const { return splits_[box] == kNone; }
  // Of an inner box: the column that it splits, and its children, in the order of the column's.
  std::size_t column(Box box) const { return splits_[box]; }
  Box first_child(Box box) const { return first_child_[box]; }
  std::size_t fan_out(Box box) const;
  // Which child contains a leaf rank of the column that is split.
  Box ChildWith(Box box, std::uint32_t rank) const;
  // Of a box that is not the root.
  Box parent(Box box) const { return parents_[box]; }

  // Splits a leaf of the tree along a column whose node is no leaf there. O(children · columns).
  void Split(Box box, std::size_t column);
  // The leaf of the tree in which a combination lies (a leaf rank per column). O(height).
  Box Locate(std::span<const std::uint32_t> ranks) const;
  // The box with these nodes.
  std::optional<Box> Find(std::span<const NodeId> nodes) const;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  Trees trees_;
  std::vector<NodeId> nodes_;  // per box and column
  std::vector<std::uint32_t> splits_, first_child_, parents_;
};

// Finds leaves of a tree, which must outlive it and not change: as Locate, in fewer steps.
class Locator {
 public:
  // O(boxes + leaves · height of each column).
  explicit Locator(const SpaceTree& space);
  Locator(Locator&&) = default;  // no copies: the steps point into `children_`

  SpaceTree::Box operator()(std::span<const std::uint32_t> ranks) const {
    SpaceTree::Box box = 0;
    while (const std::uint32_t* child = steps_[box].child_of_leaf) {
      box = steps_[box].first_child + child[ranks[steps_[box].column]];
    }
    return box;
  }

 private:
  struct Step {
    const std::uint32_t* child_of_leaf = nullptr;  // nothing: a leaf of the tree
    SpaceTree::Box first_child = 0;
    std::uint32_t column = 0;
  };
  std::vector<std::vector<std::vector<std::uint32_t>>> children_;  // per column: ChildrenOfLeaves
  std::vector<Step> steps_;
};

// The tree as a taxonomy of one column. Labels are numbers of boxes.
struct Composite {
  std::shared_ptr<const Taxonomy> tree;
  std::vector<NodeId> node_of_box;
  std::vector<SpaceTree::Box> box_of_node;
  std::optional<NodeId> aside;
};
// `aside`: the root has one child more, the last, for rows that are in no box of the tree below it.
// The whole domain is its box.
Composite Compose(const SpaceTree& space, bool aside = false);

}  // namespace reissue::taxonomy
