#include "reissue/models/k/publisher/local.h"

#include <algorithm>
#include <cmath>

#include "reissue/models/k/publisher/grow.h"
#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/publisher/search.h"

namespace reissue::models::k {
namespace {

using internal::Grown;
using internal::GrowOptions;
using internal::Problem;
using taxonomy::SpaceTree;

// What leaving a row out costs beyond its detail, on the ladder that is tried where rows may be left
// out; in columns' worth of detail. The ladder does not depend on how many may be: whoever allows
// more has more to choose from.
constexpr double kPenalties[] = {8, 4, 2, 1, 0.5, 0};

struct Tried {
  Grown grown;
  double cost = 0;
  std::uint64_t left_out = 0;
};

// Rows times bits.
double RowsTimesBits(std::span<const std::uint64_t> histogram) {
  double rows = 0, sum = 0;
  for (const std::uint64_t r : histogram) {
    rows += static_cast<double>(r);
    if (r > 0) sum += static_cast<double>(r) * std::log2(static_cast<double>(r));
  }
  return rows > 0 ? rows * std::log2(rows) - sum : 0;
}

// What a release by the leaves of a tree costs, from scratch.
class LocalCost {
 public:
  explicit LocalCost(const Problem& problem, std::uint32_t class_values)
      : problem_(problem), class_values_(problem.score() == Score::kClass ? class_values : 0) {}

  Tried operator()(Grown grown) const {
    Tried tried{std::move(grown), 0, 0};
    const SpaceTree& tree = tried.grown.tree;
    std::vector<std::uint64_t> rows(tree.size()), classes(tree.size() * class_values_);
    for (std::size_t t = 0; t < problem_.tuples(); ++t) {
      const SpaceTree::Box box = tree.Locate(problem_.leaves(t));
      rows[box] += problem_.rows(t);
      if (class_values_ == 0) continue;
      for (const Bin& bin : problem_.classes(t)) classes[box * class_values_ + bin.code] += bin.rows;
    }
    for (const SpaceTree::Box box : tried.grown.left_out) {
      tried.left_out += rows[box];
      tried.cost += LeftOut(rows[box]);
      rows[box] = 0;
    }
    for (SpaceTree::Box box = 0; box < tree.size(); ++box) {
      if (rows[box] == 0) continue;
      tried.cost += Kept(rows[box], tree.nodes(box),
                         {classes.data() + box * class_values_, class_values_});
    }
    const auto n = static_cast<double>(problem_.rows());
    if (problem_.score() == Score::kLoss) tried.cost /= static_cast<double>(problem_.columns());
    if (n > 0) tried.cost /= problem_.score() == Score::kDiscernibility ? n * n : n;
    return tried;
  }

 private:
  double Kept(std::uint64_t rows, std::span<const NodeId> nodes,
              std::span<const std::uint64_t> classes) const {
    const auto r = static_cast<double>(rows);
    if (problem_.score() == Score::kDiscernibility) return r * r;
    if (problem_.score() == Score::kClass) return RowsTimesBits(classes);
    double hidden = 0;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      hidden += problem_.hidden(problem_.root(j) + nodes[j].raw());
    }
    return r * hidden;
  }

  double LeftOut(std::uint64_t rows) const {
    const auto r = static_cast<double>(rows);
    if (problem_.score() == Score::kDiscernibility) return r * static_cast<double>(problem_.rows());
    if (problem_.score() == Score::kClass) return r * std::log2(class_values_ + 1.0);
    return r * static_cast<double>(problem_.columns()) *
           (problem_.score() == Score::kLoss ? 1 : 0);  // distortion: at the root
  }

  const Problem& problem_;
  std::uint32_t class_values_;
};

Status CheckSearch(Search search) {
  if (search == Search::kDefault || search == Search::kGreedy) return Ok();
  return UsageError("recoding = \"local\" has the searches `default` and `greedy`",
                    "choose one of them, or recoding = \"global\"");
}

// Visits of a tree that is grown greedily, about.
double OnceThrough(const Problem& problem) {
  const auto tuples = static_cast<double>(problem.tuples());
  return tuples * static_cast<double>(problem.columns()) * std::log2(tuples + 2);
}

// Trees are grown again and again, each with four times the look-ahead of the one before; the
// best counts, so that more time never makes a worse release. In times of growing once.
constexpr double kLevels[] = {2, 8, 32, 128};

// How many of the levels there is time for, if each is tried so many times.
std::size_t LevelsFor(const Problem& problem, const PublishOptions& options, std::size_t times) {
  if (options.search == Search::kGreedy) return 0;
  const auto budget = static_cast<double>(internal::VisitsIn(options.budget_seconds, problem));
  std::size_t levels = 0;
  for (double spent = 0; levels < std::size(kLevels); ++levels) {
    spent += kLevels[levels] * OnceThrough(problem) * static_cast<double>(times);
    if (spent > budget) break;
  }
  return levels;
}

// Nothing is taken on the word of the growers.
bool KeepsLocally(const LeafCells& table, const Problem& problem, const LocalRecoding& local) {
  const Cells cells = RecodedLocally(table, local);
  const std::size_t width = local.tree.columns();
  std::vector<Bin> bins;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    bins.push_back({key[width], cells.count(CellId(i))});
    if (i + 1 < cells.size() &&
        std::ranges::equal(key.first(width), cells.key(CellId(i + 1)).first(width))) {
      continue;
    }
    if (!problem.checker().Keeps(bins)) return false;
    bins.clear();
  }
  return true;
}

