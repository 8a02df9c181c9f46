#include "reissue/models/k/publisher/exact.h"

#include <algorithm>

#include "reissue/models/k/publisher/partition.h"

namespace reissue::models::k::internal {
namespace {

using Marks = std::vector<std::uint8_t>;

// So many states are looked at side by side, whatever the number of threads.
constexpr std::size_t kAbreast = 2;
// Below so many tuples times columns waking a thread takes longer than what it would do.
constexpr std::size_t kWorthSharing = 1 << 13;
// Above so many tuples one look after the other, in the memory of one.
constexpr std::size_t kMostAbreast = 1 << 19;

// All recodings at or below `recoding` that leave the closed places as they are.
struct Subtree {
  Recoding recoding;
  Marks closed;
};

// Looks at one state after the other. Has scratch of its own: belongs to one thread.
class Look {
 public:
  // `forgets`: of a look nothing but its numbers is asked for.
  Look(const Problem& problem, const Condition* condition, bool forgets)
      : problem_(problem),
        forgets_(forgets),
        current_(problem),
        single_(problem),
        finest_(problem) {
    if (condition == nullptr) return;
    check_ = condition->NewCheck();
    free_ = condition->anti_monotone() && !condition->confirms();
  }

  // What there is to know of it, where only what costs less than `below` matters.
  void At(Subtree state, double below) {
    state_ = std::move(state);
    branch_.reset();
    specialised_ = false;
    current_.Reset(std::move(state_.recoding), state_.closed);
    state_.recoding = current_.recoding();
    if (current_.open().empty()) return;
    if (problem_.anti_monotone()) CloseImpossible(state_.recoding, state_.closed);
    branch_ = BestOpen(state_.closed);
    if (!branch_) return;
    if (forgets_) {
      if (current_.valid()) (void)current_.Cost();
      current_.Forget();
      single_.Forget();
    }
    finest_.Reset(Finest(state_.recoding, state_.closed), Marks(problem_.places(), 1));
    bound_ = BoundHere();
    specialised_ = bound_ < below && free_ && SpecialiseFree(state_.recoding, state_.closed);
  }

  // Lets go of cells; the numbers of what was seen stay.
  void Forget() {
    if (!branch_ && current_.valid()) (void)current_.Cost();
    if (branch_ && finest_.valid()) (void)finest_.Cost();
    current_.Forget();
    single_.Forget();
    finest_.Forget();
  }

  Subtree& state() { return state_; }
  const Partition& current() const { return current_; }
  // The best open place; nothing: the state is the only recoding.
  const std::optional<Spot>& branch() const { return branch_; }
  // Where there is a branch:
  const Partition& finest() const { return finest_; }
  double bound() const { return bound_; }
  // Whether places were specialised that can be whatever else happens; there is no choice then.
  bool specialised() const { return specialised_; }
  std::uint64_t work() const {
    return current_.work() + single_.work() + finest_.work() + (check_ ? check_->work() : 0);
  }

 private:
  // The open place with the largest gain, the first of equals.
  std::optional<Spot> BestOpen(const Marks& closed) {
    std::optional<Spot> best;
    double best_gain = 0;
    for (const Spot place : current_.open()) {
      if (closed[place] != 0) continue;
      const double gain = current_.Gain(place);
      if (best && (gain < best_gain || (gain == best_gain && place > *best))) continue;
      best = place;
      best_gain = gain;
    }
    return best;
  }

