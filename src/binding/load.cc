#include "reissue/binding/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "reissue/binding/hierarchy.h"
#include "reissue/binding/inspect.h"
#include "reissue/binding/part.h"
#include "reissue/binding/words.h"
#include "reissue/io/csv.h"

namespace reissue::binding {
namespace {

using taxonomy::Taxonomy;

RowId FirstRowWith(const Column& column, ValueId value) {
  const auto values = column.values();
  return RowId(
      static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin()));
}

// Appends a column that stands for several, or for one of numbers, to the table.
Table WithStandIn(Table table, const std::vector<ColumnId>& parts, const std::vector<bool>& numeric,
                  std::shared_ptr<const Dictionary>& texts) {
  std::vector<std::vector<std::string>> text_of_value(parts.size());
  std::string name;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Column& column = table[parts[p]];
    name += (name.empty() ? "" : " / ") + column.name();
    for (const std::string_view text : column.dictionary().strings()) {
      text_of_value[p].push_back(numeric[p] ? CanonicalNumber(text) : std::string(text));
    }
  }
  DictionaryBuilder dictionary;
  std::vector<ValueId> values;
  values.reserve(table.rows());
  std::string text;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    text.clear();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (p > 0) text += " / ";
      text += text_of_value[p][table[parts[p]][RowId(row)].index()];
    }
    values.push_back(dictionary.Intern(text));
  }
  texts = std::move(dictionary).Build();
  std::vector<Column> columns = table.columns();
  columns.emplace_back(name, texts, std::move(values));
  return Table(std::move(columns), table.rows(), table.origin());
}

Sensitive BindSensitive(Table& table, std::vector<ColumnId> columns,
                        const std::vector<std::string>& numeric_names) {
  Sensitive sensitive;
  sensitive.columns = std::move(columns);
  std::vector<bool> numeric;
  for (const ColumnId id : sensitive.columns) {
    numeric.push_back(std::count(numeric_names.begin(), numeric_names.end(), table[id].name()) > 0);
  }
  if (sensitive.columns.empty()) {
    DictionaryBuilder none;
    none.Intern("");
    sensitive.values = std::move(none).Build();
  } else if (sensitive.columns.size() == 1 && !numeric[0]) {
    sensitive.column = sensitive.columns[0];
    sensitive.values = table[*sensitive.column].shared_dictionary();
  } else {
    sensitive.column = ColumnId(table.width());
    table = WithStandIn(std::move(table), sensitive.columns, numeric, sensitive.values);
  }
  return sensitive;
}

// Labels that are single numbers, where no value is written like them.
void AddNumbers(const std::vector<std::string>& labels, std::vector<std::string>& values) {
  std::set<std::string> there(values.begin(), values.end());
  for (const std::string& label : labels) {
    if (label != "*" && !label.starts_with('[') && there.insert(label).second) {
      values.push_back(label);
    }
  }
}

