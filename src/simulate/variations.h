#pragma once
// Enlarges a table as the scalability experiments on linked releases do (paper 001, section 6.1):
// every record comes with scale − 1 variations of itself, each with q columns, chosen uniformly
// among the named ones, set to random values of their domains, the other values inherited, and a
// fresh identifier. Streams over a loaded table; reads it from any number of threads.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/simulate/generator.h"

namespace reissue::simulate {

struct VariationOptions {
  std::uint64_t scale = 2;           // how many times as many rows; at least 1
  std::size_t changed = 1;           // q; at most as many as `columns`
  std::vector<std::string> columns;  // whose values vary; none of them the identifier
  // The column of identifiers. Where the table has it, its records keep theirs; where not, it is
  // added in front and every row is given one. Empty: no identifiers.
  std::string identifier;
};

// Rows 0 … n − 1 are the records of the table in order; after them comes the first variation of
// each record, then the second, and so on: row i varies record i mod n.
class Variations final : public Generator {
 public:
  // `table` must outlive the result. Errors (kUsage): no rows, scale 0, no such column, a column
  // twice, more changes than columns.
  static Result<std::unique_ptr<Variations>> Make(const Table& table, std::uint64_t seed,
                                                  const VariationOptions& options);

  // scale × rows of the table. Rows beyond that are further variations.
  std::uint64_t rows() const { return rows_; }
  std::vector<std::string> Domain(std::size_t column) const override;

 protected:
  void AppendValues(std::uint64_t row, Random& random, std::string& out) const override;

 private:
  Variations(const Table& table, std::uint64_t seed, const VariationOptions& options,
             std::vector<std::size_t> columns);

  const Table& table_;
  std::uint64_t rows_;
  std::size_t changed_;
  std::vector<std::size_t> columns_;  // positions in the table of those that vary
  bool adds_identifier_;
  std::size_t identifier_;    // position in the table; its width where it has none
  std::string fresh_prefix_;  // begins no identifier of the table
};

}  // namespace reissue::simulate
