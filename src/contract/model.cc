#include "reissue/contract/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/spreadsheet.h"
#include "reissue/binding/ties.h"
#include "reissue/binding/words.h"

namespace reissue::contract {

bool Traits::Takes(Extra extra) const {
  return std::find(takes.begin(), takes.end(), extra) != takes.end();
}

Error Model::Refusal(const std::string& what) const {
  return UsageError(fmt::format("model \"{}\" has no {}", traits().name, what), "Leave it out.");
}

std::vector<std::string> Model::Weaker(const Promise&, const Promise&) const {
  return {fmt::format("what model \"{}\" promises is other", traits().name)};
}

Result<std::optional<AuditReport>> Model::AuditUnion(const Certificate&, const std::string&,
                                                     binding::Context&) const {
  return std::optional<AuditReport>();
}

Result<AuditReport> Model::AuditVault(const VaultTask&, binding::Context&) const {
  return Refusal("audit of a vault");
}

Result<ExplainReport> Model::Explain(const ExplainTask&, binding::Context&) const {
  return Refusal("explanation of single people (--explain)");
}

Result<AdoptReport> Model::Adopt(const AdoptTask&, binding::Context&) const {
  return Refusal("series that could be adopted");
}

Result<LearnReport> Model::Learn(const LearnTask&, binding::Context&) const {
  return Refusal("use for beliefs");
}

std::vector<Axis> Model::Axes(const io::Policy&) const { return {}; }

Result<Explored> Model::Explore(const ExploreTask&, binding::Context&) const {
  return Refusal("settings to explore");
}

void WarnOfRanges(const std::vector<std::string>& columns, CheckReport& report) {
  if (!columns.empty()) report.warnings.push_back(binding::RangesFromDataWords(columns));
}

void WarnOfCells(const binding::HolderTable& holder, const std::string& path,
                 binding::Context& context, CheckReport& report) {
  for (const std::string& words : binding::RisksOf(holder).Words()) {
    report.warnings.push_back(
        fmt::format("{}, {}; `publish --refuse-formulas` refuses such a table, and `reissue "
                    "spreadsheet` makes a copy of a release in which no cell runs",
                    path, words));
  }
  const auto coded = [&](ColumnId id) {
    const auto of = [&](const binding::Quasi& quasi) { return quasi.column == id; };
    return std::ranges::any_of(holder.quasi, of) ||
           std::ranges::find(holder.sensitive.columns, id) != holder.sensitive.columns.end();
  };
  std::vector<std::string> as_they_are;
  for (const ColumnId id : holder.published) {
    if (!coded(id)) as_they_are.push_back(holder.table[id].name());
  }
  for (const binding::Tie& tie : binding::TiesOf(holder.table, as_they_are, context.pool)) {
    report.warnings.push_back(fmt::format("{}, {}", path, binding::TieWords(tie)));
  }
}

Status OneRelease(const Promise& promise, std::size_t given, std::string remedy) {
  if (given == 1) return Ok();
  return UsageError(
      fmt::format("model \"{}\" looks at one release, and {} were given", promise.model, given),
      std::move(remedy));
}

}  // namespace reissue::contract
