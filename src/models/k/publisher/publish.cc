#include "reissue/models/k/publisher/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reissue/core/collect_cells.h"
#include "reissue/models/k/publisher/exact.h"
#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/ladder.h"
#include "reissue/models/k/publisher/predict.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/publisher/search.h"
#include "reissue/models/k/publisher/start.h"
#include "reissue/models/k/publisher/verify.h"

namespace reissue::models::k {
namespace {

using internal::Condition;
using internal::ConditionCheck;
using internal::Found;
using internal::Front;
using internal::Partition;
using internal::Problem;
using internal::Recoding;
using internal::Solution;

// How many budgets kOptimal has for its proof.
constexpr double kBudgetsOfProof = 20;
// By so much something must be cheaper than what one descent ends at to be taken in its place in a
// series.
constexpr double kWorthLeaving = 0.1;

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

// With nobody left out.
bool KeptAtRoot(const Problem& problem, const Condition* condition) {
  Partition partition(problem);
  // No step from there is asked about.
  partition.Reset(problem.Root(), std::vector<std::uint8_t>(problem.places(), 1));
  if (partition.suppressed_rows() > 0) return false;
  if (condition == nullptr) return true;
  const std::unique_ptr<ConditionCheck> check = condition->NewCheck();
  return AllKeep(*check, partition) && check->Confirm(partition.recoding());
}

// What the searches start from.
struct Begin {
  Front front;
  std::uint64_t work = 0;  // of two cores, as in Found
};

Begin BeginAt(const Problem& problem, const Recoding& recoding, std::uint64_t work) {
  Partition partition(problem);
  partition.Reset(recoding);
  Begin begin;
  begin.front.Offer({recoding, partition.Cost()});
  begin.work = 2 * (work + partition.work());
  return begin;
}

// Whether the most general recoding will do; an error where nothing can.
Result<bool> RootDoes(const Problem& problem, const Condition* condition) {
  REISSUE_TRY(
      internal::CheckRoot(problem.overall(), problem.guarantee(), problem.suppression_limit()));
  if (KeptAtRoot(problem, condition)) return true;
  if (condition != nullptr) {
    if (auto hopeless = condition->Hopeless()) return *std::move(hopeless);
  }
  return false;
}

// Where nothing at or below the ceilings will do.
Error TooLow(const Problem& problem, const Condition* condition) {
  Partition partition(problem);
  partition.Reset(problem.Root());
  const std::unique_ptr<ConditionCheck> check = condition ? condition->NewCheck() : nullptr;
  std::size_t groups = 0;
  std::uint64_t rows = 0;
  for (std::size_t cell = 0; cell < partition.cells(); ++cell) {
    const bool kept = partition.kept(cell) &&
                      (!check || check->AskCell(partition, cell) == internal::Answer::kKeeps);
    groups += kept ? 0 : 1;
    rows += kept ? 0 : partition.rows(cell);
  }
  return PromiseError(
      groups > 0
          ? fmt::format("with `ceiling` or `keep` no release keeps the promise: of {} groups "
                        "at the ceilings {} ({} rows) break it",
                        partition.cells(), groups, rows)
          : "with `ceiling` or `keep` no release was found that keeps the promise",
      "Raise a ceiling, or take `keep` away from a column; `reissue check` says what each would "
      "do." +
          std::string(condition ? "" : " Or let rows be left out (`suppression`)."));
}

// The most general recoding, or others that do what it does not.
Result<Begin> BeginOf(const Problem& problem, const Condition* condition, Progress& progress) {
  if (REISSUE_TRY(RootDoes(problem, condition))) return BeginAt(problem, problem.Root(), 0);
  const std::uint64_t limit = problem.suppression_limit();
  if (limit == 0) {
    internal::Start start = internal::FindStart(problem, condition, progress);
    if (start.recoding) return BeginAt(problem, *start.recoding, start.work);
    if (problem.has_ceilings()) return TooLow(problem, condition);
    if (condition != nullptr) return condition->NothingFound(start.all_seen);
    return internal::NothingFound(problem.overall(), problem.guarantee(), limit, start.all_seen);
  }
  internal::Starts starts = internal::FindStarts(problem, progress);
  if (starts.front.Best(limit) == nullptr) {
    if (problem.has_ceilings()) return TooLow(problem, condition);
    return internal::NothingFound(problem.overall(), problem.guarantee(), limit, starts.all_seen);
  }
  return Begin{std::move(starts.front), 2 * starts.work};
}

struct Searched {
  const Problem& problem;
  const PublishOptions& options;
  const Condition* condition;  // null: none
  ThreadPool& pool;
  Progress& progress;
};

Result<Found> SearchWithin(const Searched& s, std::uint64_t visits) {
  const Begin begin = REISSUE_TRY(BeginOf(s.problem, s.condition, s.progress));
  const std::uint64_t left = visits - std::min(visits, begin.work);
  Found found = Climb(s.problem, begin.front, s.options, s.condition, left, s.pool, s.progress);
  found.work += begin.work;
  return found;
}

// The proof that kOptimal is asked for; where it takes too long, the best so far.
Solution Optimum(const Searched& s, const Solution& best, Found& found) {
  const std::uint64_t limit = VisitsIn(kBudgetsOfProof * Budget(s.options), s.problem) / 2;
  internal::Exact exact = SearchExactly(s.problem, best, limit, s.pool, s.progress, s.condition);
  found.visited = exact.visited;
  found.work += 2 * exact.work;
  found.optimal = exact.proven;
  return exact.best;
}

void Add(const Front& front, std::uint64_t limit, std::vector<Recoding>& recodings) {
  for (const std::uint64_t rows : {limit, std::uint64_t{0}}) {
    const Solution* solution = front.Best(rows);
    if (solution == nullptr || std::ranges::count(recodings, solution->recoding) > 0) continue;
    recodings.push_back(solution->recoding);
  }
}

// Of the releases that all searches found for the class and for loss, with suppression and without:
// the one from which decision trees predict the class best.
Result<Solution> MostPredictive(const LeafCells& table, const Searched& s, std::uint64_t visits,
                                Found& found) {
  const std::uint64_t limit = s.problem.suppression_limit();
  const Problem by_loss(table, s.problem.guarantee(), Score::kLoss, limit);
  Found other =
      REISSUE_TRY(SearchWithin({by_loss, s.options, s.condition, s.pool, s.progress}, visits));
  std::vector<Recoding> recodings;
  for (Front* front : {&found.best, &found.paper, &found.greedy, &other.best, &other.paper}) {
    Add(*front, limit, recodings);
  }
  const internal::Predictor predictor(s.problem, s.options.seed);
  std::vector<std::uint64_t> errors(recodings.size());
  s.pool.Run(errors.size(), [&](std::size_t i) { errors[i] = predictor.Errors(recodings[i]); });
  const auto least = std::ranges::min_element(errors) - errors.begin();
  found.descents += other.descents;
  found.work += other.work + errors.size() * predictor.work();
  found.optimal = found.optimal && least == 0;
  Partition partition(s.problem);
  partition.Reset(recodings[static_cast<std::size_t>(least)]);
  return Solution{partition.recoding(), partition.Cost(), partition.suppressed_rows()};
}

// What decides about the class is how well it is predicted.
bool StaysOnTheWay(const Searched& s) {
  return s.options.lasting && s.options.search == Search::kDefault &&
         s.options.score != Score::kClass && s.problem.suppression_limit() == 0;
}

// What is taken in a series. A cheaper release may show what a descent's does not; readers keep
// that, and what newcomers allow in the months to come must not cross it. One descent changes
// little from release to release, so whoever stays on its way loses less over many of them.
Solution OnTheWay(const Found& found, Solution best) {
  const Solution* descent = found.greedy.Best(0);
  if (descent == nullptr || descent->cost > best.cost * (1 + kWorthLeaving)) return best;
  return *descent;
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
  const Problem problem(table, guarantee, options.score, options.suppression_limit,
                        Problem::Sensitive::kWhereNeeded);
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
  if (options.search == Search::kOptimal) REISSUE_TRY(CheckExact(problem));
  const Searched searched{problem, options, condition, pool, progress};
  const bool predicts = options.score == Score::kClass && options.search == Search::kDefault;
  const std::uint64_t visits = VisitsIn(Budget(options), problem);
  Found found = REISSUE_TRY(SearchWithin(searched, predicts ? visits / 2 : visits));
  const std::uint64_t limit = problem.suppression_limit();
  Solution best = *found.best.Best(limit);
  const double cheapest = best.cost;
  const bool stays = StaysOnTheWay(searched);
  if (stays) best = OnTheWay(found, std::move(best));
  found.optimal = found.optimal && best.cost <= cheapest;
  if (options.search == Search::kOptimal && !found.optimal) {
    best = Optimum(searched, best, found);
  }
  if (predicts) best = REISSUE_TRY(MostPredictive(table, searched, visits / 2, found));
  Outcome outcome = Finish(table, problem, best);
  if (const Solution* greedy = found.greedy.Best(limit)) outcome.greedy_cost = greedy->cost;
  if (const Solution* paper = found.paper.Best(limit)) outcome.paper_cost = paper->cost;
  if (stays && best.cost > cheapest) outcome.passing_cost = cheapest;
  outcome.work = found.work;
  outcome.descents = found.descents;
  outcome.optimal = found.optimal;
  outcome.floors = !table.floors.empty();
  outcome.gave_up = options.search == Search::kOptimal && !found.optimal;
  outcome.visited = found.visited;
  return outcome;
}

Status Publishable(const LeafCells& table, const Guarantee& guarantee,
                   std::uint64_t suppression_limit, Progress& progress) {
  const Problem problem(table, guarantee, Score::kDiscernibility, suppression_limit);
  if (REISSUE_TRY(RootDoes(problem, nullptr))) return Ok();
  const internal::Start start = internal::FindStart(problem, nullptr, progress);
  if (start.recoding) return Ok();
  if (problem.has_ceilings()) return TooLow(problem, nullptr);
  return internal::NothingFound(problem.overall(), problem.guarantee(), problem.suppression_limit(),
                                start.all_seen);
}

Cells Recoded(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts) {
  const std::size_t width = cuts.size();
  std::vector<std::uint64_t> domains, counts;
  for (const auto& tree : table.taxonomies) domains.push_back(tree->nodes());
  domains.resize(width);
  domains.push_back(1);
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    domains.back() = std::max<std::uint64_t>(domains.back(),
                                             table.cells.key(CellId(i))[width] + std::uint64_t{1});
    counts.push_back(table.cells.count(CellId(i)));
  }
  const auto keys = [&](std::size_t first, std::size_t entries, std::uint32_t* codes) {
    for (std::size_t i = first; i < first + entries; ++i) {
      const auto key = table.cells.key(CellId(i));
      for (std::size_t j = 0; j < width; ++j) *codes++ = cuts[j].NodeOfLeaf(key[j]).raw();
      *codes++ = key[width];
    }
  };
  ThreadPool caller(1);
  return CollectCells(domains, counts.size(), keys, counts, caller);
}

}  // namespace reissue::models::k
