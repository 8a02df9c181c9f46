#include "reissue/models/bcf/publisher/frame.h"

#include <algorithm>
#include <functional>

namespace reissue::models::bcf::internal {
namespace {

// The frame moves on after so many releases, once one is the best of the last so many; and to any
// after so many.
constexpr std::size_t kWindow = 8;
constexpr std::size_t kOldest = 4 * kWindow;
constexpr std::size_t kMostFences = 6;

// The share of the leaves that a row could be instead, over all columns and rows.
double Hidden(const Series& series, std::size_t i) {
  const Release& release = series.release(i);
  double hidden = 0;
  for (std::size_t cell = 0; cell < release.cells(); ++cell) {
    double of_row = 0;
    for (std::size_t j = 0; j < series.columns(); ++j) {
      const taxonomy::Taxonomy& tree = series.tree(j);
      if (tree.leaves() == 1) continue;
      of_row += static_cast<double>(tree.leaf_count(release.node(cell, j)) - 1) /
                static_cast<double>(tree.leaves() - 1);
    }
    hidden += of_row * static_cast<double>(release.rows_of_cell(cell));
  }
  return release.rows() == 0 ? 0 : hidden / static_cast<double>(release.rows());
}

k::internal::Fence FenceAt(const std::vector<taxonomy::Cut>& cuts,
                           const k::internal::Problem& problem) {
  k::internal::Fence fence(problem.places(), 0);
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    for (const NodeId node : cuts[j].Nodes()) {
      const k::internal::Spot at = problem.root(j) + node.raw();
      std::fill(fence.begin() + at, fence.begin() + problem.end(at), std::uint8_t{1});
    }
  }
  return fence;
}

// Whether none of the releases before it, as far as the window goes, tells more. The same cuts tell
// the same, whoever came since.
bool BestOfWindow(const Series& series, const std::vector<double>& hidden, std::size_t i) {
  for (std::size_t other = i + 1 - kWindow; other < i; ++other) {
    if (hidden[other] < hidden[i] && series.recoding(other).cuts != series.recoding(i).cuts) {
      return false;
    }
  }
  return true;
}

// By node: whether it lies at or below a label of the release.
std::vector<std::uint8_t> AtOrBelowLabels(const Series& series, std::size_t i, std::size_t column) {
  const taxonomy::Taxonomy& tree = series.tree(column);
  const Release& release = series.release(i);
  std::vector<std::uint8_t> below(tree.nodes(), 0);
  for (std::size_t cell = 0; cell < release.cells(); ++cell) {
    below[release.node(cell, column).index()] = 1;
  }
  // Parents come first.
  for (std::size_t n = 1; n < below.size(); ++n) below[n] |= below[tree.parent(NodeId(n)).index()];
  return below;
}

// What a leaf hides, of those below each floor: on average of their rows, so that the sums of costs
// are those of the table.
std::vector<double> HiddenAtFloors(const k::LeafCells& table, std::size_t column,
                                   const taxonomy::Cut& floor, k::Score score) {
  const taxonomy::Taxonomy& tree = *table.taxonomies[column];
  std::vector<double> hidden, sum(tree.nodes(), 0);
  for (std::size_t n = 0; n < tree.nodes(); ++n) {
    hidden.push_back(k::internal::Hidden(table, column, NodeId(n), score));
  }
  std::vector<std::uint64_t> rows(tree.nodes(), 0);
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const std::uint32_t rank = table.cells.key(CellId(i))[column];
    const std::size_t node = floor.NodeOfLeaf(rank).index();
    const std::uint64_t count = table.cells.count(CellId(i));
    rows[node] += count;
    sum[node] += static_cast<double>(count) * hidden[tree.leaf(rank).index()];
  }
  for (const NodeId node : floor.Nodes()) {
    if (rows[node.index()] == 0) continue;
    hidden[tree.leaf(tree.first_leaf(node)).index()] =
        sum[node.index()] / static_cast<double>(rows[node.index()]);
  }
  return hidden;
}

}  // namespace

