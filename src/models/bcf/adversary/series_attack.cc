#include "reissue/models/bcf/adversary/series_attack.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "reissue/models/bcf/adversary/certain.h"
#include "reissue/models/bcf/adversary/walk.h"

namespace reissue::models::bcf {
namespace {

// Simplex steps that may go into what no promise asks for.
constexpr std::uint64_t kStepsForCertain = 2'000;

// The histogram of the newest release: what t and β are measured against.
k::Overall OverallOf(const Series& series) {
  k::Overall overall;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Release& release = series.release(i);
    for (std::size_t g = 0; g < release.groups(); ++g) {
      if (release.value(g) >= overall.size()) overall.resize(release.value(g) + 1, 0);
      if (i + 1 == series.size()) overall[release.value(g)] += release.rows_of_group(g);
    }
  }
  return overall;
}

std::vector<k::Bin> LeastBins(const TargetView& view) {
  std::vector<k::Bin> bins;
  for (const Strand& strand : view.strands) {
    if (strand.left.lower > 0) bins.push_back({strand.value, strand.left.lower});
  }
  return bins;
}

// The promise, and what its shares are measured against.
class Yardstick {
 public:
  Yardstick(const Series& series, const k::Guarantee& guarantee)
      : asked_(guarantee), overall_(OverallOf(series)), checker_(guarantee, overall_) {}

  const k::Guarantee& asked() const { return asked_; }

  // Which promises a histogram breaks, by name.
  std::vector<std::string> Broken(std::span<const k::Bin> bins) const {
    std::vector<std::string> broken;
    std::uint64_t rows = 0;
    for (const k::Bin& bin : bins) rows += bin.rows;
    if (rows < asked_.k) broken.emplace_back("k");
    if (!asked_.NeedsSensitive() || checker_.KeepsSensitive(bins, rows)) return broken;
    const auto alone = [&](const char* name, auto member) {
      k::Guarantee one;
      one.distance = asked_.distance;
      one.order = asked_.order;
      one.*member = asked_.*member;
      if (!k::Keeps(bins, overall_, one)) broken.emplace_back(name);
    };
    alone("distinct", &k::Guarantee::distinct);
    alone("entropy", &k::Guarantee::entropy);
    alone("recursive", &k::Guarantee::recursive);
    alone("alpha", &k::Guarantee::alpha);
    alone("confidence", &k::Guarantee::confidence);
    alone("t", &k::Guarantee::t);
    alone("beta", &k::Guarantee::beta);
    return broken;
  }

  TargetLeft Describe(const Series& series, const History& history, const TargetView& view) const {
    TargetLeft finding;
    finding.target.birth = view.birth;
    finding.target.cells = history.Expand(view.birth, view.cells);
    finding.left = view.left;
    for (const Strand& strand : view.strands) {
      ValueLeft value;
      value.value = strand.value;
      value.left = strand.left;
      for (std::size_t a = 0; a < finding.target.cells.size(); ++a) {
        const Release& release = series.release(view.birth + a);
        value.sizes.push_back(
            release.rows_of_group(*release.FindGroup(finding.target.cells[a], strand.value)));
      }
      finding.values.push_back(std::move(value));
    }
    if (finding.left.lower == 0) return finding;
    if (finding.left.exact()) {
      finding.broken = Broken(LeastBins(view));
    } else if (finding.left.upper < asked_.k) {
      finding.broken = {"k"};
    }
    return finding;
  }

 private:
  k::Guarantee asked_;
  k::Overall overall_;
  k::PromiseChecker checker_;
};

class SeriesAttack {
 public:
  SeriesAttack(const Series& series, const Formulas& formulas, const History& history,
               const SeriesAttackOptions& options)
      : series_(series),
        formulas_(formulas),
        history_(history),
        options_(options),
        first_birth_(options.earlier_kept ? history.FirstUnsettled() : 0),
        worlds_(series, formulas, history, From(options.worlds, first_birth_)),
        yardstick_(series, options.guarantee),
        least_(series.size()),
        exposed_(series.size()) {}

