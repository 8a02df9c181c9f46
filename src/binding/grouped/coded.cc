#include "reissue/binding/grouped/coded.h"

#include <map>

#include "reissue/binding/grouped/release.h"

namespace reissue::binding {

Result<Coded> CodeGrouped(const GroupedTable& raw, const ReleasedGroups& released) {
  Coded coded = REISSUE_TRY(CodeColumns(raw.holder, released.table));
  for (const ColumnId id : raw.holder.sensitive.columns) {
    coded.sensitive += (coded.sensitive.empty() ? "" : " / ") + raw.holder.table[id].name();
  }
  std::map<ValueTexts, std::uint32_t> code_of;
  const auto code = [&](const ValueTexts& texts) {
    return code_of.emplace(texts, static_cast<std::uint32_t>(code_of.size())).first->second;
  };
  for (const std::uint32_t value : raw.sensitive.of_row) {
    coded.table.values.push_back(code(raw.sensitive.values[value]));
  }
  const Table& table = released.table;
  std::vector<ColumnId> columns;
  for (const std::string& name : coded.names) columns.push_back(*table.Find(name));
  metrics::CodedRelease& release = coded.release;
  release.rows.assign(table.rows(), 1);
  for (const ValueId group : table[*table.Find(kGroupColumn)].values()) {
    release.group.push_back(group.raw());
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t q = 0; q < columns.size(); ++q) {
      release.shown.push_back(coded.label_of_value[q][table[columns[q]][RowId(row)].index()]);
    }
  }
  for (std::uint32_t g = 0; g < released.groups.size(); ++g) {
    for (const auto& [value, count] : released.groups[g].values) {
      release.counts.push_back({g, code(released.values[value]), count});
    }
  }
  return coded;
}

}  // namespace reissue::binding
