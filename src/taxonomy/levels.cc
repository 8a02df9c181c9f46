#include "reissue/taxonomy/levels.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/taxonomy/tree_builder.h"

namespace reissue::taxonomy {
namespace {

std::size_t LongestOf(std::span<const HierarchyLine> lines) {
  std::size_t longest = 1;
  for (const HierarchyLine& line : lines) longest = std::max(longest, line.labels.size());
  return longest;
}

}  // namespace

Result<Cut> LevelOf(const Taxonomy& tree, std::span<const HierarchyLine> lines,
                    std::uint32_t level) {
  const std::size_t longest = LongestOf(lines);
  if (level >= longest) {
    return InputError(
        fmt::format("there is no level {}", level),
        fmt::format("the levels are 0, the raw values, to {}, the root", longest - 1));
  }
  std::vector<bool> at_level(tree.nodes());
  for (const HierarchyLine& line : lines) {
    const std::size_t padding = longest - line.labels.size();
    const std::string& label = line.labels[level - std::min<std::size_t>(level, padding)];
    const auto node = tree.Find(label);
    REISSUE_CHECK(node);
    at_level[node->index()] = true;
  }
  std::vector<NodeId> nodes;
  for (std::size_t n = 0; n < tree.nodes(); ++n) {  // in preorder: the highest come first
    const bool covered = !nodes.empty() && tree.IsAncestor(nodes.back(), NodeId(n));
    if (at_level[n] && !covered) nodes.emplace_back(n);
  }
  return Cut::FromNodes(tree, nodes);
}

Taxonomy Truncated(const Taxonomy& tree, const Cut& cut) {
  TreeBuilder builder;
  std::vector<std::size_t> added(tree.nodes());
  for (std::size_t n = 0; n < tree.nodes(); ++n) {
    const NodeId node(n);
    const NodeId stands = cut.NodeOfLeaf(tree.first_leaf(node));
    if (stands != node && tree.IsAncestor(stands, node)) continue;
    const std::size_t parent = n == 0 ? TreeBuilder::kNoParent : added[tree.parent(node).index()];
    added[n] = tree.numeric() ? builder.AddRange(tree.label(node), parent, tree.range(node))
                              : builder.Add(tree.label(node), parent);
  }
  return std::move(builder).Build();
}

}  // namespace reissue::taxonomy
