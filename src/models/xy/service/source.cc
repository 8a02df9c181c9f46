#include "reissue/models/xy/service/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reissue/models/xy/service/words.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::models::xy::service {
namespace {

using taxonomy::Cut;

bool Generalised(const LinkedSchema& schema, std::size_t column) {
  for (const xy::Requirement& requirement : schema.requirements) {
    for (const xy::Attribute& at : requirement.x) {
      if (at.table == 0 && at.column == column) return true;
    }
  }
  return false;
}

void UseTree(const binding::Quasi& quasi, SourceColumn& column) {
  column.column.tree = quasi.tree;
  column.code_of = quasi.leaf_of_value;
  column.codes.tree = quasi.tree;
  for (const std::uint32_t leaf : quasi.leaf_of_value) {
    column.codes.code_of_value.push_back(quasi.tree->leaf(leaf).raw());
  }
}

void UsePlain(const Column& values, bool numeric, SourceColumn& column) {
  column.codes = PlainCodes(values, numeric);
  column.code_of = column.codes.code_of_value;
}

// Ranks of numbers; the labels are found on the way.
Status UseNumbers(const Table& table, SourceColumn& column) {
  const Column& values = table[column.id];
  std::vector<double> numbers;
  for (const std::string_view text : values.dictionary().strings()) {
    const auto number = taxonomy::ParseNumber(text);
    if (!number) {
      const RowId row = table.FirstWith(column.id, ValueId(numbers.size()));
      if (row.valid()) {
        return InputError(table.PlaceOf(row, column.id), "a number was expected",
                          "Correct the value, declare how missing values are written ([table] "
                          "missing_markers), or give the column a taxonomy.");
      }
    }
    numbers.push_back(number.value_or(0));
  }
  std::vector<double> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (const double number : numbers) {
    column.code_of.push_back(static_cast<std::uint32_t>(
        std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin()));
  }
  column.column.numbers = std::move(sorted);
  DictionaryBuilder root;
  root.Intern("*");
  column.codes.texts = std::move(root).Build();
  column.codes.code_of_value.assign(numbers.size(), 0);
  return Ok();
}

Result<SourceColumn> ColumnOf(const binding::HolderTable& holder, const io::Policy& policy,
                              const LinkedColumns& columns, const std::string& name,
                              bool generalised) {
  SourceColumn column;
  column.name = name;
  column.id = *holder.table.Find(name);
  column.generalised = generalised;
  const io::PolicyColumn& declared = *policy.Find(name);
  const auto tree = columns.trees.find(name);
  const bool ranges = generalised && (!declared.breakpoints.empty() || declared.round_ranges);
  if (tree != columns.trees.end() || ranges) {
    const binding::Quasi quasi = REISSUE_TRY(binding::BindQuasi(
        holder.table, declared, tree == columns.trees.end() ? nullptr : tree->second));
    UseTree(quasi, column);
  } else if (!generalised) {
    UsePlain(holder.table[column.id], declared.numeric, column);
  } else if (declared.numeric) {
    REISSUE_TRY(UseNumbers(holder.table, column));
  } else {
    return InputError({policy.file, declared.line, std::nullopt, name},
                      "a requirement names this column in x, and it has no taxonomy: nobody could "
                      "say how to generalise it",
                      "Give it role = \"quasi\" and a taxonomy (`reissue taxonomy draft` makes a "
                      "first one), or take it out of x.");
  }
  std::vector<std::uint32_t> distinct = column.code_of;
  std::sort(distinct.begin(), distinct.end());
  column.raw_values =
      static_cast<std::uint64_t>(std::unique(distinct.begin(), distinct.end()) - distinct.begin());
  return column;
}

// One unit of the finest decimal place of the numbers beyond the greatest of them.
double Beyond(const std::vector<double>& numbers) {
  std::size_t places = 0;
  for (const double number : numbers) {
    const std::string text = taxonomy::FormatNumber(number);
    const std::size_t point = text.find('.');
    if (point == std::string::npos || text.find('e') != std::string::npos) continue;
    places = std::max(places, text.size() - point - 1);
  }
  const double scale = std::pow(10.0, static_cast<double>(std::min<std::size_t>(places, 15)));
  const double beyond = (std::round(numbers.back() * scale) + 1) / scale;
  return beyond > numbers.back()
             ? beyond
             : std::nextafter(numbers.back(), std::numeric_limits<double>::max());
}

std::string IntervalLabel(const SourceColumn& column, const std::vector<std::uint32_t>& begins,
                          std::size_t interval) {
  const std::vector<double>& numbers = column.column.numbers;
  if (begins.size() == 1) return "*";
  const std::size_t first = begins[interval];
  const bool last = interval + 1 == begins.size();
  const std::size_t end = last ? numbers.size() : begins[interval + 1];
  if (end == first + 1) return taxonomy::FormatNumber(numbers[first]);
  return taxonomy::RangeLabel(numbers[first], last ? Beyond(numbers) : numbers[end]);
}

}  // namespace

