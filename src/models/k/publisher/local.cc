#include "reissue/models/k/publisher/local.h"

#include <algorithm>
#include <cmath>

#include "reissue/models/k/publisher/grow.h"
#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/publisher/search.h"
#include "reissue/models/k/publisher/survival.h"

namespace reissue::models::k {
namespace {

using internal::Grown;
using internal::GrowOptions;
using internal::Problem;
using taxonomy::SpaceTree;

// What leaving a row out costs beyond its detail, on the ladder that is tried where rows may be
// left out; in columns' worth of detail. The ladder does not depend on how many may be: whoever
// allows more has more to choose from.
constexpr double kPenalties[] = {8, 4, 2, 1, 0.5, 0};

// Rows times bits.
double RowsTimesBits(std::span<const std::uint64_t> histogram) {
  double rows = 0, sum = 0;
  for (const std::uint64_t r : histogram) {
    rows += static_cast<double>(r);
    if (r > 0) sum += static_cast<double>(r) * std::log2(static_cast<double>(r));
  }
  return rows > 0 ? rows * std::log2(rows) - sum : 0;
}

// What a release costs, box by box.
class LocalCost {
 public:
  LocalCost(const LeafCells& table, const LocalRecoding& local, Score score)
      : table_(table),
        tree_(local.tree),
        score_(score),
        n_(static_cast<double>(table.cells.rows())),
        class_values_(score == Score::kClass ? table.class_values : 0),
        rows_(tree_.size()),
        classes_(tree_.size() * class_values_) {
    const std::size_t width = tree_.columns();
    const taxonomy::Locator locate(tree_);
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
      const auto key = table.cells.key(CellId(i));
      const std::uint64_t rows = table.cells.count(CellId(i));
      const SpaceTree::Box box = local.shown[locate(key.first(width))];
      for (std::size_t j = 0; score == Score::kDistortion && j < width; ++j) {
        const NodeId leaf = tree_.trees()[j]->leaf(key[j]);
        cost_ -= static_cast<double>(rows) * internal::Hidden(table, j, leaf, score);
      }
      if (box == LocalRecoding::kLeftOut) {
        left_out_ += rows;
        continue;
      }
      rows_[box] += rows;
      if (class_values_ > 0) classes_[box * class_values_ + key[width + 1]] += rows;
    }
  }

  double Sum() {
    cost_ += static_cast<double>(left_out_) * OfRowLeftOut();
    for (SpaceTree::Box box = 0; box < tree_.size(); ++box) {
      if (rows_[box] > 0) cost_ += OfBox(box);
    }
    if (n_ == 0) return 0;
    if (score_ == Score::kDiscernibility) return cost_ / (n_ * n_);
    return cost_ / n_;
  }
  std::uint64_t left_out() const { return left_out_; }

 private:
  double OfBox(SpaceTree::Box box) const {
    const auto rows = static_cast<double>(rows_[box]);
    if (score_ == Score::kDiscernibility) return rows * rows;
    if (score_ != Score::kClass) return rows * HiddenBy(table_, tree_, box, score_);
    return RowsTimesBits({classes_.data() + box * class_values_, class_values_});
  }
  double OfRowLeftOut() const {
    if (score_ == Score::kDiscernibility) return n_;
    if (score_ == Score::kClass) return std::log2(class_values_ + 1.0);
    return HiddenBy(table_, tree_, 0, score_);
  }