Result<std::shared_ptr<const Taxonomy>> FromNumbers(const Table& table, ColumnId id,
                                                    const io::PolicyColumn& policy,
                                                    const RangeLabels& ranges) {
  const Column& column = table[id];
  std::vector<std::uint64_t> counts(column.dictionary().size());
  for (const ValueId value : column.values()) ++counts[value.index()];
  std::vector<std::string> values;
  std::vector<std::uint64_t> weights;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    if (counts[v] == 0) continue;  // only in rows that were dropped
    const std::string_view text = column.dictionary()[ValueId(v)];
    double number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc() || end != text.data() + text.size()) {
      return InputError(table.PlaceOf(FirstRowWith(column, ValueId(v)), id),
                        "a number was expected",
                        "Correct the value, declare how missing values are written ([table] "
                        "missing_markers), or give the column a taxonomy.");
    }
    if (!policy.breakpoints.empty()) {
      const double low = policy.breakpoints[0].front(), high = policy.breakpoints[0].back();
      if (number < low || number >= high) {
        return InputError(table.PlaceOf(FirstRowWith(column, ValueId(v)), id),
                          fmt::format("the value lies outside the breakpoints {}",
                                      taxonomy::RangeLabel(low, high)),
                          "Make the first breakpoint at most the least value, and the last one "
                          "greater than the greatest value, or correct the table.");
      }
    }
    values.emplace_back(text);
    weights.push_back(counts[v]);
  }
  const auto earlier = ranges.find(policy.name);
  Taxonomy tree;
  if (!policy.breakpoints.empty()) {
    if (earlier != ranges.end()) AddNumbers(earlier->second, values);
    tree = REISSUE_TRY(taxonomy::FromBreakpoints(policy.breakpoints, values, policy.name));
  } else if (earlier != ranges.end()) {
    values.insert(values.end(), earlier->second.begin(), earlier->second.end());
    tree = REISSUE_TRY(taxonomy::FromLabels(values, policy.name));
  } else if (policy.round_ranges) {
    tree = REISSUE_TRY(taxonomy::FromRoundRanges(values, policy.name));
  } else {
    tree = REISSUE_TRY(taxonomy::FromData(values, weights, policy.name));
  }
  return std::make_shared<const Taxonomy>(std::move(tree));
}

}  // namespace

Status CheckHierarchies(const io::Policy& policy) {
  for (const io::PolicyColumn& column : policy.columns) {
    if (column.role != io::Role::kQuasi || !column.taxonomy.empty() || column.numeric) continue;
    return InputError({policy.file, column.line, std::nullopt, column.name},
                      "a quasi-identifier needs a taxonomy, unless it is numeric",
                      "let `reissue taxonomy draft` write a first one from the table and name it "
                      "with `taxonomy = \"FILE\"`; for numbers, `type = \"numeric\"` is enough");
  }
  return Ok();
}

std::vector<std::string> RangesFromData(const io::Policy& policy) {
  std::vector<std::string> names;
  for (const io::PolicyColumn* column : policy.WithRole(io::Role::kQuasi)) {
    if (column->numeric && column->taxonomy.empty() && column->breakpoints.empty() &&
        !column->round_ranges) {
      names.push_back(column->name);
    }
  }
  return names;
}

Status CheckClassColumn(const io::Policy& policy, const std::string& name) {
  if (name.empty()) return Ok();
  const io::PolicyColumn* column = policy.Find(name);
  if (column != nullptr && column->role != io::Role::kDrop &&
      column->role != io::Role::kIdentifier) {
    return Ok();
  }
  return InputError(
      {policy.file, policy.Get("class")->line, std::nullopt, ""},
      fmt::format("the class column \"{}\" is not a column of the policy that is kept", name),
      "Name a column with role \"publish\" or \"sensitive\".");
}

Status IdentifiersOnce(const Table& table, ColumnId identifier, std::string remedy) {
  const Column& column = table[identifier];
  std::vector<RowId> seen(column.dictionary().size(), RowId::Invalid());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    RowId& first = seen[column[RowId(row)].index()];
    if (first.valid()) {
      return InputError(table.PlaceOf(RowId(row), identifier),
                        fmt::format("the identifier stands on line {} already",
                                    table.PlaceOf(first, identifier).line.value_or(0)),
                        std::move(remedy));
    }
    first = RowId(row);
  }
  return Ok();
}

std::string CanonicalNumber(std::string_view text) {
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size()) return std::string(text);
  return fmt::format("{}", number == 0 ? 0.0 : number);
}

Result<std::vector<std::shared_ptr<const Taxonomy>>> LoadTaxonomies(const io::Policy& policy,
                                                                    Context& context) {
  std::vector<std::shared_ptr<const Taxonomy>> trees;
  for (const io::PolicyColumn* column : policy.WithRole(io::Role::kQuasi)) {
    if (column->taxonomy.empty()) {
      trees.push_back(nullptr);
      continue;
    }
    trees.push_back(REISSUE_TRY(LoadTaxonomy(*column, context)));
  }
  return trees;
}

