#include "reissue/models/k/publisher/survival.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace reissue::models::k::internal {

using taxonomy::SpaceTree;

namespace {

// Whoever is the first in a child that had nobody is alone there, in all releases that follow: such
// a split counts for little unless it is likely to last. In releases.
constexpr double kHorizon = 8;

// Beyond this Poisson's first term is too small for a double.
constexpr double kMany = 700;

// The chance of at least one and fewer than `least` people.
double TooFew(double expected, std::uint64_t least) {
  if (expected > kMany) {
    const double below = expected - (static_cast<double>(least) - 0.5);
    return 0.5 * std::erfc(below / std::sqrt(2 * expected));
  }
  double exactly = std::exp(-expected), fewer = 0;
  for (std::uint64_t people = 1; people < least; ++people) {
    exactly *= expected / static_cast<double>(people);
    fewer += exactly;
  }
  return std::min(fewer, 1.0);
}

// Beyond this a table of two columns is too large to count.
constexpr std::size_t kMostPairs = 1 << 20;

// Rows that a child of a box expects, which has none: as many as by the table as a whole, but at
// most one can have gone unseen.
double Unseen(const Problem& problem, Spot child, double rows) {
  const auto there = static_cast<double>(std::max<std::uint64_t>(problem.rows_at(child), 1));
  const double expected = there / static_cast<double>(problem.rows()) * rows;
  return expected / (1 + expected);
}

// Boxes of two columns: those that have exactly one row, and what Unseen says of those with none.
struct Sparse {
  double alone = 0, unseen = 0;

  void Add(const Problem& problem, std::size_t across, std::size_t column) {
    const Spot root = problem.root(across), first = problem.root(column);
    const std::size_t places = problem.end(first) - first;
    if (problem.fan_out(root) * places > kMostPairs) return;
    std::vector<std::uint64_t> rows(problem.fan_out(root) * places);
    for (std::size_t t = 0; t < problem.tuples() && !rows.empty(); ++t) {
      const std::size_t box = problem.child_of_leaf(root)[problem.leaves(t)[across]];
      const NodeId leaf = problem.tree(column).leaf(problem.leaves(t)[column]);
      rows[box * places + leaf.index()] += problem.rows(t);
    }
    for (std::size_t box = 0; box < problem.fan_out(root); ++box) {
      AddBox(problem, first, {rows.data() + box * places, places});
    }
  }

 private:
  void AddBox(const Problem& problem, Spot first, std::span<std::uint64_t> rows) {
    // Children come after their parents.
    for (std::size_t place = rows.size(); place-- > 1;) {
      rows[problem.parent(first + static_cast<Spot>(place)) - first] += rows[place];
    }
    if (rows[0] == 0) return;
    for (std::size_t place = 1; place < rows.size(); ++place) {
      if (rows[place] == 1) ++alone;
      if (rows[place] > 0) continue;
      unseen += Unseen(problem, first + static_cast<Spot>(place), static_cast<double>(rows[0]));
    }
  }
};

}  // namespace

Prospect ProspectOf(const Problem& problem, double growth) {
  Prospect prospect{growth, 1};
  if (growth == 0) return prospect;
  Sparse sparse;
  for (std::size_t across = 0; across < problem.columns(); ++across) {
    for (std::size_t column = 0; column < problem.columns(); ++column) {
      if (across != column) sparse.Add(problem, across, column);
    }
  }
  if (sparse.unseen > 0) prospect.firsts = sparse.alone / sparse.unseen;
  return prospect;
}

Survival::Survival(const Problem& problem, const Prospect& prospect)
    : problem_(problem), prospect_(prospect), least_(std::max<std::uint64_t>(problem.k(), 1)) {}

double Survival::OfBox(std::uint64_t rows) {
  const double expected = prospect_.growth * static_cast<double>(rows);
  // Enough people are as good as certain.
  if (expected == 0 || expected > 2 * static_cast<double>(least_) + 100) return 1;
  if (rows >= known_.size()) known_.resize(rows + 1, -1);
  if (known_[rows] < 0) known_[rows] = 1 - TooFew(expected, least_);
  return known_[rows];
}

double Survival::Firsts(Spot child, std::uint64_t rows) const {
  return kHorizon * prospect_.growth * prospect_.firsts *
         Unseen(problem_, child, static_cast<double>(rows));
}

double Survival::OfSplit(Spot place, std::span<const std::uint64_t> rows_of_child) {
  if (prospect_.growth == 0) return 1;
  const std::uint64_t rows =
      std::accumulate(rows_of_child.begin(), rows_of_child.end(), std::uint64_t{0});
  double all = 1, firsts = 0;
  for (std::size_t c = 0; c < rows_of_child.size(); ++c) {
    if (rows_of_child[c] > 0) {
      all *= OfBox(rows_of_child[c]);
    } else {
      firsts += Firsts(problem_.children(place)[c], rows);
    }
  }
  return all * std::exp(-firsts);
}

double Survival::OfOnly(Spot child, std::uint64_t rows) const {
  if (prospect_.growth == 0) return 1;
  double firsts = 0;
  for (const Spot other : problem_.children(problem_.parent(child))) {
    if (other != child) firsts += Firsts(other, rows);
  }
  return std::exp(-firsts);
}

double CostInSeries(const Problem& problem, const LocalRecoding& local, const Prospect& prospect) {
  const SpaceTree& tree = local.tree;
  std::vector<std::uint64_t> rows(tree.size());
  const taxonomy::Locator locate(tree);
  for (std::size_t t = 0; t < problem.tuples(); ++t) {
    rows[locate(problem.leaves(t))] += problem.rows(t);
  }
  Survival survival(problem, prospect);
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
      const std::size_t column = tree.column(box);
      const Spot place = problem.root(column) + tree.nodes(box)[column].raw();
      const double survives = survival.OfSplit(place, rows_of_child);
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
