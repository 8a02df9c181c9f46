#pragma once
// Two files with other columns about the same people, joined on what is common: which rows of the
// one lead to a single row of the other, or to a single sensitive value there. Supposes that
// whoever is looked for is in both.

#include <cstdint>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/survey/matching.h"

namespace reissue::survey {

struct CellLink {
  std::uint64_t partners = 0;    // rows of the other file that overlap the cell
  Whether one_row;               // of those x of the cell that something there matches
  std::vector<Whether> certain;  // per sensitive column of the other file
  bool complete = true;
};

struct Linked {
  std::vector<CellLink> cells;
  FromTo one_row;               // rows of the first file
  std::vector<FromTo> certain;  // likewise
  std::uint64_t matched = 0;    // rows of the first file with a partner
  std::uint64_t incomplete = 0;
};

// `from` and `to` have the common columns alone, in the order of `columns`.
Linked Link(const Columns& columns, const Published& from, const Published& to,
            const OverlapTable& overlaps, ThreadPool& pool, const Effort& effort = {});

}  // namespace reissue::survey
