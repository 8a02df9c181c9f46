#include "reissue/contract/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/spreadsheet.h"
#include "reissue/binding/words.h"

namespace reissue::contract {

bool Traits::Takes(Extra extra) const {
  return std::find(takes.begin(), takes.end(), extra) != takes.end();
}

Error Model::Refusal(const std::string& what) const {
  return UsageError(fmt::format("model \"{}\" has no {}", traits().name, what), "Leave it out.");
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

void WarnOfCells(const binding::HolderTable& holder, const std::string& path, CheckReport& report) {
  for (const std::string& words : binding::RisksOf(holder).Words()) {
    report.warnings.push_back(
        fmt::format("{}, {}; `publish --refuse-formulas` refuses such a "
                    "table",
                    path, words));
  }
}

Status OneRelease(const Promise& promise, std::size_t given, std::string remedy) {
  if (given == 1) return Ok();
  return UsageError(
      fmt::format("model \"{}\" looks at one release, and {} were given", promise.model, given),
      std::move(remedy));
}

}  // namespace reissue::contract
