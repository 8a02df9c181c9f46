#include "reissue/models/k/service/check.h"

#include <fmt/format.h>

#include "reissue/binding/levels.h"
#include "reissue/binding/load.h"
#include "reissue/binding/release_writer.h"
#include "reissue/contract/model.h"
#include "reissue/models/k/publisher/local.h"
#include "reissue/models/k/service/recoding.h"
#include "reissue/models/k/service/why.h"

namespace reissue::models::k::service {
namespace {

// Whether it can be published as a first release, or as the only one, and why not finer.
Status CanBeKept(const TableCheck& asked, const binding::HolderTable& holder,
                 binding::Context& context, std::vector<contract::Why>& why) {
  const Promise& promise = asked.promise;
  const Guarantee guarantee = REISSUE_TRY(Resolve(promise, *holder.sensitive.values));
  std::optional<ColumnId> class_column;
  if (promise.score == Score::kClass) class_column = holder.table.Find(promise.class_column);
  LeafCells leaves = LeavesOf(holder, Cells(), promise.score, class_column, context.pool);
  leaves.ceilings = REISSUE_TRY(binding::CeilingsOf(holder, asked.policy.file, context));
  PublishOptions options = SearchOptions(promise, holder.table.total(), 1);
  options.growth = asked.growth;
  const Status kept = Publishable(leaves, guarantee, options.suppression_limit, context.progress);
  if (!asked.why) return kept;
  const TryOut try_out = [&](Trial& trial) {
    const auto publish = trial.local ? PublishLocally : Publish;
    return publish(trial.leaves, guarantee, trial.options, context.pool, context.progress);
  };
  const Explained explained{holder, leaves, guarantee, options, promise.local, asked.grows, true};
  if (kept) {
    Trial trial{leaves, options, promise.local};
    const Outcome outcome = REISSUE_TRY(try_out(trial));
    why.push_back(WhyHidden(explained, outcome, try_out));
  } else if (!leaves.ceilings.empty()) {
    why.push_back(WithoutCeilings(explained, try_out));
  }
  return kept;
}

}  // namespace

void CheckTable(const TableCheck& asked, const std::string& path, binding::Context& context,
                contract::CheckReport& report) {
  const io::Policy& policy = asked.policy;
  const Promise& promise = asked.promise;
  Result<binding::HolderTable> loaded = binding::LoadTable(policy, path, context);
  if (!loaded) {
    report.problems.push_back(std::move(loaded).error());
    return;
  }
  binding::HolderTable& holder = *loaded;
  if (const Status levels = binding::ApplyFloors(holder, policy.file, context); !levels) {
    report.problems.push_back(levels.error());
    return;
  }
  const std::uint64_t rows = holder.table.total();
  report.notes.push_back(fmt::format("{}: {} rows, {} quasi-identifiers, {} sensitive value{}",
                                     path, rows, holder.quasi.size(),
                                     holder.sensitive.column ? holder.sensitive.values->size() : 0,
                                     holder.sensitive.values->size() == 1 ? "" : "s"));
  if (holder.dropped_rows > 0) {
    report.notes.push_back(
        fmt::format("{}: {} rows with missing values are left out", path, holder.dropped_rows));
  }
  if (!holder.identified) {
    report.notes.push_back(
        fmt::format("{}: no identifier column: every row counts as another person", path));
  }
  if (const Status known = BoundValuesOccur(promise, *holder.sensitive.values, policy); !known) {
    report.problems.push_back(known.error());
    return;
  }
  if (holder.sensitive.columns.size() > 1) {
    report.notes.push_back(
        fmt::format("{}: {} sensitive columns act as one composite value; a promise does not hold "
                    "for each alone",
                    path, holder.sensitive.columns.size()));
  }
  contract::WarnOfCells(holder, path, context, report);
  const std::size_t explained = report.why.size();
  if (const Status kept = CanBeKept(asked, holder, context, report.why); !kept) {
    report.problems.push_back(contract::AboutTable(kept.error(), path));
  }
  if (report.why.size() > explained) report.why.back().table = path;
}

}  // namespace reissue::models::k::service
