#pragma once
// What is sensitive in a table or a release, as one value. Internal to binding.

#include <string>
#include <vector>

#include "reissue/binding/load.h"

namespace reissue::binding {

// Of these columns of the table, those of these names by what numbers are worth. Where they need a
// stand-in, the table gets it as its last column.
Sensitive BindSensitive(Table& table, std::vector<ColumnId> columns,
                        const std::vector<std::string>& numeric_names);

}  // namespace reissue::binding
