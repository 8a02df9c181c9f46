#pragma once
// A table and a release of it in groups, in codes.

#include "reissue/binding/coded.h"
#include "reissue/binding/grouped/reader.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/core/result.h"

namespace reissue::binding {

// Errors: as CodeColumns.
Result<Coded> CodeGrouped(const GroupedTable& raw, const ReleasedGroups& released);

}  // namespace reissue::binding
