#include "reissue/taxonomy/cut.h"

#include <fmt/format.h>

#include <algorithm>

namespace reissue::taxonomy {
namespace {

constexpr const char* kCutRemedy =
    "name exactly one node on the way from the root to each leaf: for every node either itself, "
    "one "
    "node above it, or nodes that together cover all its leaves";

}  // namespace

Cut Cut::Root(const Taxonomy& tree) {
  Cut cut;
  cut.node_of_leaf_.assign(tree.leaves(), Taxonomy::root());
  return cut;
}

Cut Cut::Leaves(const Taxonomy& tree) {
  Cut cut;
  cut.node_of_leaf_.reserve(tree.leaves());
  for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
    cut.node_of_leaf_.push_back(tree.leaf(rank));
  }
  return cut;
}

Result<Cut> Cut::FromNodes(const Taxonomy& tree, std::span<const NodeId> nodes) {
  Cut cut;
  cut.node_of_leaf_.assign(tree.leaves(), NodeId::Invalid());
  for (const NodeId node : nodes) {
    if (node.index() >= tree.nodes()) {
      return InputError(
          fmt::format("there is no node {} in a taxonomy of {} nodes", node.raw(), tree.nodes()),
          kCutRemedy);
    }
    for (std::size_t rank = tree.first_leaf(node); rank < tree.last_leaf(node); ++rank) {
      NodeId& taken = cut.node_of_leaf_[rank];
      if (taken.valid() && taken != node) {
        const auto [above, below] = std::minmax(taken, node);
        return InputError(fmt::format("not a cut: \"{}\" lies below \"{}\", and both are named",
                                      tree.label(below), tree.label(above)),
                          kCutRemedy);
      }
      taken = node;
    }
  }
  const auto gap = std::find(cut.node_of_leaf_.begin(), cut.node_of_leaf_.end(), NodeId::Invalid());
  if (gap != cut.node_of_leaf_.end()) {
    const auto rank = static_cast<std::size_t>(gap - cut.node_of_leaf_.begin());
    return InputError(fmt::format("not a cut: neither the leaf \"{}\" nor a node above it is named",
                                  tree.label(tree.leaf(rank))),
                      kCutRemedy);
  }
  return cut;
}

std::vector<NodeId> Cut::Nodes() const {
  std::vector<NodeId> nodes;
  std::unique_copy(node_of_leaf_.begin(), node_of_leaf_.end(), std::back_inserter(nodes));
  return nodes;
}

bool Cut::Contains(const Taxonomy& tree, NodeId node) const {
  return node_of_leaf_[tree.first_leaf(node)] == node;
}

void Cut::Specialise(const Taxonomy& tree, NodeId node) {
  REISSUE_CHECK(Contains(tree, node) && !tree.is_leaf(node));
  for (const NodeId child : tree.children(node)) {
    std::fill(node_of_leaf_.begin() + tree.first_leaf(child),
              node_of_leaf_.begin() + tree.last_leaf(child), child);
  }
}

void Cut::Generalise(const Taxonomy& tree, NodeId node) {
  REISSUE_CHECK(tree.IsAncestor(node, node_of_leaf_[tree.first_leaf(node)]));
  std::fill(node_of_leaf_.begin() + tree.first_leaf(node),
            node_of_leaf_.begin() + tree.last_leaf(node), node);
}

// Both nodes of a leaf lie on its path, where the more general one has the smaller number.
Cut Envelope(const Taxonomy& tree, const Cut& a, const Cut& b) {
  Cut envelope = a;
  for (std::size_t rank = 0; rank < tree.leaves();) {
    const NodeId node = std::min(a.NodeOfLeaf(rank), b.NodeOfLeaf(rank));
    if (node != a.NodeOfLeaf(rank)) envelope.Generalise(tree, node);
    rank = tree.last_leaf(node);
  }
  return envelope;
}

bool Refines(const Taxonomy& tree, const Cut& fine, const Cut& coarse) {
  for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
    if (fine.NodeOfLeaf(rank) < coarse.NodeOfLeaf(rank)) return false;
  }
  return true;
}

}  // namespace reissue::taxonomy