Result<std::vector<taxonomy::HierarchyLine>> ReadHierarchy(const std::string& path,
                                                           Context& context) {
  const auto bytes = REISSUE_TRY(context.files.Read(path));
  const auto records = REISSUE_TRY(io::ReadRecords(bytes->view(), path));
  std::vector<taxonomy::HierarchyLine> lines;
  lines.reserve(records.size());
  for (const io::Record& record : records) lines.push_back({record.line, record.fields});
  return lines;
}

Result<std::shared_ptr<const Taxonomy>> LoadTaxonomy(const io::PolicyColumn& column,
                                                     Context& context) {
  const std::string& path = column.taxonomy;
  const auto lines = REISSUE_TRY(ReadHierarchy(path, context));
  Taxonomy tree = REISSUE_TRY(taxonomy::FromHierarchy(lines, path));
  if (column.sets) tree = taxonomy::WithSets(tree);
  if (column.numeric) tree = REISSUE_TRY(taxonomy::WithRanges(std::move(tree), path));
  return std::make_shared<const Taxonomy>(std::move(tree));
}

Result<Quasi> BindQuasi(const Table& table, const io::PolicyColumn& policy,
                        std::shared_ptr<const Taxonomy> tree, const RangeLabels& ranges) {
  Quasi quasi;
  quasi.policy = &policy;
  quasi.column = *table.Find(policy.name);
  quasi.tree =
      tree ? std::move(tree) : REISSUE_TRY(FromNumbers(table, quasi.column, policy, ranges));
  const Column& column = table[quasi.column];
  const Dictionary& dictionary = column.dictionary();
  quasi.leaf_of_value.resize(dictionary.size());
  RowId first_bad = RowId::Invalid();
  bool inner = false;
  for (std::size_t v = 0; v < dictionary.size(); ++v) {
    const auto node = FindLabel(*quasi.tree, dictionary[ValueId(v)]);
    if (node && quasi.tree->is_leaf(*node)) {
      quasi.leaf_of_value[v] = quasi.tree->first_leaf(*node);
      continue;
    }
    const RowId row = FirstRowWith(column, ValueId(v));
    if (row.index() < table.rows() && row < first_bad) {  // Invalid() is the largest
      first_bad = row;
      inner = node.has_value();
    }
  }
  if (first_bad.valid()) {
    return InputError(
        table.PlaceOf(first_bad, quasi.column),
        inner ? fmt::format("the value is a group of the taxonomy {}, not a raw value",
                            policy.taxonomy)
              : fmt::format("the value has no leaf in the taxonomy {}", policy.taxonomy),
        inner ? "A raw table is expected here; published tables go to `reissue audit`."
              : kNoLeafRemedy);
  }
  return quasi;
}

