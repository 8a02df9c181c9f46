#include "reissue/models/k/publisher/start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/partition.h"

namespace reissue::models::k::internal {
namespace {

constexpr double kSecondsOfWalk = 0.5;
// Far more than rounding, far less than a row.
constexpr double kRounding = 1e-6;

// The largest number up to `high` for which `keeps` holds, which falls; `low` does.
template <typename Keeps>
double Largest(double low, double high, const Keeps& keeps) {
  if (keeps(high)) return high;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (keeps(middle) ? low : high) = middle;
  }
  return high;  // not below the true one
}

// The cell with no value above `level` rows. Of all ways to leave out so many rows this one is the
// most even, and so the best for α, entropy and recursive diversity.
class Levelled {
 public:
  explicit Levelled(std::span<const Bin> cell) {
    for (const Bin& bin : cell) rows_.push_back(static_cast<double>(bin.rows));
    std::sort(rows_.begin(), rows_.end(), std::greater<>());
  }

  double top() const { return rows_.front(); }
  double least() const { return rows_.back(); }
  double RowsAt(double level) const {
    return std::accumulate(rows_.begin(), rows_.end(), 0.0,
                           [&](double sum, double rows) { return sum + std::min(rows, level); });
  }
  bool KeepsAt(double level, const Guarantee& g) const {
    const double rows = RowsAt(level), top = std::min(level, rows_.front());
    if (g.alpha && top > (*g.alpha + 2 * kTolerance) * rows) return false;
    if (g.entropy && EntropyAt(level, rows) < std::log(*g.entropy) - kRounding) return false;
    return !g.recursive || top <= g.recursive->c * TailAt(level, g.recursive->l);
  }

 private:
  double EntropyAt(double level, double rows) const {
    double entropy = 0;
    for (const double r : rows_) {
      const double share = std::min(r, level) / rows;
      entropy -= share * std::log(share);
    }
    return entropy;
  }
  double TailAt(double level, std::uint32_t l) const {
    double tail = 0;
    for (std::size_t i = std::max<std::uint32_t>(l, 1) - 1; i < rows_.size(); ++i) {
      tail += std::min(rows_[i], level);
    }
    return tail;
  }

  std::vector<double> rows_;  // largest first
};

// Most rows that can stay of `rows`, parts of rows included; 0 where nothing can.
double CanStayEvenly(std::span<const Bin> cell, double rows, const Guarantee& g) {
  if (!g.alpha && !g.entropy && !g.recursive) return rows;
  const Levelled levelled(cell);
  const auto keeps = [&](double level) { return levelled.KeepsAt(level, g); };
  if (!keeps(levelled.least())) return 0;  // equal shares: nothing is more even
  return levelled.RowsAt(Largest(levelled.least(), levelled.top(), keeps));
}

// The same for bounds of single values: of n rows at most bound · n have the value.
double CanStayBounded(std::span<const Bin> cell, double rows, const std::vector<double>& bounds) {
  if (bounds.empty()) return rows;
  const auto keeps = [&](double stay) {
    double found = 0;
    for (const Bin& bin : cell) {
      const bool bounded = bin.code < bounds.size() && bounds[bin.code] <= 1;
      const double most =
          bounded ? (bounds[bin.code] + 2 * kTolerance) * stay : static_cast<double>(bin.rows);
      found += std::min(static_cast<double>(bin.rows), most);
    }
    return found >= stay;
  };
  const double few = std::numeric_limits<double>::min();
  return keeps(few) ? Largest(few, rows, keeps) : 0;
}

class Walk {
 public:
  Walk(const Problem& problem, const Condition* condition, Progress& progress)
      : problem_(problem),
        partition_(problem),
        check_(condition != nullptr ? condition->NewCheck() : nullptr),
        progress_(progress),
        fewest_(problem.rows()),
        code_rows_(problem.overall().size(), 0),
        work_limit_(VisitsIn(kSecondsOfWalk, problem) / 2) {}  // on one core

  Start Run() {
    Begin();
    const bool all_seen = !found_ && !Over();
    return {std::move(found_), all_seen, Work()};
  }

  Starts RunToTheEnd() {
    Starts starts;
    all_ = &starts.front;
    Begin();
    starts.all_seen = !Over();
    starts.work = Work();
    return starts;
  }

 private:
  void Begin() {
    progress_.Begin("looking for a release", work_limit_);
    Visit(problem_.Root(), std::vector<std::uint8_t>(problem_.places(), 0));
  }
  std::uint64_t Work() const { return partition_.work() + (check_ ? check_->work() : 0); }
  bool Over() const { return found_ || Work() >= work_limit_; }

