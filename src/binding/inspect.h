#pragma once
// Everything that is wrong with a table, for `check`: where loading stops at the first thing, this
// goes on, and counts. No value of a table is named.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::binding {

// How a model reads its tables.
struct TableReading {
  bool all_columns = true;  // every column of the policy must be there
  bool ranges = true;       // numbers without a taxonomy get ranges, within breakpoints
};

// Columns of the file that the policy does not name, and, if `all`, those that it names and the
// file lacks: at most one error of each kind, with all names and the nearest ones. `line`: where
// the names stand, if they do.
std::vector<Error> HeaderProblems(const io::Policy& policy, const std::vector<std::string>& header,
                                  const std::string& path, bool all,
                                  std::optional<std::uint64_t> line = 1);
// The same in one error, for who stops at the first.
Status MatchHeader(const io::Policy& policy, const std::vector<std::string>& header,
                   const std::string& path, bool all, std::optional<std::uint64_t> line = 1);

// One error per column and kind, with how many rows and distinct values, and the first lines:
// columns, missing values, values without a leaf, texts that are no numbers, numbers outside
// breakpoints, identifiers that stand twice. A file that is no table has one. Columns whose
// taxonomy cannot be read are passed over.
std::vector<Error> InspectTable(const io::Policy& policy, const std::string& path,
                                const TableReading& reading, Context& context);

}  // namespace reissue::binding
