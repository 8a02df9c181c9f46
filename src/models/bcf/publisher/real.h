#pragma once
// Which targets of a series somebody of the holder's table is.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reissue/models/bcf/release/series.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::bcf {

// The cell of a release without overlaps that a combination of leaves lies in; nothing where no row
// does.
std::optional<std::uint32_t> CellOfLeaves(const Series& series, std::size_t release,
                                          std::span<const std::uint32_t> leaves);

// Per birth the tuples of cells (of the birth and all later releases) that the people of the table
// take, sorted. The last release of the series is the table recoded. If the cells of the table have
// origins, they are births; otherwise everybody counts as of every birth that the releases leave
// possible. Nothing where cells of a release overlap.
std::optional<std::vector<std::vector<std::vector<std::uint32_t>>>> RealTargets(
    const k::LeafCells& table, const Series& series);

}  // namespace reissue::models::bcf
