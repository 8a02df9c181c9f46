#include "reissue/models/bcf/publisher/series_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>

#include "reissue/models/bcf/publisher/cell_answers.h"
#include "reissue/models/bcf/publisher/frame.h"
#include "reissue/models/k/publisher/start.h"

namespace reissue::models::bcf::internal {
namespace {

using k::internal::Answer;
using k::internal::Partition;
using k::internal::Recoding;

// Calls visit(region) for the members of a set, ascending, until it says no; whether it never did.
template <typename Visit>
bool AllOf(std::span<const std::uint64_t> set, Visit&& visit) {
  for (std::size_t w = 0; w < set.size(); ++w) {
    for (std::uint64_t rest = set[w]; rest != 0; rest &= rest - 1) {
      if (!visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)))) return false;
    }
  }
  return true;
}

class SeriesConditionCheck : public k::internal::ConditionCheck {
 public:
  explicit SeriesConditionCheck(const SeriesCondition& condition)
      : condition_(condition),
        problem_(condition.problem()),
        counting_(!problem_.guarantee().NeedsSensitive()),
        real_(condition.task().options.targets == Targets::kReal),
        answers_(problem_.columns()),
        child_begin_(problem_.max_fan_out() + 1),
        sets_(condition.earlier_releases().size()) {
    std::size_t codes = problem_.overall().size();
    for (const EarlierRelease& past : condition.earlier_releases()) {
      for (std::size_t r = 0; r < past.regions(); ++r) {
        for (const Bin& bin : past.Published(r)) codes = std::max<std::size_t>(codes, bin.code + 1);
      }
      marked_.resize(std::max(marked_.size(), past.regions()), 0);
      set_.resize(std::max(set_.size(), past.words()));
    }
    rows_.assign(codes, 0);
    added_.assign(codes, 0);
  }

  Answer Ask(const Partition& partition, Spot place) override {
    const std::size_t column = problem_.column(place);
    for (std::size_t cell = 0; cell < partition.cells(); ++cell) {
      if (partition.place(cell, column) != place) continue;
      const Answer answer = Remembered(partition, cell, column,
                                       [&] { return AskParts(partition, cell, column, place); });
      if (answer != Answer::kKeeps) return answer;
    }
    return Answer::kKeeps;
  }

  Answer AskCell(const Partition& partition, std::size_t cell) override {
    return Remembered(partition, cell, problem_.columns(),
                      [&] { return AskWhole(partition, cell); });
  }

  bool Confirm(const Recoding& recoding) override {
    if (!condition_.confirms()) return true;
    const std::string name(recoding.begin(), recoding.end());
    const auto known = confirmed_.find(name);
    if (known != confirmed_.end()) return known->second;
    const Judgement judgement = condition_.Confirm(recoding);
    work_ += judgement.work;
    return confirmed_[name] = judgement.kept;
  }

  std::vector<Spot> Broken(const Recoding& recoding) override {
    return condition_.Broken(recoding);
  }

  std::uint64_t work() const override { return work_; }

 private:
  // What is known of the cell, or what `ask` says. The work is counted either way, so that what a
  // search finds within its budget does not depend on it.
  template <typename Ask>
  Answer Remembered(const Partition& partition, std::size_t cell, std::size_t column, Ask&& ask) {
    if (const CellAnswers::Said* said = answers_.Find(partition, cell, column)) {
      work_ += said->work;
      return said->answer;
    }
    const std::uint64_t before = work_;
    const Answer answer = ask();
    answers_.Keep({answer, work_ - before});
    return answer;
  }

  Answer AskWhole(const Partition& partition, std::size_t cell) {
    Count(partition.tuples(cell));
    Answer answer = Answer::kKeeps;
    for (const EarlierRelease& past : condition_.earlier_releases()) {
      Others(past, partition, cell, problem_.columns(), set_);
      answer = Judge(past, partition, cell, partition.place(cell, 0), partition.tuples(cell));
      if (answer != Answer::kKeeps) break;
    }
    Clear();
    return answer;
  }

