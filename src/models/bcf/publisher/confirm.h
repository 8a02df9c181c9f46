#pragma once
// The series as it would be with a candidate, attacked by the adversary: no structure of the search
// is used. Internal to the publisher.

#include <cstdint>
#include <optional>
#include <vector>

#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/publisher/publish.h"

namespace reissue::models::bcf::internal {

// What is to be published, and what for. Refers to what it was made of.
struct Task {
  const k::LeafCells& table;
  const Series& earlier;
  const k::Guarantee& guarantee;
  const PublishOptions& options;

  // The origins of the table are births.
  bool births() const { return table.cells.origins() > 1; }
  bool all_global() const;
};

// The earlier releases and a table recoded by the cuts. O(groups of all + cells of the table).
Series WithCandidate(const Series& earlier, const k::LeafCells& table,
                     const std::vector<taxonomy::Cut>& cuts);

struct Judgement {
  bool kept = false;
  std::uint64_t work = 0;  // in tuple visits, a function of the arguments
  // Of the adversary: steps of the simplex method, targets.
  std::uint64_t steps = 0, targets = 0;
  // The work as parts of a candidate count it: their programs are small, and many are known.
  std::uint64_t of_parts = 0;
};

// Everything may be tried in a series of so many releases.
inline constexpr std::size_t kShortSeries = 8;

// Whether the last release keeps the promise against each of the first earlier ones; exact for a
// reader of just these two. kReal: for the people of the table, where the earlier release is
// global.
Judgement PairsKeep(const Task& task, const Series& series, const Formulas& formulas,
                    std::size_t first);

// Whether the paper's formulas leave at least k to every target (kReal: to the people of the
// table, where all releases are global).
Judgement FormulasKeep(const Task& task, const Series& series, const Formulas& formulas);

enum class Effort {
  kAudit,  // as the audit of all releases goes about it
  kThorough,
  kQuick,   // gives up early: enough for most that is kept
  kScreen,  // quick, and takes every target that bounds leave too little for somebody
};
// All releases together, by the adversary that the options name. `earlier_kept`: the earlier ones
// are known to keep the promise. `memo`: of other candidates; what comes out is the same without.
// `affordable`: targets, where it is not those of the series.
Judgement SeriesKeeps(const Task& task, const Series& series, const Formulas& formulas,
                      const History& history, Effort effort, bool earlier_kept, ProgramMemo* memo,
                      std::optional<std::uint64_t> affordable = std::nullopt);

// How many targets a quick look may be about: a birth that can be in many more tuples of cells than
// there are cells is too dear, and would be so for all releases to come. Of short series: any.
// `cells`: of the release that has most; `first`: the first birth that is not settled.
std::uint64_t AffordableTargets(std::size_t releases, std::size_t cells, std::size_t first);

// What the exact adversary says about the earlier releases alone.
Verdict VerdictOfEarlier(const Task& task);

// Rows that release i has and the table lacks, for a release that is not global. One flow.
std::uint64_t MissingRows(const Task& task, std::size_t release);

}  // namespace reissue::models::bcf::internal
