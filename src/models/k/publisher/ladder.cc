#include "reissue/models/k/publisher/ladder.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "reissue/models/k/publisher/descent.h"
#include "reissue/models/k/publisher/exact.h"
#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/levels.h"
#include "reissue/models/k/publisher/partition.h"

namespace reissue::models::k::internal {
namespace {

// Shares of the rows that people ask for.
constexpr double kShares[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};
constexpr auto kRungs = static_cast<std::uint64_t>(std::size(kShares));
// Part of its work that a search may put into a proof.
constexpr std::uint64_t kShareOfProof = 10;
// Into recodings by levels; how much dearer than the best one may be to be a start.
constexpr std::uint64_t kShareOfLevels = 10;
constexpr double kWorthStarting = 1.05;
// And into what confirms one descent.
constexpr std::uint64_t kShareOfWay = 10;
// Of a descent that is the whole search, in budgets.
constexpr std::uint64_t kBudgetsOfDescent = 4;

Recoding After(Recoding recoding, std::span<const Spot> steps) {
  for (const Spot place : steps) recoding[place] = 1;
  return recoding;
}

// How many of the steps from a confirmed recoding can be confirmed, if all of them cannot. Ends
// early where the check has done so much work.
std::size_t StepsConfirmed(ConditionCheck& check, const Recoding& from, std::span<const Spot> steps,
                           std::uint64_t work) {
  std::size_t good = 0, bad = steps.size();
  while (bad - good > 1 && check.work() < work) {
    const std::size_t middle = good + (bad - good) / 2;
    (check.Confirm(After(from, steps.first(middle))) ? good : bad) = middle;
  }
  return good;
}

// Of the steps that were taken, those at or below a place, and all others.
struct Divided {
  std::vector<Spot> others;
  std::vector<std::vector<Spot>> below;  // by place
};
Divided Divide(const Problem& problem, std::span<const Spot> steps, std::span<const Spot> places) {
  Divided divided{{}, std::vector<std::vector<Spot>>(places.size())};
  for (const Spot step : steps) {
    // The last place that is not behind the step.
    const auto after = std::ranges::upper_bound(places, step);
    const auto place = after - places.begin() - 1;
    const bool below = place >= 0 && step < problem.end(places[static_cast<std::size_t>(place)]);
    (below ? divided.below[static_cast<std::size_t>(place)] : divided.others).push_back(step);
  }
  return divided;
}

// Goes back where the condition is broken, and nowhere else: place by place before the first step
// that cannot be confirmed, which is closed. Nothing where that does not help.
std::optional<Recoding> GoBack(const Problem& problem, ConditionCheck& check, const Recoding& from,
                               std::span<const Spot> steps, std::span<const Spot> broken,
                               std::uint64_t work, std::vector<std::uint8_t>& closed) {
  const Divided divided = Divide(problem, steps, broken);
  const Recoding base = After(from, divided.others);
  if (std::ranges::any_of(divided.below, [](const auto& own) { return own.empty(); }) ||
      !check.Confirm(base)) {
    return std::nullopt;
  }
  Recoding all = base;
  for (const std::vector<Spot>& own : divided.below) {
    const std::size_t good = StepsConfirmed(check, base, own, work);
    closed[own[good]] = 1;
    all = After(std::move(all), std::span(own).first(good));
  }
  return check.Confirm(all) ? all : base;
}

// Every leaf is published as it is: nothing is cheaper.
bool AtTheLeaves(const Problem& problem, const Solution& solution) {
  for (Spot p = 0; p < problem.places(); ++p) {
    if (!problem.is_leaf(p) && solution.recoding[p] == 0) return false;
  }
  return solution.left_out == 0;
}

// One descent, and what came of it.
struct Way {
  Recoding from;  // valid; keeps the condition
  Ranking ranking = Ranking::kGain;
  std::span<const std::uint8_t> fence = {};  // stays within it; empty: there is none
  Recoding end = {};
  Front seen = {};
  std::uint64_t work = 0;
};

// Where the end of a descent cannot be confirmed: back to before the first step that cannot be, and
// on without that place, as long as the check has not done so much work.
void DescendConfirmed(Partition& partition, ConditionCheck& check, DescentOptions options,
                      std::uint64_t work) {
  std::vector<Spot> steps;
  options.steps = &steps;
  std::vector<std::uint8_t> closed(partition.problem().places(), 0);
  for (Recoding from = partition.recoding();; from = partition.recoding()) {
    Descend(partition, options);
    if (steps.empty() || check.Confirm(partition.recoding())) return;
    const std::vector<Spot> broken = check.Broken(partition.recoding());
    std::optional<Recoding> back;
    if (!broken.empty()) {
      back = GoBack(partition.problem(), check, from, steps, broken, work, closed);
    }
    if (!back) {
      const std::size_t good = StepsConfirmed(check, from, steps, work);
      closed[steps[good]] = 1;
      back = After(std::move(from), std::span(steps).first(good));
    }
    partition.Reset(*std::move(back), closed);
    if (check.work() >= work) return;
    steps.clear();
  }
}

// `pool`: for the only way there is; null where others are gone beside it.
void Go(const Problem& problem, const Condition* condition, std::uint64_t work, ThreadPool* pool,
        Way& way) {
  Partition partition(problem);
  if (pool != nullptr) partition.ShareWith(*pool);
  partition.Reset(way.from);
  DescentOptions options;
  options.ranking = way.ranking;
  if (condition == nullptr) {
    options.seen = &way.seen;
    Descend(partition, options);
  } else {
    const std::unique_ptr<ConditionCheck> check = condition->NewCheck();
    options.check = check.get();
    options.avoid = way.fence;
    DescendConfirmed(partition, *check, options, work);
    way.seen.Offer({partition.recoding(), partition.Cost()});
    way.work += check->work();
  }
  way.end = partition.recoding();
  way.work += partition.work();
}

class Ladder {
 public:
  Ladder(const Problem& problem, const Front& starts, const PublishOptions& options,
         const Condition* condition, std::uint64_t limit, ThreadPool& pool, Progress& progress)
      : problem_(problem),
        starts_(starts),
        options_(options),
        condition_(condition),
        work_limit_(limit),
        pool_(pool),
        progress_(progress) {}

