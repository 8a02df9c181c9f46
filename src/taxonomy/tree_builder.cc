#include "reissue/taxonomy/tree_builder.h"

#include <algorithm>
#include <utility>

namespace reissue::taxonomy {

std::size_t TreeBuilder::Add(std::string label, std::size_t parent) {
  REISSUE_CHECK(labels_.empty() ? parent == kNoParent : parent < labels_.size());
  labels_.push_back(std::move(label));
  parents_.push_back(parent);
  return labels_.size() - 1;
}

std::size_t TreeBuilder::AddRange(std::string label, std::size_t parent, Range range) {
  ranges_.push_back(range);
  return Add(std::move(label), parent);
}

// Without recursion: a hierarchy may be as deep as its longest line.
std::vector<std::size_t> TreeBuilder::Preorder() const {
  constexpr std::size_t kNone = kNoParent;
  std::vector<std::size_t> first_child(size(), kNone), next_sibling(size(), kNone);
  for (std::size_t node = size(); node-- > 1;) {
    next_sibling[node] = first_child[parents_[node]];
    first_child[parents_[node]] = node;
  }
  std::vector<std::size_t> order, pending = {0};
  order.reserve(size());
  while (!pending.empty()) {
    const std::size_t node = pending.back();
    pending.pop_back();
    order.push_back(node);
    if (next_sibling[node] != kNone) pending.push_back(next_sibling[node]);
    if (first_child[node] != kNone) pending.push_back(first_child[node]);
  }
  return order;
}

Taxonomy TreeBuilder::Build() && {
  REISSUE_CHECK(!labels_.empty());
  const std::size_t count = size();
  const std::vector<std::size_t> order = Preorder();
  std::vector<std::uint32_t> number(count);
  for (std::size_t i = 0; i < count; ++i) number[order[i]] = static_cast<std::uint32_t>(i);

  Taxonomy tree;
  const bool numeric = ranges_.size() == count;
  DictionaryBuilder index;
  tree.children_begin_.assign(count + 1, 0);
  for (const std::size_t old : order) {
    const bool is_root = parents_[old] == kNoParent;
    const NodeId parent = is_root ? NodeId::Invalid() : NodeId(number[parents_[old]]);
    REISSUE_CHECK(index.Intern(labels_[old]).index() == tree.labels_.size());
    tree.labels_.push_back(std::move(labels_[old]));
    tree.parents_.push_back(parent);
    tree.depths_.push_back(is_root ? 0 : tree.depths_[parent.index()] + 1);
    if (numeric) tree.ranges_.push_back(ranges_[old]);
    if (!is_root) ++tree.children_begin_[parent.index() + 1];
  }
  tree.height_ = *std::max_element(tree.depths_.begin(), tree.depths_.end());
  tree.index_ = std::move(index).Build();

  for (std::size_t i = 0; i < count; ++i) tree.children_begin_[i + 1] += tree.children_begin_[i];
  std::vector<std::uint32_t> next(tree.children_begin_.begin(), tree.children_begin_.end() - 1);
  tree.children_.resize(count - 1);
  for (std::size_t i = 1; i < count; ++i) {
    tree.children_[next[tree.parents_[i].index()]++] = NodeId(i);
  }
  FillLeaves(tree);
  return tree;
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
