#pragma once
// A table that holds the people of all parts, as one part sees it.

#include <string>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"

namespace reissue::binding {

// Where the context has a division: the rows of this part, with the values that occur in them and
// no others; nothing of the others is looked at beyond their identifiers. How many were passed over
// is in the context afterwards. Errors: nobody is of this part.
Result<Table> RowsOfPart(Table table, ColumnId identifier, const std::string& path,
                         Context& context);

}  // namespace reissue::binding