  Found Run() {
    const std::uint64_t limit = problem_.suppression_limit();
    Climb(0, 0);
    if (limit > 0 && thorough()) StepFurther();
    for (std::uint64_t i = 0; i < kRungs && top_ < limit; ++i) {
      Climb(static_cast<std::uint64_t>(kShares[i] * static_cast<double>(problem_.rows()) + 1e-9),
            i + 1);
    }
    // What a rung above the limit starts from may leave out too much already.
    found_.best.Offer(starts_);
    if (!greedy_end_.empty()) found_.greedy.Offer(starts_);
    if (!paper_end_.empty()) found_.paper.Offer(starts_);
    const Solution& best = *found_.best.Best(limit);
    found_.optimal = AtTheLeaves(problem_, best) || (proven_ && best.cost <= Cheapest());
    return std::move(found_);
  }

 private:
  bool thorough() const {
    return options_.search == Search::kDefault || options_.search == Search::kOptimal;
  }
  double Cheapest() const { return found_.best.Best(top_)->cost; }

  // What may have been done once a rung is done. Two thirds of it go into the release that leaves
  // nobody out: whoever allows that has it too. With a condition there is no other.
  std::uint64_t WorkUpTo(std::uint64_t number) const {
    const std::uint64_t rung = work_limit_ / (3 * kRungs);
    return condition_ != nullptr ? work_limit_ : work_limit_ - (kRungs - number) * rung;
  }

  // The searches where `limit` rows may be left out.
  void Climb(std::uint64_t limit, std::uint64_t number) {
    const Solution* start = starts_.Best(limit);
    if (start == nullptr || (number > 0 && limit == top_)) return;
    const Problem problem = problem_.WithLimit(limit);
    const std::uint64_t below = std::exchange(top_, problem.suppression_limit());
    proven_ = false;
    const Solution* known = found_.best.Best(top_);
    if (known != nullptr && AtTheLeaves(problem_, *known)) return;
    const std::uint64_t until = WorkUpTo(number);
    // There a descent is dear, and what was found before will do.
    if (thorough() && problem.reference_moves() && number > 0 && known != nullptr &&
        found_.work >= until) {
      return;
    }
    bool search = thorough() && !settled_;
    const bool dear = problem.reference_moves() && found_.work + descent_ > until;
    Descents(problem, *start, search && !dear);
    if (thorough() && condition_ == nullptr && CanSearchLevels(problem)) {
      search |= StartFromLevels(problem, until);
    }
    if (!search || AtTheLeaves(problem_, *found_.best.Best(top_))) return;
    if (CanSearchExactly(problem)) Prove(problem, until);
    if (!proven_ && found_.work < until) Walk(problem, until);
    // Where more than may be left out on the rung below does not pay, neither does still more.
    settled_ = number > 0 && !proven_ && found_.best.Best(top_)->left_out <= below;
  }

  // One step down from the best that leaves nobody out, at each place, whatever it leaves out: the
  // rungs lie far apart, and a few rows may stand in the way of much. The same for every limit.
  void StepFurther() {
    const Solution* best = found_.best.Best(0);
    if (best == nullptr) return;
    const Recoding from = best->recoding;
    const Problem problem = problem_.WithLimit(problem_.rows());
    Partition partition(problem);
    const std::uint64_t most = WorkUpTo(1);
    for (Spot place = 0; place < problem.places() && found_.work + 2 * partition.work() < most;
         ++place) {
      const bool in_cut =
          from[place] == 0 && (!problem.has_parent(place) || from[problem.parent(place)] != 0);
      if (!in_cut || problem.is_leaf(place) || problem.rows_at(place) == 0) continue;
      Recoding finer = from;
      finer[place] = 1;
      partition.Reset(std::move(finer));
      if (!partition.valid()) continue;
      found_.best.Offer({partition.recoding(), partition.Cost(), partition.suppressed_rows()});
    }
    found_.work += 2 * partition.work();
  }

