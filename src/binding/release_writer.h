#pragma once
// Writes the published file from combinations and counts: no row of the table is looked at again,
// so the order of the release cannot depend on the order of the table.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/core/cells.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"
#include "reissue/io/file_system.h"

namespace reissue::binding {

// Distinct combinations of everything that is published (and of the composite sensitive value,
// last, where there is one): key = value ids in the order of holder.published.
// `origin_of_person` is empty, or gives one (below `origins`) for each of holder.persons: the
// counts are then kept apart by them.
Cells PublishedCombinations(const HolderTable& holder, ThreadPool& pool,
                            std::span<const std::uint16_t> origin_of_person = {},
                            std::size_t origins = 1);

// Appends rows 0 … rows − 1, in order; put(from, to, buffer) makes the text of some. While some
// threads put rows together, one writes those before them.
using PutRows = std::function<void(std::size_t from, std::size_t to, std::string& buffer)>;
Status AppendRows(io::WritableFile& file, std::size_t rows, const PutRows& put, Context& context);

// Appends the name of a column to a header. Readers recognise the separator from it: a name that
// holds another candidate is quoted.
void AppendName(std::string& header, const std::string& name);

// What stands in the lines of a release: of a combination the number of a text in each column.
struct LineLabels {
  // Per published column: fields, quoted where needed. Texts that are the same may have several
  // numbers; the fewer, the faster.
  std::vector<std::vector<std::string>> texts;
  // Fills in a number per column; false: the combination is left out.
  std::function<bool(std::span<const std::uint32_t> key, std::span<std::uint32_t> numbers)> of;
};
// `texts`: per published column the field of every value.
LineLabels FieldByField(const std::vector<std::vector<std::string>>& texts);

// Up to so many rows are shuffled, four bytes each. More of them are drawn one by one from what is
// left of every distinct line, in memory that does not grow with them.
inline constexpr std::uint64_t kMostShuffled = std::uint64_t{1} << 26;

// Writes header and rows in random order to a new file at `path`, and syncs it: CSV, or Parquet
// where the name asks for it (sources::parquet::IsParquet); or, where that is the name of the
// context's target, to that.
Status WriteRows(const Table& table, const std::vector<ColumnId>& published,
                 const LineLabels& labels, const Cells& combinations, const std::string& path,
                 Random& random, Context& context, std::uint64_t most_shuffled = kMostShuffled);

}  // namespace reissue::binding
