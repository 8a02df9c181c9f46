#include "reissue/models/bcf/publisher/publish.h"

#include <optional>

#include "reissue/models/bcf/publisher/frame.h"
#include "reissue/models/bcf/publisher/series_condition.h"
#include "reissue/models/k/publisher/search.h"

namespace reissue::models::bcf {
namespace {

// Searches anew after a release that the audit would not prove. Once is rare.
constexpr int kTries = 4;

void CheckCall(const internal::Task& task) {
  const k::LeafCells& table = task.table;
  const Series& earlier = task.earlier;
  REISSUE_CHECK(earlier.size() > 0);
  REISSUE_CHECK(earlier.columns() == table.taxonomies.size());
  for (std::size_t j = 0; j < earlier.columns(); ++j) {
    REISSUE_CHECK(earlier.tree(j).nodes() == table.taxonomies[j]->nodes());
  }
  REISSUE_CHECK(!task.births() || table.cells.origins() == earlier.size() + 1);
}

// As much of the table as recodings tell apart that are nowhere finer than what is out; nothing
// where they may be finer somewhere.
std::optional<k::LeafCells> WithinFrame(const internal::Task& task) {
  if (task.options.adversary != Adversary::kExact) return std::nullopt;
  auto floors = internal::FloorsOf(task.earlier, internal::FrameOf(task.earlier));
  if (floors.empty()) return std::nullopt;
  for (std::size_t j = 0; j < task.table.ceilings.size(); ++j) {
    if (!Refines(task.earlier.tree(j), floors[j], task.table.ceilings[j])) return std::nullopt;
  }
  return internal::EndedAt(task.table, std::move(floors), task.options.search.score);
}

}  // namespace

Result<k::Outcome> internal::PublishFor(const k::LeafCells& table, const Series& earlier,
                                        const k::Guarantee& guarantee,
                                        const PublishOptions& options, const Judge* further,
                                        ThreadPool& pool, Progress& progress) {
  const Task task{table, earlier, guarantee, options};
  CheckCall(task);
  const std::optional<k::LeafCells> framed = WithinFrame(task);
  const k::LeafCells& searched = framed ? *framed : table;
  const k::internal::Problem problem(searched, guarantee, options.search.score,
                                     options.search.suppression_limit);
  SeriesCondition condition(task, searched, problem, further);
  REISSUE_TRY(condition.CheckGrowth());
  const auto search = [&] {
    return k::internal::PublishProblem(searched, problem, options.search, &condition, pool,
                                       progress);
  };
  k::Outcome outcome = REISSUE_TRY(search());
  for (int i = 0; i < kTries && !condition.AuditProves(outcome.cuts); ++i) {
    // What can be proven at all can be of the most general one.
    if (i + 1 == kTries) {
      condition.RejectAllButTheRoot();
    } else {
      condition.Reject(outcome.cuts);
    }
    outcome = REISSUE_TRY(search());
  }
  // Nothing is taken on the word of the search.
  const Series series = WithCandidate(earlier, table, outcome.cuts);
  REISSUE_CHECK(PairsKeep(task, series, Formulas(series), earlier.size()).kept);
  return outcome;
}

Result<k::Outcome> Publish(const k::LeafCells& table, const Series& earlier,
                           const k::Guarantee& guarantee, const PublishOptions& options,
                           ThreadPool& pool, Progress& progress) {
  const internal::Task task{table, earlier, guarantee, options};
  std::optional<internal::DatedReader> dated;
  if (!AgeColumns(options.ages).empty()) dated.emplace(task, options.ages);
  return internal::PublishFor(table, earlier, guarantee, options, dated ? &*dated : nullptr, pool,
                              progress);
}

}  // namespace reissue::models::bcf
