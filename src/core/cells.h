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
  // `keys` holds width codes per cell, sorted lexicographically and distinct.
  Cells(std::size_t width, std::vector<std::uint32_t> keys, std::vector<std::uint64_t> counts);
  // Cells that differ in their last code alone become one: that code is the origin of the rows.
  static Cells WithOrigins(const Cells& flat, std::size_t origins);

  std::size_t size() const { return totals_.size(); }
  std::size_t width() const { return width_; }
  std::size_t origins() const { return origins_; }
  // The codes (raw ValueIds, in the order of the chosen columns) of one cell.
  std::span<const std::uint32_t> key(CellId cell) const {
    return {keys_.data() + cell.index() * width_, width_};
  }
  // Rows in one cell, over all origins.
  std::uint64_t count(CellId cell) const { return totals_[cell.index()]; }
  // Of one origin; of the origins up to one.
  std::uint64_t count(CellId cell, std::size_t origin) const;
  std::uint64_t CountUpTo(CellId cell, std::size_t origin) const;
  std::uint64_t rows() const { return rows_; }

  // The rows of one cell by origin, where there are some. Memory and time are spent on these alone,
  // so that a table of many origins costs no more than one of few.
  struct Part {
    std::uint32_t origin;
    std::uint64_t rows;
  };
  std::size_t parts() const { return origins_ == 1 ? size() : parts_.size(); }
  // Of all parts, those of a cell follow each other; a cell without rows has none, or an empty one.
  std::size_t first_part(CellId cell) const {
    return origins_ == 1 ? cell.index() : part_begin_[cell.index()];
  }
  std::size_t last_part(CellId cell) const {
    return origins_ == 1 ? cell.index() + 1 : part_begin_[cell.index() + 1];
  }
  Part part(std::size_t i) const { return origins_ == 1 ? Part{0, totals_[i]} : parts_[i]; }
  template <typename Visit>
  void ForEachPart(CellId cell, Visit&& visit) const {
    for (std::size_t i = first_part(cell); i < last_part(cell); ++i) visit(part(i));
  }

 private:
  std::size_t width_ = 0;
  std::size_t origins_ = 1;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint64_t> totals_;
  std::vector<Part> parts_;              // only where there is more than one origin,
  std::vector<std::size_t> part_begin_;  // and where those of each cell begin
  std::uint64_t rows_ = 0;
};

// Counts the distinct combinations of `columns`, each row by its weight. `origin_of_row` is empty,
// or gives for every row the number (below `origins`) of the part of the data it came from: its
// count is kept apart. O(rows) expected plus O(cells log cells).
Cells BuildCells(const Table& table, std::span<const ColumnId> columns, ThreadPool& pool,
                 std::span<const std::uint16_t> origin_of_row = {}, std::size_t origins = 1);

// Sums up equal keys of an unsorted list: `keys` holds width codes per entry and, where there is
// more than one origin, the origin of its rows. For tests and for recoding cells.
Cells CollectCells(std::size_t width, std::span<const std::uint32_t> keys,
                   std::span<const std::uint64_t> counts, std::size_t origins = 1);
Cells CollectCells(std::size_t width, std::span<const std::uint32_t> keys,
                   std::span<const std::uint64_t> counts, std::size_t origins, ThreadPool& pool);

}  // namespace reissue