std::vector<taxonomy::Cut> FloorsOf(const Series& earlier, std::size_t frame) {
  std::vector<taxonomy::Cut> floors;
  bool any = false;
  for (std::size_t j = 0; j < earlier.columns() && frame > 0; ++j) {
    const taxonomy::Taxonomy& tree = earlier.tree(j);
    std::vector<std::uint8_t> out(tree.nodes(), 1);
    for (std::size_t i = frame; i < earlier.size(); ++i) {
      const std::vector<std::uint8_t> below = AtOrBelowLabels(earlier, i, j);
      for (std::size_t n = 0; n < out.size(); ++n) out[n] &= below[n];
    }
    floors.push_back(taxonomy::Cut::Leaves(tree));
    for (std::size_t n = 0; n < out.size(); ++n) {
      const NodeId node(n);
      const bool highest = n == 0 || out[tree.parent(node).index()] == 0;
      if (out[n] == 0 || !highest || tree.is_leaf(node)) continue;
      floors.back().Generalise(tree, node);
      any = true;
    }
  }
  if (!any) floors.clear();
  return floors;
}

k::LeafCells EndedAt(const k::LeafCells& table, std::vector<taxonomy::Cut> floors, k::Score score) {
  const std::size_t columns = table.taxonomies.size(), origins = table.cells.origins();
  k::LeafCells ended;
  ended.taxonomies = table.taxonomies;
  ended.sensitive_values = table.sensitive_values;
  ended.class_values = table.class_values;
  ended.ceilings = table.ceilings;
  std::vector<std::vector<std::uint32_t>> first(columns);  // by leaf
  for (std::size_t j = 0; j < columns; ++j) {
    const taxonomy::Taxonomy& tree = *table.taxonomies[j];
    for (const NodeId node : floors[j].node_of_leaf()) first[j].push_back(tree.first_leaf(node));
    ended.hidden.push_back(HiddenAtFloors(table, j, floors[j], score));
  }
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    table.cells.ForEachPart(CellId(i), [&](const Cells::Part& part) {
      for (std::size_t j = 0; j < columns; ++j) keys.push_back(first[j][key[j]]);
      keys.insert(keys.end(), key.begin() + static_cast<std::ptrdiff_t>(columns), key.end());
      if (origins > 1) keys.push_back(part.origin);
      counts.push_back(part.rows);
    });
  }
  ended.cells = CollectCells(table.cells.width(), keys, counts, origins);
  ended.floors = std::move(floors);
  return ended;
}

std::size_t FrameOf(const Series& earlier) {
  std::vector<double> hidden;
  for (std::size_t i = 0; i < earlier.size(); ++i) hidden.push_back(Hidden(earlier, i));
  std::size_t frame = 0;
  for (std::size_t i = kWindow; i < earlier.size(); ++i) {
    if (i - frame < kWindow || !earlier.recoding(i).global()) continue;
    if (i - frame >= kOldest || BestOfWindow(earlier, hidden, i)) frame = i;
  }
  return frame;
}

std::vector<k::internal::Fence> FencesOf(const Series& earlier, std::size_t frame,
                                         const k::internal::Problem& problem) {
  std::vector<k::internal::Fence> fences;
  for (std::size_t i = earlier.size(); i-- > frame && fences.size() < kMostFences;) {
    if (!earlier.recoding(i).global()) continue;
    k::internal::Fence fence = FenceAt(earlier.recoding(i).cuts, problem);
    // What stays within a later one is cheaper there.
    const bool known = std::ranges::any_of(fences, [&](const k::internal::Fence& later) {
      return std::ranges::equal(later, fence, std::less_equal<>());
    });
    if (!known) fences.push_back(std::move(fence));
  }
  return fences;
}

}  // namespace reissue::models::bcf::internal