Outcome FinishLocally(const LeafCells& table, const Problem& problem, Tried best, double greedy_cost) {
  LocalRecoding local{std::move(best.grown.tree), {}};
  local.shown.resize(local.tree.size());
  for (SpaceTree::Box box = 0; box < local.tree.size(); ++box) local.shown[box] = box;
  for (const SpaceTree::Box box : best.grown.left_out) local.shown[box] = LocalRecoding::kLeftOut;
  Outcome outcome;
  outcome.cost = best.cost;
  outcome.greedy_cost = greedy_cost;
  outcome.suppressed_rows = best.left_out;
  outcome.local = std::make_shared<const LocalRecoding>(std::move(local));
  REISSUE_CHECK(KeepsLocally(table, problem, *outcome.local));
  return outcome;
}

}  // namespace

Cells RecodedLocally(const LeafCells& table, const LocalRecoding& local) {
  const std::size_t width = local.tree.columns();
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    const SpaceTree::Box box = local.shown[local.tree.Locate(key.first(width))];
    if (box == LocalRecoding::kLeftOut) continue;
    for (const NodeId node : local.tree.nodes(box)) keys.push_back(node.raw());
    keys.push_back(key[width]);
    counts.push_back(table.cells.count(CellId(i)));
  }
  return CollectCells(width + 1, keys, counts);
}

SpaceTree GridOf(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts) {
  SpaceTree tree(table.taxonomies);
  std::vector<std::pair<SpaceTree::Box, std::vector<std::uint32_t>>> stack(1);
  for (std::uint32_t i = 0; i < table.cells.size(); ++i) stack[0].second.push_back(i);
  while (!stack.empty()) {
    const auto [box, tuples] = std::move(stack.back());
    stack.pop_back();
    if (tuples.empty()) continue;
    std::size_t column = 0;
    while (column < cuts.size() &&
           cuts[column].Contains(*table.taxonomies[column], tree.nodes(box)[column])) {
      ++column;
    }
    if (column == cuts.size()) continue;
    tree.Split(box, column);
    std::vector<std::vector<std::uint32_t>> below(tree.fan_out(box));
    for (const std::uint32_t i : tuples) {
      const auto ranks = table.cells.key(CellId(i)).first(cuts.size());
      below[tree.ChildWith(box, ranks[column]) - tree.first_child(box)].push_back(i);
    }
    for (std::uint32_t c = 0; c < below.size(); ++c) {
      stack.emplace_back(tree.first_child(box) + c, std::move(below[c]));
    }
  }
  return tree;
}

Result<Outcome> PublishLocally(const LeafCells& table, const Guarantee& guarantee,
                               const PublishOptions& options, ThreadPool& pool,
                               Progress& progress) {
  REISSUE_TRY(CheckSearch(options.search));
  const Problem problem(table, guarantee, options.score, 0);
  PublishOptions by_cuts = options;
  by_cuts.search = Search::kGreedy;
  by_cuts.suppression_limit = 0;
  const auto cuts = internal::PublishProblem(table, problem, by_cuts, nullptr, pool, progress);
  // What the whole table does not keep, part of it may.
  if (!cuts && options.suppression_limit > 0) {
    return Publish(table, guarantee, options, pool, progress);
  }
  if (!cuts) return cuts.error();
  const LocalCost measured(problem, table.class_values);
  Tried best = measured(Grow(problem, GridOf(table, cuts->cuts), {}, pool));
  double greedy_cost = 0;
  const bool leaves_out = options.suppression_limit > 0 && !guarantee.NeedsOverall();
  const std::size_t rungs = leaves_out ? 1 + std::size(kPenalties) : 1;
  const std::size_t levels = LevelsFor(problem, options, rungs);
  for (std::size_t rung = 0; rung < rungs; ++rung) {
    for (std::size_t level = 0; level <= levels; ++level) {
      GrowOptions grow;
      if (rung > 0) grow.penalty = kPenalties[rung - 1];
      if (level > 0) {
        grow.work = static_cast<std::uint64_t>(kLevels[level - 1] * OnceThrough(problem));
      }
      Tried next = measured(Grow(problem, SpaceTree(table.taxonomies), grow, pool));
      if (rung == 0 && level == 0) greedy_cost = next.cost;
      if (next.left_out <= options.suppression_limit && next.cost < best.cost) {
        best = std::move(next);
      }
    }
  }
  return FinishLocally(table, problem, std::move(best), greedy_cost);
}

}  // namespace reissue::models::k