  // The parts of one cell that the specialisation of a place makes.
  Answer AskParts(const Partition& partition, std::size_t cell, std::size_t column, Spot place) {
    const std::size_t parts = SortByChild(partition.tuples(cell), column, place);
    const auto children = problem_.children(place);
    const std::vector<EarlierRelease>& earlier_releases = condition_.earlier_releases();
    for (std::size_t i = 0; i < earlier_releases.size(); ++i) {
      sets_[i].resize(earlier_releases[i].words());
      Others(earlier_releases[i], partition, cell, column, sets_[i]);
    }
    Answer answer = Answer::kKeeps;
    for (std::size_t c = 0; c < children.size() && answer == Answer::kKeeps; ++c) {
      const std::span<const std::uint32_t> tuples(sorted_.data() + child_begin_[c],
                                                  child_begin_[c + 1] - child_begin_[c]);
      if (tuples.empty()) continue;
      bool counted = false;
      for (std::size_t i = 0; i < earlier_releases.size() && answer == Answer::kKeeps; ++i) {
        const EarlierRelease& past = earlier_releases[i];
        // The same rows and the same class as before.
        if (parts == 1 && past.AtOrBelowCut(place)) continue;
        if (!counted) Count(tuples);
        counted = true;
        const auto there = past.Comparable(children[c]);
        for (std::size_t w = 0; w < past.words(); ++w) set_[w] = sets_[i][w] & there[w];
        answer = Judge(past, partition, cell, children[c], tuples);
      }
      Clear();
    }
    return answer;
  }

  // Puts the tuples child by child; how many children have some.
  std::size_t SortByChild(std::span<const std::uint32_t> tuples, std::size_t column, Spot place) {
    const k::internal::ChildOfLeaf child_of_leaf = problem_.child_of_leaf(place);
    const std::size_t children = problem_.fan_out(place);
    std::fill_n(child_begin_.begin(), children + 1, 0);
    for (const std::uint32_t t : tuples) ++child_begin_[child_of_leaf[problem_.leaves(t)[column]]];
    std::size_t used = 0;
    for (std::size_t c = 0, sum = 0; c <= children; ++c) {
      used += child_begin_[c] > 0;
      sum += child_begin_[c];
      child_begin_[c] = sum;
    }
    sorted_.resize(std::max(sorted_.size(), tuples.size()));
    for (const std::uint32_t t : tuples) {
      sorted_[--child_begin_[child_of_leaf[problem_.leaves(t)[column]]]] = t;
    }
    work_ += tuples.size();
    return used;
  }

  // The regions that are comparable with a cell in all columns but one.
  void Others(const EarlierRelease& past, const Partition& partition, std::size_t cell,
              std::size_t except, std::span<std::uint64_t> set) {
    std::fill_n(set.begin(), past.words(), ~std::uint64_t{0});
    for (std::size_t j = 0; j < problem_.columns(); ++j) {
      if (j == except) continue;
      const auto there = past.Comparable(partition.place(cell, j));
      for (std::size_t w = 0; w < past.words(); ++w) set[w] &= there[w];
    }
    work_ += past.words();
  }

  void Count(std::span<const std::uint32_t> tuples) {
    for (const std::uint32_t t : tuples) {
      for (const Bin& bin : problem_.sensitive(t)) {
        if (rows_[bin.code] == 0) codes_.push_back(bin.code);
        rows_[bin.code] += bin.rows;
      }
    }
    if (!counting_) std::sort(codes_.begin(), codes_.end());
    work_ += 2 * tuples.size();
  }

  void Clear() {
    for (const std::uint32_t code : codes_) rows_[code] = 0;
    codes_.clear();
  }