  SeriesAttackReport Run() {
    report_.impossible = worlds_.impossible();
    if (!report_.impossible.empty()) {
      report_.verdict = Verdict::kBroken;
      return std::move(report_);
    }
    for (std::size_t i = 0; i < series_.size(); ++i) {
      exposed_[i].assign(series_.release(i).cells(), 0);
    }
    const bool seen = Visit([&](TargetView& view) { return Wish(view); });
    if (!seen && options_.screen) {
      report_.verdict = Verdict::kUnknown;
      report_.statistics = worlds_.statistics();
      return std::move(report_);
    }
    worlds_.GrantWishes();
    const bool all = Visit([&](TargetView& view) { return Judge(view); });
    if (!all && report_.verdict == Verdict::kKept) report_.verdict = Verdict::kUnknown;
    if (!options_.verdict_only) {
      CertainRows certain(series_, history_);
      const bool again = Visit([&](TargetView& view) {
        const bool more = Narrow(view);
        certain.Add(view);
        return more;
      });
      certain.End();
      Conclude(all && again);
      CountCertain(again, certain);
    }
    report_.statistics = worlds_.statistics();
    return std::move(report_);
  }

 private:
  static WorldLimits From(WorldLimits limits, std::size_t first_birth) {
    limits.first_birth = first_birth;
    return limits;
  }

  // The least over the targets of one birth.
  struct Least {
    std::uint64_t lower = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t upper = std::numeric_limits<std::uint64_t>::max();
  };

  // False where the visitor or the limit ended it.
  bool Visit(const std::function<bool(TargetView&)>& look) {
    std::uint64_t seen = 0;
    Walk walk(
        series_, formulas_, history_,
        [&](std::size_t birth, std::span<const std::uint32_t> cells, std::span<Strand> strands) {
          if (++seen > options_.targets) return false;
          TargetView view{birth, cells, strands, {}};
          for (Strand& strand : strands) {
            strand.left = worlds_.Known(birth, strand.groups);
          }
          view.Sum();
          return view.left.upper == 0 || look(view);
        });
    if (!options_.real) return walk.AllTargets(first_birth_);
    for (std::size_t birth = first_birth_; birth < options_.real->size(); ++birth) {
      if (!walk.TheseTargets(birth, (*options_.real)[birth])) return false;
    }
    return true;
  }

  // Solves values, those that may have most first, until so many are proven to be left, or proven
  // that they are not.
  void ResolveUpTo(TargetView& view, std::uint64_t enough) {
    std::vector<char> asked(view.strands.size(), 0);
    while (view.left.lower < enough && !(view.left.upper < enough && view.left.lower > 0) &&
           view.left.upper > 0) {
      const std::size_t next = LargestOpen(view, asked);
      if (next == view.strands.size()) return;
      asked[next] = 1;
      Strand& strand = view.strands[next];
      const std::uint64_t others = view.left.lower - strand.left.lower;
      strand.left = worlds_.Left(view.birth, strand.groups, enough - others);
      view.Sum();
    }
  }

  void ResolveAll(TargetView& view) {
    for (Strand& strand : view.strands) {
      if (!strand.left.exact()) strand.left = worlds_.Left(view.birth, strand.groups);
    }
    view.Sum();
  }

  static std::size_t LargestOpen(const TargetView& view, const std::vector<char>& asked) {
    std::size_t largest = view.strands.size();
    for (std::size_t i = 0; i < view.strands.size(); ++i) {
      const Interval& left = view.strands[i].left;
      if (left.exact() || asked[i] != 0) continue;
      if (largest == view.strands.size() || left.upper > view.strands[largest].left.upper) {
        largest = i;
      }
    }
    return largest;
  }