namespace {

Result<HolderTable> LoadColumns(const io::Policy& policy, const std::string& path, Context& context,
                                const RangeLabels& ranges, bool all, bool with_ranges = true) {
  const auto trees = REISSUE_TRY(LoadTaxonomies(policy, context));
  io::CsvOptions options = policy.csv;
  if (policy.drops_others) options.others = io::OtherColumns::kSkipped;
  for (const io::PolicyColumn& column : policy.columns) {
    options.expected_columns.push_back(column.name);
    if (column.role == io::Role::kDrop) options.skip_columns.push_back(column.name);
  }
  io::CsvFile file =
      REISSUE_TRY(io::ReadCsv(context.files, path, options, context.pool, context.progress));
  REISSUE_TRY(MatchHeader(policy, file.header, path, all));
  HolderTable holder;
  holder.dropped_rows = file.dropped_rows;
  holder.digest = std::move(file.digest);
  holder.table = std::move(file.table);
  for (std::size_t c = 0; c < holder.table.width(); ++c) {
    const io::Role role = policy.Find(holder.table[ColumnId(c)].name())->role;
    if (role == io::Role::kIdentifier) {
      holder.identifier = ColumnId(c);
    } else {
      holder.published.push_back(ColumnId(c));
    }
  }
  if (holder.identifier) {
    REISSUE_TRY(IdentifiersOnce(
        holder.table, *holder.identifier,
        with_ranges ? "One row per person is expected: k rows must be k people. Keep one row per "
                      "person, or drop the identifier column if rows are not people."
                    : "One row per person is expected, with one value: keep one row per person."));
  }
  if (holder.identifier) {
    holder.table =
        REISSUE_TRY(RowsOfPart(std::move(holder.table), *holder.identifier, path, context));
  }
  const auto quasi = policy.WithRole(io::Role::kQuasi);
  for (std::size_t q = 0; q < quasi.size(); ++q) {
    if (!holder.table.Find(quasi[q]->name)) continue;
    if (!with_ranges && !trees[q]) {
      holder.quasi.push_back({*holder.table.Find(quasi[q]->name), quasi[q], nullptr, {}});
      continue;
    }
    holder.quasi.push_back(REISSUE_TRY(BindQuasi(holder.table, *quasi[q], trees[q], ranges)));
  }
  std::vector<ColumnId> sensitive;
  for (const io::PolicyColumn* column : policy.WithRole(io::Role::kSensitive)) {
    const auto id = holder.table.Find(column->name);
    if (id) sensitive.push_back(*id);
  }
  holder.sensitive = BindSensitive(holder.table, std::move(sensitive), ColumnsOf(policy).numeric);
  return holder;
}

}  // namespace

Result<HolderTable> LoadTable(const io::Policy& policy, const std::string& path, Context& context,
                              const RangeLabels& ranges) {
  return LoadColumns(policy, path, context, ranges, /*all=*/true);
}

Result<HolderTable> LoadPartOfColumns(const io::Policy& policy, const std::string& path,
                                      Context& context, const RangeLabels& ranges) {
  return LoadColumns(policy, path, context, ranges, /*all=*/false);
}

Result<HolderTable> LoadWithoutRanges(const io::Policy& policy, const std::string& path,
                                      Context& context, bool all) {
  return LoadColumns(policy, path, context, {}, all, /*with_ranges=*/false);
}

ReleaseColumns ColumnsOf(const io::Policy& policy) {
  ReleaseColumns columns;
  columns.hides_others = policy.drops_others;
  for (const io::PolicyColumn& column : policy.columns) {
    switch (column.role) {
      case io::Role::kQuasi:
        columns.quasi.push_back(column.name);
        break;
      case io::Role::kSensitive:
        columns.sensitive.push_back(column.name);
        if (column.numeric) columns.numeric.push_back(column.name);
        break;
      case io::Role::kPublish:
        columns.others.push_back(column.name);
        break;
      case io::Role::kIdentifier:
        columns.identifiers.push_back(column.name);
        columns.hidden.push_back(column.name);
        break;
      case io::Role::kDrop:
        columns.hidden.push_back(column.name);
        break;
    }
  }
  const auto sensitive = policy.WithRole(io::Role::kSensitive);
  if (sensitive.size() == 1) {
    columns.order = {sensitive[0]->order, sensitive[0]->order.empty() && sensitive[0]->numeric};
  }
  return columns;
}

