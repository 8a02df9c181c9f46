#include "reissue/models/similarity/service/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "reissue/binding/grouped/table.h"
#include "reissue/contract/model.h"
#include "reissue/models/similarity/service/knowledge.h"
#include "reissue/models/similarity/service/table.h"

namespace reissue::models::similarity::service {

void CheckTables(const io::Policy& policy, const Promise& promise,
                 const std::vector<std::string>& paths, binding::Context& context,
                 contract::CheckReport& report) {
  std::vector<binding::GroupedTable> tables;
  for (const std::string& path : paths) {
    Result<binding::GroupedTable> loaded = binding::LoadGrouped(policy, path, context);
    if (!loaded) {
      report.problems.push_back(std::move(loaded).error());
      continue;
    }
    const std::uint64_t rows = loaded->holder.table.rows();
    report.notes.push_back(fmt::format("{}: {} rows, {} quasi-identifiers, {} sensitive values",
                                       path, rows, loaded->holder.quasi.size(),
                                       loaded->sensitive.values.size()));
    if (loaded->holder.dropped_rows > 0) {
      report.notes.push_back(fmt::format("{}: {} rows with missing values are left out", path,
                                         loaded->holder.dropped_rows));
    }
    contract::WarnOfCells(loaded->holder, path, context, report);
    if (promise.guarantee.k > rows) {
      report.problems.push_back(contract::AboutTable(
          PromiseError(
              fmt::format("k = {} asked, the table has {} rows", promise.guarantee.k, rows),
              "No release of this table can keep that promise: lower k, or wait for more rows."),
          path));
    }
    const auto ranks = RanksOf(loaded->sensitive.values, binding::ColumnsOf(policy).order,
                               promise.guarantee.ordered);
    if (!ranks) report.problems.push_back(ranks.error());
    tables.push_back(std::move(*loaded));
  }
  if (!tables.empty()) {
    report.notes.push_back("whether there are groups that keep the promise, `publish` finds out");
  }
  std::vector<const binding::GroupedTable*> in_order;
  for (const binding::GroupedTable& table : tables) in_order.push_back(&table);
  KnowledgeCheck knowledge = CheckKnowledge(policy, promise, in_order, context);
  report.notes.insert(report.notes.end(), knowledge.notes.begin(), knowledge.notes.end());
  std::move(knowledge.problems.begin(), knowledge.problems.end(),
            std::back_inserter(report.problems));
}

void DescribePolicy(const io::Policy& policy, const Promise& promise,
                    contract::CheckReport& report) {
  std::vector<std::string> asked = {fmt::format("k = {}", promise.guarantee.k),
                                    fmt::format("j = {:g}", promise.guarantee.j)};
  const auto add = [&](const char* name, double bound) {
    asked.push_back(fmt::format("{} = {:g}", name, bound));
  };
  if (promise.guarantee.beta > 0) add("beta", promise.guarantee.beta);
  if (promise.guarantee.t > 0) add("t", promise.guarantee.t);
  if (promise.bounds.max_belief) add("max_belief", *promise.bounds.max_belief);
  if (promise.bounds.max_gain) add("max_gain", *promise.bounds.max_gain);
  report.notes.push_back(fmt::format("{}: {}, against the reader \"{}\"", policy.file,
                                     fmt::join(asked, ", "), inference::NameOf(promise.against)));
  contract::WarnOfRanges(binding::RangesFromData(policy), report);
  if (promise.bounds.any()) return;
  report.notes.push_back(fmt::format(
      "{}: nothing is promised about what she believes after a release (max_belief, max_gain); an "
      "audit says how much that is",
      policy.file));
}

}  // namespace reissue::models::similarity::service
