#pragma once
// Counts the distinct combinations of columns while rows come, block by block, in memory that grows
// with the combinations and not with the rows. Beside its count a combination keeps the line of its
// first row. What comes out does not depend on the order of the rows (but for these lines), nor on
// the number of threads.
//
// One thread adds blocks; the pool does the work. Of a block nothing is kept.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/core/parallel.h"
#include "reissue/core/table.h"

namespace reissue {

// Some rows, in columns of codes. Blocks and rows come in the order of the source.
struct CodeBlock {
  std::size_t rows = 0;
  std::vector<std::span<const ValueId>> columns;
  // Per column what the codes become; empty: what they are.
  std::vector<std::span<const std::uint32_t>> becomes;
  std::span<const std::uint64_t> weights;  // empty: each row counts once
  // Line of row 0; where `lines` is not empty, row i stands on first_line + lines[i].
  std::uint64_t first_line = 0;
  std::span<const std::uint64_t> lines;
};

// A combination as long as it is counted; its place in the sorted table is known at the end.
using EntryId = std::uint32_t;

class Combinations {
 public:
  explicit Combinations(std::size_t width);
  ~Combinations();
  Combinations(Combinations&&) noexcept;
  Combinations& operator=(Combinations&&) noexcept;

  // `domains`: all codes of column c are below domains[c], in this and in all blocks before.
  // `entries` is empty or has room for the entry of every row, block after block. O(rows) expected.
  void Add(std::span<const CodeBlock> blocks, std::span<const std::uint64_t> domains,
           ThreadPool& pool, std::span<EntryId> entries = {});

  std::size_t size() const;
  std::uint64_t rows() const;

  struct Sorted {
    std::vector<std::vector<ValueId>> columns;
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> lines;     // of the first row of each
    std::vector<std::uint32_t> begin_of;  // where the places of entries of each part begin
    std::vector<std::uint32_t> place_of;  // by part and number in it
    std::uint32_t PlaceOf(EntryId entry) const;
  };
  // Sorted by what codes become: rank[c][code], a permutation per column. O(size · log size).
  Sorted Sort(std::span<const std::vector<std::uint32_t>> rank, ThreadPool& pool) &&;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// A canonical table (columns in the given order, dictionaries by text, rows by value ids) of what
// was counted. `places`, if not null, becomes what Sorted knows of entries.
Table CountedTable(std::vector<std::string> names, std::vector<DictionaryBuilder> dictionaries,
                   Combinations combinations, Origin origin, ThreadPool& pool,
                   Combinations::Sorted* places = nullptr);

}  // namespace reissue
