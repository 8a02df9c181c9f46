#include "reissue/metrics/overlap.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace reissue::metrics {
namespace {

class OverlapSearch {
 public:
  OverlapSearch(std::span<const taxonomy::Taxonomy* const> trees, const Cells& cells,
                std::uint64_t work_limit)
      : trees_(trees), cells_(cells), work_left_(work_limit) {}

  // Whether two of `candidates`, which meet on all attributes before `attribute`, meet on the rest.
  bool Meet(std::vector<std::uint32_t> candidates, std::size_t attribute) {
    if (candidates.size() < 2 || exhausted_) return false;
    if (attribute == trees_.size()) return true;
    if (work_left_ < candidates.size()) {
      exhausted_ = true;
      return false;
    }
    work_left_ -= candidates.size();
    const taxonomy::Taxonomy& tree = *trees_[attribute];
    const auto node = [&](std::uint32_t cell) {
      return NodeId(cells_.key(CellId(cell))[attribute]);
    };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return node(a) < node(b); });
    // In preorder, the cells whose nodes lie on one path. It is complete where the next node is
    // not below the last: any shorter path is part of a longer one.
    std::vector<std::uint32_t> path;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const NodeId here = node(candidates[i]);
      while (!path.empty() && !tree.IsAncestor(node(path.back()), here)) path.pop_back();
      path.push_back(candidates[i]);
      const bool last = i + 1 == candidates.size();
      if (!last && tree.IsAncestor(here, node(candidates[i + 1]))) continue;
      if (Meet(path, attribute + 1)) return true;
    }
    return false;
  }

  bool exhausted() const { return exhausted_; }

 private:
  std::span<const taxonomy::Taxonomy* const> trees_;
  const Cells& cells_;
  std::uint64_t work_left_;
  bool exhausted_ = false;
};

}  // namespace

std::optional<bool> CellsOverlap(std::span<const taxonomy::Taxonomy* const> trees,
                                 const Cells& cells, std::uint64_t work_limit) {
  std::vector<std::uint32_t> all(cells.size());
  std::iota(all.begin(), all.end(), 0U);
  OverlapSearch search(trees, cells, work_limit);
  const bool meet = search.Meet(std::move(all), 0);
  if (search.exhausted()) return std::nullopt;
  return meet;
}

}  // namespace reissue::metrics
