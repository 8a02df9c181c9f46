#include "reissue/models/xy/service/check.h"

#include <fmt/format.h>

#include "reissue/binding/words.h"
#include "reissue/contract/model.h"
#include "reissue/models/xy/service/refusal.h"
#include "reissue/models/xy/service/source.h"

namespace reissue::models::xy::service {

void CheckTable(const contract::CheckTask& task, const std::string& path, binding::Context& context,
                contract::CheckReport& report) {
  if (task.priors.empty()) {
    Result<binding::HolderTable> loaded = binding::LoadPartOfColumns(task.policy, path, context);
    if (!loaded) return report.problems.push_back(std::move(loaded).error());
    report.notes.push_back(fmt::format("{}: {} rows", path, loaded->table.total()));
    contract::WarnOfCells(*loaded, path, context, report);
    report.notes.push_back(
        "what the requirements name, and whether they can be kept, is checked where the earlier "
        "releases are given (--prior)");
    return;
  }
  Result<LinkedInputs> in =
      LoadInputs(task.policy, task.promise.As<Promise>(), path, task.priors, context);
  if (!in) return report.problems.push_back(std::move(in).error());
  report.notes.push_back(fmt::format("{}: {} rows", path, in->holder.table.total()));
  for (const LinkedFile& prior : in->priors) {
    report.notes.push_back(fmt::format("{}: {} rows, published", prior.file, prior.table.total()));
  }
  std::vector<std::string> joined;
  for (const auto& join : in->schema.joins) joined.push_back(in->schema.ColumnOf(join[0]));
  if (!joined.empty()) report.notes.push_back("readers join on " + binding::Listed(joined));
  report.notes.insert(report.notes.end(), in->schema.notes.begin(), in->schema.notes.end());
  contract::WarnOfCells(in->holder, path, context, report);
  const std::vector<std::string> dangling = RawDanglingWords(*in, path);
  report.warnings.insert(report.warnings.end(), dangling.begin(), dangling.end());
  if (Status kept = CanBeKept(*in, task.promise.As<Promise>(), task.priors, context); !kept) {
    report.problems.push_back(contract::AboutTable(std::move(kept).error(), path));
  }
}

}  // namespace reissue::models::xy::service
