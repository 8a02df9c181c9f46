#include "reissue/binding/detail.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/coded.h"
#include "reissue/binding/hierarchy.h"
#include "reissue/core/random.h"
#include "reissue/metrics/classification.h"
#include "reissue/metrics/loss.h"

namespace reissue::binding {
namespace {

using taxonomy::Taxonomy;

// A release bound to the trees of its table: the node of every label.
struct BoundRelease {
  ReleaseTable release;
  std::vector<std::vector<std::uint32_t>> node_of_value;  // per quasi-identifier
};

Result<BoundRelease> BindRelease(const ReleaseColumns& columns, const HolderTable& holder,
                                 const std::string& path, Context& context) {
  BoundRelease bound;
  bound.release = REISSUE_TRY(LoadRelease(columns, path, context));
  for (std::size_t q = 0; q < holder.quasi.size(); ++q) {
    const ColumnId id = bound.release.quasi[q];
    const Column& column = bound.release.table[id];
    std::vector<std::uint32_t> nodes;
    for (std::size_t v = 0; v < column.dictionary().size(); ++v) {
      const auto node = FindLabel(*holder.quasi[q].tree, column.dictionary()[ValueId(v)]);
      if (!node) {
        const auto values = column.values();
        const auto row = std::find(values.begin(), values.end(), ValueId(v)) - values.begin();
        return InputError(bound.release.table.PlaceOf(RowId(static_cast<std::size_t>(row)), id),
                          "the label is not in the taxonomy of this column",
                          "Was the release made with this policy and from this table?");
      }
      nodes.push_back(node->raw());
    }
    bound.node_of_value.push_back(std::move(nodes));
  }
  return bound;
}

// Those that the table has: a policy may name columns of other files too.
ReleaseColumns ColumnsIn(const Table& table, ReleaseColumns columns) {
  for (auto* names : {&columns.quasi, &columns.sensitive, &columns.numeric, &columns.others}) {
    std::erase_if(*names, [&](const std::string& name) { return !table.Find(name); });
  }
  return columns;
}

Cells NodeCells(const BoundRelease& bound, ThreadPool& pool) {
  const Cells labels = BuildCells(bound.release.table, bound.release.quasi, pool);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto key = labels.key(CellId(i));
    for (std::size_t q = 0; q < key.size(); ++q) keys.push_back(bound.node_of_value[q][key[q]]);
    counts.push_back(labels.count(CellId(i)));
  }
  return CollectCells(labels.width(), keys, counts);
}

// One coding for the class, whatever order a file has it in.
std::vector<std::uint32_t> ClassCodes(const Table& table, ColumnId column, DictionaryBuilder& all) {
  const Dictionary& dictionary = table[column].dictionary();
  std::vector<std::uint32_t> code_of_value;
  for (std::size_t v = 0; v < dictionary.size(); ++v) {
    code_of_value.push_back(all.Intern(dictionary[ValueId(v)]).raw());
  }
  std::vector<std::uint32_t> codes;
  codes.reserve(table.rows());
  for (const ValueId value : table[column].values()) codes.push_back(code_of_value[value.index()]);
  return codes;
}

// Quasi-identifiers as inputs of a classifier. Nodes of numeric trees count as numbers: a raw value
// as itself, a range as its lower end.
metrics::Attribute AttributeOf(const Quasi& quasi) {
  metrics::Attribute attribute;
  attribute.name = quasi.policy->name;
  attribute.codes = static_cast<std::uint32_t>(quasi.tree->nodes());
  if (quasi.tree->numeric()) {
    for (std::size_t n = 0; n < quasi.tree->nodes(); ++n) {
      attribute.numbers.push_back(quasi.tree->range(NodeId(n)).low);
    }
  }
  return attribute;
}

Result<metrics::ClassificationReport> ErrorOf(const metrics::Schema& schema,
                                              const metrics::Examples& rows, std::uint64_t seed) {
  Random random = Random::Seeded(seed);
  const auto split = REISSUE_TRY(metrics::SplitTrainTest(rows.rows(), random));
  return metrics::ClassificationError(schema, metrics::SelectRows(rows, split.train),
                                      metrics::SelectRows(rows, split.test));
}

Result<Detail::Classification> Classify(const HolderTable& holder, const BoundRelease& bound,
                                        const std::string& name, std::uint64_t seed) {
  const auto raw_class = holder.table.Find(name);
  const auto release_class = bound.release.table.Find(name);
  if (!raw_class || !release_class) {
    return UsageError(fmt::format("the class column \"{}\" is not in both table and release", name),
                      "Name a column with role \"publish\" or \"sensitive\".");
  }
  metrics::Schema schema;
  metrics::Examples raw;
  metrics::Examples published;
  for (std::size_t q = 0; q < holder.quasi.size(); ++q) {
    const Quasi& quasi = holder.quasi[q];
    if (quasi.policy->name == name) continue;
    schema.attributes.push_back(AttributeOf(quasi));
    std::vector<std::uint32_t> raw_codes;
    for (const ValueId value : holder.table[quasi.column].values()) {
      raw_codes.push_back(quasi.tree->leaf(quasi.leaf_of_value[value.index()]).raw());
    }
    raw.columns.push_back(std::move(raw_codes));
    std::vector<std::uint32_t> codes;
    for (const ValueId value : bound.release.table[bound.release.quasi[q]].values()) {
      codes.push_back(bound.node_of_value[q][value.index()]);
    }
    published.columns.push_back(std::move(codes));
  }
  DictionaryBuilder classes;
  raw.classes = ClassCodes(holder.table, *raw_class, classes);
  published.classes = ClassCodes(bound.release.table, *release_class, classes);
  schema.classes = static_cast<std::uint32_t>(classes.size());
  const auto before = REISSUE_TRY(ErrorOf(schema, raw, seed));
  const auto after = REISSUE_TRY(ErrorOf(schema, published, seed));
  Detail::Classification result;
  result.column = name;
  result.baseline_error = before.test_error;
  result.release_error = after.test_error;
  result.majority_error = before.majority_error;
  result.train = after.train_rows;
  result.test = after.test_rows;
  return result;
}

}  // namespace