Result<LinkedSource> SourceOf(const binding::HolderTable& holder, const io::Policy& policy,
                              const LinkedColumns& columns, const LinkedSchema& schema,
                              const std::string& class_column, binding::Context& context) {
  LinkedSource out;
  std::vector<ColumnId> ids;
  const std::vector<std::string>& names = schema.tables[0].columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    SourceColumn column =
        REISSUE_TRY(ColumnOf(holder, policy, columns, names[c], Generalised(schema, c)));
    ids.push_back(column.id);
    out.source.columns.push_back(column.column);
    out.columns.push_back(std::move(column));
  }
  if (!class_column.empty()) {
    const ColumnId id = *holder.table.Find(class_column);
    ids.push_back(id);
    out.source.class_values = static_cast<std::uint32_t>(holder.table[id].dictionary().size());
  }
  const Cells cells = BuildCells(holder.table, ids, context.pool);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  keys.reserve(cells.size() * ids.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    for (std::size_t c = 0; c < names.size(); ++c) {
      keys.push_back(out.columns[c].code_of[key[c]]);
    }
    if (!class_column.empty()) keys.push_back(key.back());
    counts.push_back(cells.count(CellId(i)));
  }
  out.source.cells = CollectCells(ids.size(), keys, counts);
  return out;
}

xy::Outcome MostGeneral(const LinkedSource& source) {
  xy::Outcome outcome;
  for (const SourceColumn& column : source.columns) {
    outcome.cuts.emplace_back();
    outcome.intervals.emplace_back();
    if (!column.generalised) continue;
    if (column.column.tree != nullptr) {
      outcome.cuts.back() = Cut::Root(*column.column.tree);
    } else {
      outcome.intervals.back() = {0};
    }
  }
  return outcome;
}

std::vector<std::string> LabelsOf(const SourceColumn& column, const xy::Outcome& outcome,
                                  std::size_t index) {
  std::vector<std::string> labels;
  if (column.column.continuous()) {
    for (std::size_t i = 0; i < outcome.intervals[index].size(); ++i) {
      labels.push_back(IntervalLabel(column, outcome.intervals[index], i));
    }
  } else if (outcome.cuts[index]) {
    for (const NodeId node : outcome.cuts[index]->Nodes()) {
      labels.push_back(column.column.tree->label(node));
    }
  }
  return labels;
}

std::vector<std::string> TextsOf(const SourceColumn& column, const Column& values,
                                 const xy::Outcome& outcome, std::size_t index) {
  std::vector<std::string> texts;
  const std::vector<std::uint32_t>& begins = outcome.intervals[index];
  const std::vector<std::string> labels =
      column.column.continuous() ? LabelsOf(column, outcome, index) : std::vector<std::string>();
  for (std::size_t v = 0; v < values.dictionary().size(); ++v) {
    const std::uint32_t code = column.code_of[v];
    if (column.column.continuous()) {
      const auto after = std::upper_bound(begins.begin(), begins.end(), code);
      texts.push_back(labels[static_cast<std::size_t>(after - begins.begin()) - 1]);
    } else if (column.column.tree != nullptr) {
      const auto& cut = outcome.cuts[index];
      const NodeId node = cut ? cut->NodeOfLeaf(code) : column.column.tree->leaf(code);
      texts.push_back(column.column.tree->label(node));
    } else {
      texts.emplace_back(values.dictionary()[ValueId(v)]);
    }
  }
  return texts;
}

