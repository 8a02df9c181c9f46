#include "reissue/taxonomy/tree_builder.h"

#include <algorithm>
#include <utility>

#include "reissue/core/let_go.h"

namespace reissue::taxonomy {

std::size_t TreeBuilder::Add(std::string_view label, std::size_t parent) {
  REISSUE_CHECK(parents_.empty() ? parent == kNoParent : parent < parents_.size());
  REISSUE_CHECK(parents_.size() < kRoot);
  texts_ += label;
  starts_.push_back(texts_.size());
  parents_.push_back(parent == kNoParent ? kRoot : static_cast<std::uint32_t>(parent));
  return parents_.size() - 1;
}

std::size_t TreeBuilder::AddRange(std::string_view label, std::size_t parent, Range range) {
  ranges_.push_back(range);
  return Add(label, parent);
}

// Without recursion: a hierarchy may be as deep as its longest line.
std::vector<std::uint32_t> TreeBuilder::Preorder() const {
  constexpr std::uint32_t kNone = kRoot;
  std::vector<std::uint32_t> first_child(size(), kNone), next_sibling(size(), kNone);
  for (std::size_t node = size(); node-- > 1;) {
    next_sibling[node] = first_child[parents_[node]];
    first_child[parents_[node]] = static_cast<std::uint32_t>(node);
  }
  std::vector<std::uint32_t> order, pending = {0};
  order.reserve(size());
  while (!pending.empty()) {
    const std::uint32_t node = pending.back();
    pending.pop_back();
    order.push_back(node);
    if (next_sibling[node] != kNone) pending.push_back(next_sibling[node]);
    if (first_child[node] != kNone) pending.push_back(first_child[node]);
  }
  return order;
}

Taxonomy TreeBuilder::Build() && {
  REISSUE_CHECK(!parents_.empty());
  Taxonomy tree;
  {
    const std::vector<std::uint32_t> order = Preorder();
    NumberNodes(order, tree);
    LetGo(parents_);
    FillLeaves(tree);
    KeepLabels(order, tree);
  }
  return tree;
}

void TreeBuilder::NumberNodes(std::span<const std::uint32_t> order, Taxonomy& tree) const {
  const std::size_t count = size();
  std::vector<std::uint32_t> number(count);
  for (std::size_t i = 0; i < count; ++i) number[order[i]] = static_cast<std::uint32_t>(i);
  tree.children_begin_.assign(count + 1, 0);
  tree.parents_.reserve(count);
  tree.depths_.reserve(count);
  for (const std::uint32_t old : order) {
    const bool is_root = parents_[old] == kRoot;
    const NodeId parent = is_root ? NodeId::Invalid() : NodeId(number[parents_[old]]);
    tree.parents_.push_back(parent);
    tree.depths_.push_back(is_root ? 0 : tree.depths_[parent.index()] + 1);
    if (!is_root) ++tree.children_begin_[parent.index() + 1];
  }
  tree.height_ = *std::max_element(tree.depths_.begin(), tree.depths_.end());

  for (std::size_t i = 0; i < count; ++i) tree.children_begin_[i + 1] += tree.children_begin_[i];
  std::vector<std::uint32_t> next(tree.children_begin_.begin(), tree.children_begin_.end() - 1);
  tree.children_.resize(count - 1);
  for (std::size_t i = 1; i < count; ++i) {
    tree.children_[next[tree.parents_[i].index()]++] = NodeId(i);
  }
}

void TreeBuilder::KeepLabels(std::span<const std::uint32_t> order, Taxonomy& tree) {
  if (ranges_.size() == order.size()) {
    tree.ranges_.reserve(order.size());
    for (const std::uint32_t old : order) tree.ranges_.push_back(ranges_[old]);
    LetGo(ranges_);
  }
  if (kind_ == Labels::kTexts) {
    DictionaryBuilder index;
    for (std::size_t i = 0; i < order.size(); ++i) {
      REISSUE_CHECK(index.Intern(label(order[i])).index() == i);
    }
    tree.index_ = std::move(index).Build();
    return;
  }
  REISSUE_CHECK(tree.numeric());
  tree.root_text_ = label(order[0]);
  tree.leaf_starts_.reserve(tree.leaves() + 1);
  tree.leaf_starts_.push_back(0);
  tree.leaf_texts_.reserve(texts_.size());
  for (const NodeId leaf : tree.leaf_nodes_) {
    tree.leaf_texts_ += label(order[leaf.index()]);
    tree.leaf_starts_.push_back(tree.leaf_texts_.size());
  }
}

void TreeBuilder::FillLeaves(Taxonomy& tree) {
  const std::size_t count = tree.nodes();
  tree.first_leaf_.resize(count);
  tree.last_leaf_.resize(count);
  tree.end_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    tree.first_leaf_[i] = static_cast<std::uint32_t>(tree.leaf_nodes_.size());
    if (tree.is_leaf(NodeId(i))) tree.leaf_nodes_.push_back(NodeId(i));
    tree.last_leaf_[i] = static_cast<std::uint32_t>(tree.leaf_nodes_.size());
    tree.end_[i] = static_cast<std::uint32_t>(i + 1);
  }
  // A parent has a smaller number than its children, so backwards its last child is complete.
  for (std::size_t i = count; i-- > 1;) {
    const std::size_t parent = tree.parents_[i].index();
    tree.end_[parent] = std::max(tree.end_[parent], tree.end_[i]);
    tree.last_leaf_[parent] = std::max(tree.last_leaf_[parent], tree.last_leaf_[i]);
  }
}

Taxonomy TreeBuilder::ReplaceRanges(Taxonomy tree, std::vector<Range> ranges) {
  REISSUE_CHECK(ranges.size() == tree.nodes());
  tree.ranges_ = std::move(ranges);
  return tree;
}

}  // namespace reissue::taxonomy