  // What was counted, in the class of set_. The nodes are those of `cell`, but for `place`.
  Answer Judge(const EarlierRelease& past, const Partition& partition, std::size_t cell, Spot place,
               std::span<const std::uint32_t> tuples) {
    const std::span<const std::uint64_t> set(set_.data(), past.words());
    if (NewcomersKeep(past, set, tuples) && OldKeep(past, set, tuples)) return Answer::kKeeps;
    if (condition_.anti_monotone()) return Answer::kHopeless;
    if (!condition_.shrinks() || !past.global()) return Answer::kBreaks;
    // At or below the cut in every column the class stays as it is, and somebody in one of the
    // parts has something left, but no more than before (README: anti-monotone).
    for (std::size_t j = 0; j < problem_.columns(); ++j) {
      const Spot at = j == problem_.column(place) ? place : partition.place(cell, j);
      if (!past.AtOrBelowCut(at)) return Answer::kBreaks;
    }
    return Answer::kHopeless;
  }

  // F and C.
  bool OldKeep(const EarlierRelease& past, std::span<const std::uint64_t> set,
               std::span<const std::uint32_t> tuples) {
    if (!real_ || !past.global()) {
      return AllOf(set, [&](std::size_t region) { return SharedKeep(past, region); });
    }
    bool keep = true;
    regions_.clear();
    for (const std::uint32_t t : tuples) {
      const std::uint32_t region = past.RegionOf(t);
      if (!past.MayBeOld(t) || marked_[region] != 0) continue;
      marked_[region] = 1;
      regions_.push_back(region);
      keep = keep && SharedKeep(past, region);
      if (!keep) break;
    }
    for (const std::uint32_t region : regions_) marked_[region] = 0;
    work_ += tuples.size();
    return keep;
  }

  bool SharedKeep(const EarlierRelease& past, std::size_t region) {
    const auto bins = past.Published(region);
    ++work_;
    if (counting_) {
      std::uint64_t left = 0;
      for (const Bin& bin : bins) {
        left += std::min(bin.rows, rows_[bin.code]);
        if (left >= problem_.k()) return true;
      }
      work_ += bins.size();
      return left == 0;
    }
    left_.clear();
    for (const Bin& bin : bins) {
      if (rows_[bin.code] > 0) left_.push_back({bin.code, std::min(bin.rows, rows_[bin.code])});
    }
    work_ += 2 * bins.size();
    return left_.empty() || problem_.checker().Keeps(left_);
  }

  // B. What is left of the value is the least of its rows here and of those added in the class.
  bool NewcomersKeep(const EarlierRelease& past, std::span<const std::uint64_t> set,
                     std::span<const std::uint32_t> tuples) {
    if (!past.global()) return true;
    if (real_ && std::none_of(tuples.begin(), tuples.end(),
                              [&](std::uint32_t t) { return past.MayBeNew(t); })) {
      return true;
    }
    std::uint64_t left = 0;
    const bool all = AllOf(set, [&](std::size_t region) {
      const auto bins = past.Added(region);
      for (const Bin& bin : bins) {
        const std::uint64_t more = std::min(bin.rows, rows_[bin.code] - added_[bin.code]);
        if (more == 0) continue;
        added_[bin.code] += more;
        left += more;
        if (counting_ && left >= problem_.k()) return false;
      }
      work_ += 1 + bins.size();
      return true;
    });
    bool keep = !all || left == 0;
    if (!keep && !counting_) {
      left_.clear();
      for (const std::uint32_t code : codes_) {
        if (added_[code] > 0) left_.push_back({code, added_[code]});
      }
      keep = problem_.checker().Keeps(left_);
    }
    for (const std::uint32_t code : codes_) added_[code] = 0;
    return keep;
  }

  const SeriesCondition& condition_;
  const Problem& problem_;
  const bool counting_;  // only k counts
  const bool real_;
  std::uint64_t work_ = 0;
  std::unordered_map<std::string, bool> confirmed_;  // by recoding
  CellAnswers answers_;

