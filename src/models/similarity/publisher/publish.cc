#include "reissue/models/similarity/publisher/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "reissue/core/result.h"
#include "reissue/models/similarity/publisher/draft.h"
#include "reissue/models/similarity/publisher/guard.h"
#include "reissue/models/similarity/publisher/improve.h"
#include "reissue/models/similarity/publisher/leftover.h"
#include "reissue/models/similarity/publisher/repair.h"

namespace reissue::models::similarity {
namespace {

using internal::Bunch;
using internal::Draft;

bool IsShare(std::optional<double> limit) { return !limit || (*limit > 0 && *limit <= 1); }

Status CheckOptions(const PublishOptions& options) {
  const Guarantee& asked = options.guarantee;
  if (asked.k < 1) return UsageError("k is 0", "ask for k = 1 or more");
  if (!(asked.j >= 0 && asked.j <= 1)) {
    return UsageError(fmt::format("j = {} is no divergence", asked.j), "from 0 to 1");
  }
  if (!(asked.beta >= 0)) return UsageError("beta is negative", "0: not asked for");
  if (!(asked.t >= 0)) return UsageError("t is negative", "0: not asked for");
  if (options.limits && !IsShare(options.limits->bounds.max_belief)) {
    return UsageError("max_belief is no probability", "above 0, at most 1");
  }
  if (options.limits && !IsShare(options.limits->bounds.max_gain)) {
    return UsageError("max_gain is no share", "above 0, at most 1");
  }
  return Ok();
}

Status CheckLimits(const Table& table, const ReaderLimits& limits) {
  for (const Statement& statement : limits.statements) {
    if (statement.person >= table.value.size() || statement.value >= table.values) {
      return InputError("a statement about a row or value that the table does not have");
    }
  }
  return Ok();
}

Status CheckTable(const Table& table) {
  const std::size_t rows = table.value.size();
  if (table.belief.size() != rows ||
      (!table.points.columns.empty() && table.points.rows() != rows)) {
    return InputError("a table whose places, values and beliefs are not as many");
  }
  if (rows >= kSuppressed) return InputError("a table of more than four thousand million rows");
  if (std::ranges::any_of(table.value, [&](Value value) { return value >= table.values; })) {
    return InputError("a row has a value that the table does not have");
  }
  if (std::ranges::any_of(table.belief,
                          [&](std::uint32_t i) { return i >= table.beliefs.size(); })) {
    return InputError("a row has a belief that the table does not have");
  }
  for (const Distribution& belief : table.beliefs) {
    if (belief.size() != table.values) return InputError("a belief about other values");
  }
  return Ok();
}

std::vector<std::uint32_t> OrderOf(const Table& table, Algorithm algorithm) {
  if (!table.points.columns.empty()) {
    return algorithm == Algorithm::kJsReduce ? HilbertOrder(table.points)
                                             : NearestPointNext(table.points);
  }
  std::vector<std::uint32_t> order(table.value.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Algorithm 1.
void Sweep(Draft& draft, const std::vector<std::uint32_t>& order) {
  Bunch bunch = draft.Empty();
  for (const std::uint32_t row : order) {
    draft.Add(bunch, row);
    if (!draft.Keeps(bunch)) continue;
    draft.groups.push_back(std::move(bunch));
    bunch = draft.Empty();
  }
  draft.out = std::move(bunch.rows);
}

Draft Along(const Table& table, const PublishOptions& options, Algorithm algorithm) {
  Draft draft(table, options.guarantee);
  Sweep(draft, OrderOf(table, algorithm));
  internal::PlaceLeftovers(draft, options.leftover);
  internal::Settle(draft, options.leftover);
  return draft;
}

// Nothing where beliefs are alike anyway.
std::optional<Draft> Partitioned(const Table& table, const PublishOptions& options,
                                 bool by_beliefs) {
  Draft draft(table, options.guarantee);
  if (by_beliefs && draft.AllAlike()) return std::nullopt;
  internal::Partition(draft, by_beliefs);
  internal::PlaceLeftovers(draft, options.leftover);
  internal::Settle(draft, options.leftover);
  return draft;
}

bool Watched(const PublishOptions& options) {
  return options.limits && options.limits->bounds.any();
}

// First drafts of our own algorithm: the best of four; and, where what is best before repairs need
// not be so afterwards, those of Algorithm 1 along both orders.
class FirstDrafts {
 public:
  FirstDrafts(const Table& table, const PublishOptions& options, ThreadPool& pool) {
    pool.Run(table.points.columns.empty() ? 1 : kDrafts, [&](std::size_t i) {
      if (i == 0) Take(i, Along(table, options, Algorithm::kBkaa), Watched(options));
      if (i == 1) Take(i, Partitioned(table, options, false), false);
      if (i == 2) Take(i, Partitioned(table, options, true), false);
      if (i == 3) Take(i, Along(table, options, Algorithm::kJsReduce), Watched(options));
    });
  }
  Draft& best() { return *best_; }
  std::span<std::optional<Draft>> others() { return others_; }

 private:
  static constexpr std::size_t kDrafts = 4;

  // Drafts are large: what is neither the best so far nor kept goes at once.
  void Take(std::size_t number, std::optional<Draft> draft, bool keep) {
    if (!draft) return;
    const Rank rank(draft->Cost(), draft->out.size(), number);
    const std::lock_guard lock(mutex_);
    if (keep) others_[number] = draft;
    if (best_ && rank_ < rank) return;
    best_ = std::move(draft);
    rank_ = rank;
  }

  using Rank = std::tuple<double, std::size_t, std::size_t>;
  std::mutex mutex_;
  std::optional<Draft> best_;
  Rank rank_;
  std::array<std::optional<Draft>, kDrafts> others_;
};

std::optional<Guarantee> Relaxed(const Shape& shape, const Guarantee& asked) {
  if (shape.Keeps(asked)) return std::nullopt;
  Guarantee kept = asked;
  kept.k = std::min(kept.k, shape.k);
  kept.j = std::max(kept.j, shape.j);
  if (kept.beta > 0) kept.beta = std::max(kept.beta, shape.beta);
  if (kept.t > 0) kept.t = std::max(kept.t, shape.t);
  return kept;
}

Outcome Finish(Draft draft, const PublishOptions& options, ThreadPool& pool) {
  std::uint64_t repaired = 0;
  if (Watched(options)) {
    const internal::Guard guard(draft.table(), *options.limits);
    repaired = internal::Repair(draft, guard, pool);
  }
  Outcome outcome = draft.ToOutcome();
  outcome.repaired = repaired;
  return outcome;
}

// The best of four, improved; so never worse than the two other algorithms.
Outcome Best(const Table& table, const PublishOptions& options, ThreadPool& pool) {
  FirstDrafts drafts(table, options, pool);
  internal::Improve(drafts.best(), options.effort, pool);
  Outcome outcome = Finish(std::move(drafts.best()), options, pool);
  if (outcome.repaired == 0 && outcome.groups > 0) return outcome;
  for (std::optional<Draft>& draft : drafts.others()) {
    if (!draft) continue;
    Outcome other = Finish(*std::exchange(draft, std::nullopt), options, pool);
    if (std::pair(other.penalty, other.suppressed) <
        std::pair(outcome.penalty, outcome.suppressed)) {
      outcome = std::move(other);
    }
  }
  return outcome;
}

Error NoGroup(const Table& table, const PublishOptions& options) {
  return PromiseError(
      fmt::format("no group of the {} rows keeps what is promised", table.value.size()),
      fmt::format("a smaller k, or larger j, beta{}; or leftover = \"relax\"",
                  Watched(options) ? ", t, max_belief or max_gain" : " or t"));
}

}  // namespace

Result<Outcome> Publish(const Table& table, const PublishOptions& options, ThreadPool& pool) {
  REISSUE_TRY(CheckOptions(options));
  REISSUE_TRY(CheckTable(table));
  if (options.limits) REISSUE_TRY(CheckLimits(table, *options.limits));
  Outcome outcome = options.algorithm == Algorithm::kReissue
                        ? Best(table, options, pool)
                        : Finish(Along(table, options, options.algorithm), options, pool);
  if (table.value.empty()) return outcome;
  if (outcome.groups == 0) return NoGroup(table, options);
  const Shape shape = ShapeOf(table, outcome, options.guarantee.ordered);
  if (options.leftover == Leftover::kRelax) outcome.relaxed = Relaxed(shape, options.guarantee);
  REISSUE_CHECK(outcome.relaxed || shape.Keeps(options.guarantee));
  return outcome;
}

Shape ShapeOf(const Table& table, const Outcome& outcome, bool ordered) {
  std::vector<std::vector<const Distribution*>> beliefs(outcome.groups);
  std::vector<std::vector<std::uint64_t>> counts(outcome.groups,
                                                 std::vector<std::uint64_t>(table.values, 0));
  std::vector<std::uint64_t> all(table.values, 0);
  for (std::size_t row = 0; row < outcome.group.size(); ++row) {
    const std::uint32_t group = outcome.group[row];
    if (group == kSuppressed) continue;
    beliefs[group].push_back(&table.beliefs[table.belief[row]]);
    ++counts[group][outcome.shown[row]];
    ++all[outcome.shown[row]];
  }
  Shape worst;
  for (std::uint32_t group = 0; group < outcome.groups; ++group) {
    const std::uint64_t size = beliefs[group].size();
    worst.k = group == 0 ? size : std::min(worst.k, size);
    worst.j = std::max(worst.j, Divergence(beliefs[group]));
    worst.beta = std::max(worst.beta, BetaLikeness(counts[group], all));
    worst.t = std::max(worst.t, Closeness(counts[group], all, ordered));
  }
  return worst;
}

}  // namespace reissue::models::similarity
