#include "reissue/models/xy/service/linked.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/hierarchy.h"
#include "reissue/binding/source.h"
#include "reissue/io/csv.h"

namespace reissue::models::xy::service {
Result<LinkedColumns> LinkedColumnsOf(const io::Policy& policy, binding::Context& context) {
  LinkedColumns columns;
  columns.source = policy.file;
  columns.drops_others = policy.drops_others;
  for (const io::PolicyColumn& column : policy.columns) {
    columns.known.insert(column.name);
    if (column.role == io::Role::kIdentifier) columns.identifiers.insert(column.name);
    if (column.role == io::Role::kDrop) columns.dropped.insert(column.name);
    if (column.numeric) columns.numeric.insert(column.name);
    if (column.taxonomy.empty()) continue;
    auto tree = REISSUE_TRY(binding::LoadTaxonomy(column, context));
    columns.trees[column.name] = std::move(tree);
  }
  return columns;
}

Result<LinkedFile> OpenLinkedFile(const std::string& path, std::vector<std::string> expected,
                                  binding::Context& context, bool others) {
  io::CsvOptions options;
  if (others) options.others = io::OtherColumns::kKept;
  options.expected_columns = std::move(expected);
  sources::Counted file = REISSUE_TRY(binding::CountAll(path, options, context));
  LinkedFile linked;
  linked.file = path;
  linked.digest = std::move(file.digest);
  linked.fingerprint = file.fingerprint.value_or(io::Fingerprint{});
  linked.table = std::move(file.table);
  return linked;
}

Result<LinkedFile> ReadLinkedFile(const LinkedColumns& columns, const std::string& path, bool first,
                                  binding::Context& context) {
  LinkedFile linked = REISSUE_TRY(OpenLinkedFile(path, {columns.known.begin(), columns.known.end()},
                                                 context, columns.drops_others));
  for (const Column& column : linked.table.columns()) {
    const std::string& name = column.name();
    const bool known = columns.known.contains(name);
    if (!known && !columns.drops_others) {
      return InputError({path, 1, std::nullopt, name},
                        "the policy does not name this column of the release",
                        "Add it to [columns], which names the columns of all files: role = "
                        "\"publish\" if it is meant to be there.");
    }
    if (columns.identifiers.contains(name)) {
      linked.identifiers.push_back(name);
    } else if (first && (!known || columns.dropped.contains(name))) {
      linked.dropped.push_back(name);
    } else {
      linked.columns.push_back(name);
    }
  }
  return linked;
}

std::optional<std::uint32_t> LinkedCodes::Find(std::string_view label) const {
  if (tree != nullptr) {
    const auto node = binding::FindLabel(*tree, label, labels);
    return node ? std::optional(node->raw()) : std::nullopt;
  }
  auto value = texts->Find(label);
  if (!value) {
    const auto canonical = taxonomy::CanonicalLabel(label);
    if (canonical) value = texts->Find(*canonical);
  }
  return value ? std::optional(value->raw()) : std::nullopt;
}

std::string LinkedCodes::LabelOf(std::uint32_t code) const {
  if (secret) return "one of its values";
  return tree != nullptr ? tree->label(NodeId(code)) : std::string((*texts)[ValueId(code)]);
}

LinkedCodes PlainCodes(const Column& column, bool numeric) {
  LinkedCodes codes;
  DictionaryBuilder texts;
  for (const std::string_view text : column.dictionary().strings()) {
    const auto canonical = numeric ? taxonomy::CanonicalLabel(text) : std::nullopt;
    codes.code_of_value.push_back(texts.Intern(canonical ? *canonical : text).raw());
  }
  codes.texts = std::move(texts).Build();
  return codes;
}

Result<LinkedCodes> CodesOfLabels(const Table& table, ColumnId id, const LinkedColumns& columns) {
  const Column& column = table[id];
  const auto tree = columns.trees.find(column.name());
  if (tree == columns.trees.end()) {
    return PlainCodes(column, columns.numeric.contains(column.name()));
  }
  LinkedCodes codes;
  codes.tree = tree->second;
  if (columns.numeric.contains(column.name())) codes.labels = binding::Labels::kMaybeNumbers;
  for (std::size_t v = 0; v < column.dictionary().size(); ++v) {
    const std::string_view label = column.dictionary()[ValueId(v)];
    const auto node = binding::FindLabel(*codes.tree, label, codes.labels);
    codes.code_of_value.push_back(node ? node->raw() : 0);
    const RowId row = node ? RowId::Invalid() : table.FirstWith(id, ValueId(v));
    if (!row.valid()) continue;
    return InputError(table.PlaceOf(row, id), "the label is not in the taxonomy of this column",
                      "Add it to the taxonomy that the policy names, or use the taxonomy that the "
                      "release was made with. All files need the same one.");
  }
  return codes;
}

xy::LinkedTable CodedTable(const Table& table, const std::vector<std::string>& columns,
                           const std::vector<LinkedCodes>& codes, ThreadPool& pool) {
  std::vector<ColumnId> ids;
  xy::LinkedTable coded;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    ids.push_back(*table.Find(columns[c]));
    coded.trees.push_back(codes[c].tree);
  }
  const Cells cells = BuildCells(table, ids, pool);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  keys.reserve(cells.size() * ids.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    for (std::size_t c = 0; c < key.size(); ++c) keys.push_back(codes[c].code_of_value[key[c]]);
    counts.push_back(cells.count(CellId(i)));
  }
  coded.cells = CollectCells(ids.size(), keys, counts);
  return coded;
}

