#pragma once
// A table at a glance for its holder: what each column is, how it is filled, and what it may be to
// a policy. Shows values of the table: never for anybody else.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

struct Distribution {
  struct Bin {
    std::string label;
    std::uint64_t rows = 0;
  };
  bool numbers = false;   // bins are in the order of numbers; else the most frequent first
  std::vector<Bin> bins;  // at most kMostBins, none with 1 to kFewRows - 1 rows
  std::uint64_t other_values = 0, other_rows = 0;  // what has no bin of its own
};
inline constexpr std::size_t kMostBins = 20;
inline constexpr std::uint64_t kFewRows = 5;

struct DescribedColumn {
  std::string name;
  std::string type;  // `whole`, `number`, `date`, `text`, or `empty` where no row has a value
  std::uint64_t distinct = 0;
  std::uint64_t missing = 0;  // rows without a value
  io::Role role = io::Role::kDrop;
  bool sure = true;
  std::string reason;
  Distribution distribution;
};

struct DescribeReport {
  std::string table;
  std::uint64_t rows = 0;
  std::vector<DescribedColumn> columns;  // in file order
  std::vector<std::string> written;      // how the table is written, where that is unusual
  std::vector<std::string> notes;        // on the whole
};

// `policy`: may be empty; else it says how the table is written, and the roles of the columns that
// it names. Files that it names need not exist. Errors: no table, standard input (it is read
// twice). O(cells), and sorting of distinct values.
Result<DescribeReport> Describe(const std::string& table, const std::string& policy,
                                binding::Context& context);

}  // namespace reissue::engine
