#include "reissue/models/k/publisher/improve.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "reissue/models/k/publisher/descent.h"

namespace reissue::models::k::internal {
namespace {

// How much worse a recoding may be for a lane to walk on from it.
constexpr double kTolerated = 0.02;
// Iterations without a new best of the lane after which it goes back to it.
constexpr std::size_t kStray = 150;
// Part of the work that may go into descents from the root.
constexpr std::uint64_t kShareOfStarts = 4;

// Partitions for lanes that walk: as many as threads, of which there are fewer than lanes, and of
// large tables each takes much memory. Every descent puts its partition where it begins.
class Partitions {
 public:
  explicit Partitions(const Problem& problem) : problem_(problem) { free_.reserve(kLanes); }

  std::unique_ptr<Partition> Take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Partition>(problem_);
    std::unique_ptr<Partition> partition = std::move(free_.back());
    free_.pop_back();
    return partition;
  }
  void Return(std::unique_ptr<Partition> partition) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(partition));
  }

 private:
  const Problem& problem_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Partition>> free_;
};

// One walk: keeps its own random stream and best recoding. `known` stays as it is while lanes walk.
class Lane {
 public:
  Lane(const Problem& problem, std::uint64_t seed, const Condition* condition, const States& known,
       Partitions& partitions)
      : problem_(problem),
        partitions_(partitions),
        condition_(condition),
        check_(condition != nullptr ? condition->NewCheck() : nullptr),
        check_starts_(condition != nullptr && !condition->anti_monotone()),
        random_(Random::Seeded(seed)),
        step_work_(2 * problem.tuples() * problem.columns()) {
    // A condition asks about cells, so there the cells must be at hand.
    if (condition == nullptr && Trail::Serves(problem)) trail_.emplace(problem, known);
  }

  void StartAt(Solution solution) {
    best_ = current_ = std::move(solution);
    since_best_ = 0;
  }

  // A noisy descent from the root; where it ends badly, `otherwise`.
  void StartSomewhere(const Solution& otherwise) {
    const AtWork at_work(*this);
    Recoding root = problem_.Root();
    Solution somewhere = Complete(std::move(root), {}, 0.8);
    StartAt(Confirmed(somewhere) ? std::move(somewhere) : otherwise);
  }

  // Takes no step that would probably lead beyond the limit.
  void Walk(std::uint64_t work_limit) {
    const AtWork at_work(*this);
    const std::uint64_t end = work() + work_limit;
    for (std::size_t i = 0; i < kIterationsPerRound && work() + step_work_ <= end; ++i) {
      const std::uint64_t before = work();
      Step();
      step_work_ = (3 * step_work_ + (work() - before)) / 4;
    }
  }

  const Solution& best() const { return best_; }
  const Front& seen() const { return seen_; }
  std::uint64_t work() const {
    if (trail_) return trail_->work();
    const std::uint64_t walking = partition_ ? partition_->work() - work_of_others_ : 0;
    return work_ + walking + (check_ ? check_->work() : 0);
  }
  // Hands what it has seen of recodings to all lanes.
  void Tell(States& known) {
    if (trail_) known.TakeOver(trail_->seen());
  }
  std::uint64_t descents() const { return descents_; }

 private:
  // Has a partition as long as this lives, unless it goes by trails.
  class AtWork {
   public:
    explicit AtWork(Lane& lane) : lane_(lane) {
      if (lane.trail_) return;
      lane.partition_ = lane.partitions_.Take();
      lane.work_of_others_ = lane.partition_->work();
    }
    ~AtWork() {
      if (lane_.trail_) return;
      lane_.work_ += lane_.partition_->work() - lane_.work_of_others_;
      lane_.partitions_.Return(std::move(lane_.partition_));
    }
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;

   private:
    Lane& lane_;
  };

