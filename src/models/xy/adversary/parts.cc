#include "reissue/models/xy/adversary/parts.h"

#include <algorithm>
#include <tuple>

namespace reissue::models::xy {
namespace {

// How a column of Y is read: as it is, or only as far as sensitive values cover its codes.
std::uint32_t ReadY(const Requirement& requirement, const Attribute& column,
                    const taxonomy::Taxonomy* tree, std::uint32_t code) {
  if (requirement.values.empty()) return code;
  std::uint32_t lowest = kOtherCode;
  for (const auto& value : requirement.values) {
    if (value.column != column || !AtOrBelow(tree, value.code, code)) continue;
    // All that cover it lie on one path.
    if (lowest == kOtherCode || AtOrBelow(tree, lowest, value.code)) lowest = value.code;
  }
  return lowest;
}

void AddColumn(std::vector<std::size_t>& columns, std::size_t column) {
  if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
}

TableParts Outline(const Requirement& requirement, std::size_t table) {
  TableParts made;
  for (const Attribute& column : requirement.x) {
    if (column.table == table) AddColumn(made.x_columns, column.column);
  }
  if (requirement.kind == Requirement::Kind::kAnonymity) {
    made.key = std::ranges::find(requirement.y_keys, table) != requirement.y_keys.end();
  }
  // The columns of a row that counts as itself say nothing more.
  if (!made.key && requirement.values.empty()) {
    for (const Attribute& column : requirement.y) {
      if (column.table == table) AddColumn(made.y_columns, column.column);
    }
  }
  for (const auto& value : requirement.values) {
    if (value.column.table == table) AddColumn(made.y_columns, value.column.column);
  }
  made.x = TupleIndex(made.x_columns.size());
  made.y = TupleIndex(made.y_columns.size());
  return made;
}

struct Row {
  std::uint32_t x, group, y;
  std::uint64_t rows;
};

void Fill(std::vector<Row>& rows, TableParts& made, std::size_t groups) {
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return std::tie(a.x, a.group, a.y) < std::tie(b.x, b.group, b.y);
  });
  for (const Row& row : rows) {
    if (made.parts.empty() || made.parts.back().x != row.x ||
        made.parts.back().group != row.group) {
      made.parts.push_back({row.x, row.group, 0, made.ys.size(), made.ys.size()});
    }
    Part& part = made.parts.back();
    part.rows += row.rows;
    if (!made.has_y()) continue;
    if (part.first_y == part.last_y || made.ys.back().y != row.y) made.ys.push_back({row.y, 0});
    made.ys.back().rows += row.rows;
    part.last_y = made.ys.size();
  }
  made.group_begin.assign(groups + 1, 0);
  for (const Part& part : made.parts) ++made.group_begin[part.group + 1];
  for (std::size_t i = 0; i < groups; ++i) made.group_begin[i + 1] += made.group_begin[i];
  std::vector<std::size_t> next = made.group_begin;
  made.by_group.resize(made.parts.size());
  for (std::uint32_t i = 0; i < made.parts.size(); ++i) {
    made.by_group[next[made.parts[i].group]++] = i;
  }
}

Wide GreatestDivisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

}  // namespace

std::vector<TableParts> MakeParts(const Linked& linked, const Matching& matching,
                                  const Requirement& requirement) {
  std::vector<TableParts> made;
  for (std::size_t table = 0; table < matching.tables(); ++table) {
    TableParts& parts = made.emplace_back(Outline(requirement, table));
    const Cells& cells = linked.tables[table].cells;
    for (const std::size_t column : parts.y_columns) {
      parts.y_trees.push_back(linked.tables[table].trees[column].get());
    }
    std::vector<Row> rows;
    std::vector<std::uint32_t> x(parts.x_columns.size()), y(parts.y_columns.size());
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const std::uint32_t group = matching.group_of_cell(table, cell);
      if (group == Matching::kDangling) continue;
      const auto codes = cells.key(CellId(cell));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = codes[parts.x_columns[i]];
      for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] = ReadY(requirement, {table, parts.y_columns[i]}, parts.y_trees[i],
                     codes[parts.y_columns[i]]);
      }
      rows.push_back({parts.x.Add(x), group, parts.y.Add(y), cells.count(CellId(cell))});
    }
    Fill(rows, parts, matching.groups(table));
  }
  return made;
}

std::vector<Attribute> PlacesOfX(const Requirement& requirement, std::size_t tables) {
  std::vector<std::vector<std::size_t>> seen(tables);
  std::vector<Attribute> places;
  for (const Attribute& column : requirement.x) {
    auto& columns = seen[column.table];
    AddColumn(columns, column.column);
    const auto at = std::ranges::find(columns, column.column);
    places.push_back({column.table, static_cast<std::size_t>(at - columns.begin())});
  }
  return places;
}

bool XTellsGroups(const Matching& matching, const std::vector<TableParts>& parts) {
  const std::vector<JoinLabels>& joins = matching.joins();
  std::vector<bool> told_somewhere(joins.size(), false), told_everywhere(joins.size(), true);
  for (std::size_t table = 0; table < parts.size(); ++table) {
    // Partitions are in the order of x.
    const auto& own = parts[table].parts;
    std::vector<bool> told(joins.size(), true);
    for (std::size_t i = 0; i + 1 < own.size(); ++i) {
      if (own[i].x != own[i + 1].x) continue;
      const auto a = matching.group_key(table, own[i].group);
      const auto b = matching.group_key(table, own[i + 1].group);
      for (std::size_t join = 0; join < joins.size(); ++join) {
        if (a[join] != b[join]) told[join] = false;
      }
      if (!std::ranges::equal(a.subspan(joins.size()), b.subspan(joins.size()))) return false;
    }
    for (std::size_t join = 0; join < joins.size(); ++join) {
      if (!joins[join].has(table)) continue;
      if (told[join]) told_somewhere[join] = true;
      if (!told[join]) told_everywhere[join] = false;
    }
  }
  for (std::size_t join = 0; join < joins.size(); ++join) {
    const bool told = joins[join].one_to_one() ? told_somewhere[join] : told_everywhere[join];
    if (!told) return false;
  }
  return true;
}

std::uint64_t Saturated(Wide value) {
  return static_cast<std::uint64_t>(
      std::min<Wide>(value, std::numeric_limits<std::uint64_t>::max()));
}

double Share(Wide part, Wide whole) {
  constexpr Wide kExact = Wide{1} << 53;
  if (whole < kExact) return static_cast<double>(part) / static_cast<double>(whole);
  const Wide divisor = GreatestDivisor(whole, part);
  return static_cast<double>(part / divisor) / static_cast<double>(whole / divisor);
}

}  // namespace reissue::models::xy
