#pragma once
// The end of every reading of a column: from a set of atoms per text to labels. Internal to the
// module.

#include <span>
#include <string_view>
#include <vector>

#include "reissue/labels/column.h"

namespace reissue::labels {

using Sets = std::vector<std::vector<Span>>;  // per text; in any order, may overlap

// Texts that stand for the same atoms are one label; how labels lie to each other.
void Collect(std::span<const std::string_view> texts, Sets sets, ColumnLabels& column);

}  // namespace reissue::labels
