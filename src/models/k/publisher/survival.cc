#include "reissue/models/k/publisher/survival.h"

#include <algorithm>
#include <cmath>

namespace reissue::models::k::internal {

using taxonomy::SpaceTree;

Survival::Survival(double growth, std::uint64_t least)
    : growth_(growth), least_(least), first_(std::exp(-growth)) {}

double Survival::Of(std::uint64_t rows) {
  if (growth_ == 0 || rows == 0) return 1;
  if (rows >= known_.size()) known_.resize(rows + 1, -1);
  if (known_[rows] >= 0) return known_[rows];
  const double expected = growth_ * static_cast<double>(rows);
  double exactly = std::exp(-expected), fewer = 0;
  for (std::uint64_t people = 1; people < least_; ++people) {
    exactly *= expected / static_cast<double>(people);
    fewer += exactly;
  }
  return known_[rows] = std::max(0.0, 1 - fewer);
}

double Survival::OfAll(std::span<const std::uint64_t> rows_of_child) {
  double all = 1;
  bool empty = false;
  for (const std::uint64_t rows : rows_of_child) {
    all *= Of(rows);
    empty = empty || rows == 0;
  }
  return empty ? all * first_ : all;
}

double CostInSeries(const Problem& problem, const LocalRecoding& local, double growth) {
  const SpaceTree& tree = local.tree;
  std::vector<std::uint64_t> rows(tree.size());
  for (std::size_t t = 0; t < problem.tuples(); ++t) {
    rows[tree.Locate(problem.leaves(t))] += problem.rows(t);
  }
  Survival survival(growth, std::max<std::uint64_t>(problem.k(), 1));
  std::vector<Costs> costs(tree.size());
  std::vector<std::uint64_t> rows_of_child;
  // Children come after their parents.
  for (auto box = static_cast<SpaceTree::Box>(tree.size()); box-- > 0;) {
    double whole = 0;
    for (std::size_t j = 0; j < tree.columns(); ++j) {
      const bool left_out = local.shown[box] == LocalRecoding::kLeftOut;
      const NodeId node = tree.nodes(left_out ? 0 : box)[j];
      whole += problem.hidden(problem.root(j) + node.raw());
    }
    whole *= static_cast<double>(rows[box]);
    if (tree.is_leaf(box)) {
      costs[box] = {whole, whole};
    } else {
      rows_of_child.assign(rows.begin() + tree.first_child(box),
                           rows.begin() + tree.first_child(box) + tree.fan_out(box));
      const double survives = survival.OfAll(rows_of_child);
      costs[box].later = survives * costs[box].later + (1 - survives) * whole;
    }
    if (box == 0) break;
    const SpaceTree::Box parent = tree.parent(box);
    rows[parent] += rows[box];
    costs[parent].now += costs[box].now;
    costs[parent].later += costs[box].later;
  }
  return costs[0].Both() / static_cast<double>(problem.rows());
}

}  // namespace reissue::models::k::internal
