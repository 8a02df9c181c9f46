#pragma once
// A table whose rows come and go, out of a larger one: the update streams of He, Barman and
// Naughton (ICDE 2011, section VII-A). The first table is a random part of the pool; between two
// tables some random rows leave for good and as many that were never seen come. A stream of fewer
// tables is the beginning of a longer one.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/simulate/generator.h"

namespace reissue::simulate {

struct UpdateOptions {
  std::uint64_t first = 200'000;   // rows of every table
  std::uint64_t replace = 20'000;  // that leave, and that come, between two tables
  std::uint64_t releases = 20;     // tables
  // The values of those who come are skewed (Figure 5): in random order, fresh each time, every
  // value is had by this many rows more than the one before. 0: all equally often.
  std::optional<double> skew;
  std::uint64_t seed = 1;
};

struct UpdateStream {
  // Rows of the pool: who stayed, in order of arrival, then who came.
  std::vector<std::vector<std::uint32_t>> tables;
  // Per row of the pool. Rows that come in a skewed batch keep their value while that fits, the
  // others get one that is wanting.
  std::vector<std::uint32_t> values;
};

// `values`: per row of the pool, each below `value_count`; only a skewed stream looks at them.
// Errors (kUsage): more rows are needed than there are, more leave than are there, too skewed.
// O(rows of all tables).
Result<UpdateStream> MakeUpdates(std::span<const std::uint32_t> values, std::uint32_t value_count,
                                 const UpdateOptions& options);

// How often `values` values occur among `rows` rows: by `skew` more from one to the next, rounded
// so that the sum is right. `skew` is at most LargestSkew.
std::vector<std::uint64_t> SkewedCounts(std::uint32_t values, std::uint64_t rows, double skew);
// With it nobody has the rarest value.
double LargestSkew(std::uint32_t values, std::uint64_t rows);

// One table of a stream as CSV.
class UpdatedTable final : public Generator {
 public:
  struct Columns {
    std::optional<ColumnId> sensitive;  // whose values the stream may have changed
    // A column of this name is put in front, with the number of the row in the pool (R0000001, …).
    // Empty: the pool has one, or none is wanted.
    std::string identifier;
  };
  // `pool` and `stream` must outlive the result.
  UpdatedTable(const Table& pool, const UpdateStream& stream, std::size_t table, Columns columns);

  std::uint64_t rows() const { return rows_.size(); }
  std::vector<std::string> Domain(std::size_t column) const override;

 protected:
  void AppendValues(std::uint64_t row, Random& random, std::string& out) const override;

 private:
  const Table& pool_;
  const UpdateStream& stream_;
  std::span<const std::uint32_t> rows_;
  Columns columns_;
};

}  // namespace reissue::simulate
