#include "reissue/models/invariance/service/measure.h"

#include <fmt/format.h>

#include "reissue/binding/grouped/coded.h"
#include "reissue/binding/grouped/reader.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/models/invariance/service/forms.h"

namespace reissue::models::invariance::service {

Result<Metrics> MeasureRelease(const io::Policy& policy, const Promise& promise,
                               const contract::MeasureRequest& request, binding::Context& context) {
  const std::string& release = request.release;
  const binding::GroupedTable raw =
      REISSUE_TRY(binding::LoadGrouped(policy, request.table, context));
  std::vector<std::string> beside;
  for (const std::string& suffix : binding::SuffixesOf(FilesOf(promise)))
    beside.push_back(release + suffix);
  const binding::ReleasedGroups released = REISSUE_TRY(binding::ReadReleased(
      binding::ColumnsOf(policy), FilesOf(promise), release, beside, context));
  const std::uint64_t people = raw.holder.table.rows(), rows = released.table.rows();
  if (people > rows) {
    return InputError({release, std::nullopt, std::nullopt, ""},
                      fmt::format("the release has {} rows, and the table {} people", rows, people),
                      "Give the table that the release was made from.");
  }
  const binding::Coded coded = REISSUE_TRY(binding::CodeGrouped(raw, released));
  Metrics measured;
  measured.m = promise.m;
  measured.e = promise.e;
  measured.form = FormName(promise.form);
  measured.people = people;
  measured.rows = rows;
  measured.groups = released.groups.size();
  measured.least_values = released.least_values;
  measured.worth = binding::MeasureWorth(coded, request.queries, request.seed);
  return measured;
}

}  // namespace reissue::models::invariance::service