namespace {

// Some label of the file is the code or lies below it.
bool Occurs(const LinkedCodes& codes, std::uint32_t code) {
  return std::any_of(codes.code_of_value.begin(), codes.code_of_value.end(),
                     [&](std::uint32_t own) { return xy::AtOrBelow(codes.tree.get(), code, own); });
}

}  // namespace

Status FillCodes(const Promise& promise, const std::string& source,
                 const std::vector<std::vector<LinkedCodes>>& codes, bool strict,
                 LinkedSchema& schema) {
  const auto wrong = [&](std::uint64_t line, const std::string& column, const std::string& message,
                         const std::string& remedy) {
    Place place{source, std::nullopt, std::nullopt, column};
    if (line > 0) place.line = line;
    return InputError(std::move(place), message, remedy);
  };
  const auto of = [&](const xy::Attribute& at) -> const LinkedCodes& {
    return codes[at.table][at.column];
  };
  for (std::size_t r = 0; r < schema.requirements.size(); ++r) {
    const AskedRequirement& asked = promise.requirements[r];
    for (std::size_t v = 0; v < asked.values.size(); ++v) {
      auto& value = schema.requirements[r].values[v];
      const LinkedCodes& column = of(value.column);
      const auto code = column.Find(asked.values[v].value);
      if (!code && (strict || column.tree != nullptr)) {
        return wrong(asked.line, asked.values[v].column,
                     fmt::format("a bound is set for \"{}\", which the column does not have",
                                 asked.values[v].value),
                     "Correct the name (capitals count), or remove the bound if the value does not "
                     "occur.");
      }
      value.code = code ? *code : static_cast<std::uint32_t>(column.texts->size());
      if (code && Occurs(column, *code)) continue;
      schema.notes.push_back(fmt::format(
          "requirement {}: no row has {} = {}: its bound says nothing about these files", r + 1,
          asked.values[v].column, asked.values[v].value));
    }
  }
  for (std::size_t p = 0; p < schema.inconsistent.size(); ++p) {
    xy::Inconsistent& pair = schema.inconsistent[p];
    const InconsistentLabels& asked = promise.inconsistent[p];
    const auto fill = [&](const std::pair<std::string, std::string>& named, const xy::Attribute& at,
                          std::uint32_t& out) -> Status {
      const auto code = of(at).Find(named.second);
      if (!code && (strict || of(at).tree != nullptr)) {
        return wrong(asked.line, named.first,
                     fmt::format("the column does not have \"{}\", which is declared inconsistent",
                                 named.second),
                     "Correct the label (capitals count). Groups of labels need a taxonomy.");
      }
      out = code ? *code : static_cast<std::uint32_t>(of(at).texts->size());
      if (!code) {
        schema.notes.push_back(fmt::format("inconsistent pair {}: no row has {} = {}", p + 1,
                                           named.first, named.second));
      }
      return Ok();
    };
    REISSUE_TRY(fill(asked.a, pair.a, pair.a_code));
    REISSUE_TRY(fill(asked.b, pair.b, pair.b_code));
  }
  return Ok();
}

