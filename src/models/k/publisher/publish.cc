#include "reissue/models/k/publisher/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reissue/models/k/publisher/descent.h"
#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/publisher/verify.h"

namespace reissue::models::k {
namespace {

using internal::Improvement;
using internal::Partition;
using internal::Problem;
using internal::Ranking;
using internal::Recoding;
using internal::Solution;

Status CheckCall(const LeafCells& table, const PublishOptions& options) {
  const std::size_t width = table.taxonomies.size() + 1 + (table.class_values > 0 ? 1 : 0);
  REISSUE_CHECK(table.cells.size() == 0 || table.cells.width() == width);
  if (options.score == Score::kClass && table.class_values == 0) {
    return UsageError("the score `class` needs a class column, and the policy names none",
                      "name a class column, or choose the score `discernibility` or `distortion`");
  }
  return Ok();
}

Solution Descended(const Problem& problem, Ranking ranking) {
  Partition partition(problem);
  partition.Reset(problem.Root());
  Descend(partition, {.ranking = ranking, .noise = 0, .random = nullptr});
  return {partition.recoding(), partition.Cost()};
}

// Every leaf is published as it is: nothing is cheaper.
bool AtTheLeaves(const Problem& problem, const Recoding& recoding) {
  for (internal::Spot p = 0; p < problem.places(); ++p) {
    if (!problem.is_leaf(p) && recoding[p] == 0) return false;
  }
  return true;
}

// The default search; with suppression also from what can be had without.
Improvement SearchByDefault(const LeafCells& table, const Problem& problem, Solution greedy,
                            const PublishOptions& options, ThreadPool& pool, Progress& progress) {
  std::vector<Solution> starts = {std::move(greedy), Descended(problem, Ranking::kPaper)};
  std::uint64_t descents = 2;
  if (problem.suppression_limit() > 0) {
    const Problem strict(table, problem.guarantee(), problem.score(), 0);
    starts.push_back(Descended(strict, Ranking::kGain));
    ++descents;
  }
  const double budget = std::isfinite(options.budget_seconds) ? options.budget_seconds : 3;
  Improvement found = Improve(problem, std::move(starts), std::clamp(budget, 0.0, 1e6),
                              options.seed, pool, progress);
  found.descents += descents;
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
  REISSUE_TRY(internal::CheckRoot(problem.overall(), guarantee));

  const Solution greedy = Descended(problem, Ranking::kGain);
  const bool at_leaves = options.suppression_limit == 0 && AtTheLeaves(problem, greedy.recoding);
  Improvement found{greedy, 1};
  if (options.search == Search::kPaper) {
    found.best = Descended(problem, Ranking::kPaper);
  } else if (options.search == Search::kDefault && !at_leaves) {
    found = SearchByDefault(table, problem, greedy, options, pool, progress);
  }
  Outcome outcome = Finish(table, problem, found.best);
  outcome.greedy_cost = greedy.cost;
  outcome.descents = found.descents;
  outcome.optimal = at_leaves && options.search != Search::kPaper;
  return outcome;
}

}  // namespace reissue::models::k
