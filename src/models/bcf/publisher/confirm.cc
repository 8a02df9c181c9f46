#include "reissue/models/bcf/publisher/confirm.h"

#include <algorithm>
#include <set>

#include "reissue/models/bcf/adversary/formulas.h"
#include "reissue/models/bcf/adversary/pair.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/publisher/real.h"

namespace reissue::models::bcf::internal {
namespace {

// What a look at one group, a linear program and one simplex step cost in tuple visits.
constexpr std::uint64_t kGroupVisits = 40;
constexpr std::uint64_t kProgramVisits = 100'000;
constexpr std::uint64_t kStepVisits = 15'000;
// The same of parts of a candidate.
constexpr std::uint64_t kSmallProgramVisits = 25'000;
constexpr std::uint64_t kSmallStepVisits = 3'000;
// A candidate that is not proven safe by so much is not worth more: there are others.
constexpr WorldLimits kQuick = {
    .variables = 100'000, .steps = 5'000, .all_steps = 20'000, .nodes = 60, .possible = true};
constexpr double kUsualSeconds = 3;
constexpr WorldLimits kThorough = {
    .variables = 100'000, .steps = 20'000, .all_steps = 80'000, .nodes = 400, .possible = true};

Series Made(const Task& task, std::vector<Cells> published) {
  auto series = Series::Make(task.earlier.taxonomies(), published);
  REISSUE_CHECK(series.has_value());
  return std::move(series).value();
}

// What is left must keep the promise, or be nothing.
class Left {
 public:
  Left(const k::Guarantee& guarantee, const Release& last) : checker_(guarantee, Histogram(last)) {}

  void Add(std::uint32_t value, std::uint64_t rows) {
    if (rows > 0) bins_.push_back({value, rows});
  }
  bool KeepsAndClears() {
    const bool keeps = bins_.empty() || checker_.Keeps(bins_);
    bins_.clear();
    return keeps;
  }

 private:
  static k::Overall Histogram(const Release& release) {
    k::Overall overall(1, 0);
    for (std::size_t g = 0; g < release.groups(); ++g) {
      if (release.value(g) >= overall.size()) overall.resize(release.value(g) + 1, 0);
      overall[release.value(g)] += release.rows_of_group(g);
    }
    return overall;
  }

  k::PromiseChecker checker_;
  std::vector<k::Bin> bins_;
};

// The pairs of cells, and the later cells, in which somebody real lives who was in the earlier
// release, or was not.
struct RealPairs {
  std::set<std::pair<std::uint32_t, std::uint32_t>> old;
  std::set<std::uint32_t> added;
};

RealPairs FindReal(const Task& task, const Series& series, std::size_t earlier) {
  RealPairs real;
  const std::size_t last = series.size() - 1;
  const Cells& cells = task.table.cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint64_t rows = cells.count(CellId(i));
    if (rows == 0) continue;
    const auto leaves = cells.key(CellId(i)).first(series.columns());
    const auto before = CellOfLeaves(series, earlier, leaves);
    const auto after = CellOfLeaves(series, last, leaves);
    const std::uint64_t old = task.births() ? cells.CountUpTo(CellId(i), earlier) : 0;
    if (before && (!task.births() || old > 0)) real.old.emplace(*before, *after);
    if (!task.births() || old < rows) real.added.insert(*after);
  }
  return real;
}

bool PairKeeps(const Task& task, const Series& series, const Formulas& formulas,
               std::size_t earlier, Left& left) {
  const std::size_t last = series.size() - 1;
  const Release& before = series.release(earlier);
  const Release& after = series.release(last);
  const Pair& pair = formulas.pair(earlier, last);
  if (!pair.contradictions().empty()) return false;
  const bool only_real =
      task.options.targets == Targets::kReal && series.recoding(earlier).global();
  const RealPairs real = only_real ? FindReal(task, series, earlier) : RealPairs{};
  for (std::uint32_t cell = 0; cell < before.cells(); ++cell) {
    for (const std::uint32_t other : pair.ComparableCells(cell)) {
      if (only_real && !real.old.contains({cell, other})) continue;
      ForEachCommonValue(before, cell, after, other,
                         [&](std::uint32_t value, std::size_t a, std::size_t b) {
                           left.Add(value, pair.Together(series, a, b));
                         });
      if (!left.KeepsAndClears()) return false;
    }
  }
  for (std::uint32_t cell = 0; cell < after.cells(); ++cell) {
    if (only_real && !real.added.contains(cell)) continue;
    for (std::size_t g = after.first_group(cell); g < after.last_group(cell); ++g) {
      left.Add(after.value(g), pair.Newcomers(g));
    }
    if (!left.KeepsAndClears()) return false;
  }
  return true;
}

// Only the people of the table count.
bool OnlyReal(const Task& task) {
  return task.options.targets == Targets::kReal && task.all_global();
}

// What solving the pairs of the last release with those from `first` to before `end` costs.
std::uint64_t WorkOfPairs(const Series& series, std::size_t first, std::size_t end) {
  std::uint64_t groups = 0;
  for (std::size_t i = first; i < end; ++i) {
    groups += series.release(series.size() - 1).groups() + series.release(i).groups();
  }
  return kGroupVisits * groups;
}

constexpr std::uint64_t kTuplesPerCell = 2;

std::size_t MostCells(const Series& series, std::size_t first) {
  std::size_t cells = 0;
  for (std::size_t i = first; i < series.size(); ++i) {
    cells = std::max(cells, series.release(i).cells());
  }
  return cells;
}

// Who has more time looks longer at each candidate.
WorldLimits QuickFor(double budget_seconds) {
  const double more = std::clamp(budget_seconds / kUsualSeconds, 1.0, 20.0);
  const auto times = [&](std::uint64_t number) {
    return static_cast<std::uint64_t>(static_cast<double>(number) * more);
  };
  WorldLimits limits = kQuick;
  limits.steps = times(kQuick.steps);
  limits.all_steps = times(kQuick.all_steps);
  limits.nodes = times(kQuick.nodes);
  return limits;
}

}  // namespace

bool Task::all_global() const {
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    if (!earlier.recoding(i).global()) return false;
  }
  return true;
}

Series WithCandidate(const Series& earlier, const k::LeafCells& table,
                     const std::vector<taxonomy::Cut>& cuts) {
  auto series = earlier.With(k::Recoded(table, cuts));
  REISSUE_CHECK(series.has_value());
  return std::move(series).value();
}

Judgement PairsKeep(const Task& task, const Series& series, const Formulas& formulas,
                    std::size_t first) {
  Judgement judgement{true, WorkOfPairs(series, 0, first)};
  Left left(task.guarantee, series.release(series.size() - 1));
  for (std::size_t i = 0; i < first && judgement.kept; ++i) {
    judgement.kept = PairKeeps(task, series, formulas, i, left);
  }
  return judgement;
}

Judgement FormulasKeep(const Task& task, const Series& series, const Formulas& formulas) {
  Judgement judgement;
  judgement.work = WorkOfPairs(series, 0, series.size() - 1);
  if (!formulas.consistent()) return judgement;
  if (!OnlyReal(task)) {
    const SeriesBound bound = formulas.Bound();
    judgement.kept = bound.complete && (!bound.anonymity || *bound.anonymity >= task.guarantee.k);
    judgement.work += bound.tuples;
    return judgement;
  }
  judgement.kept = true;
  const auto real = *RealTargets(task.table, series);
  for (std::size_t birth = 0; birth < real.size(); ++birth) {
    for (const auto& cells : real[birth]) {
      const std::uint64_t left = formulas.Left(birth, cells);
      if (left > 0 && left < task.guarantee.k) judgement.kept = false;
    }
    judgement.work += kGroupVisits * real[birth].size();
  }
  return judgement;
}

std::uint64_t AffordableTargets(std::size_t releases, std::size_t cells, std::size_t first) {
  if (releases <= kShortSeries) return SeriesAttackOptions().targets;
  return kTuplesPerCell * cells * (releases - first);
}

Judgement SeriesKeeps(const Task& task, const Series& series, const Formulas& formulas,
                      const History& history, Effort effort, bool earlier_kept, ProgramMemo* memo,
                      std::optional<std::uint64_t> affordable) {
  if (task.options.adversary == Adversary::kFormulas) return FormulasKeep(task, series, formulas);
  Judgement judgement;
  SeriesAttackOptions attack;
  attack.guarantee = task.guarantee;
  attack.limit = 0;
  attack.verdict_only = true;
  attack.screen = effort == Effort::kScreen;
  // What t and β are measured against is new.
  attack.earlier_kept = earlier_kept && !task.guarantee.NeedsOverall();
  const bool quick = effort == Effort::kQuick || effort == Effort::kScreen;
  if (effort != Effort::kAudit) {
    attack.worlds = quick ? QuickFor(task.options.search.budget_seconds) : kThorough;
  }
  attack.worlds.memo = memo;
  if (quick) {
    const std::size_t first = attack.earlier_kept ? history.FirstUnsettled() : 0;
    attack.targets =
        affordable.value_or(AffordableTargets(series.size(), MostCells(series, first), first));
  }
  // Nothing where cells overlap: then whoever some world allows.
  if (task.options.targets == Targets::kReal) attack.real = RealTargets(task.table, series);
  const std::size_t last = series.size() - 1;
  const SeriesAttackReport report = AttackSeries(series, formulas, history, attack);
  judgement.kept = report.impossible.empty() && report.verdict == Verdict::kKept;
  const std::uint64_t besides =
      WorkOfPairs(series, history.first_birth(last), last) + kGroupVisits * report.targets;
  judgement.work =
      besides + kProgramVisits * report.statistics.solved + kStepVisits * report.statistics.steps;
  judgement.of_parts = besides + kSmallProgramVisits * report.statistics.solved_anew +
                       kSmallStepVisits * report.statistics.steps_anew;
  judgement.steps = report.statistics.steps;
  judgement.targets = report.targets;
  return judgement;
}

Verdict VerdictOfEarlier(const Task& task) {
  if (task.options.earlier_kept) return Verdict::kKept;
  // As an audit of the releases would go about it.
  SeriesAttackOptions attack;
  attack.guarantee = task.guarantee;
  attack.limit = 0;
  attack.verdict_only = true;
  if (OnlyReal(task)) {
    // Who was there is among those who are now.
    attack.real = RealTargets(task.table, task.earlier);
  }
  return AttackSeries(task.earlier, Formulas(task.earlier), attack).verdict;
}

std::uint64_t MissingRows(const Task& task, std::size_t release) {
  std::vector<taxonomy::Cut> leaves;
  for (const auto& tree : task.earlier.taxonomies()) leaves.push_back(taxonomy::Cut::Leaves(*tree));
  const Series two =
      Made(task, {task.earlier.release(release).AsCells(), k::Recoded(task.table, leaves)});
  const Pair pair = Pair::Solve(two, 0, 1);
  std::uint64_t missing = 0;
  for (const Contradiction& found : pair.contradictions()) {
    missing += found.earlier_rows - found.later_rows;
  }
  return missing;
}

}  // namespace reissue::models::bcf::internal