  const LeafCells& table_;
  const SpaceTree& tree_;
  Score score_;
  double n_;
  std::uint32_t class_values_;
  std::vector<std::uint64_t> rows_, classes_;
  double cost_ = 0;
  std::uint64_t left_out_ = 0;
};

LocalRecoding ByLeaves(Grown grown) {
  LocalRecoding local{std::move(grown.tree), {}, {}};
  local.shown.resize(local.tree.size());
  for (SpaceTree::Box box = 0; box < local.tree.size(); ++box) local.shown[box] = box;
  for (const SpaceTree::Box box : grown.left_out) local.shown[box] = LocalRecoding::kLeftOut;
  return local;
}

struct Tried {
  LocalRecoding local;
  double cost = 0;
  std::uint64_t left_out = 0;
};

Tried Measured(const LeafCells& table, Score score, Grown grown) {
  Tried tried{ByLeaves(std::move(grown)), 0, 0};
  LocalCost cost(table, tried.local, score);
  tried.cost = cost.Sum();
  tried.left_out = cost.left_out();
  return tried;
}

Status CheckSearch(Search search) {
  if (search == Search::kDefault || search == Search::kGreedy) return Ok();
  return UsageError("recoding = \"local\" has the searches `default` and `greedy`",
                    "choose one of them, or recoding = \"global\"");
}

// How many more newcomers than needed a box should expect.
constexpr double kMargin = 1.5;

// Visits of a tree that is grown greedily, about. Of very many columns most of the work is to write
// boxes down: for each row some for every column, and each with all columns.
double OnceThrough(const Problem& problem) {
  constexpr double kVeryMany = 100;
  const auto tuples = static_cast<double>(problem.tuples());
  const auto columns = static_cast<double>(problem.columns());
  const double boxes = columns > kVeryMany ? 4 * tuples * columns * columns : 0;
  return tuples * columns * std::log2(tuples + 2) + boxes;
}

// Trees are grown again and again, each with four times the look-ahead of the one before; the
// best counts, so that more time never makes a worse release. In times of growing once.
constexpr double kLevels[] = {2, 8, 32, 128, 512};

// How many of the levels there is time for, if each is tried so many times. Of large tables less of
// the budget is spent: publishing shall not take much longer than loading.
constexpr double kLarge = 30'000;  // tuples
std::size_t LevelsFor(const Problem& problem, const PublishOptions& options, std::size_t times) {
  if (options.search == Search::kGreedy) return 0;
  const double budget = static_cast<double>(internal::VisitsIn(options.budget_seconds, problem)) /
                        (1 + static_cast<double>(problem.tuples()) / kLarge);
  std::size_t levels = 0;
  for (double spent = 0; levels < std::size(kLevels); ++levels) {
    spent += kLevels[levels] * OnceThrough(problem) * static_cast<double>(times);
    if (spent > budget) break;
  }
  return levels;
}

// Rows that are left out and starred instead are a cell like any other.
bool StarsKeep(const LeafCells& table, const Problem& problem, const LocalRecoding& local) {
  const std::size_t width = local.tree.columns();
  const taxonomy::Locator locate(local.tree);
  std::vector<std::uint64_t> rows(problem.overall().size());
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    const SpaceTree::Box leaf = locate(key.first(width));
    if (local.shown[leaf] == LocalRecoding::kLeftOut)
      rows[key[width]] += table.cells.count(CellId(i));
  }
  std::vector<Bin> bins;
  for (std::uint32_t code = 0; code < rows.size(); ++code) {
    if (rows[code] > 0) bins.push_back({code, rows[code]});
  }
  return bins.empty() || problem.checker().Keeps(bins);
}

// Rows by box and sensitive code; those left out are not in it.
Cells ByBox(const LeafCells& table, const LocalRecoding& local) {
  const std::size_t width = local.tree.columns();
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  const taxonomy::Locator locate(local.tree);
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    const SpaceTree::Box box = local.shown[locate(key.first(width))];
    if (box == LocalRecoding::kLeftOut) continue;
    keys.insert(keys.end(), {box, key[width]});
    counts.push_back(table.cells.count(CellId(i)));
  }
  return CollectCells(2, keys, counts);
}

// Nothing is taken on the word of the growers.
bool KeepsLocally(const LeafCells& table, const Problem& problem, const LocalRecoding& local) {
  const Cells cells = ByBox(table, local);
  std::vector<Bin> bins;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    bins.push_back({key[1], cells.count(CellId(i))});
    if (i + 1 < cells.size() && key[0] == cells.key(CellId(i + 1))[0]) continue;
    if (!problem.checker().Keeps(bins)) return false;
    bins.clear();
  }
  return true;
}

// What was left out is starred.
void StarLeftOut(LocalRecoding& local) {
  local.starred.assign(local.tree.size(), 0);
  for (SpaceTree::Box box = 0; box < local.tree.size(); ++box) {
    if (local.shown[box] != LocalRecoding::kLeftOut) continue;
    local.shown[box] = box;
    local.starred[box] = 1;
  }
}

