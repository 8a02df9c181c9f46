#pragma once
// Labels of numeric columns as ranges. Internal to the module.

#include <span>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

// What the labels stand for, each once and without `*`; a range comes before everything that it
// contains. The error: a label that is no number and no range `[a,b)` (it is not named).
Result<std::vector<Range>> ParseLabels(std::span<const std::string> labels,
                                       const std::string& column);

inline bool IsNumber(const Range& range) { return range.low == range.high; }

// As FromLabels writes it.
std::string LabelOf(const Range& range);

}  // namespace reissue::taxonomy
