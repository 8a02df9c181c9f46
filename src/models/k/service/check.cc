#include "reissue/models/k/service/check.h"

#include <fmt/format.h>

#include "reissue/binding/levels.h"
#include "reissue/binding/load.h"
#include "reissue/binding/release_writer.h"
#include "reissue/models/k/service/recoding.h"

namespace reissue::models::k::service {
namespace {

// As a first release, or as the only one.
Status CanBeKept(const io::Policy& policy, const binding::HolderTable& holder,
                 const Promise& promise, binding::Context& context) {
  const Guarantee guarantee = REISSUE_TRY(Resolve(promise, *holder.sensitive.values));
  LeafCells leaves = LeavesOf(holder, binding::PublishedCombinations(holder, context.pool),
                              promise.score, std::nullopt);
  leaves.ceilings = REISSUE_TRY(binding::CeilingsOf(holder, policy.file, context));
  const PublishOptions options = SearchOptions(promise, holder.table.rows(), 1);
  return Publishable(leaves, guarantee, options.suppression_limit, context.progress);
}

}  // namespace

void CheckTable(const io::Policy& policy, const Promise& promise, const std::string& path,
                binding::Context& context, contract::CheckReport& report) {
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
  const std::uint64_t rows = holder.table.rows();
  report.notes.push_back(fmt::format("{}: {} rows, {} quasi-identifiers, {} sensitive value{}",
                                     path, rows, holder.quasi.size(),
                                     holder.sensitive.column ? holder.sensitive.values->size() : 0,
                                     holder.sensitive.values->size() == 1 ? "" : "s"));
  if (holder.dropped_rows > 0) {
    report.notes.push_back(
        fmt::format("{}: {} rows with missing values are left out", path, holder.dropped_rows));
  }
  if (!holder.identifier) {
    report.notes.push_back(
        fmt::format("{}: no identifier column: every row counts as another person", path));
  }
  if (const Status known = BoundValuesOccur(promise, *holder.sensitive.values, policy.file);
      !known) {
    report.problems.push_back(known.error());
    return;
  }
  if (holder.sensitive.columns.size() > 1) {
    report.notes.push_back(
        fmt::format("{}: {} sensitive columns act as one composite value; a promise does not hold "
                    "for each alone",
                    path, holder.sensitive.columns.size()));
  }
  if (const Status kept = CanBeKept(policy, holder, promise, context); !kept) {
    report.problems.push_back(contract::AboutTable(kept.error(), path));
  }
}

}  // namespace reissue::models::k::service
