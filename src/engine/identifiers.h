#pragma once
// Identifiers of a table tell people apart.

#include <string>

#include "reissue/core/result.h"
#include "reissue/core/table.h"

namespace reissue::engine {

// An error where an identifier stands on two lines (both are named).
Status IdentifiersOnce(const Table& table, ColumnId identifier, std::string remedy);

}  // namespace reissue::engine