  // The cell in question.
  std::vector<std::uint64_t> rows_;   // by code
  std::vector<std::uint32_t> codes_;  // that have rows
  std::vector<std::uint64_t> set_;    // comparable regions

  // Scratch.
  std::vector<std::uint64_t> added_;  // by code
  std::vector<std::size_t> child_begin_;
  std::vector<std::uint32_t> sorted_, regions_;
  std::vector<std::vector<std::uint64_t>> sets_;
  std::vector<std::uint8_t> marked_;  // by region
  std::vector<Bin> left_;
};

bool IsRoot(const Problem& problem, const Recoding& recoding) {
  for (std::size_t j = 0; j < problem.columns(); ++j) {
    if (recoding[problem.root(j)] != 0) return false;
  }
  return true;
}

bool OnlyKAndDistinct(const k::Guarantee& guarantee) {
  k::Guarantee rest = guarantee;
  rest.distinct.reset();
  return !rest.NeedsSensitive();
}

}  // namespace

SeriesCondition::SeriesCondition(const Task& task, const k::LeafCells& searched,
                                 const Problem& problem, const Judge* further)
    : task_(task),
      searched_(searched),
      problem_(problem),
      further_(further),
      shrinks_(OnlyKAndDistinct(task.guarantee)),
      anti_monotone_(shrinks_ && task.options.targets == Targets::kReal && task.births() &&
                     task.all_global()),
      needs_worlds_(task.earlier.size() > 1 || !task.all_global()),
      confirms_(needs_worlds_ || further != nullptr),
      frame_(task.options.adversary == Adversary::kExact ? FrameOf(task.earlier) : 0),
      of_earlier_(task.earlier),
      history_(task.earlier) {
  for (std::size_t i = frame_; i < task.earlier.size(); ++i) {
    earlier_releases_.push_back(Laid(i));
  }
  if (needs_worlds_ && task.options.adversary == Adversary::kExact) {
    fences_ = FencesOf(task.earlier, frame_, problem);
  }
  if (needs_worlds_ && Parts::Serve(task)) {
    parts_ = std::make_unique<Parts>(task, searched, problem);
  }
}

EarlierRelease SeriesCondition::Laid(std::size_t release) const {
  const bool who = task_.births() && task_.options.targets == Targets::kReal;
  return EarlierRelease(searched_, problem_, task_.earlier, release, who,
                        !task_.guarantee.NeedsSensitive());
}

std::unique_ptr<k::internal::ConditionCheck> SeriesCondition::NewCheck() const {
  return std::make_unique<SeriesConditionCheck>(*this);
}

Judgement SeriesCondition::Confirm(const Recoding& recoding) const {
  const std::string name(recoding.begin(), recoding.end());
  // One at a time: lanes often want to know the same, and the solver of the linear programs has
  // not been seen to be safe in several threads.
  const std::lock_guard lock(mutex_);
  const auto known = confirmed_.find(name);
  if (known != confirmed_.end()) return known->second;
  return confirmed_.emplace(name, Ask(recoding)).first->second;
}

bool SeriesCondition::AuditProves(const std::vector<taxonomy::Cut>& cuts) const {
  if (needs_worlds_ &&
      !JudgeSeries(WithCandidate(task_.earlier, searched_, cuts), Effort::kAudit).kept)
    return false;
  return further_ == nullptr || further_->Ask(k::Recoded(searched_, cuts), Effort::kAudit).kept;
}

void SeriesCondition::Reject(const std::vector<taxonomy::Cut>& cuts) {
  for (auto& [name, judgement] : confirmed_) {
    if (problem_.Cuts(Recoding(name.begin(), name.end())) == cuts) judgement.kept = false;
  }
}

void SeriesCondition::RejectAllButTheRoot() {
  only_root_ = true;
  confirmed_.clear();
}

