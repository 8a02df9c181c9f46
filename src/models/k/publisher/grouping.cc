// The cells of a recoding, from scratch.

#include <algorithm>

#include "reissue/models/k/publisher/partition.h"

namespace reissue::models::k::internal {
namespace {

constexpr std::size_t kLargestTable = std::size_t{1} << 21;

}  // namespace

void Partition::Group() {
  const std::size_t tuples = problem_.tuples();
  std::vector<std::uint32_t> cell_of_tuple(tuples, 0);
  std::uint32_t cells = 1;
  for (std::size_t j = 0; j < problem_.columns(); ++j) {
    if (recoding_[problem_.root(j)] != 0) GroupColumn(j, cell_of_tuple, cells);
  }
  cells_.assign(cells, Cell{});
  for (std::size_t t = 0; t < tuples; ++t) {
    ++cells_[cell_of_tuple[t]].end;
    cells_[cell_of_tuple[t]].rows += problem_.rows(t);
  }
  std::uint32_t begin = 0;
  for (Cell& cell : cells_) {
    const std::uint32_t size = cell.end;
    cell.begin = cell.end = begin;
    begin += size;
  }
  for (std::uint32_t t = 0; t < tuples; ++t) order_[cells_[cell_of_tuple[t]].end++] = t;
  work_ += tuples;

  cell_places_.resize(cells * problem_.columns());
  effects_.assign(cells * problem_.columns(), Effect{});
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const auto leaves = problem_.leaves(order_[cells_[cell].begin]);
    for (std::size_t j = 0; j < problem_.columns(); ++j) {
      Spot p = problem_.root(j);
      while (recoding_[p] != 0) p = problem_.children(p)[problem_.child_of_leaf(p)[leaves[j]]];
      place_of(cell, j) = p;
    }
  }
}

// Refines the grouping by one column.
void Partition::GroupColumn(std::size_t column, std::vector<std::uint32_t>& cell_of_tuple,
                            std::uint32_t& cells) {
  const taxonomy::Taxonomy& tree = problem_.tree(column);
  std::vector<std::uint32_t> node_of_leaf(tree.leaves());
  std::uint32_t nodes = 0;
  const Spot root = problem_.root(column);
  for (Spot p = root; p < problem_.end(root);) {
    if (recoding_[p] != 0) {
      ++p;
      continue;
    }
    const NodeId node = problem_.node(p);
    for (std::uint32_t r = tree.first_leaf(node); r < tree.last_leaf(node); ++r) {
      node_of_leaf[r] = nodes;
    }
    ++nodes;
    p = problem_.end(p);
  }
  const std::size_t tuples = problem_.tuples();
  work_ += tuples;
  const auto key = [&](std::size_t t) {
    return std::size_t{cell_of_tuple[t]} * nodes + node_of_leaf[problem_.leaves(t)[column]];
  };
  std::uint32_t next = 0;
  if (std::size_t{cells} * nodes <= std::max(kLargestTable, 4 * tuples)) {
    std::vector<std::uint32_t> number(std::size_t{cells} * nodes, kNobody);
    for (std::size_t t = 0; t < tuples; ++t) {
      std::uint32_t& cell = number[key(t)];
      if (cell == kNobody) cell = next++;
      cell_of_tuple[t] = cell;
    }
  } else {
    std::vector<std::pair<std::size_t, std::uint32_t>> keyed(tuples);
    for (std::uint32_t t = 0; t < tuples; ++t) keyed[t] = {key(t), t};
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < tuples; ++i) {
      if (i > 0 && keyed[i].first != keyed[i - 1].first) ++next;
      cell_of_tuple[keyed[i].second] = next;
    }
    ++next;
  }
  cells = next;
}

}  // namespace reissue::models::k::internal