Result<BoundLinked> BindLinked(LinkedColumns columns, const Promise& promise,
                               std::vector<LinkedFile> files,
                               const std::vector<binding::PriorFile>& priors,
                               binding::Context& context) {
  BoundLinked bound;
  std::vector<std::vector<std::string>> headers;
  for (const LinkedFile& file : files) headers.push_back(file.columns);
  bound.schema = REISSUE_TRY(ResolveLinked(columns, promise, headers, priors));
  std::vector<const Table*> tables;
  for (const LinkedFile& file : files) tables.push_back(&file.table);
  REISSUE_TRY(MakeRangeTrees(tables, promise, bound.schema, {}, columns));
  for (std::size_t t = 0; t < files.size(); ++t) {
    const Table& table = files[t].table;
    std::vector<LinkedCodes> codes;
    for (const std::string& name : bound.schema.tables[t].columns) {
      LinkedCodes column = REISSUE_TRY(CodesOfLabels(table, *table.Find(name), columns));
      codes.push_back(std::move(column));
    }
    bound.linked.tables.push_back(
        CodedTable(table, bound.schema.tables[t].columns, codes, context.pool));
    bound.codes.push_back(std::move(codes));
  }
  REISSUE_TRY(FillCodes(promise, columns.source, bound.codes, /*strict=*/false, bound.schema));
  bound.linked.joins = bound.schema.joins;
  bound.linked.inconsistent = bound.schema.inconsistent;
  bound.promise = promise;
  bound.columns = std::move(columns);
  bound.files = std::move(files);
  return bound;
}

Result<BoundLinked> LoadLinked(const io::Policy& policy, const Promise& promise,
                               const std::string& release,
                               const std::vector<binding::PriorFile>& priors,
                               binding::Context& context) {
  REISSUE_TRY(CheckPriors(priors));
  LinkedColumns columns = REISSUE_TRY(LinkedColumnsOf(policy, context));
  std::vector<LinkedFile> files;
  LinkedFile first = REISSUE_TRY(ReadLinkedFile(columns, release, /*first=*/true, context));
  files.push_back(std::move(first));
  for (const binding::PriorFile& prior : priors) {
    LinkedFile file = REISSUE_TRY(ReadLinkedFile(columns, prior.file, /*first=*/false, context));
    files.push_back(std::move(file));
  }
  return BindLinked(std::move(columns), promise, std::move(files), priors, context);
}

std::vector<binding::ColumnHierarchy> HierarchyOf(const BoundLinked& bound) {
  std::map<std::string, std::set<NodeId>> used;
  const auto use = [&](const xy::Attribute& at, std::uint32_t code) {
    const std::string& column = bound.schema.ColumnOf(at);
    // Numbers and ranges tell by themselves.
    if (!bound.columns.trees.contains(column) || bound.columns.from_labels.contains(column)) return;
    used[column].insert(NodeId(code));
  };
  for (std::size_t t = 0; t < bound.codes.size(); ++t) {
    for (std::size_t c = 0; c < bound.codes[t].size(); ++c) {
      for (const std::uint32_t code : bound.codes[t][c].code_of_value) use({t, c}, code);
    }
  }
  for (const auto& requirement : bound.schema.requirements) {
    for (const auto& value : requirement.values) use(value.column, value.code);
  }
  for (const auto& pair : bound.schema.inconsistent) {
    use(pair.a, pair.a_code);
    use(pair.b, pair.b_code);
  }
  std::vector<binding::ColumnHierarchy> hierarchy;
  for (auto& [name, nodes] : used) {
    hierarchy.push_back(
        binding::HierarchyOf(name, *bound.columns.trees.at(name), std::move(nodes)));
  }
  return hierarchy;
}

}  // namespace reissue::models::xy::service