  // The first look: what would prove that a target keeps its k.
  bool Wish(const TargetView& view) {
    const std::uint64_t k_asked = options_.guarantee.k;
    if (view.left.upper < k_asked && options_.screen) return false;
    if (view.left.lower >= k_asked || view.left.upper < k_asked) return true;
    const std::size_t largest = LargestOpen(view, std::vector<char>(view.strands.size(), 0));
    if (largest == view.strands.size()) return true;
    const Strand& strand = view.strands[largest];
    worlds_.Wish(view.birth, strand.groups, k_asked - (view.left.lower - strand.left.lower));
    return true;
  }

  // Whether a target keeps its promise.
  bool Judge(TargetView& view) {
    const k::Guarantee& asked = options_.guarantee;
    if (asked.NeedsSensitive()) {
      ResolveAll(view);
    } else {
      ResolveUpTo(view, asked.k);
    }
    if (view.left.upper == 0) return true;
    ++report_.targets;
    Note(view);
    Verdict verdict = Verdict::kUnknown;
    if (view.left.upper < asked.k && view.left.lower > 0) {
      verdict = Verdict::kBroken;
    } else if (!asked.NeedsSensitive()) {
      if (view.left.lower >= asked.k) verdict = Verdict::kKept;
    } else if (view.left.exact()) {
      verdict = yardstick_.Broken(LeastBins(view)).empty() ? Verdict::kKept : Verdict::kBroken;
    }
    if (verdict == Verdict::kKept) return true;
    if (verdict == Verdict::kBroken) {
      report_.verdict = Verdict::kBroken;
      Expose(view);
    } else {
      ++report_.undecided;
      if (report_.verdict == Verdict::kKept) report_.verdict = Verdict::kUnknown;
    }
    return !options_.verdict_only;
  }

  void Note(const TargetView& view) {
    Least& least = least_[view.birth];
    if (view.left.lower > 0) least.upper = std::min(least.upper, view.left.upper);
  }

  // The second look: whoever may still be below the least number that is certain.
  bool Narrow(TargetView& view) {
    Least& least = least_[view.birth];
    if (view.left.lower < least.upper) {
      ResolveUpTo(view, least.upper);
      if (view.left.lower < least.upper) ResolveAll(view);
      if (view.left.upper == 0) return true;
      Note(view);
    }
    least.lower = std::min(least.lower, std::max<std::uint64_t>(view.left.lower, 1));
    return true;
  }

  // By what is known by now, and where that leaves something open by a little more work.
  void CountCertain(bool all, const CertainRows& known) {
    CertainRows certain = known;
    if (all && !known.decided()) {
      certain = CertainRows(series_, history_);
      const std::uint64_t most = worlds_.statistics().steps + kStepsForCertain;
      all = Visit([&](TargetView& view) {
        if (worlds_.statistics().steps < most) ResolveCertain(view);
        certain.Add(view);
        return true;
      });
      certain.End();
    }
    const std::uint64_t rows = series_.release(series_.size() - 1).rows();
    // Where there are too many targets to see them all, anybody may be one.
    report_.singled_out = all ? certain.SingledOut() : Interval{0, rows};
    report_.value_certain = all ? certain.ValueCertain() : Interval{0, rows};
  }

  // One row or more, one value or more.
  void ResolveCertain(TargetView& view) {
    ResolveUpTo(view, 2);
    std::size_t sure = 0;
    for (const Strand& strand : view.strands) sure += strand.left.lower > 0;
    for (std::size_t i = 0; i < view.strands.size() && sure < 2; ++i) {
      Strand& strand = view.strands[i];
      if (strand.left.lower > 0 || strand.left.upper == 0) continue;
      strand.left = worlds_.Left(view.birth, strand.groups, 1);
      sure += strand.left.lower > 0;
    }
    view.Sum();
  }