  // One descent by gain, one by the paper's score: from where they ended on the rung below. Also
  // from the best, and from the start again.
  void Descents(const Problem& problem, const Solution& start, bool again) {
    std::vector<Way> ways;
    const bool first = greedy_end_.empty();
    const bool greedy = options_.search != Search::kPaper || options_.compare;
    const bool paper = options_.search != Search::kGreedy;
    if (greedy) ways.push_back({first ? start.recoding : greedy_end_, Ranking::kGain});
    if (paper) ways.push_back({paper_end_.empty() ? start.recoding : paper_end_, Ranking::kPaper});
    if (condition_ != nullptr && thorough()) {
      for (const Fence& fence : condition_->fences()) {
        if (Within(fence, start.recoding)) ways.push_back({start.recoding, Ranking::kGain, fence});
      }
    }
    if (again && !first) {
      ways.push_back({found_.best.Best(top_)->recoding, Ranking::kGain});
      ways.push_back({start.recoding, Ranking::kGain});
    }
    // Whoever asks for one descent gets all of it, or some budgets for it: there is nothing else
    // that would find a release. Whoever stays on the way of one descent, too: cut short it would
    // be another way.
    const std::uint64_t whole = options_.to_the_end ? std::numeric_limits<std::uint64_t>::max()
                                                    : kBudgetsOfDescent * work_limit_;
    const std::uint64_t part = work_limit_ / kShareOfWay;
    const bool lasting = options_.lasting && options_.search == Search::kDefault;
    const auto work = [&](std::size_t i) {
      return !thorough() || (lasting && greedy && i == 0) ? whole : part;
    };
    if (ways.size() == 1) {
      Go(problem, condition_, work(0), condition_ == nullptr ? &pool_ : nullptr, ways.front());
    } else {
      pool_.Run(ways.size(),
                [&](std::size_t i) { Go(problem, condition_, work(i), nullptr, ways[i]); });
    }
    if (greedy) Take(ways.front(), greedy_end_, found_.greedy);
    if (paper) Take(ways[greedy ? 1 : 0], paper_end_, found_.paper);
    for (const Way& way : ways) {
      // The paper's search may make the other one for comparison.
      if (thorough() || &way == &ways.back()) found_.best.Offer(way.seen);
      found_.work += way.work;
      ++found_.descents;
      if (first) descent_ = std::max(descent_, way.work);
    }
    // One core is idle while the other makes the only one.
    if (ways.size() == 1) found_.work += ways.front().work;
  }

  static void Take(const Way& way, Recoding& end, Front& front) {
    end = way.end;
    front.Offer(way.seen);
  }

  // One descent from the best recoding by levels, on one core; whether it ends at a new best.
  bool StartFromLevels(const Problem& problem, std::uint64_t until) {
    if (AtTheLeaves(problem_, *found_.best.Best(top_))) return false;
    const std::uint64_t left = until - std::min(until, found_.work);
    const double before = Cheapest();
    const Levels levels = SearchLevels(problem, before * kWorthStarting, left / kShareOfLevels / 2);
    found_.work += 2 * levels.work;
    if (!levels.best) return false;
    Way way{*levels.best};
    Go(problem, nullptr, 0, &pool_, way);
    found_.best.Offer(way.seen);
    found_.work += 2 * way.work;
    ++found_.descents;
    return Cheapest() < before;
  }

  // Counted as what one core does: what two share depends on the states.
  void Prove(const Problem& problem, std::uint64_t until) {
    const std::uint64_t left = until - std::min(until, found_.work);
    Exact exact = SearchExactly(problem, *found_.best.Best(top_), left / kShareOfProof / 2, pool_,
                                progress_, condition_);
    found_.visited += exact.visited;
    found_.work += 2 * exact.work;
    found_.best.Offer(exact.seen);
    proven_ = exact.proven;
  }

  void Walk(const Problem& problem, std::uint64_t until) {
    std::vector<Solution> starts = {*found_.best.Best(top_)};
    for (const Front* front : {&found_.greedy, &found_.paper}) {
      const Solution* other = front->Best(top_);
      if (other != nullptr && other->recoding != starts[0].recoding) starts.push_back(*other);
    }
    Improvement improved = Improve(problem, std::move(starts), {until - found_.work, descent_},
                                   options_.seed, pool_, progress_, condition_);
    found_.best.Offer(improved.seen);
    found_.best.Offer(std::move(improved.best));
    found_.descents += improved.descents;
    found_.work += improved.work;
  }

  const Problem& problem_;
  const Front& starts_;
  const PublishOptions& options_;
  const Condition* condition_;
  std::uint64_t work_limit_;
  ThreadPool& pool_;
  Progress& progress_;
  Recoding greedy_end_, paper_end_;
  std::uint64_t top_ = 0;      // rows that may be left out on this rung
  std::uint64_t descent_ = 0;  // work of one from the start
  bool proven_ = false, settled_ = false;
  Found found_;
};

}  // namespace

Found Climb(const Problem& problem, const Front& starts, const PublishOptions& options,
            const Condition* condition, std::uint64_t limit, ThreadPool& pool, Progress& progress) {
  return Ladder(problem, starts, options, condition, limit, pool, progress).Run();
}

}  // namespace reissue::models::k::internal
