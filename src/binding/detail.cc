#include "reissue/binding/detail.h"

#include <algorithm>

#include "reissue/binding/coded.h"
#include "reissue/binding/hierarchy.h"
#include "reissue/core/table_rows.h"
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
        const Table& table = bound.release.table;
        return InputError(table.PlaceOf(table.FirstWith(id, ValueId(v)), id),
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

// In the order of the tree, the wider first.
std::vector<std::string> LabelsInOrder(const Taxonomy& tree, std::vector<std::uint32_t> nodes) {
  std::ranges::sort(nodes, {}, [&](std::uint32_t node) {
    return std::pair(tree.first_leaf(NodeId(node)), tree.depth(NodeId(node)));
  });
  std::vector<std::string> labels;
  for (const std::uint32_t node : nodes) labels.push_back(tree.label(NodeId(node)));
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
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

}  // namespace

Result<Detail> MeasureDetail(const io::Policy& policy, const HolderTable& holder,
                             const std::string& release, const DetailOptions& options,
                             Context& context) {
  if (!options.test.empty() && options.class_column.empty()) {
    return UsageError("--test needs a class to predict", "Name a column with --class COLUMN.");
  }
  const ReleaseColumns columns = ColumnsIn(holder.table, ColumnsOf(policy));
  const BoundRelease bound = REISSUE_TRY(BindRelease(columns, holder, release, context));
  std::vector<std::vector<std::uint64_t>> leaf_counts;
  std::vector<metrics::QuasiIdentifier> quasi;
  for (const Quasi& q : holder.quasi) {
    std::vector<std::uint64_t> counts(q.tree->leaves());
    const std::vector<std::uint64_t> rows = RowsPerValue(holder.table, q.column);
    for (std::size_t v = 0; v < rows.size(); ++v) counts[q.leaf_of_value[v]] += rows[v];
    leaf_counts.push_back(std::move(counts));
  }
  for (std::size_t q = 0; q < holder.quasi.size(); ++q) {
    quasi.push_back({holder.quasi[q].policy->name, holder.quasi[q].tree.get(), leaf_counts[q]});
  }
  metrics::LossOptions loss;
  loss.k = options.k;
  Detail detail;
  detail.loss = REISSUE_TRY(
      metrics::MeasureLoss(quasi, holder.table.total(), NodeCells(bound, context.pool), loss));
  for (std::size_t q = 0; q < holder.quasi.size(); ++q) {
    detail.labels.push_back(LabelsInOrder(*holder.quasi[q].tree, bound.node_of_value[q]));
  }
  const Coded coded = REISSUE_TRY(CodeRecoded(holder, bound.release, context.pool));
  detail.worth = MeasureWorth(coded, options.queries, options.seed);
  if (!options.class_column.empty()) {
    detail.prediction =
        REISSUE_TRY(Predict(policy, holder, bound.release, coded,
                            {options.class_column, options.test, options.seed}, context));
  }
  return detail;
}

}  // namespace reissue::binding
