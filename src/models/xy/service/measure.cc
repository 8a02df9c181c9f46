#include "reissue/models/xy/service/measure.h"

#include "reissue/binding/detail.h"
#include "reissue/models/xy/service/linked.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::models::xy::service {
namespace {

// Ranges are found on the way, or taken from what is out: the release tells which.
// Their trees are then made of its labels; breakpoints only say how far the numbers go.
Result<binding::RangeLabels> TakeRanges(const std::string& release, io::Policy& policy,
                                        binding::Context& context) {
  const LinkedColumns columns = REISSUE_TRY(LinkedColumnsOf(policy, context));
  const LinkedFile file = REISSUE_TRY(ReadLinkedFile(columns, release, /*first=*/true, context));
  binding::RangeLabels ranges;
  for (io::PolicyColumn& column : policy.columns) {
    const auto id = file.table.Find(column.name);
    if (column.role != io::Role::kQuasi || !column.taxonomy.empty() || !id) continue;
    std::vector<std::string>& labels = ranges[column.name];
    for (const std::string_view label : file.table[*id].dictionary().strings()) {
      if (label != "*" && taxonomy::CanonicalLabel(label)) labels.emplace_back(label);
    }
    if (column.breakpoints.empty()) continue;
    const std::vector<double>& ends = column.breakpoints.front();
    labels.push_back(taxonomy::RangeLabel(ends.front(), ends.back()));
    column.breakpoints.clear();
  }
  return ranges;
}

}  // namespace

Result<contract::MetricsReport> MeasureJoin(const contract::MeasureTask& task,
                                            binding::Context& context) {
  if (task.request.release == "-") {
    return UsageError("metrics of model \"xy\" read the release twice", "Name a file.");
  }
  io::Policy policy = task.policy;
  const binding::RangeLabels ranges =
      REISSUE_TRY(TakeRanges(task.request.release, policy, context));
  const binding::HolderTable holder =
      REISSUE_TRY(binding::LoadPartOfColumns(policy, task.request.table, context, ranges));
  const Promise& promise = task.promise.As<Promise>();
  const contract::MeasureRequest& request = task.request;
  const binding::DetailOptions options{
      .class_column = request.class_column.empty() ? promise.class_column : request.class_column,
      .test = request.test,
      .queries = request.queries,
      .seed = request.seed,
      .k = std::nullopt};
  binding::Detail detail =
      REISSUE_TRY(binding::MeasureDetail(policy, holder, request.release, options, context));
  return contract::MetricsReport{promise.model, contract::Findings::Of(std::move(detail))};
}

}  // namespace reissue::models::xy::service
