#pragma once
// Several files with the same columns, about a table whose rows come and go: somebody with raw
// values x and sensitive value v may be in every file that has a row for them, that is, one that
// matches x and has v. If they are, what is possible is what the matching rows of these files have
// in common: of each value as many rows as the file with the fewest has. One row left: singled out.
// One value left: certain. A person who is in one file only is left what that file leaves.

#include <cstdint>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/survey/matching.h"

namespace reissue::survey {

// What the files leave to the people of one cell with one value.
struct GroupLeft {
  std::uint32_t value = 0;
  std::uint64_t rows = 0;
  Whether singled_out, certain;
};

struct FileTogether {
  std::vector<std::vector<GroupLeft>> cells;
  FromTo singled_out, certain, exposed;  // rows of the file
  // Rows that match nobody of any other file: their people are in this file alone, or their values
  // have changed. Not counted where the work was too much.
  std::uint64_t alone = 0;
  std::uint64_t incomplete = 0;  // cells
};

struct Together {
  std::vector<FileTogether> files;
};

// `sensitive`: which of the sensitive columns; its codes are the same in all files.
Together Intersect(const Columns& columns, const std::vector<Published>& files,
                   const OverlapTable& overlaps, std::size_t sensitive, ThreadPool& pool,
                   const Effort& effort = {});

}  // namespace reissue::survey