  // Closes what breaks the promise even with all other columns as they are: within one column the
  // parts do not touch each other, so specialising all that is allowed finds all that is possible.
  // Except that parts may use up each other's rows that may be left out: what is refused then is
  // asked about by itself.
  void CloseImpossible(const Recoding& recoding, Marks& closed) {
    std::vector<std::size_t> columns;
    for (const Spot place : current_.open()) {
      const std::size_t column = problem_.column(place);
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
        columns.push_back(column);
      }
    }
    for (const std::size_t column : columns) {
      Marks others(problem_.places(), 1);
      const Spot root = problem_.root(column), end = problem_.end(root);
      std::copy(closed.begin() + root, closed.begin() + end, others.begin() + root);
      single_.Reset(recoding, others);
      while (!single_.open().empty()) {
        const Spot place = single_.open().front();
        // Closed earlier, further down, or without hope.
        if (closed[place] != 0 || (check_ && check_->Ask(single_, place) == Answer::kHopeless)) {
          single_.Close(place);
        } else {
          single_.Specialise(place);
        }
      }
      const Recoding& possible = single_.recoding();
      Marks refused(end - root, 0);
      for (Spot p = root; p < end; ++p) {
        refused[p - root] = possible[p] == 0 && !problem_.is_leaf(p) ? 1 : 0;
      }
      for (Spot p = root; p < end; ++p) {
        if (refused[p - root] == 0 || closed[p] != 0) continue;
        const bool below_closed = p != root && closed[problem_.parent(p)] != 0;
        closed[p] = problem_.suppression_limit() == 0 || below_closed || !PossibleAlone(recoding, p)
                        ? 1
                        : 0;
      }
    }
  }

  // Whether the place can be specialised, with nothing else but what stands above it.
  bool PossibleAlone(const Recoding& recoding, Spot place) {
    std::vector<Spot> path = {place};
    while (path.back() != problem_.root(problem_.column(place)) &&
           recoding[problem_.parent(path.back())] == 0) {
      path.push_back(problem_.parent(path.back()));
    }
    Marks others(problem_.places(), 1);
    for (const Spot p : path) others[p] = 0;
    single_.Reset(recoding, others);
    for (; !path.empty(); path.pop_back()) {
      const Spot next = path.back();
      if (std::ranges::find(single_.open(), next) == single_.open().end()) return false;
      if (check_ && check_->Ask(single_, next) == Answer::kHopeless) return false;
      if (next != place) single_.Specialise(next);
    }
    return true;
  }

  Recoding Finest(Recoding recoding, const Marks& closed) const {
    for (Spot p = 0; p < problem_.places(); ++p) {
      const bool reached = !problem_.has_parent(p) || recoding[problem_.parent(p)] != 0;
      if (reached && closed[p] == 0 && !problem_.is_leaf(p)) recoding[p] = 1;
    }
    return recoding;
  }

  // No recoding of this state is cheaper: every row shares its cell at least with the rows of the
  // finest one, and with k − 1 others.
  double BoundHere() const {
    if (problem_.score() != Score::kDiscernibility) {
      return problem_.Cost(finest_.recoding(), 0, {});
    }
    std::uint64_t squares = 0;
    finest_.VisitCells([&](std::uint64_t rows) { squares += rows * std::max(rows, problem_.k()); });
    return problem_.Cost(finest_.recoding(), squares, {});
  }

  // Specialises the open places below which all cells of the finest recoding keep the promise: no
  // later choice can make that wrong, and it only lowers the cost.
  bool SpecialiseFree(Recoding& recoding, const Marks& closed) {
    Marks broken = finest_.BrokenPlaces();
    if (check_) MarkBroken(broken);
    bool any = false;
    for (const Spot place : current_.open()) {
      if (closed[place] != 0 || broken[place] != 0) continue;
      recoding[place] = 1;
      any = true;
    }
    return any;
  }

  // Adds the places that have a cell at or below them which breaks the condition.
  void MarkBroken(Marks& broken) {
    for (std::size_t cell = 0; cell < finest_.cells(); ++cell) {
      if (check_->AskCell(finest_, cell) == Answer::kKeeps) continue;
      for (std::size_t j = 0; j < problem_.columns(); ++j) {
        Spot p = finest_.place(cell, j);
        while (broken[p] == 0) {
          broken[p] = 1;
          p = problem_.parent(p);  // the root is its own
        }
      }
    }
  }