  void Step() {
    Recoding recoding = current_.recoding;
    std::vector<std::uint8_t> closed(problem_.places(), 0);
    const bool close = Undo(recoding, closed);
    static constexpr double kNoise[] = {0, 0.1, 0.3, 0.7};
    const double noise = kNoise[random_.Below(4)];
    Solution next =
        Complete(std::move(recoding), close ? closed : std::vector<std::uint8_t>{}, noise);
    // What would be the best must be beyond doubt; elsewhere a lane may walk unconfirmed.
    const bool dropped = next.cost < best_.cost && !Confirmed(next);
    if (!dropped &&
        next.cost <= current_.cost * (1 + kTolerated * random_.Unit() * random_.Unit())) {
      current_ = std::move(next);
    }
    if (current_.cost < best_.cost) {
      best_ = current_;
      since_best_ = 0;
    } else if (++since_best_ % kStray == 0) {
      current_ = best_;
    }
  }

  // Takes back one to three specialisations, or a whole column; says whether what was taken back is
  // to stay closed at first.
  bool Undo(Recoding& recoding, std::vector<std::uint8_t>& closed) {
    std::vector<Spot> specialised;
    for (Spot p = 0; p < problem_.places(); ++p) {
      if (recoding[p] != 0 && problem_.rows_at(p) > 0) specialised.push_back(p);
    }
    if (specialised.empty()) return false;
    const bool close = random_.Below(2) == 0;
    const std::uint64_t kind = random_.Below(10);
    const std::size_t times = kind < 5 ? 1 : 1 + random_.Below(3);
    for (std::size_t i = 0; i < times; ++i) {
      Spot place = specialised[random_.Below(specialised.size())];
      if (kind == 9) place = problem_.root(problem_.column(place));
      if (recoding[place] == 0) continue;
      problem_.Undo(place, recoding);
      closed[place] = 1;
    }
    return close;
  }

  // One of those that the recoding is within, or none.
  std::span<const std::uint8_t> SomeFence(const Recoding& recoding) {
    const std::vector<Fence>& fences = condition_->fences();
    if (fences.empty()) return {};
    const std::size_t first = random_.Below(fences.size());
    for (std::size_t i = 0; i < fences.size(); ++i) {
      const Fence& fence = fences[(first + i) % fences.size()];
      if (Within(fence, recoding)) return fence;
    }
    return {};
  }

  bool Confirmed(const Solution& solution) {
    if (solution.cost == kNoSolution) return false;
    return !check_ || check_->Confirm(solution.recoding);
  }

  // Costs kNoSolution where the condition does not hold to begin with, or where too much is left
  // out: what is coarser than a valid recoding may leave out more.
  Solution Complete(Recoding recoding, std::span<const std::uint8_t> closed, double noise) {
    ++descents_;
    DescentOptions options;
    options.noise = noise;
    options.random = &random_;
    if (trail_) {
      trail_->Reset(std::move(recoding), closed);
      return CompleteOn(*trail_, options, !closed.empty());
    }
    partition_->Reset(std::move(recoding), closed);
    if (check_starts_ && !AllKeep(*check_, *partition_)) {
      return {partition_->recoding(), kNoSolution};
    }
    options.check = check_.get();
    if (condition_ != nullptr) options.avoid = SomeFence(partition_->recoding());
    return CompleteOn(*partition_, options, !closed.empty());
  }

  // `again`: with what was closed at first.
  template <typename Course>
  Solution CompleteOn(Course& course, DescentOptions options, bool again) {
    Front way;
    if (problem_.suppression_limit() > 0) options.seen = &way;
    Descend(course, options);
    if (again) {
      course.Reset(course.recoding());
      options.noise = 0;
      Descend(course, options);
    }
    if (options.seen == nullptr) return {course.recoding(), course.Cost()};
    seen_.Offer(way);
    const Solution* best = way.Best(problem_.suppression_limit());
    return best != nullptr ? *best : Solution{course.recoding(), kNoSolution};
  }

  const Problem& problem_;
  Partitions& partitions_;
  std::optional<Trail> trail_;             // this one
  std::unique_ptr<Partition> partition_;   // or, while it walks, that
  std::uint64_t work_ = 0;                 // before that, on any of them
  std::uint64_t work_of_others_ = 0;       // that the partition has done before
  const Condition* condition_;             // null: none
  std::unique_ptr<ConditionCheck> check_;  // null without a condition
  bool check_starts_;                      // what is coarser need not keep the condition
  Random random_;
  Solution current_, best_;
  Front seen_;  // with suppression
  std::size_t since_best_ = 0;
  std::uint64_t step_work_;  // of a step, about
  std::uint64_t descents_ = 0;
};