namespace {

Status NobodyNamed(const LinkedFile& file) {
  if (file.identifiers.empty()) return Ok();
  return PromiseError(
      fmt::format("{} contains what identifies people (column \"{}\")", file.file,
                  file.identifiers[0]),
      "Nothing that is published beside it can protect them. Take it back; or correct the role of "
      "the column if it identifies nobody.");
}

Status ClassIsThere(const std::string& name, const std::vector<std::string>& header,
                    const std::string& table) {
  if (name.empty() || std::find(header.begin(), header.end(), name) != header.end()) return Ok();
  return InputError({table, 1, std::nullopt, name},
                    "the table lacks the class column, or it is not published",
                    "The class is what the release is for: name one of its columns.");
}

// Readers join on numbers: of the ranges that the holder declared and those that are out.
Status MakeTreesOfJoins(const io::Policy& policy, const Promise& promise, LinkedInputs& in) {
  binding::RangeLabels declared;
  for (const auto& join : in.schema.joins) {
    const std::string& name = in.schema.ColumnOf(join[0]);
    if (join[0].table != 0 || in.columns.trees.contains(name)) continue;
    const io::PolicyColumn& column = *policy.Find(name);
    if (column.breakpoints.empty() && Generalised(in.schema, join[0].column)) {
      return InputError({policy.file, column.line, std::nullopt, name},
                        "readers join on this column, a requirement names it in x, and it has "
                        "neither a taxonomy nor breakpoints: ranges found from the data would not "
                        "fit those that are out",
                        "Write breakpoints that fit the earlier files, or give it a taxonomy.");
    }
    for (const binding::Quasi& quasi : in.holder.quasi) {
      if (quasi.policy->name != name || column.breakpoints.empty()) continue;
      for (std::size_t n = 1; n < quasi.tree->nodes(); ++n) {
        if (quasi.tree->is_leaf(NodeId(n))) continue;
        declared[name].push_back(quasi.tree->label(NodeId(n)));
      }
    }
  }
  std::vector<const Table*> tables = {&in.holder.table};
  for (const LinkedFile& prior : in.priors) tables.push_back(&prior.table);
  return MakeRangeTrees(tables, promise, in.schema, declared, in.columns);
}

Status CodePrior(std::size_t prior, LinkedInputs& in, binding::Context& context) {
  const Table& table = in.priors[prior].table;
  const std::vector<std::string>& names = in.schema.tables[prior + 1].columns;
  std::vector<LinkedCodes> codes;
  for (const std::string& name : names) {
    LinkedCodes column = REISSUE_TRY(CodesOfLabels(table, *table.Find(name), in.columns));
    codes.push_back(std::move(column));
  }
  in.prior_tables.push_back(CodedTable(table, names, codes, context.pool));
  in.codes.push_back(std::move(codes));
  return Ok();
}

}  // namespace

Result<LinkedInputs> LoadInputs(const io::Policy& policy, const Promise& promise,
                                const std::string& table,
                                const std::vector<binding::PriorFile>& priors,
                                binding::Context& context) {
  REISSUE_TRY(CheckPriors(priors));
  LinkedInputs in;
  in.columns = REISSUE_TRY(LinkedColumnsOf(policy, context));
  in.holder = REISSUE_TRY(binding::LoadPartOfColumns(policy, table, context));
  std::vector<std::vector<std::string>> headers(1);
  for (const ColumnId id : in.holder.published) headers[0].push_back(in.holder.table[id].name());
  for (const binding::PriorFile& prior : priors) {
    LinkedFile file = REISSUE_TRY(ReadLinkedFile(in.columns, prior.file, /*first=*/false, context));
    REISSUE_TRY(NobodyNamed(file));
    headers.push_back(file.columns);
    in.priors.push_back(std::move(file));
  }
  REISSUE_TRY(ClassIsThere(promise.class_column, headers[0], table));
  in.schema = REISSUE_TRY(ResolveLinked(in.columns, promise, headers, priors));
  REISSUE_TRY(MakeTreesOfJoins(policy, promise, in));
  const bool for_class = promise.gain == xy::Gain::kClass;
  in.source = REISSUE_TRY(SourceOf(in.holder, policy, in.columns, in.schema,
                                   for_class ? promise.class_column : std::string(), context));
  in.codes.emplace_back();
  for (const SourceColumn& column : in.source.columns) {
    in.codes[0].push_back(column.codes);
    in.codes[0].back().secret = !column.generalised;
  }
  for (std::size_t p = 0; p < priors.size(); ++p) REISSUE_TRY(CodePrior(p, in, context));
  REISSUE_TRY(FillCodes(promise, policy.file, in.codes, /*strict=*/true, in.schema));
  return in;
}

std::vector<std::string> RawDanglingWords(const LinkedInputs& in, const std::string& table) {
  xy::Linked linked;
  linked.tables.push_back(xy::Published(in.source.source, {}));
  linked.tables.insert(linked.tables.end(), in.prior_tables.begin(), in.prior_tables.end());
  linked.joins = in.schema.joins;
  linked.inconsistent = in.schema.inconsistent;
  std::vector<std::string> files = {table == "-" ? "standard input" : table};
  std::vector<std::uint64_t> rows = {in.holder.table.total()};
  for (const LinkedFile& prior : in.priors) {
    files.push_back(prior.file);
    rows.push_back(prior.table.total());
  }
  return DanglingWords(files, rows, xy::Attack(linked, {}).dangling);
}

}  // namespace reissue::models::xy::service
