#include "reissue/models/bcf/publisher/publish.h"

#include <optional>

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

}  // namespace

Result<k::Outcome> internal::PublishFor(const k::LeafCells& table, const Series& earlier,
                                        const k::Guarantee& guarantee,
                                        const PublishOptions& options, const Judge* further,
                                        ThreadPool& pool, Progress& progress) {
  const Task task{table, earlier, guarantee, options};
  CheckCall(task);
  const k::internal::Problem problem(table, guarantee, options.search.score,
                                     options.search.suppression_limit);
  SeriesCondition condition(task, problem, further);
  REISSUE_TRY(condition.CheckGrowth());
  const auto search = [&] {
    return k::internal::PublishProblem(table, problem, options.search, &condition, pool, progress);
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
  REISSUE_CHECK(PairsKeep(task, WithCandidate(task, outcome.cuts), earlier.size()).kept);
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
