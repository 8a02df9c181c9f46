#pragma once
// What a table is where it has no bytes: its names, combinations and counts. No state.

#include <string>

#include "reissue/core/table.h"

namespace reissue::sources {

// Hex. The same for the same rows in any order and from any source, where the table is canonical
// (sources::Counted).
std::string DigestOfCounted(const Table& table);

}  // namespace reissue::sources
