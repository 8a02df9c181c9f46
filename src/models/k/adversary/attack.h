#pragma once
// What one reader of one release can infer: who is in a cell of fewer than k (identity), whose
// value is the same for the whole cell (homogeneity), whose value became much likelier or as good
// as certain than in the release as a whole (skew). Sees published cells only.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::models::k {

// Published cells: key = quasi-identifier codes, then one sensitive code (0 where there is none).
struct PublishedCells {
  Cells cells;
  std::size_t quasi = 0;               // number of quasi-identifier codes in a key
  std::uint32_t sensitive_values = 1;  // codes are below this
};

// One broken promise in one cell.
struct Finding {
  std::string promise;               // "k", "distinct", "entropy", "recursive", "alpha",
                                     // "confidence", "t", "beta"
  std::vector<std::uint32_t> quasi;  // the cell
  std::uint64_t rows = 0;
  std::uint32_t distinct = 0;          // sensitive values in the cell
  std::optional<std::uint32_t> value;  // the sensitive code that gives it away, where one does
  double measured = 0;
  double promised = 0;
};

struct Report {
  bool satisfied = true;
  std::vector<std::string> broken;  // promises broken by some cell, in the order of Finding
  std::uint64_t rows = 0;
  std::uint64_t cells = 0;
  std::uint64_t smallest = 0;  // rows in the smallest cell; 0 without rows
  // Worst over all cells; measured whether promised or not, if there is a sensitive column.
  std::uint32_t distinct = 0;
  double entropy_l = 0, recursive_c = 0, top_share = 0, distance = 0, gain = 0;
  double confidence_excess = 0;
  // People by attack, as a reader would count them.
  std::uint64_t identity = 0;     // rows in cells smaller than k
  std::uint64_t homogeneity = 0;  // rows in cells with one sensitive value
  std::uint64_t skew = 0;         // rows in cells that break a promise on shares (alpha,
                                  // confidence), t or β
  std::uint64_t exposed = 0;      // rows in cells that break any promise
  // Whatever is promised.
  std::uint64_t singled_out = 0;    // rows that are alone in their cells
  std::uint64_t value_certain = 0;  // rows in cells with one sensitive code
  std::vector<Finding> worst;       // most serious first, at most `limit`
};

// Most serious is what misses its promise by the largest factor (promised/measured for the lower
// bounds k, distinct, entropy; measured/promised for the others), then by the order of the promises
// above, then the smaller cell, then the cell's key. `measured` of "confidence" is the share of the
// value that exceeds its threshold most, `promised` that threshold; of "recursive" the c that would
// be needed, infinite where values are missing. Without a sensitive column (sensitive_values ≤ 1)
// no row counts for homogeneity, and the measures of sensitive values stay 0 unless one is
// promised.
//
// O(cells log cells). Ties are broken by the cell's key, so the report is deterministic.
Report Attack(const PublishedCells& release, const Guarantee& guarantee, std::size_t limit = 10);

}  // namespace reissue::models::k