  const Problem& problem_;
  bool forgets_;
  std::unique_ptr<ConditionCheck> check_;  // null without a condition
  bool free_ = true;                       // whether SpecialiseFree may be used
  Partition current_, single_, finest_;
  Subtree state_;
  std::optional<Spot> branch_;
  double bound_ = 0;
  bool specialised_ = false;
};

class BranchAndBound {
 public:
  BranchAndBound(const Problem& problem, Solution incumbent, std::uint64_t work_limit,
                 ThreadPool& pool, Progress& progress, const Condition* condition)
      : shares_(problem.tuples() * problem.columns() >= kWorthSharing &&
                problem.tuples() <= kMostAbreast),
        forgets_(problem.tuples() > kMostAbreast && condition == nullptr),
        work_limit_(work_limit),
        pool_(pool),
        progress_(progress) {
    for (std::size_t i = 0; i < kAbreast; ++i) {
      looks_.push_back(std::make_unique<Look>(problem, condition, forgets_));
    }
    if (condition != nullptr) check_ = condition->NewCheck();
    result_.best = std::move(incumbent);
    states_.push_back({problem.Root(), Marks(problem.places(), 0)});
  }

  Exact Run() {
    progress_.Begin("proving", work_limit_);
    while (!states_.empty() && Work() < work_limit_) Step();
    result_.proven = states_.empty();
    result_.seen.Offer(result_.best);
    result_.work = Work();
    return std::move(result_);
  }

 private:
  std::uint64_t Work() const {
    std::uint64_t work = check_ ? check_->work() : 0;
    for (const auto& look : looks_) work += look->work();
    return work;
  }

  // The last states, depth first: looked at side by side, taken in their order.
  void Step() {
    const std::size_t states = std::min(kAbreast, states_.size());
    const double below = result_.best.cost;
    const auto look = [&](std::size_t i) {
      looks_[i]->At(std::move(states_[states_.size() - 1 - i]), below);
    };
    if (shares_) {
      pool_.Run(states, look);
    } else {
      for (std::size_t i = 0; i < states; ++i) {
        look(i);
        if (forgets_) looks_[i]->Forget();
      }
    }
    states_.resize(states_.size() - states);
    result_.visited += states;
    for (std::size_t i = 0; i < states; ++i) Offer(*looks_[i]);
    for (std::size_t i = states; i-- > 0;) Branch(*looks_[i]);
    if (++steps_ % 512 == 0) {
      progress_.Advance(Work() - told_);
      told_ = Work();
    }
  }

  void Offer(const Look& look) {
    Offer(look.current());
    if (look.branch() && look.finest().valid()) Offer(look.finest());
  }

  void Offer(const Partition& partition) {
    if (!partition.valid()) return;
    const double cost = partition.Cost();
    const std::uint64_t left_out = partition.suppressed_rows();
    if (left_out < result_.best.left_out && result_.seen.Wants(left_out, cost)) {
      result_.seen.Offer({partition.recoding(), cost, left_out});
    }
    if (cost >= result_.best.cost) return;
    if (check_ && !(AllKeep(*check_, partition) && check_->Confirm(partition.recoding()))) return;
    result_.best = {partition.recoding(), cost, left_out};
  }

  // What is left of a state, the part to be looked at first on top.
  void Branch(Look& look) {
    if (!look.branch() || look.bound() >= result_.best.cost) return;
    Subtree& state = look.state();
    if (!look.specialised()) {
      Subtree deeper = state;
      deeper.recoding[*look.branch()] = 1;
      state.closed[*look.branch()] = 1;
      states_.push_back(std::move(state));
      states_.push_back(std::move(deeper));
      return;
    }
    states_.push_back(std::move(state));
  }

  bool shares_;
  bool forgets_;  // of a look nothing but its numbers is asked for
  std::vector<std::unique_ptr<Look>> looks_;
  std::unique_ptr<ConditionCheck> check_;  // null without a condition
  std::uint64_t work_limit_;
  ThreadPool& pool_;
  Progress& progress_;
  std::vector<Subtree> states_;  // to be looked at, the next one last
  std::uint64_t steps_ = 0;
  std::uint64_t told_ = 0;  // work that progress_ has heard of
  Exact result_;
};

}  // namespace

bool CanSearchExactly(const Problem& problem) {
  return !problem.reference_moves() &&
         (problem.suppression_limit() == 0 || problem.score() != Score::kClass);
}

Exact SearchExactly(const Problem& problem, Solution incumbent, std::uint64_t work_limit,
                    ThreadPool& pool, Progress& progress, const Condition* condition) {
  return BranchAndBound(problem, std::move(incumbent), work_limit, pool, progress, condition).Run();
}

}  // namespace reissue::models::k::internal
