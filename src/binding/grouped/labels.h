#pragma once
// Columns of a table as a release shows them: as they are, or one label per group.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/grouped/table.h"
#include "reissue/core/ids.h"

namespace reissue::binding {

// The group of an entry that is not shown.
inline constexpr std::uint32_t kNoGroup = 0xffffffffu;

// A shown column with raw texts. Views live as long as the table.
struct RawColumn {
  const Quasi* quasi = nullptr;  // null: published as it is
  std::string name;
  std::vector<std::string_view> texts;  // by code
  std::vector<std::uint32_t> code;      // per entry
};
// `index`: among the table's shown columns.
RawColumn ReadRaw(const GroupedTable& table, std::size_t index);

// Where each code lies: numbers by what they are, leaves by their rank, other texts by the
// alphabet. Only for quasi-identifiers.
std::vector<double> PlacesOf(const RawColumn& column);

struct ShownColumn {
  std::string name;
  std::vector<std::string> fields;  // as they stand in the file
  std::vector<std::uint32_t> code;  // per entry; kNoGroup where it is not shown
};
ShownColumn AsItIs(RawColumn column);
// One label per group: the text that all have, `[a,b]` (round ranges: rounded outward), the lowest
// common node of the taxonomy, or `*`. `group`: per entry, kNoGroup where it is not shown; no group
// is empty.
ShownColumn Generalise(const RawColumn& column, std::span<const std::uint32_t> group,
                       std::uint32_t groups);

}  // namespace reissue::binding
