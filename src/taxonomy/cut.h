#pragma once
// A cut: a set of nodes with exactly one on each root-to-leaf path. One cut per quasi-identifier is
// a global recoding. A plain value; refers to its taxonomy only while a function runs.

#include <span>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/core/result.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

class Cut {
 public:
  static Cut Root(const Taxonomy& tree);
  static Cut Leaves(const Taxonomy& tree);
  // An error where the nodes are not a cut (a path with none, or with two).
  static Result<Cut> FromNodes(const Taxonomy& tree, std::span<const NodeId> nodes);

  // The node that stands for a leaf. O(1).
  NodeId NodeOfLeaf(std::size_t rank) const { return node_of_leaf_[rank]; }
  std::span<const NodeId> node_of_leaf() const { return node_of_leaf_; }
  // The nodes of the cut, ascending. O(leaves).
  std::vector<NodeId> Nodes() const;
  bool Contains(const Taxonomy& tree, NodeId node) const;

  // Replaces a node of the cut by its children.
  void Specialise(const Taxonomy& tree, NodeId node);
  // Puts `node` in the place of everything below it (it must not lie below the cut).
  void Generalise(const Taxonomy& tree, NodeId node);

  bool operator==(const Cut&) const = default;

 private:
  std::vector<NodeId> node_of_leaf_;
};

// On every path the more general of the two nodes: again a cut (DESIGN: comparability of cells is
// equality in the envelope).
Cut Envelope(const Taxonomy& tree, const Cut& a, const Cut& b);

// True where every node of `fine` lies at or below a node of `coarse`.
bool Refines(const Taxonomy& tree, const Cut& fine, const Cut& coarse);

}  // namespace reissue::taxonomy