Outcome FinishLocally(const LeafCells& table, const Problem& problem, Tried best,
                      const PublishOptions& options, double greedy_cost) {
  Outcome outcome;
  outcome.cost = best.cost;
  outcome.greedy_cost = greedy_cost;
  REISSUE_CHECK(KeepsLocally(table, problem, best.local));
  if (options.starred && best.left_out > 0) {
    REISSUE_CHECK(StarsKeep(table, problem, best.local));
    StarLeftOut(best.local);
    outcome.starred_rows = best.left_out;
  } else {
    outcome.suppressed_rows = best.left_out;
  }
  outcome.local = std::make_shared<const LocalRecoding>(std::move(best.local));
  return outcome;
}

// What a star must save beyond the detail of its row, in rows' worth of detail.
constexpr double kGainOfStar = 2;

// Grows trees, and remembers the best.
class Growth {
 public:
  Growth(const LeafCells& table, const Problem& problem, const PublishOptions& options,
         ThreadPool& pool)
      : table_(table),
        problem_(problem),
        land_(problem),
        options_(options),
        prospect_(internal::ProspectOf(problem, options.growth)),
        pool_(pool) {}

  // The cost of what grows on from a tree.
  double Try(SpaceTree from, GrowOptions grow) {
    grow.prospect = prospect_;
    Tried next = Measured(table_, options_.score, Grow(land_, std::move(from), grow, pool_));
    const double cost = next.cost;
    Offer(std::move(next), grow.penalty.has_value());
    return cost;
  }
  Tried TakeBest() { return *std::move(best_); }

 private:
  void Offer(Tried next, bool leaves_out) {
    if (next.left_out > options_.suppression_limit) return;
    const double worth =
        options_.growth > 0 ? CostInSeries(problem_, next.local, prospect_) : next.cost;
    if (best_ && worth >= least_) return;
    if (!leaves_out || !options_.starred) {
      least_ = worth;
      plain_ = next.cost;
    } else if (next.cost >= best_->cost || !Pays(next)) {
      return;
    }
    best_ = std::move(next);
  }

  // Whoever is starred stays so: the series must gain by it, and this release by two rows' worth
  // for each. Both are compared with nobody starred, so that whoever may star more gets no worse a
  // release.
  bool Pays(const Tried& next) const {
    const double rows = static_cast<double>(next.left_out) / static_cast<double>(problem_.rows());
    return plain_ - next.cost >= kGainOfStar * rows && StarsKeep(table_, problem_, next.local);
  }

  const LeafCells& table_;
  const Problem& problem_;
  internal::Land land_;
  const PublishOptions& options_;
  internal::Prospect prospect_;
  ThreadPool& pool_;
  std::optional<Tried> best_;
  double least_ = 0, plain_ = 0;  // of nobody starred: worth to the series, cost now
};

// The most general recoding by cuts whose boxes have so many rows that later releases can have the
// same; nothing where there is none.
std::optional<Outcome> CutsOfSeries(const LeafCells& table, Guarantee guarantee,
                                    PublishOptions options, ThreadPool& pool, Progress& progress) {
  guarantee.k = static_cast<std::uint64_t>(
      std::ceil(kMargin * static_cast<double>(guarantee.k) / options.growth));
  options.search = Search::kGreedy;
  options.suppression_limit = 0;
  auto outcome = Publish(table, guarantee, options, pool, progress);
  if (!outcome) return std::nullopt;
  return std::move(*outcome);
}

}  // namespace

Cells RecodedLocally(const LeafCells& table, const LocalRecoding& local) {
  const Cells by_box = ByBox(table, local);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < by_box.size(); ++i) {
    const auto key = by_box.key(CellId(i));
    for (const NodeId node : local.tree.nodes(key[0])) keys.push_back(node.raw());
    keys.push_back(key[1]);
    counts.push_back(by_box.count(CellId(i)));
  }
  return CollectCells(local.tree.columns() + 1, keys, counts);
}

SpaceTree GrownOn(const LeafCells& table, const Guarantee& guarantee, const PublishOptions& options,
                  SpaceTree tree, ThreadPool& pool) {
  const Problem problem(table, guarantee, options.score, 0);
  GrowOptions grow;
  if (options.search == Search::kDefault) {
    grow.work = static_cast<std::uint64_t>(kLevels[1] * OnceThrough(problem));
  }
  internal::Land land(problem);
  return Grow(land, GridOf(table, table.ceilings, std::move(tree)), grow, pool).tree;
}