  void Expose(TargetView& view) {
    if (options_.verdict_only) return;
    for (std::size_t a = 0; a < view.cells.size(); ++a) {
      exposed_[history_.releases(view.birth)[a]][view.cells[a]] = 1;
    }
    const auto interesting = [&] {
      return report_.worst.size() < options_.limit ||
             (options_.limit > 0 && view.left.lower < report_.worst.back().left.upper);
    };
    // Exact where it will be shown.
    if (interesting()) ResolveAll(view);
    TargetLeft finding = yardstick_.Describe(series_, history_, view);
    for (const std::string& name : finding.broken) {
      if (std::find(report_.broken.begin(), report_.broken.end(), name) == report_.broken.end()) {
        report_.broken.push_back(name);
      }
    }
    if (!interesting()) return;
    const auto before = [](const TargetLeft& a, const TargetLeft& b) {
      if (a.left.upper != b.left.upper) return a.left.upper < b.left.upper;
      if (a.target.birth != b.target.birth) return a.target.birth < b.target.birth;
      return a.target.cells < b.target.cells;
    };
    const auto place =
        std::upper_bound(report_.worst.begin(), report_.worst.end(), finding, before);
    report_.worst.insert(place, std::move(finding));
    if (report_.worst.size() > options_.limit) report_.worst.pop_back();
  }

  void Conclude(bool all) {
    Least overall;
    report_.of_birth.resize(series_.size());
    for (std::size_t birth = 0; birth < series_.size(); ++birth) {
      const Least& least = least_[birth];
      if (least.lower == std::numeric_limits<std::uint64_t>::max()) continue;
      report_.of_birth[birth] = Interval{all ? least.lower : 1, least.upper};
      overall.lower = std::min(overall.lower, all ? least.lower : 1);
      overall.upper = std::min(overall.upper, least.upper);
    }
    if (overall.lower != std::numeric_limits<std::uint64_t>::max()) {
      report_.anonymity = Interval{overall.lower, overall.upper};
    }
    report_.exposed.assign(series_.size(), 0);
    for (std::size_t i = 0; i < series_.size(); ++i) {
      history_.ForEachCarried(i, [&](std::uint32_t from, std::uint32_t to) {
        exposed_[i][to] |= exposed_[history_.first_birth(i) - 1][from];
      });
      for (std::size_t cell = 0; cell < exposed_[i].size(); ++cell) {
        if (exposed_[i][cell] != 0) report_.exposed[i] += series_.release(i).rows_of_cell(cell);
      }
    }
    report_.exposed_cells = std::move(exposed_);
  }

  const Series& series_;
  const Formulas& formulas_;
  const History& history_;
  const SeriesAttackOptions& options_;
  const std::size_t first_birth_;
  Worlds worlds_;
  Yardstick yardstick_;
  std::vector<Least> least_;
  std::vector<std::vector<char>> exposed_;  // per release and cell
  SeriesAttackReport report_;
};

}  // namespace

SeriesAttackReport AttackSeries(const Series& series, const Formulas& formulas,
                                const SeriesAttackOptions& options) {
  return AttackSeries(series, formulas,
                      options.whole_history ? History::Whole(series) : History(series), options);
}

SeriesAttackReport AttackSeries(const Series& series, const Formulas& formulas,
                                const History& history, const SeriesAttackOptions& options) {
  return SeriesAttack(series, formulas, history, options).Run();
}

TargetLeft LeftTo(const Series& series, Worlds& worlds, const k::Guarantee& guarantee,
                  Target target) {
  const History& history = worlds.history();
  const auto cells = history.Select<std::uint32_t>(target.birth, target.cells);
  const auto telling = history.releases(target.birth);
  std::vector<Strand> strands;
  const Release& first = series.release(target.birth);
  for (std::size_t g = first.first_group(cells[0]); g < first.last_group(cells[0]); ++g) {
    Strand strand;
    strand.value = first.value(g);
    for (std::size_t a = 0; a < cells.size(); ++a) {
      const auto group = series.release(telling[a]).FindGroup(cells[a], strand.value);
      if (!group) break;
      strand.groups.push_back(*group);
    }
    if (strand.groups.size() < cells.size()) continue;
    strand.left = worlds.Left(target.birth, strand.groups);
    strands.push_back(std::move(strand));
  }
  TargetView view{target.birth, cells, strands, {}};
  view.Sum();
  return Yardstick(series, guarantee).Describe(series, history, view);
}

}  // namespace reissue::models::bcf
