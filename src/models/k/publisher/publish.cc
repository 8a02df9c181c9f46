#include "reissue/models/k/publisher/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reissue/models/k/publisher/descent.h"
#include "reissue/models/k/publisher/exact.h"
#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/publisher/search.h"
#include "reissue/models/k/publisher/verify.h"

namespace reissue::models::k {
namespace {

using internal::Condition;
using internal::ConditionCheck;
using internal::Improvement;
using internal::Partition;
using internal::Problem;
using internal::Ranking;
using internal::Recoding;
using internal::Solution;
using internal::Spot;

// Part of the default search's budget that may go into a proof, and how many budgets kOptimal has.
constexpr double kShareOfProof = 0.1;
constexpr double kBudgetsOfProof = 20;

double Budget(const PublishOptions& options) {
  return std::isfinite(options.budget_seconds) ? std::clamp(options.budget_seconds, 0.0, 1e6) : 3;
}

Status CheckCall(const LeafCells& table, const PublishOptions& options) {
  const std::size_t width = table.taxonomies.size() + 1 + (table.class_values > 0 ? 1 : 0);
  REISSUE_CHECK(table.cells.size() == 0 || table.cells.width() == width);
  if (options.score == Score::kClass && table.class_values == 0) {
    return UsageError("the score `class` needs a class column, and the policy names none",
                      "name a class column, or choose the score `discernibility` or `distortion`");
  }
  return Ok();
}

Status CheckExact(const Problem& problem) {
  if (!problem.anti_monotone()) {
    return UsageError(
        "the search `optimal` cannot combine suppression with promises beyond k: leaving rows out "
        "may then repair what a coarser recoding breaks",
        "set the suppression limit to 0, or choose the search `default`");
  }
  if (!CanSearchExactly(problem)) {
    return UsageError("the search `optimal` cannot combine suppression with the score `class`",
                      "set the suppression limit to 0, or choose another score or search");
  }
  return Ok();
}

Error TooLarge(const Problem& problem, const internal::Exact& exact) {
  return UsageError(
      fmt::format("the search `optimal` gave up after {} states and {} tuple visits, for {} "
                  "distinct combinations of {} quasi-identifiers",
                  exact.visited, exact.work, problem.tuples(), problem.columns()),
      "choose the search `default`, raise the budget, or take fewer or smaller taxonomies");
}

Recoding After(Recoding recoding, std::span<const Spot> steps) {
  for (const Spot place : steps) recoding[place] = 1;
  return recoding;
}

// How many of the steps from a confirmed recoding can be confirmed, if all of them cannot.
std::size_t StepsConfirmed(ConditionCheck& check, const Recoding& from,
                           std::span<const Spot> steps) {
  std::size_t good = 0, bad = steps.size();
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (check.Confirm(After(from, steps.first(middle))) ? good : bad) = middle;
  }
  return good;
}

// One descent from the root, which must keep the condition. Where the end cannot
// be confirmed: back to before the first step that cannot be, and on without that place. `hard`: as
// far as possible without these places first.
Solution Descended(const Problem& problem, Ranking ranking, const Condition* condition,
                   std::span<const std::uint8_t> hard = {}) {
  Partition partition(problem);
  partition.Reset(problem.Root());
  internal::DescentOptions options;
  options.ranking = ranking;
  if (condition == nullptr) {
    Descend(partition, options);
    return {partition.recoding(), partition.Cost()};
  }
  const std::unique_ptr<ConditionCheck> check = condition->NewCheck();
  std::vector<Spot> steps;
  options.check = check.get();
  if (!hard.empty()) {
    options.avoid = hard;
    Descend(partition, options);
    options.avoid = {};
  }
  options.steps = &steps;
  std::vector<std::uint8_t> closed(problem.places(), 0);
  for (Recoding from = partition.recoding();; from = partition.recoding()) {
    Descend(partition, options);
    if (steps.empty() || check->Confirm(partition.recoding())) break;
    const std::size_t good = StepsConfirmed(*check, from, steps);
    closed[steps[good]] = 1;
    partition.Reset(After(std::move(from), std::span(steps).first(good)), closed);
    steps.clear();
  }
  return {partition.recoding(), partition.Cost()};
}

// Suppression, and what not even the root keeps.
Status CheckCondition(const Problem& problem, const Condition& condition) {
  if (problem.suppression_limit() > 0) {
    return UsageError(
        "rows cannot be left out of a release that is one of a series: they would be missing in a "
        "table that only grows",
        "set the suppression limit to 0");
  }
  Partition partition(problem);
  partition.Reset(problem.Root());
  const std::unique_ptr<ConditionCheck> check = condition.NewCheck();
  if (!AllKeep(*check, partition) || !check->Confirm(partition.recoding())) {
    return condition.RootError();
  }
  return Ok();
}

// Every leaf is published as it is: nothing is cheaper.
bool AtTheLeaves(const Problem& problem, const Recoding& recoding) {
  for (Spot p = 0; p < problem.places(); ++p) {
    if (!problem.is_leaf(p) && recoding[p] == 0) return false;
  }
  return true;
}

// What the searches found together.
struct Found {
  Solution best;
  std::uint64_t descents = 1;
  std::uint64_t visited = 0;
  bool optimal = false;
  std::optional<double> paper_cost;
};

// Where the default search starts; with suppression also from what can be had without.
std::vector<Solution> Starts(const LeafCells& table, const Problem& problem, Solution greedy,
                             const Condition* condition) {
  std::vector<Solution> starts = {std::move(greedy),
                                  Descended(problem, Ranking::kPaper, condition)};
  if (condition != nullptr) {
    const std::vector<std::uint8_t> hard = condition->HardPlaces();
    if (!hard.empty()) starts.push_back(Descended(problem, Ranking::kGain, condition, hard));
  }
  if (problem.suppression_limit() > 0) {
    const Problem strict(table, problem.guarantee(), problem.score(), 0);
    starts.push_back(Descended(strict, Ranking::kGain, condition));
  }
  return starts;
}

// Small problems are solved exactly on the way; what the proof found otherwise is one more start.
Found SearchByDefault(const LeafCells& table, const Problem& problem, Solution greedy,
                      const PublishOptions& options, const Condition* condition, ThreadPool& pool,
                      Progress& progress) {
  std::vector<Solution> starts = Starts(table, problem, std::move(greedy), condition);
  const double budget = Budget(options);
  Found found;
  found.descents = starts.size();
  found.paper_cost = starts[1].cost;
  if (CanSearchExactly(problem)) {
    const auto cheapest =
        std::min_element(starts.begin(), starts.end(),
                         [](const Solution& a, const Solution& b) { return a.cost < b.cost; });
    const std::uint64_t limit = VisitsIn(budget * kShareOfProof, problem);
    internal::Exact exact = SearchExactly(problem, *cheapest, limit, progress, condition);
    found.visited = exact.visited;
    if (exact.proven) {
      found.best = std::move(exact.best);
      found.optimal = true;
      return found;
    }
    starts.push_back(std::move(exact.best));
  }
  Improvement improved = Improve(problem, std::move(starts), budget * (1 - kShareOfProof),
                                 options.seed, pool, progress, condition);
  found.best = std::move(improved.best);
  found.descents += improved.descents;
  return found;
}

Result<Found> SearchOptimum(const LeafCells& table, const Problem& problem, Solution greedy,
                            const PublishOptions& options, const Condition* condition,
                            ThreadPool& pool, Progress& progress) {
  REISSUE_TRY(CheckExact(problem));
  Found found =
      SearchByDefault(table, problem, std::move(greedy), options, condition, pool, progress);
  if (found.optimal) return found;
  const std::uint64_t limit = VisitsIn(kBudgetsOfProof * Budget(options), problem);
  internal::Exact exact = SearchExactly(problem, std::move(found.best), limit, progress, condition);
  if (!exact.proven) return TooLarge(problem, exact);
  found.best = std::move(exact.best);
  found.visited = exact.visited;
  found.optimal = true;
  return found;
}

Result<Found> Run(const LeafCells& table, const Problem& problem, const Solution& greedy,
                  const PublishOptions& options, const Condition* condition, ThreadPool& pool,
                  Progress& progress) {
  Found found;
  found.best = greedy;
  found.optimal = options.suppression_limit == 0 && !greedy.recoding.empty() &&
                  AtTheLeaves(problem, greedy.recoding);
  switch (options.search) {
    case Search::kGreedy:
      return found;
    case Search::kPaper:
      found.best = Descended(problem, Ranking::kPaper, condition);
      found.paper_cost = found.best.cost;
      found.optimal = options.suppression_limit == 0 && AtTheLeaves(problem, found.best.recoding);
      return found;
    case Search::kDefault:
      if (found.optimal) return found;
      return SearchByDefault(table, problem, greedy, options, condition, pool, progress);
    case Search::kOptimal:
      if (found.optimal) return found;
      return SearchOptimum(table, problem, greedy, options, condition, pool, progress);
  }
  return found;
}

// Fills the outcome from a recoding, and does not take the searches' word for it.
Outcome Finish(const LeafCells& table, const Problem& problem, const Solution& solution) {
  Outcome outcome;
  outcome.cuts = problem.Cuts(solution.recoding);
  outcome.cost = solution.cost;
  internal::Settled settled = internal::Settle(table, outcome.cuts, problem.guarantee());
  REISSUE_CHECK(settled.suppressed_rows <= problem.suppression_limit());
  outcome.suppressed = std::move(settled.suppressed);
  outcome.suppressed_rows = settled.suppressed_rows;
  return outcome;
}

}  // namespace

