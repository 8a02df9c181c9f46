#include <fmt/format.h>

#include <algorithm>

#include "reissue/taxonomy/taxonomy.h"
#include "reissue/taxonomy/tree_builder.h"

namespace reissue::taxonomy {
namespace {

class SetsBuilder {
 public:
  explicit SetsBuilder(const Taxonomy& tree) : tree_(tree) {}

  Taxonomy Build() && {
    AddNode(Taxonomy::root(), TreeBuilder::kNoParent);
    return std::move(builder_).Build();
  }

 private:
  void AddNode(NodeId node, std::size_t parent) {
    const std::size_t added = builder_.Add(tree_.label(node), parent);
    AddChildren(tree_.children(node), added);
  }

  // Children of a node, or of a set of them.
  void AddChildren(std::span<const NodeId> children, std::size_t parent) {
    if (children.size() <= 2) {
      for (const NodeId child : children) AddNode(child, parent);
      return;
    }
    const std::size_t half = HalfOf(children);
    AddSet(children.first(half), parent);
    AddSet(children.subspan(half), parent);
  }

  void AddSet(std::span<const NodeId> nodes, std::size_t parent) {
    if (nodes.size() == 1) return AddNode(nodes[0], parent);
    std::vector<std::string> labels;
    for (const NodeId node : nodes) labels.push_back(tree_.label(node));
    const std::string label = fmt::format("{{{}}}", fmt::join(labels, ", "));
    if (!tree_.Find(label)) parent = builder_.Add(label, parent);
    AddChildren(nodes, parent);
  }

  // The first half ends where the leaves are divided most evenly.
  std::size_t HalfOf(std::span<const NodeId> nodes) const {
    const std::uint32_t first = tree_.first_leaf(nodes.front()),
                        last = tree_.last_leaf(nodes.back());
    std::size_t best = 1;
    std::uint32_t least = last - first;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const std::uint32_t left = tree_.first_leaf(nodes[i]) - first, all = last - first;
      const std::uint32_t off = std::max(2 * left, all) - std::min(2 * left, all);
      if (off >= least) continue;
      least = off;
      best = i;
    }
    return best;
  }

  const Taxonomy& tree_;
  TreeBuilder builder_;
};

}  // namespace

Taxonomy WithSets(const Taxonomy& tree) { return SetsBuilder(tree).Build(); }

}  // namespace reissue::taxonomy
