#include "reissue/engine/check.h"

#include <fmt/format.h>

#include "reissue/binding/load.h"
#include "reissue/engine/models.h"

namespace reissue::engine {
namespace {

bool CheckTaxonomies(const io::Policy& policy, binding::Context& context,
                     contract::CheckReport& report) {
  bool fine = true;
  for (const io::PolicyColumn* column : policy.WithRole(io::Role::kQuasi)) {
    if (column->taxonomy.empty()) continue;
    const auto tree = binding::LoadTaxonomy(*column, context);
    if (!tree) {
      report.problems.push_back(tree.error());
      fine = false;
      continue;
    }
    report.notes.push_back(fmt::format("{}: {} values in {} levels", column->taxonomy,
                                       (*tree)->leaves(), (*tree)->height() + 1));
  }
  return fine;
}

}  // namespace

contract::CheckReport Check(const std::string& path, const std::vector<std::string>& tables,
                            binding::Context& context,
                            const std::vector<binding::PriorFile>& priors, bool why) {
  contract::CheckReport report;
  Result<io::Policy> policy = io::ReadPolicy(context.files, path);
  if (!policy) {
    report.problems.push_back(std::move(policy).error());
    return report;
  }
  report.notes.push_back(fmt::format("{}: {} columns", path, policy->columns.size()));
  Result<Bound> bound = Bind(*policy);
  if (!bound) report.problems.push_back(std::move(bound).error());
  const bool trees_fine = CheckTaxonomies(*policy, context, report);
  if (!bound || !trees_fine) return report;
  if (const Status taken = TakesPriors(*bound->model, priors); !taken) {
    report.problems.push_back(taken.error());
    return report;
  }
  if (const Status explains = Explains(*bound->model, why); !explains) {
    report.problems.push_back(explains.error());
    return report;
  }
  bound->model->Check({*policy, *bound->promise, tables, priors, why}, context, report);
  return report;
}

}  // namespace reissue::engine
