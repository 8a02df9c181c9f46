#pragma once
// Builds a Taxonomy node by node. Used by one thread. The builder numbers nodes in the order of
// addition; Build numbers them again in preorder, children in the order of addition.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

class TreeBuilder {
 public:
  static constexpr std::size_t kNoParent = std::numeric_limits<std::size_t>::max();

  // The first node is the root and has no parent; every other node comes after its parent. Labels
  // must be unique: the caller sees to it.
  std::size_t Add(std::string label, std::size_t parent);
  std::size_t AddRange(std::string label, std::size_t parent, Range range);

  std::size_t size() const { return labels_.size(); }
  const std::string& label(std::size_t node) const { return labels_[node]; }
  std::size_t parent(std::size_t node) const { return parents_[node]; }

  // There is at least a root. The tree is numeric where every node was added with a range.
  // O(nodes).
  Taxonomy Build() &&;

  // The same tree with other ranges, one per node.
  static Taxonomy ReplaceRanges(Taxonomy tree, std::vector<Range> ranges);

 private:
  std::vector<std::size_t> Preorder() const;
  static void FillLeaves(Taxonomy& tree);

  std::vector<std::string> labels_;
  std::vector<std::size_t> parents_;
  std::vector<Range> ranges_;
};

}  // namespace reissue::taxonomy
