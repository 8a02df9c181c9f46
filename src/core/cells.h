#pragma once
// Cells are the currency: the distinct combinations of chosen columns, with counts. Models work on
// cells and never see rows. Keys are sorted, so the same rows in any order, on any number of
// threads, give the same Cells.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/core/parallel.h"
#include "reissue/core/table.h"

namespace reissue {

class Cells {
 public:
  Cells() = default;
  // `keys` holds width codes per cell, sorted lexicographically and distinct; `counts` holds
  // `origins` numbers per cell.
  Cells(std::size_t width, std::vector<std::uint32_t> keys, std::vector<std::uint64_t> counts,
        std::size_t origins = 1);

  std::size_t size() const { return totals_.size(); }
  std::size_t width() const { return width_; }
  std::size_t origins() const { return origins_; }
  // The codes (raw ValueIds, in the order of the chosen columns) of one cell.
  std::span<const std::uint32_t> key(CellId cell) const {
    return {keys_.data() + cell.index() * width_, width_};
  }
  // Rows in one cell, over all origins.
  std::uint64_t count(CellId cell) const { return totals_[cell.index()]; }
  std::uint64_t count(CellId cell, std::size_t origin) const {
    return counts_.empty() ? totals_[cell.index()] : counts_[cell.index() * origins_ + origin];
  }
  std::uint64_t rows() const { return rows_; }

 private:
  std::size_t width_ = 0;
  std::size_t origins_ = 1;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint64_t> counts_;  // only where there is more than one origin
  std::vector<std::uint64_t> totals_;
  std::uint64_t rows_ = 0;
};

// Counts the distinct combinations of `columns`. `origin_of_row` is empty, or gives for every row
// the number (below `origins`) of the part of the data it came from: its count is kept apart.
// O(rows) expected plus O(cells log cells).
Cells BuildCells(const Table& table, std::span<const ColumnId> columns, ThreadPool& pool,
                 std::span<const std::uint8_t> origin_of_row = {}, std::size_t origins = 1);

// Sums up equal keys of an unsorted list (`keys` holds width codes per entry). For tests and for
// recoding cells.
Cells CollectCells(std::size_t width, std::span<const std::uint32_t> keys,
                   std::span<const std::uint64_t> counts, std::size_t origins = 1);
Cells CollectCells(std::size_t width, std::span<const std::uint32_t> keys,
                   std::span<const std::uint64_t> counts, std::size_t origins, ThreadPool& pool);

}  // namespace reissue