Verdict SeriesCondition::EarlierVerdict() const {
  if (!earlier_verdict_) earlier_verdict_ = VerdictOfEarlier(task_);
  return *earlier_verdict_;
}

Judgement SeriesCondition::Ask(const Recoding& recoding) const {
  Judgement judgement;
  if (only_root_ && recoding != problem_.Root()) return judgement;
  judgement = AskSeries(recoding);
  if (!judgement.kept || further_ == nullptr) return judgement;
  const Judgement more =
      further_->Ask(k::Recoded(searched_, problem_.Cuts(recoding)),
                    IsRoot(problem_, recoding) ? Effort::kThorough : Effort::kQuick);
  refused_further_ = refused_further_ || !more.kept;
  return {more.kept, judgement.work + more.work};
}

Judgement SeriesCondition::AskSeries(const Recoding& recoding) const {
  if (parts_) return JudgeParts(recoding, EffortFor(recoding));
  const Series series = WithCandidate(task_.earlier, searched_, problem_.Cuts(recoding));
  Judgement judgement;
  judgement.work = 2 * problem_.tuples();
  const auto kept = [&](const Judgement& part) {
    judgement.work += part.work;
    return judgement.kept = part.kept;
  };
  // Pairs with the others are in order where the cells are.
  const std::size_t pairs = task_.all_global() ? frame_ : task_.earlier.size();
  const Formulas formulas(series, of_earlier_);
  if (pairs > 0 && !kept(PairsKeep(task_, series, formulas, pairs))) return judgement;
  judgement.kept = true;
  if (series.size() == 2) return judgement;
  if (OutOfFrame(series)) {
    judgement.kept = false;
    return judgement;
  }
  kept(JudgeSeries(series, EffortFor(recoding)));
  return judgement;
}

Effort SeriesCondition::EffortFor(const Recoding& recoding) const {
  if (IsRoot(problem_, recoding)) return Effort::kThorough;
  return Screens() ? Effort::kScreen : Effort::kQuick;
}

// Some people who are settled would be told of.
bool SeriesCondition::OutOfFrame(const Series& series) const {
  return frame_ > 0 && History(series, history_).first_birth(series.size() - 1) <= frame_;
}

bool SeriesCondition::Screens() const {
  if (!screens_) {
    screens_ = JudgeSeries(WithCandidate(task_.earlier, searched_, problem_.Cuts(problem_.Root())),
                           Effort::kScreen)
                   .kept;
  }
  return *screens_;
}

Judgement SeriesCondition::JudgeSeries(const Series& series, Effort effort) const {
  return SeriesKeeps(task_, series, Formulas(series, of_earlier_), History(series, history_),
                     effort, EarlierVerdict() == Verdict::kKept, &memo_);
}

Status SeriesCondition::CheckGrowth() const {
  const std::vector<Growth> growth = GrowthOf(task_.table, task_.earlier, task_.births());
  for (std::size_t i = 0; i < growth.size(); ++i) REISSUE_TRY(CheckGrowth(i, growth[i]));
  return Ok();
}

Status SeriesCondition::CheckGrowth(std::size_t release, const Growth& growth) const {
  const bool global = task_.earlier.recoding(release).global();
  const std::uint64_t missing = global ? growth.missing : MissingRows(task_, release);
  if (missing > 0) {
    return InputError(
        fmt::format("not one growing table: {} of the {} rows of release {} are not in the table",
                    missing, task_.earlier.release(release).rows(), release + 1),
        "this promise covers tables that only grow: add the rows again, start a new series, or "
        "choose the model \"m-invariance\", which is for tables that lose rows");
  }
  if (growth.births_differ) {
    return InputError(
        fmt::format("the rows that the table says were in release {} are not those that were "
                    "published",
                    release + 1),
        "give each row the release in which it first appeared");
  }
  return Ok();
}

}  // namespace reissue::models::bcf::internal
