#pragma once
// All targets of a series against its promise: the attack of a reader who has every release, exact
// where the limits of worlds.h allow, otherwise between bounds. What is left to a target, value by
// value, must keep the promise as if it were a cell: k, and diversity after exclusion (section 7.2
// of the paper).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/models/bcf/adversary/worlds.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::models::bcf {

// What is left of one value.
struct ValueLeft {
  std::uint32_t value = 0;
  std::vector<std::uint64_t> sizes;  // rows of the value in the target's cells
  Interval left;
};

struct TargetLeft {
  Target target;
  Interval left;
  std::vector<ValueLeft> values;    // that all cells of the target have
  std::vector<std::string> broken;  // promises, by the names of models/k: proven
};

enum class Verdict {
  kKept,     // proven by worlds
  kBroken,   // proven: some target is certainly there, and certainly below
  kUnknown,  // a limit was reached
};

struct SeriesAttackReport {
  std::vector<Impossible> impossible;  // not empty: not one series, no other numbers
  Verdict verdict = Verdict::kKept;
  std::optional<Interval> anonymity;              // the least left to any target; null: no target
  std::vector<std::optional<Interval>> of_birth;  // the same by birth
  std::vector<std::string> broken;                // promises proven broken by some target
  std::uint64_t targets = 0;
  std::uint64_t undecided = 0;         // targets whose promise is neither proven kept nor broken
  std::vector<std::uint64_t> exposed;  // per release: rows in cells of targets proven broken
  std::vector<std::vector<char>> exposed_cells;  // the same cells
  std::vector<TargetLeft> worst;                 // proven broken: least left first, at most `limit`
  // Whatever is promised: how many people have one row left, and how many one value. Everybody is
  // in the newest release. Of its rows in a cell at most as many belong to such targets as are left
  // to them, and at least those that the other targets of the cell have no room for.
  Interval singled_out, value_certain;
  WorldStatistics statistics;
};

struct SeriesAttackOptions {
  k::Guarantee guarantee;  // k at least; t and β are measured against `overall`
  std::size_t limit = 10;
  WorldLimits worlds;
  std::uint64_t targets = 20'000'000;  // more are not looked at: the verdict is then unknown
  // Nullopt: every target counts. Otherwise only those that somebody real is: per birth the tuples
  // of cells (suffix from the birth on), sorted.
  std::optional<std::vector<std::vector<std::vector<std::uint32_t>>>> real;
  // Only the verdict is wanted: stop at the first target that is not proven kept, and do not look
  // for the least number.
  bool verdict_only = false;
  // Verdict only: a target that bounds leave too little is taken for one, though it may be nobody.
  // Says "unknown" quickly.
  bool screen = false;
  // Verdict only: the releases without the last one are known to keep the promise, so only births
  // are looked at that the last one may matter to.
  bool earlier_kept = false;
  // Every release is asked about everybody: to compare with.
  bool whole_history = false;
};

SeriesAttackReport AttackSeries(const Series& series, const Formulas& formulas,
                                const SeriesAttackOptions& options);
// The same where what the releases tell is known.
SeriesAttackReport AttackSeries(const Series& series, const Formulas& formulas,
                                const History& history, const SeriesAttackOptions& options);

// One target, value by value, all of it solved.
TargetLeft LeftTo(const Series& series, Worlds& worlds, const k::Guarantee& guarantee,
                  Target target);

}  // namespace reissue::models::bcf
