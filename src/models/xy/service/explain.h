#pragma once
// What the join tells about one combination of labels.

#include "reissue/binding/context.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"
#include "reissue/models/xy/service/report.h"

namespace reissue::models::xy::service {

// task.about is one CSV record: per column of x of the requirement a label, or a value, which
// stands for the label that it is published under. Usage errors: another number of fields, a
// requirement that is not there, a value that the column cannot have.
Result<JoinExplained> ExplainJoin(const contract::ExplainTask& task, binding::Context& context);

}  // namespace reissue::models::xy::service
