#pragma once
// Which raw values stand behind the labels of a column: rows of the table matched with labels as
// evenly as the counts allow. Pure function.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/metrics/coded.h"

namespace reissue::metrics {

// For every label, the rows (in fractions) of each of its codes, in their order: the matching of
// greatest entropy, which for labels of a tree is exact. Where labels cross it is approached by
// proportional fitting. `raw`: rows of the table per code; `published`: rows of the release per
// label. Labels without rows get nothing.
std::vector<std::vector<double>> MatchLabels(std::span<const std::uint64_t> raw,
                                             std::span<const Coverage> labels,
                                             std::span<const std::uint64_t> published);

}  // namespace reissue::metrics
