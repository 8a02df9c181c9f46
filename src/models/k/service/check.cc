#include "reissue/models/k/service/check.h"

#include <fmt/format.h>

#include "reissue/binding/load.h"

namespace reissue::models::k::service {

void CheckTable(const io::Policy& policy, const Promise& promise, const std::string& path,
                binding::Context& context, contract::CheckReport& report) {
  Result<binding::HolderTable> loaded = binding::LoadTable(policy, path, context);
  if (!loaded) {
    report.problems.push_back(std::move(loaded).error());
    return;
  }
  const binding::HolderTable& holder = *loaded;
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
  }
  if (holder.sensitive.columns.size() > 1) {
    report.notes.push_back(
        fmt::format("{}: {} sensitive columns act as one composite value; a promise does not hold "
                    "for each alone",
                    path, holder.sensitive.columns.size()));
  }
  if (promise.guarantee.k > rows) {
    report.problems.push_back(InputError(
        {path, std::nullopt, std::nullopt, ""},
        fmt::format("k = {} asked, the table has {} rows", promise.guarantee.k, rows),
        "No release of this table can keep that promise: lower k, or wait for more rows."));
  }
  const std::uint64_t values = holder.sensitive.values->size();
  if (promise.guarantee.distinct && *promise.guarantee.distinct > values) {
    report.problems.push_back(
        InputError({path, std::nullopt, std::nullopt, ""},
                   fmt::format("distinct = {} asked, the table has {} sensitive values",
                               *promise.guarantee.distinct, values),
                   "Lower distinct."));
  }
}

}  // namespace reissue::models::k::service