Result<Outcome> Publish(const LeafCells& table, const Guarantee& guarantee,
                        const PublishOptions& options, ThreadPool& pool, Progress& progress) {
  REISSUE_TRY(CheckCall(table, options));
  const Problem problem(table, guarantee, options.score, options.suppression_limit);
  return internal::PublishProblem(table, problem, options, nullptr, pool, progress);
}

Result<Outcome> internal::PublishProblem(const LeafCells& table, const Problem& problem,
                                         const PublishOptions& options, const Condition* condition,
                                         ThreadPool& pool, Progress& progress) {
  REISSUE_TRY(CheckCall(table, options));
  REISSUE_TRY(CheckRoot(problem.overall(), problem.guarantee()));
  if (condition != nullptr) REISSUE_TRY(CheckCondition(problem, *condition));

  const bool needed = options.search != Search::kPaper || options.compare;
  const Solution greedy = needed ? Descended(problem, Ranking::kGain, condition) : Solution{};
  const Found found = REISSUE_TRY(Run(table, problem, greedy, options, condition, pool, progress));
  Outcome outcome = Finish(table, problem, found.best);
  outcome.greedy_cost = greedy.cost;
  outcome.paper_cost = found.paper_cost;
  outcome.descents = found.descents;
  outcome.optimal = found.optimal;
  outcome.visited = found.visited;
  return outcome;
}

Cells Recoded(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    for (std::size_t j = 0; j < cuts.size(); ++j) {
      keys.push_back(cuts[j].NodeOfLeaf(key[j]).raw());
    }
    keys.push_back(key[cuts.size()]);
    counts.push_back(table.cells.count(CellId(i)));
  }
  return CollectCells(cuts.size() + 1, keys, counts);
}

}  // namespace reissue::models::k