  // All recodings at or below `recoding` that leave the closed places as they are.
  void Visit(Recoding recoding, std::vector<std::uint8_t> closed) {
    for (bool first = true; !Over(); first = false) {
      partition_.Reset(recoding, closed);
      if (first && !FinerMayDo()) return;
      const std::optional<Spot> branch = Next();
      if (!branch) return;
      Recoding deeper = recoding;
      deeper[*branch] = 1;
      Visit(std::move(deeper), closed);
      closed[*branch] = 1;
    }
  }

  // Looks at the partition; whether something finer has to be looked at.
  bool FinerMayDo() {
    progress_.Advance(Work() - told_);
    told_ = Work();
    if (all_ != nullptr || !partition_.valid()) {
      const std::uint64_t left_out = partition_.suppressed_rows();
      fewest_ = std::min(fewest_, left_out);
      if (all_ != nullptr && left_out < problem_.rows()) {
        all_->Offer({partition_.recoding(), partition_.Cost(), left_out});
      }
      return MustLeaveOutHere() < fewest_;
    }
    const Answer answer = AskAll();
    if (answer == Answer::kKeeps && (!check_ || check_->Confirm(partition_.recoding()))) {
      found_ = partition_.recoding();
    }
    return !found_ && answer != Answer::kHopeless;
  }

  Answer AskAll() {
    Answer worst = Answer::kKeeps;
    for (std::size_t cell = 0; check_ && cell < partition_.cells(); ++cell) {
      const Answer answer = check_->AskCell(partition_, cell);
      if (answer == Answer::kHopeless) return answer;
      if (answer == Answer::kBreaks) worst = answer;
    }
    return worst;
  }

  std::uint64_t MustLeaveOutHere() {
    std::uint64_t rows = 0;
    for (std::size_t cell = 0; cell < partition_.cells(); ++cell) {
      rows += MustLeaveOut(Histogram(cell), problem_.guarantee());
    }
    return rows;
  }

  std::span<const Bin> Histogram(std::size_t cell) {
    bins_.clear();
    if (!problem_.guarantee().NeedsSensitive()) {
      bins_.push_back({0, partition_.rows(cell)});
      return bins_;
    }
    for (const std::uint32_t tuple : partition_.tuples(cell)) {
      for (const Bin& bin : problem_.sensitive(tuple)) code_rows_[bin.code] += bin.rows;
    }
    for (std::uint32_t code = 0; code < code_rows_.size(); ++code) {
      if (code_rows_[code] > 0) bins_.push_back({code, code_rows_[code]});
      code_rows_[code] = 0;
    }
    return bins_;
  }

  // The open place that leaves out fewest, the one with most rows among equals, then the first.
  std::optional<Spot> Next() {
    std::optional<Spot> next;
    const auto rank = [&](Spot place) {
      return std::tuple(partition_.lost(place), -partition_.SquaresAt(place), place);
    };
    for (const Spot place : partition_.open()) {
      if (!next || rank(place) < rank(*next)) next = place;
    }
    return next;
  }

  const Problem& problem_;
  Partition partition_;
  std::unique_ptr<ConditionCheck> check_;  // null without a condition
  Progress& progress_;
  std::uint64_t fewest_;  // rows left out by what was seen; all: nothing is a release
  std::vector<std::uint64_t> code_rows_;
  std::vector<Bin> bins_;
  std::uint64_t work_limit_, told_ = 0;
  Front* all_ = nullptr;  // where the walk goes on whatever it finds
  std::optional<Recoding> found_;
};

}  // namespace

std::uint64_t MustLeaveOut(std::span<const Bin> cell, const Guarantee& guarantee) {
  const std::uint64_t rows =
      std::accumulate(cell.begin(), cell.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const Bin& bin) { return sum + bin.rows; });
  if (rows < guarantee.k || (guarantee.distinct && cell.size() < *guarantee.distinct)) return rows;
  const auto all = static_cast<double>(rows);
  const double stay = std::min(CanStayEvenly(cell, all, guarantee),
                               CanStayBounded(cell, all, guarantee.confidence));
  const auto must = static_cast<std::uint64_t>(std::ceil(std::max(0.0, all - stay - kRounding)));
  return rows - must < guarantee.k ? rows : must;
}

Starts FindStarts(const Problem& problem, Progress& progress) {
  return Walk(problem, nullptr, progress).RunToTheEnd();
}

Start FindStart(const Problem& problem, const Condition* condition, Progress& progress) {
  return Walk(problem, condition, progress).Run();
}

}  // namespace reissue::models::k::internal
