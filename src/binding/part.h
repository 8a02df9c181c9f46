#pragma once
// A table that holds the people of all parts, as one part sees it: nothing of the others is looked
// at beyond their identifiers. Where the context has no division these do nothing. How many rows
// were passed over is in the context afterwards. Errors: nobody is of this part.

#include <string>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/sources/table_source.h"

namespace reissue::binding {

// The rows of this part, with the values that occur in them and no others.
Result<Table> RowsOfPart(Table table, ColumnId identifier, const std::string& path,
                         Context& context);

// Of a table that is counted where it lives: the hash that marks people of other parts, since
// nobody else sees identifiers; and what is left once these are taken out.
sources::HashIdentifier MarkingOthers(sources::HashIdentifier hash, const Context& context);
Status KeepPart(sources::Counted& counted, const std::string& path, Context& context);

}  // namespace reissue::binding
