#include "reissue/models/invariance/service/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/grouped/table.h"
#include "reissue/contract/model.h"
#include "reissue/models/invariance/service/publish.h"

namespace reissue::models::invariance::service {

void CheckTable(const io::Policy& policy, const Promise& promise, const std::string& path,
                bool first, binding::Context& context, contract::CheckReport& report) {
  Result<binding::GroupedTable> loaded = binding::LoadGrouped(policy, path, context);
  if (!loaded) return report.problems.push_back(std::move(loaded).error());
  std::vector<std::uint64_t> counts(loaded->sensitive.values.size());
  for (const std::uint32_t value : loaded->sensitive.of_row) ++counts[value];
  const std::uint64_t rows = loaded->holder.table.rows();
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  report.notes.push_back(fmt::format(
      "{}: {} rows, {} quasi-identifiers, {} sensitive values; the most frequent one is in {} "
      "rows, so the largest m that works is {}",
      path, rows, loaded->holder.quasi.size(), counts.size(), most, rows / most));
  if (loaded->holder.dropped_rows > 0) {
    report.notes.push_back(fmt::format("{}: {} rows with missing values are left out", path,
                                       loaded->holder.dropped_rows));
  }
  contract::WarnOfCells(loaded->holder, path, context, report);
  const Status eligible = CheckEligible(loaded->sensitive, promise.m, path);
  if (eligible) return;
  if (first) return report.problems.push_back(eligible.error());
  // People may have left, which only the vault knows.
  report.warnings.push_back(
      fmt::format("{}: as a first release it would be refused: {}. In a series that has begun, a "
                  "table that has become one-sided because people left is published all the same, "
                  "with counterfeits.",
                  path, eligible.error().message));
}

void DescribePolicy(const io::Policy& policy, const Promise& promise,
                    contract::CheckReport& report) {
  report.notes.push_back(fmt::format(
      "{}: m = {}, e = {}{}, form = \"{}\"", policy.file, promise.m, promise.e,
      policy.Get("e") == nullptr ? " (the most that can be promised, as `e` is not given)" : "",
      FormName(promise.form)));
  for (const io::PolicyColumn* column : policy.WithRole(io::Role::kQuasi)) {
    if (column->breakpoints.empty()) continue;
    report.notes.push_back(
        fmt::format("{}: the breakpoints of \"{}\" are not used: ranges are as narrow as the "
                    "groups allow",
                    policy.file, column->name));
  }
  contract::WarnOfRanges(ShownRanges(policy, promise), report);
}

}  // namespace reissue::models::invariance::service
