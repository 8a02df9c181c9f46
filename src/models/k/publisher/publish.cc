#include "reissue/models/k/publisher/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reissue/models/k/publisher/descent.h"
#include "reissue/models/k/publisher/exact.h"
#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/publisher/search.h"
#include "reissue/models/k/publisher/start.h"
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
  if (problem.reference_moves()) {
    return UsageError(
        "the search `optimal` cannot combine suppression with t or beta: what a cell is measured "
        "against changes with the rows that are left out",
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

// One descent from a valid recoding, which must keep the condition. Where the end cannot
// be confirmed: back to before the first step that cannot be, and on without that place. `hard`: as
// far as possible without these places first.
Solution Descended(const Problem& problem, const Recoding& start, Ranking ranking,
                   const Condition* condition, std::span<const std::uint8_t> hard = {}) {
  Partition partition(problem);
  partition.Reset(start);
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

// Every leaf is published as it is: nothing is cheaper.
bool AtTheLeaves(const Problem& problem, const Recoding& recoding) {
  for (Spot p = 0; p < problem.places(); ++p) {
    if (!problem.is_leaf(p) && recoding[p] == 0) return false;
  }
  return true;
}

// What a search is given.
struct Searched {
  const LeafCells& table;
  const Problem& problem;
  const PublishOptions& options;
  const Condition* condition;  // null: none
  ThreadPool& pool;
  Progress& progress;
  Recoding start;  // valid, and keeps the condition

  Solution Descended(Ranking ranking, std::span<const std::uint8_t> hard = {}) const {
    return k::Descended(problem, start, ranking, condition, hard);
  }
};

// What the searches found together.
struct Found {
  Solution best;
  std::uint64_t descents = 1;
  std::uint64_t visited = 0;
  bool optimal = false;
  std::optional<double> paper_cost;
};

bool KeptAtRoot(const Problem& problem, const Condition* condition) {
  Partition partition(problem);
  partition.Reset(problem.Root());
  if (!partition.valid() || condition == nullptr) return partition.valid();
  const std::unique_ptr<ConditionCheck> check = condition->NewCheck();
  return AllKeep(*check, partition) && check->Confirm(partition.recoding());
}

// The most general recoding, or one that does what it does not.
Result<Recoding> StartOf(const Problem& problem, const Condition* condition, Progress& progress) {
  const std::uint64_t limit = problem.suppression_limit();
  REISSUE_TRY(internal::CheckRoot(problem.overall(), problem.guarantee(), limit));
  if (KeptAtRoot(problem, condition)) return problem.Root();
  if (condition != nullptr) {
    if (auto hopeless = condition->Hopeless()) return *std::move(hopeless);
  }
  internal::Start start = internal::FindStart(problem, condition, progress);
  if (start.recoding) return *std::move(start.recoding);
  if (condition != nullptr) return condition->NothingFound(start.all_seen);
  return internal::NothingFound(problem.overall(), problem.guarantee(), limit, start.all_seen);
}

// Where the default search starts; with suppression also from what can be had without.
std::vector<Solution> Starts(const Searched& searched, Solution greedy) {
  const Problem& problem = searched.problem;
  std::vector<Solution> starts = {std::move(greedy), searched.Descended(Ranking::kPaper)};
  // What is finer than the root may have some of them already.
  if (searched.condition != nullptr && searched.start == problem.Root()) {
    const std::vector<std::uint8_t> hard = searched.condition->HardPlaces();
    if (!hard.empty()) starts.push_back(searched.Descended(Ranking::kGain, hard));
  }
  if (problem.suppression_limit() > 0 && searched.start == problem.Root()) {
    const Problem strict(searched.table, problem.guarantee(), problem.score(), 0);
    starts.push_back(Descended(strict, searched.start, Ranking::kGain, searched.condition));
  }
  return starts;
}

// Small problems are solved exactly on the way; what the proof found otherwise is one more start.
Found SearchByDefault(const Searched& searched, Solution greedy) {
  const auto& [table, problem, options, condition, pool, progress, start] = searched;
  std::vector<Solution> starts = Starts(searched, std::move(greedy));
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

Result<Found> SearchOptimum(const Searched& searched, Solution greedy) {
  const Problem& problem = searched.problem;
  REISSUE_TRY(CheckExact(problem));
  Found found = SearchByDefault(searched, std::move(greedy));
  if (found.optimal) return found;
  const std::uint64_t limit = VisitsIn(kBudgetsOfProof * Budget(searched.options), problem);
  internal::Exact exact =
      SearchExactly(problem, std::move(found.best), limit, searched.progress, searched.condition);
  if (!exact.proven) return TooLarge(problem, exact);
  found.best = std::move(exact.best);
  found.visited = exact.visited;
  found.optimal = true;
  return found;
}

Result<Found> Run(const Searched& searched, const Solution& greedy) {
  const Problem& problem = searched.problem;
  const bool all_stay = problem.suppression_limit() == 0;
  Found found;
  found.best = greedy;
  found.optimal = all_stay && !greedy.recoding.empty() && AtTheLeaves(problem, greedy.recoding);
  switch (searched.options.search) {
    case Search::kGreedy:
      return found;
    case Search::kPaper:
      found.best = searched.Descended(Ranking::kPaper);
      found.paper_cost = found.best.cost;
      found.optimal = all_stay && AtTheLeaves(problem, found.best.recoding);
      return found;
    case Search::kDefault:
      if (found.optimal) return found;
      return SearchByDefault(searched, greedy);
    case Search::kOptimal:
      if (found.optimal) return found;
      return SearchOptimum(searched, greedy);
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
  if (condition != nullptr && problem.suppression_limit() > 0) {
    return UsageError(
        "rows cannot be left out of a release that is one of a series: they would be missing in a "
        "table that only grows",
        "set the suppression limit to 0");
  }
  Recoding start = REISSUE_TRY(StartOf(problem, condition, progress));

  const Searched searched{table, problem, options, condition, pool, progress, std::move(start)};
  const bool needed = options.search != Search::kPaper || options.compare;
  const Solution greedy = needed ? searched.Descended(Ranking::kGain) : Solution{};
  const Found found = REISSUE_TRY(Run(searched, greedy));
  Outcome outcome = Finish(table, problem, found.best);
  outcome.greedy_cost = greedy.cost;
  outcome.paper_cost = found.paper_cost;
  outcome.descents = found.descents;
  outcome.optimal = found.optimal;
  outcome.visited = found.visited;
  return outcome;
}

Status Publishable(const LeafCells& table, const Guarantee& guarantee,
                   std::uint64_t suppression_limit, Progress& progress) {
  const Problem problem(table, guarantee, Score::kDiscernibility, suppression_limit);
  REISSUE_TRY(StartOf(problem, nullptr, progress));
  return Ok();
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