namespace {

// The columns that readers look at are there, and no others than the policy names.
Status MatchRelease(const ReleaseColumns& columns, const Table& table, const std::string& path) {
  std::vector<std::string> known, unnamed, absent, there;
  for (const auto* names : {&columns.quasi, &columns.sensitive, &columns.others, &columns.hidden}) {
    known.insert(known.end(), names->begin(), names->end());
  }
  for (const Column& column : table.columns()) {
    there.push_back(column.name());
    if (!columns.hides_others &&
        std::find(known.begin(), known.end(), column.name()) == known.end()) {
      unnamed.push_back(column.name());
    }
  }
  for (const auto* names : {&columns.quasi, &columns.sensitive}) {
    for (const std::string& name : *names) {
      if (!table.Find(name)) absent.push_back(name);
    }
  }
  const auto place = [&](const std::vector<std::string>& names) {
    return Place{path, 1, std::nullopt, names.size() == 1 ? names[0] : ""};
  };
  const std::string both = fmt::format(" The release has {}; the policy names {}.",
                                       QuotedNames(there), QuotedNames(known));
  const std::string lacking = absent.empty()
                                  ? ""
                                  : fmt::format("the release lacks the column{} {}",
                                                absent.size() == 1 ? "" : "s", QuotedNames(absent));
  if (!unnamed.empty()) {
    return InputError(
        place(unnamed),
        (unnamed.size() == 1 ? "the policy does not name this column of the release"
                             : fmt::format("the policy does not name {} columns of the release: {}",
                                           unnamed.size(), QuotedNames(unnamed))) +
            (lacking.empty() ? "" : ", and " + lacking),
        "Add what the policy does not name to [columns]: role = \"publish\" if it is meant to be "
        "there." +
            both);
  }
  if (absent.empty()) return Ok();
  return InputError(place(absent), absent.size() == 1 ? "the release lacks this column" : lacking,
                    "Readers cannot attack what is not there; if it was never published, give "
                    "it role = \"drop\"." +
                        both);
}

}  // namespace

Result<ReleaseTable> LoadRelease(const ReleaseColumns& columns, const std::string& path,
                                 Context& context) {
  io::CsvOptions options;
  if (columns.hides_others) options.others = io::OtherColumns::kKept;
  for (const auto* names : {&columns.quasi, &columns.sensitive, &columns.others, &columns.hidden}) {
    options.expected_columns.insert(options.expected_columns.end(), names->begin(), names->end());
  }
  options.no_header_remedy =
      "A published file begins with a line of column names, whatever [table] says of the holder's "
      "table: give the release as it was published, or add that line. The policy names " +
      QuotedNames(options.expected_columns) + ".";
  io::CsvFile file =
      REISSUE_TRY(io::ReadCsv(context.files, path, options, context.pool, context.progress));
  ReleaseTable release;
  release.digest = std::move(file.digest);
  release.fingerprint = file.fingerprint;
  release.table = std::move(file.table);
  REISSUE_TRY(MatchRelease(columns, release.table, path));
  for (const Column& column : release.table.columns()) {
    const auto among = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), column.name()) != names.end();
    };
    if (among(columns.identifiers)) {
      release.identifiers.push_back(column.name());
    } else if (!among(columns.quasi) && !among(columns.sensitive) && !among(columns.others)) {
      release.dropped.push_back(column.name());
    }
  }
  const auto find = [&](const std::vector<std::string>& names) {
    std::vector<ColumnId> ids;
    for (const std::string& name : names) ids.push_back(*release.table.Find(name));
    return ids;
  };
  release.quasi = find(columns.quasi);
  std::vector<ColumnId> sensitive = find(columns.sensitive);
  release.sensitive = BindSensitive(release.table, std::move(sensitive), columns.numeric);
  return release;
}

Cells CellsWithSensitive(const Table& table, std::vector<ColumnId> columns,
                         std::optional<ColumnId> last, ThreadPool& pool) {
  if (last) {
    columns.push_back(*last);
    return BuildCells(table, columns, pool);
  }
  const Cells cells = BuildCells(table, columns, pool);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    keys.insert(keys.end(), key.begin(), key.end());
    keys.push_back(0);
    counts.push_back(cells.count(CellId(i)));
  }
  return Cells(columns.size() + 1, std::move(keys), std::move(counts));
}

Cells ReleaseCells(const ReleaseTable& release, ThreadPool& pool) {
  return CellsWithSensitive(release.table, release.quasi, release.sensitive.column, pool);
}

}  // namespace reissue::binding
