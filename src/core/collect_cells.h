#pragma once
// Cells of entries whose keys are made as they are needed, so that nobody has to hold them all.

#include <cstdint>
#include <functional>
#include <span>

#include "reissue/core/cells.h"
#include "reissue/core/parallel.h"

namespace reissue {

// Writes the codes of some entries, entry by entry. Called from several threads at once.
using KeysOfEntries =
    std::function<void(std::size_t first, std::size_t entries, std::uint32_t* codes)>;

// Sums up equal keys; all codes of column c are below domains[c].
Cells CollectCells(std::span<const std::uint64_t> domains, std::size_t entries,
                   const KeysOfEntries& keys, std::span<const std::uint64_t> counts,
                   ThreadPool& pool);

}  // namespace reissue
