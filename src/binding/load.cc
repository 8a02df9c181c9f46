#include "reissue/binding/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "reissue/binding/hierarchy.h"
#include "reissue/binding/inspect.h"
#include "reissue/binding/part.h"
#include "reissue/binding/rows.h"
#include "reissue/binding/sensitive.h"
#include "reissue/binding/source.h"
#include "reissue/binding/words.h"
#include "reissue/core/table_rows.h"
#include "reissue/io/csv.h"
#include "reissue/ledger/vault.h"

namespace reissue::binding {
namespace {

using taxonomy::Taxonomy;
using Trees = std::vector<std::shared_ptr<const Taxonomy>>;

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
  const std::vector<std::uint64_t> counts = RowsPerValue(table, id);
  std::vector<std::string> values;
  std::vector<std::uint64_t> weights;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    if (counts[v] == 0) continue;  // only in rows that were dropped
    const std::string_view text = column.dictionary()[ValueId(v)];
    double number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc() || end != text.data() + text.size()) {
      return InputError(table.PlaceOf(table.FirstWith(id, ValueId(v)), id), "a number was expected",
                        "Correct the value, declare how missing values are written ([table] "
                        "missing_markers), or give the column a taxonomy.");
    }
    if (!policy.breakpoints.empty()) {
      const double low = policy.breakpoints[0].front(), high = policy.breakpoints[0].back();
      if (number < low || number >= high) {
        return InputError(table.PlaceOf(table.FirstWith(id, ValueId(v)), id),
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

Result<Trees> LoadTaxonomies(const io::Policy& policy, Context& context) {
  Trees trees;
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
    const RowId row = table.FirstWith(quasi.column, ValueId(v));
    if (row.valid() && (!first_bad.valid() || StandsBefore(table, row, first_bad))) {
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

constexpr char kOnePersonPerRow[] =
    "One row per person is expected: k rows must be k people. Keep one row per person, or drop the "
    "identifier column if rows are not people.";

io::CsvOptions OptionsFor(const io::Policy& policy) {
  io::CsvOptions options = policy.csv;
  if (policy.drops_others) options.others = io::OtherColumns::kSkipped;
  for (const io::PolicyColumn& column : policy.columns) {
    options.expected_columns.push_back(column.name);
    if (column.role == io::Role::kDrop) options.skip_columns.push_back(column.name);
  }
  return options;
}

// Of the columns that a table has, those that the policy does not drop.
sources::Wanted WantedOf(const io::Policy& policy, const std::vector<std::string>& header) {
  sources::Wanted wanted;
  for (const std::string& name : header) {
    const io::PolicyColumn* const column = policy.Find(name);
    if (column == nullptr || column->role == io::Role::kDrop) continue;
    if (column->role == io::Role::kIdentifier) {
      wanted.identifier = name;
    } else {
      wanted.columns.push_back(name);
    }
  }
  wanted.missing_markers = policy.csv.missing_markers;
  wanted.on_missing = policy.csv.on_missing;
  return wanted;
}

Error IdentifierTwice(const sources::Twice& twice) {
  return InputError(twice.place,
                    twice.earlier_line ? fmt::format("the identifier stands on line {} already",
                                                     *twice.earlier_line)
                                       : "an identifier stands in more than one row",
                    kOnePersonPerRow);
}

// Where nobody keeps the keys, they only tell people apart.
Result<sources::HashIdentifier> PassingHash() {
  auto key = std::make_shared<const ledger::FreshKey>(REISSUE_TRY(ledger::FreshKey::Draw()));
  return sources::HashIdentifier(
      [key = std::move(key)](std::string_view identifier) { return key->KeyOf(identifier); });
}

Result<HolderTable> CountTable(const io::Policy& policy, const std::string& path, bool all,
                               const sources::HashIdentifier& hash, Context& context) {
  const auto source = REISSUE_TRY(OpenSource(path, OptionsFor(policy), context));
  REISSUE_TRY(MatchHeader(policy, source->columns(), path, all, HeaderLine(path, context)));
  sources::Wanted wanted = WantedOf(policy, source->columns());
  HolderTable holder;
  holder.consistency = source->consistency();
  holder.identified = !wanted.identifier.empty();
  if (holder.identified) wanted.hash = hash ? hash : REISSUE_TRY(PassingHash());
  if (holder.identified) wanted.hash = MarkingOthers(std::move(wanted.hash), context);
  sources::Counted counted = REISSUE_TRY(source->Count(wanted));
  if (counted.twice) return IdentifierTwice(*counted.twice);
  REISSUE_TRY(KeepPart(counted, path, context));
  if (hash) holder.persons = std::move(counted.persons);
  holder.table = std::move(counted.table);
  holder.dropped_rows = counted.dropped_rows;
  holder.digest = std::move(counted.digest);
  for (std::size_t c = 0; c < holder.table.width(); ++c) holder.published.emplace_back(c);
  return holder;
}

// Rows as they are; of a file in the order of its lines.
Result<HolderTable> ListTable(const io::Policy& policy, const std::string& path, bool all,
                              Context& context) {
  HolderTable holder;
  if (!IsFile(path, context)) {
    const auto source = REISSUE_TRY(OpenSource(path, OptionsFor(policy), context));
    REISSUE_TRY(MatchHeader(policy, source->columns(), path, all, HeaderLine(path, context)));
    sources::Listed listed = REISSUE_TRY(source->Rows(WantedOf(policy, source->columns())));
    holder.consistency = source->consistency();
    holder.dropped_rows = listed.dropped_rows;
    holder.digest = std::move(listed.digest);
    holder.table = std::move(listed.table);
  } else {
    io::CsvFile file = REISSUE_TRY(
        io::ReadCsv(context.files, path, OptionsFor(policy), context.pool, context.progress));
    REISSUE_TRY(MatchHeader(policy, file.header, path, all));
    holder.dropped_rows = file.dropped_rows;
    holder.digest = std::move(file.digest);
    holder.table = std::move(file.table);
  }
  for (std::size_t c = 0; c < holder.table.width(); ++c) {
    const io::Role role = policy.Find(holder.table[ColumnId(c)].name())->role;
    if (role == io::Role::kIdentifier) {
      holder.identifier = ColumnId(c);
      holder.identified = true;
    } else {
      holder.published.push_back(ColumnId(c));
    }
  }
  return holder;
}

// Which values of it are leaves, and which are sensitive.
Status BindColumns(const io::Policy& policy, const Trees& trees, const RangeLabels& ranges,
                   bool with_ranges, HolderTable& holder) {
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
  return Ok();
}

Result<HolderTable> LoadCounted(const io::Policy& policy, const std::string& path, Context& context,
                                const RangeLabels& ranges, const sources::HashIdentifier& hash,
                                bool all) {
  const Trees trees = REISSUE_TRY(LoadTaxonomies(policy, context));
  HolderTable holder = REISSUE_TRY(CountTable(policy, path, all, hash, context));
  REISSUE_TRY(BindColumns(policy, trees, ranges, /*with_ranges=*/true, holder));
  return holder;
}

}  // namespace

Result<HolderTable> LoadTable(const io::Policy& policy, const std::string& path, Context& context,
                              const RangeLabels& ranges, const sources::HashIdentifier& hash) {
  return LoadCounted(policy, path, context, ranges, hash, /*all=*/true);
}

Result<HolderTable> LoadPartOfColumns(const io::Policy& policy, const std::string& path,
                                      Context& context, const RangeLabels& ranges) {
  return LoadCounted(policy, path, context, ranges, {}, /*all=*/false);
}

Result<HolderTable> LoadWithoutRanges(const io::Policy& policy, const std::string& path,
                                      Context& context, bool all) {
  const Trees trees = REISSUE_TRY(LoadTaxonomies(policy, context));
  HolderTable holder = REISSUE_TRY(ListTable(policy, path, all, context));
  if (holder.identifier) {
    REISSUE_TRY(IdentifiersOnce(
        holder.table, *holder.identifier,
        "One row per person is expected, with one value: keep one row per person."));
    holder.table =
        REISSUE_TRY(RowsOfPart(std::move(holder.table), *holder.identifier, path, context));
  }
  REISSUE_TRY(BindColumns(policy, trees, {}, /*with_ranges=*/false, holder));
  return holder;
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

}  // namespace reissue::binding
