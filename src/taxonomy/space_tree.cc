#include "reissue/taxonomy/space_tree.h"

#include <algorithm>
#include <string>

#include "reissue/taxonomy/tree_builder.h"

namespace reissue::taxonomy {

SpaceTree::SpaceTree(Trees trees)
    : trees_(std::move(trees)),
      nodes_(trees_.size(), Taxonomy::root()),
      splits_{kNone},
      first_child_{0},
      parents_{0} {
  REISSUE_CHECK(!trees_.empty());
}

std::size_t SpaceTree::fan_out(Box box) const {
  if (is_leaf(box)) return 0;
  const std::size_t split = column(box);
  return trees_[split]->children(nodes(box)[split]).size();
}

void SpaceTree::Split(Box box, std::size_t column) {
  const Taxonomy& tree = *trees_[column];
  const auto below = tree.children(nodes(box)[column]);
  REISSUE_CHECK(is_leaf(box) && !below.empty());
  splits_[box] = static_cast<std::uint32_t>(column);
  first_child_[box] = static_cast<Box>(size());
  for (const NodeId child : below) {
    const std::size_t at = nodes_.size();
    nodes_.resize(at + columns());
    std::copy_n(nodes_.begin() + static_cast<std::ptrdiff_t>(box * columns()), columns(),
                nodes_.begin() + static_cast<std::ptrdiff_t>(at));
    nodes_[at + column] = child;
    splits_.push_back(kNone);
    first_child_.push_back(0);
    parents_.push_back(box);
  }
}

SpaceTree::Box SpaceTree::ChildWith(Box box, std::uint32_t rank) const {
  const std::size_t split = column(box);
  return first_child(box) + static_cast<Box>(trees_[split]->ChildWith(nodes(box)[split], rank));
}

SpaceTree::Box SpaceTree::Locate(std::span<const std::uint32_t> ranks) const {
  Box box = 0;
  while (!is_leaf(box)) box = ChildWith(box, ranks[column(box)]);
  return box;
}

std::optional<SpaceTree::Box> SpaceTree::Find(std::span<const NodeId> wanted) const {
  for (Box box = 0;;) {
    if (std::ranges::equal(nodes(box), wanted)) return box;
    if (is_leaf(box)) return std::nullopt;
    const std::size_t split = column(box);
    box = ChildWith(box, trees_[split]->first_leaf(wanted[split]));
    if (!trees_[split]->IsAncestor(nodes(box)[split], wanted[split])) return std::nullopt;
  }
}

Locator::Locator(const SpaceTree& space) : steps_(space.size()) {
  for (const auto& tree : space.trees()) children_.push_back(ChildrenOfLeaves(*tree));
  for (SpaceTree::Box box = 0; box < space.size(); ++box) {
    if (space.is_leaf(box)) continue;
    const std::size_t column = space.column(box);
    const std::uint32_t depth = space.trees()[column]->depth(space.nodes(box)[column]);
    steps_[box] = {children_[column][depth].data(), space.first_child(box),
                   static_cast<std::uint32_t>(column)};
  }
}

Composite Compose(const SpaceTree& space, bool aside) {
  TreeBuilder builder;
  Composite composite;
  composite.node_of_box.resize(space.size());
  // The builder numbers in the order of addition, the tree in preorder.
  std::vector<SpaceTree::Box> stack = {0};
  std::vector<std::size_t> added(space.size());
  while (!stack.empty()) {
    const SpaceTree::Box box = stack.back();
    stack.pop_back();
    added[box] = builder.Add(std::to_string(box),
                             box == 0 ? TreeBuilder::kNoParent : added[space.parent(box)]);
    composite.node_of_box[box] = NodeId(composite.box_of_node.size());
    composite.box_of_node.push_back(box);
    for (std::size_t n = space.fan_out(box); n-- > 0;) {
      stack.push_back(space.first_child(box) + static_cast<SpaceTree::Box>(n));
    }
  }
  if (aside) {
    builder.Add(std::to_string(space.size()), added[0]);
    composite.aside = NodeId(composite.box_of_node.size());
    composite.box_of_node.push_back(0);
  }
  composite.tree = std::make_shared<const Taxonomy>(std::move(builder).Build());
  return composite;
}

}  // namespace reissue::taxonomy