class Rounds {
 public:
  Rounds(const Problem& problem, const Effort& effort, std::uint64_t seed, ThreadPool& pool,
         const Condition* condition)
      : pool_(pool), effort_(effort), partitions_(problem) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      lanes_.push_back(
          std::make_unique<Lane>(problem, DeriveSeed(seed, i), condition, known_, partitions_));
    }
  }

  Improvement Run(std::vector<Solution> starts, Progress& progress) {
    progress.Begin("searching", effort_.limit);
    const bool cheap = effort_.descent * kLanes <= effort_.limit / kShareOfStarts;
    best_ = *std::min_element(starts.begin(), starts.end(), Cheaper);
    pool_.Run(kLanes, [&](std::size_t i) {
      if (i < starts.size()) return lanes_[i]->StartAt(std::move(starts[i]));
      // Where a descent is dear, the other lanes start from the best.
      if (cheap && i % 2 == 1) return lanes_[i]->StartSomewhere(best_);
      lanes_[i]->StartAt(best_);
    });
    TellAll();
    TakeBest();
    for (std::size_t idle = 0; idle < kPatience && Work() < effort_.limit;) {
      const std::uint64_t before = Work();
      const std::uint64_t share = (effort_.limit - before) / kLanes;
      pool_.Run(kLanes, [&](std::size_t i) { lanes_[i]->Walk(share); });
      TellAll();
      if (Work() == before) break;
      idle = TakeBest() ? 0 : idle + 1;
      ShareBest();
      progress.Advance(Work() - before);
    }
    Improvement result{best_, {}, 0, Work()};
    for (const auto& lane : lanes_) {
      result.descents += lane->descents();
      result.seen.Offer(lane->seen());
    }
    return result;
  }

 private:
  static bool Cheaper(const Solution& a, const Solution& b) { return a.cost < b.cost; }

  std::uint64_t Work() const {
    std::uint64_t work = 0;
    for (const auto& lane : lanes_) work += lane->work();
    return work;
  }

  // In the order of the lanes, so that it does not matter which was first.
  void TellAll() {
    for (const auto& lane : lanes_) lane->Tell(known_);
  }

  bool TakeBest() {
    bool better = false;
    for (const auto& lane : lanes_) {
      if (!Cheaper(lane->best(), best_)) continue;
      best_ = lane->best();
      better = true;
    }
    return better;
  }

  // Every fourth round the weaker half of the lanes goes on from the best recoding.
  void ShareBest() {
    if (++round_ % 4 != 0) return;
    std::vector<std::size_t> by_cost(kLanes);
    for (std::size_t i = 0; i < kLanes; ++i) by_cost[i] = i;
    std::stable_sort(by_cost.begin(), by_cost.end(), [&](std::size_t a, std::size_t b) {
      return Cheaper(lanes_[a]->best(), lanes_[b]->best());
    });
    for (std::size_t i = kLanes / 2; i < kLanes; ++i) lanes_[by_cost[i]]->StartAt(best_);
  }

  ThreadPool& pool_;
  Effort effort_;
  States known_;
  Partitions partitions_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  Solution best_;
  std::size_t round_ = 0;
};

}  // namespace

std::uint64_t VisitsIn(double seconds, const Problem& problem) {
  const double dearer = 1 + std::min(1.5, static_cast<double>(problem.tuples()) / 200e3);
  return static_cast<std::uint64_t>(seconds * kVisitsPerSecond / dearer);
}

Improvement Improve(const Problem& problem, std::vector<Solution> starts, const Effort& effort,
                    std::uint64_t seed, ThreadPool& pool, Progress& progress,
                    const Condition* condition) {
  return Rounds(problem, effort, seed, pool, condition).Run(std::move(starts), progress);
}

}  // namespace reissue::models::k::internal
