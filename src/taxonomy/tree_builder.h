#pragma once
// Builds a Taxonomy node by node. Used by one thread. The builder numbers nodes in the order of
// addition; Build numbers them again in preorder, children in the order of addition.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

class TreeBuilder {
 public:
  static constexpr std::size_t kNoParent = std::numeric_limits<std::size_t>::max();
  // kRanges: inner nodes below the root have the labels of their ranges (RangeLabel), and are added
  // without; leaves are numbers, in the order of the tree by what they are worth and then by their
  // texts. A tree of very many numbers takes less than half of the memory then.
  enum class Labels { kTexts, kRanges };

  explicit TreeBuilder(Labels kind = Labels::kTexts) : kind_(kind) {}

  // The first node is the root and has no parent; every other node comes after its parent. Labels
  // must be unique: the caller sees to it.
  std::size_t Add(std::string_view label, std::size_t parent);
  std::size_t AddRange(std::string_view label, std::size_t parent, Range range);

  std::size_t size() const { return parents_.size(); }
  // Until the next node is added.
  std::string_view label(std::size_t node) const {
    return std::string_view(texts_).substr(starts_[node], starts_[node + 1] - starts_[node]);
  }
  std::size_t parent(std::size_t node) const {
    return parents_[node] == kRoot ? kNoParent : parents_[node];
  }

  // There is at least a root. The tree is numeric where every node was added with a range.
  // O(nodes).
  Taxonomy Build() &&;

  // The same tree with other ranges, one per node.
  static Taxonomy ReplaceRanges(Taxonomy tree, std::vector<Range> ranges);

 private:
  static constexpr auto kRoot = static_cast<std::uint32_t>(-1);

  std::vector<std::uint32_t> Preorder() const;
  // `order`: by number in the tree.
  void NumberNodes(std::span<const std::uint32_t> order, Taxonomy& tree) const;
  void KeepLabels(std::span<const std::uint32_t> order, Taxonomy& tree);
  static void FillLeaves(Taxonomy& tree);

  Labels kind_;
  std::string texts_;  // one after the other
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::uint32_t> parents_;
  std::vector<Range> ranges_;
};

}  // namespace reissue::taxonomy