double CostOf(const LeafCells& table, const LocalRecoding& local, Score score) {
  return LocalCost(table, local, score).Sum();
}

double HiddenBy(const LeafCells& table, const SpaceTree& tree, SpaceTree::Box box, Score score) {
  double hidden = 0;
  for (std::size_t j = 0; j < tree.columns(); ++j) {
    hidden += internal::Hidden(table, j, tree.nodes(box)[j], score);
  }
  return score == Score::kDistortion ? hidden : hidden / static_cast<double>(tree.columns());
}

namespace {

// Strictly above the cut.
bool LiesAbove(const taxonomy::Taxonomy& tree, NodeId node, const taxonomy::Cut& cut) {
  const NodeId stands = cut.NodeOfLeaf(tree.first_leaf(node));
  return stands != node && tree.IsAncestor(node, stands);
}

std::optional<std::size_t> FirstAbove(const SpaceTree& tree, SpaceTree::Box box,
                                      const std::vector<taxonomy::Cut>& cuts) {
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    if (LiesAbove(*tree.trees()[j], tree.nodes(box)[j], cuts[j])) return j;
  }
  return std::nullopt;
}

}  // namespace

bool AboveCeiling(const LeafCells& table, const SpaceTree& tree, SpaceTree::Box box) {
  return FirstAbove(tree, box, table.ceilings).has_value();
}

SpaceTree GridOf(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts,
                 std::optional<SpaceTree> from) {
  SpaceTree tree = from ? *std::move(from) : SpaceTree(table.taxonomies);
  if (cuts.empty()) return tree;
  const std::size_t width = table.taxonomies.size();
  std::vector<std::pair<SpaceTree::Box, std::vector<std::uint32_t>>> stack(tree.size());
  for (SpaceTree::Box box = 0; box < tree.size(); ++box) stack[box].first = box;
  for (std::uint32_t i = 0; i < table.cells.size(); ++i) {
    stack[tree.Locate(table.cells.key(CellId(i)).first(width))].second.push_back(i);
  }
  while (!stack.empty()) {
    const auto [box, tuples] = std::move(stack.back());
    stack.pop_back();
    if (tuples.empty()) continue;
    const auto column = FirstAbove(tree, box, cuts);
    if (!column) continue;
    tree.Split(box, *column);
    std::vector<std::vector<std::uint32_t>> below(tree.fan_out(box));
    for (const std::uint32_t i : tuples) {
      const auto ranks = table.cells.key(CellId(i)).first(width);
      below[tree.ChildWith(box, ranks[*column]) - tree.first_child(box)].push_back(i);
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
  if (!cuts && options.suppression_limit > 0 && !options.starred) {
    return Publish(table, guarantee, options, pool, progress);
  }
  if (!cuts) return cuts.error();
  Growth growth(table, problem, options, pool);
  growth.Try(GridOf(table, cuts->cuts), {});
  if (options.growth > 0) {
    const auto later = CutsOfSeries(table, guarantee, options, pool, progress);
    if (later) growth.Try(GridOf(table, later->cuts), {});
  }
  const bool leaves_out = options.suppression_limit > 0 && !guarantee.NeedsOverall();
  const std::size_t rungs = leaves_out ? 1 + std::size(kPenalties) : 1;
  const SpaceTree top = GridOf(table, table.ceilings);
  double greedy_cost = 0;
  for (std::size_t rung = 0; rung < rungs; ++rung) {
    // Leaving nobody out has the whole budget, so that whoever may has no worse a release.
    const std::size_t shared_by = rung == 0 ? 1 : rungs;
    const std::size_t levels = LevelsFor(problem, options, shared_by);
    for (std::size_t level = 0; level <= levels; ++level) {
      GrowOptions grow;
      if (rung > 0) grow.penalty = kPenalties[rung - 1];
      if (level > 0) {
        grow.work = static_cast<std::uint64_t>(kLevels[level - 1] * OnceThrough(problem));
      }
      const double cost = growth.Try(top, grow);
      if (rung == 0 && level == 0) greedy_cost = cost;
    }
  }
  return FinishLocally(table, problem, growth.TakeBest(), options, greedy_cost);
}

}  // namespace reissue::models::k
