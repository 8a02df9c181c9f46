// Trees of numeric join columns without a taxonomy: numbers and ranges tell by themselves what lies
// inside what.

#include <algorithm>

#include "reissue/core/table_rows.h"
#include "reissue/models/xy/service/linked.h"

namespace reissue::models::xy::service {
namespace {

// The labels that some row has.
Status AddLabels(const Table& table, const std::string& name, std::vector<std::string>& labels) {
  const ColumnId id = *table.Find(name);
  const Column& column = table[id];
  std::vector<RowId> first(column.dictionary().size(), RowId::Invalid());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    RowId& seen = first[column[RowId(row)].index()];
    if (!seen.valid() || StandsBefore(table, RowId(row), seen)) seen = RowId(row);
  }
  for (std::size_t v = 0; v < first.size(); ++v) {
    if (!first[v].valid()) continue;
    const std::string_view label = column.dictionary()[ValueId(v)];
    if (!taxonomy::CanonicalLabel(label)) {
      return InputError(table.PlaceOf(first[v], id), "a number, a range [a,b) or * was expected",
                        "Correct the file, or give the column a taxonomy in the policy.");
    }
    labels.emplace_back(label);
  }
  return Ok();
}

// Those that the policy names, so that they have a node even where no file has them.
void AddNamed(const Promise& promise, const LinkedSchema& schema, const std::string& column,
              std::vector<std::string>& labels) {
  const auto add = [&](const xy::Attribute& at, const std::string& label) {
    if (schema.ColumnOf(at) != column || !taxonomy::CanonicalLabel(label)) return;
    labels.push_back(label);
  };
  for (std::size_t r = 0; r < schema.requirements.size(); ++r) {
    const auto& values = schema.requirements[r].values;
    for (std::size_t v = 0; v < values.size(); ++v) {
      add(values[v].column, promise.requirements[r].values[v].value);
    }
  }
  for (std::size_t p = 0; p < schema.inconsistent.size(); ++p) {
    add(schema.inconsistent[p].a, promise.inconsistent[p].a.second);
    add(schema.inconsistent[p].b, promise.inconsistent[p].b.second);
  }
}

}  // namespace

Status MakeRangeTrees(const std::vector<const Table*>& tables, const Promise& promise,
                      const LinkedSchema& schema, const binding::RangeLabels& more,
                      LinkedColumns& columns) {
  for (const std::string& name : columns.from_labels) columns.trees.erase(name);
  columns.from_labels.clear();
  for (const auto& join : schema.joins) {
    const std::string& name = schema.ColumnOf(join[0]);
    if (columns.trees.contains(name)) continue;
    std::vector<std::string> labels;
    const auto declared = more.find(name);
    if (declared != more.end()) labels = declared->second;
    AddNamed(promise, schema, name, labels);
    for (const xy::Attribute& at : join) {
      REISSUE_TRY(AddLabels(*tables[at.table], name, labels));
    }
    auto tree = taxonomy::FromLabels(labels, name);
    if (!tree) {
      return InputError({columns.source, std::nullopt, std::nullopt, name},
                        "the files cannot be joined on this column: " + tree.error().message,
                        "Of the ranges of all files and of the breakpoints, any two must lie apart "
                        "or one inside the other. Choose breakpoints that fit the ranges that are "
                        "out, or drop the column.");
    }
    columns.trees[name] = std::make_shared<const taxonomy::Taxonomy>(*std::move(tree));
    columns.from_labels.insert(name);
  }
  return Ok();
}

}  // namespace reissue::models::xy::service
