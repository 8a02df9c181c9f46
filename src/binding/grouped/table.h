#pragma once
// The holder's table of a series that is published in groups of people, and the sensitive values of
// any file of it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/io/policy.h"

namespace reissue::binding {

// One value of the sensitive columns: a text for each. Numbers are written by their worth.
using ValueTexts = std::vector<std::string>;
// "a", or "a / b" for several columns.
std::string Joined(const ValueTexts& value);

struct SensitiveCodes {
  std::vector<ValueTexts> values;     // by code, in order of first appearance
  std::vector<std::uint32_t> of_row;  // codes
};
// `numeric`: per column, whether numbers count by what they are worth.
SensitiveCodes CodeSensitive(const Table& table, const std::vector<ColumnId>& columns,
                             const std::vector<bool>& numeric);

struct GroupedTable {
  HolderTable holder;           // numeric and plain quasi-identifiers have no tree
  std::vector<ColumnId> shown;  // quasi and publish, in file order
  SensitiveCodes sensitive;
};
// Errors: no identifier, no sensitive column, a column that is kept and has one of the names that
// are `taken`. `whose` has columns of those names.
Status CheckGroupedColumns(const io::Policy& policy, std::string_view model,
                           std::span<const char* const> taken, std::string_view whose);

// As LoadTable. Errors also: an identifier that only counterfeits may have.
Result<GroupedTable> LoadGrouped(const io::Policy& policy, const std::string& path,
                                 Context& context);

// The same of a table that has been read, with the identifier, all quasi-identifiers and all
// sensitive columns.
Result<GroupedTable> BindGrouped(HolderTable holder, const io::Policy& policy);

// The identifier of a counterfeit in holder's copies.
std::string CounterfeitName(std::uint64_t number);

// Which of the columns are numbers.
std::vector<bool> NumericAmong(const std::vector<std::string>& numeric,
                               const std::vector<std::string>& columns);

}  // namespace reissue::binding
