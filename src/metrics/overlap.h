#pragma once
// Whether two cells of a release claim the same raw combination of quasi-identifier values. Never
// so after a global recoding; local recoding and starred rows can do it. Pure function.

#include <cstdint>
#include <optional>
#include <span>

#include "reissue/core/cells.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::metrics {

// `cells` has one NodeId of trees[i] at position i of every key. True where some combination of
// leaves lies below two cells. Walks down the trees one attribute after the other and keeps the
// cells that can still meet: O(cells · attributes · log) for global recodings. Gives up (nullopt)
// after `work_limit` cells touched, which does not depend on the machine.
std::optional<bool> CellsOverlap(std::span<const taxonomy::Taxonomy* const> trees,
                                 const Cells& cells, std::uint64_t work_limit = 50'000'000);

}  // namespace reissue::metrics