Result<Detail> MeasureDetail(const io::Policy& policy, const HolderTable& holder,
                             const std::string& release, const DetailOptions& options,
                             Context& context) {
  const ReleaseColumns columns = ColumnsIn(holder.table, ColumnsOf(policy));
  const BoundRelease bound = REISSUE_TRY(BindRelease(columns, holder, release, context));
  std::vector<std::vector<std::uint64_t>> leaf_counts;
  std::vector<metrics::QuasiIdentifier> quasi;
  for (const Quasi& q : holder.quasi) {
    std::vector<std::uint64_t> counts(q.tree->leaves());
    for (const ValueId value : holder.table[q.column].values()) {
      ++counts[q.leaf_of_value[value.index()]];
    }
    leaf_counts.push_back(std::move(counts));
  }
  for (std::size_t q = 0; q < holder.quasi.size(); ++q) {
    quasi.push_back({holder.quasi[q].policy->name, holder.quasi[q].tree.get(), leaf_counts[q]});
  }
  metrics::LossOptions loss;
  loss.k = options.k;
  Detail detail;
  detail.loss = REISSUE_TRY(
      metrics::MeasureLoss(quasi, holder.table.rows(), NodeCells(bound, context.pool), loss));
  for (std::size_t q = 0; q < holder.quasi.size(); ++q) {
    const auto values = std::count_if(leaf_counts[q].begin(), leaf_counts[q].end(),
                                      [](std::uint64_t rows) { return rows > 0; });
    detail.columns.push_back({static_cast<std::uint64_t>(values),
                              bound.release.table[bound.release.quasi[q]].dictionary().size()});
  }
  if (!options.class_column.empty()) {
    detail.classification =
        REISSUE_TRY(Classify(holder, bound, options.class_column, options.seed));
  }
  const Coded coded = REISSUE_TRY(CodeRecoded(holder, bound.release, context.pool));
  detail.worth = MeasureWorth(coded, options.queries, options.seed);
  return detail;
}

}  // namespace reissue::binding
