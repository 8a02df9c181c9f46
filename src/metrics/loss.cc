#include "reissue/metrics/loss.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "reissue/metrics/overlap.h"

namespace reissue::metrics {
namespace {

using taxonomy::Range;
using taxonomy::Taxonomy;

double PerRow(double total, std::uint64_t rows) {
  return rows == 0 ? 0 : total / static_cast<double>(rows);
}

Status CheckArguments(std::span<const QuasiIdentifier> quasi, std::uint64_t table_rows,
                      const Cells& release, const LossOptions& options) {
  if (release.size() > 0 && release.width() != quasi.size()) {
    return UsageError("cells of a release must have one label per quasi-identifier");
  }
  if (table_rows > std::numeric_limits<std::uint32_t>::max()) {
    return UsageError("a table has at most 4294967295 rows");
  }
  if (options.k && *options.k == 0) return UsageError("k must be at least 1");
  for (std::size_t i = 0; i < quasi.size(); ++i) {
    const QuasiIdentifier& attribute = quasi[i];
    if (attribute.tree == nullptr || attribute.table_counts.size() != attribute.tree->leaves()) {
      return UsageError("quasi-identifier \"" + attribute.name +
                        "\" needs a taxonomy and one count per leaf");
    }
    std::uint64_t rows = 0;
    for (const std::uint64_t count : attribute.table_counts) rows += count;
    if (rows != table_rows) {
      return UsageError("the counts of quasi-identifier \"" + attribute.name +
                        "\" do not sum up to the rows of the table");
    }
    for (std::size_t cell = 0; cell < release.size(); ++cell) {
      if (release.key(CellId(cell))[i] >= attribute.tree->nodes()) {
        return UsageError("a cell of the release has no node of the taxonomy of \"" +
                          attribute.name + "\"");
      }
    }
  }
  if (release.rows() > table_rows) {
    return InputError("the release has " + std::to_string(release.rows()) +
                          " rows, the table only " + std::to_string(table_rows),
                      "compare a release with the table it was made from");
  }
  return Ok();
}

std::vector<std::uint64_t> LabelCounts(const Taxonomy& tree, const Cells& release,
                                       std::size_t attribute) {
  std::vector<std::uint64_t> counts(tree.nodes(), 0);
  for (std::size_t cell = 0; cell < release.size(); ++cell) {
    counts[release.key(CellId(cell))[attribute]] += release.count(CellId(cell));
  }
  return counts;
}

// Rows can be matched if and only if no subtree has more rows in the release than in the table.
Status CheckSameTable(const QuasiIdentifier& attribute, std::vector<std::uint64_t> published) {
  const Taxonomy& tree = *attribute.tree;
  std::vector<std::uint64_t> raw(tree.nodes(), 0);
  for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
    raw[tree.leaf(rank).index()] = attribute.table_counts[rank];
  }
  for (std::size_t node = tree.nodes(); node-- > 0;) {
    if (published[node] > raw[node]) {
      return InputError(Place{{}, {}, {}, attribute.name},
                        "the release has more rows of a value, or of a group of values, than the "
                        "table",
                        "compare a release with the table it was made from");
    }
    const NodeId parent = tree.parent(NodeId(node));
    if (!parent.valid()) continue;
    published[parent.index()] += published[node];
    raw[parent.index()] += raw[node];
  }
  return Ok();
}

Range DataRange(const QuasiIdentifier& attribute) {
  Range data{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  if (!attribute.tree->numeric()) return {};
  for (std::size_t rank = 0; rank < attribute.tree->leaves(); ++rank) {
    if (attribute.table_counts[rank] == 0) continue;
    const double value = attribute.tree->range(attribute.tree->leaf(rank)).low;
    data.low = std::min(data.low, value);
    data.high = std::max(data.high, value);
  }
  return data.low <= data.high ? data : Range{};
}

// Climbed levels: where the rows began less where they ended. A row left out ends at the root,
// whose depth is 0, so it needs no term of its own.
double CategoricalDistortion(const QuasiIdentifier& attribute,
                             std::span<const std::uint64_t> published) {
  const Taxonomy& tree = *attribute.tree;
  std::uint64_t levels = 0;
  for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
    levels += attribute.table_counts[rank] * tree.depth(tree.leaf(rank));
  }
  for (std::size_t node = 0; node < published.size(); ++node) {
    levels -= published[node] * tree.depth(NodeId(node));
  }
  return static_cast<double>(levels);
}

// Totals over the table; MeasureLoss divides.
AttributeLoss MeasureAttribute(const QuasiIdentifier& attribute,
                               std::span<const std::uint64_t> published, std::uint64_t left_out) {
  const Taxonomy& tree = *attribute.tree;
  const Range data = DataRange(attribute);
  AttributeLoss loss;
  loss.name = attribute.name;
  loss.numeric = tree.numeric();
  const auto present = [](std::uint64_t count) { return count > 0; };
  loss.values = static_cast<std::uint64_t>(
      std::count_if(attribute.table_counts.begin(), attribute.table_counts.end(), present));
  loss.labels =
      static_cast<std::uint64_t>(std::count_if(published.begin(), published.end(), present));
  if (!loss.numeric) loss.distortion = CategoricalDistortion(attribute, published);
  for (std::size_t i = 0; i < published.size(); ++i) {
    const NodeId node(i);
    const std::uint64_t rows = published[i] + (node == Taxonomy::root() ? left_out : 0);
    if (rows == 0) continue;
    const auto weight = static_cast<double>(rows);
    loss.ncp += weight * CertaintyPenalty(tree, node, data.low, data.high);
    if (loss.numeric) loss.distortion += weight * RangeDistortion(tree, node);
    if (node == Taxonomy::root() && !tree.is_leaf(node)) loss.removed_rows = rows;
    if (tree.is_leaf(node)) loss.exact_rows += published[i];
  }
  if (tree.is_leaf(Taxonomy::root())) loss.removed_rows = left_out;
  return loss;
}

std::uint64_t CountStarred(std::span<const QuasiIdentifier> quasi, const Cells& release) {
  const bool can_star = std::any_of(quasi.begin(), quasi.end(), [](const QuasiIdentifier& q) {
    return !q.tree->is_leaf(Taxonomy::root());
  });
  // Keys are sorted and the root is node 0, so a starred cell comes first.
  if (!can_star || release.size() < 2) return 0;
  const auto key = release.key(CellId(0));
  const bool starred = std::all_of(
      key.begin(), key.end(), [](std::uint32_t node) { return NodeId(node) == Taxonomy::root(); });
  return starred ? release.count(CellId(0)) : 0;
}

void MeasureCells(const Cells& release, const LossOptions& options, Loss& loss) {
  loss.cells = release.size();
  std::uint64_t squares = 0;
  for (std::size_t cell = 0; cell < release.size(); ++cell) {
    const std::uint64_t rows = release.count(CellId(cell));
    loss.smallest = cell == 0 ? rows : std::min(loss.smallest, rows);
    loss.largest = std::max(loss.largest, rows);
    squares += rows * rows;
  }
  if (loss.cells > 0) {
    loss.average = PerRow(static_cast<double>(loss.release_rows), loss.cells);
    if (options.k) loss.average_over_k = loss.average / static_cast<double>(*options.k);
  }
  loss.discernibility = squares - loss.starred * loss.starred + loss.suppressed * loss.table_rows;
  const auto rows = static_cast<double>(loss.table_rows);
  if (loss.table_rows > 0) {
    loss.discernibility_normalised = static_cast<double>(loss.discernibility) / (rows * rows);
  }
}

void MeasureLinkage(std::span<const QuasiIdentifier> quasi, const Cells& release, Loss& loss) {
  std::vector<const Taxonomy*> trees;
  for (const QuasiIdentifier& attribute : quasi) trees.push_back(attribute.tree);
  loss.record_linkage_bound = static_cast<double>(release.size());
  const std::optional<bool> overlap = CellsOverlap(trees, release);
  if (overlap && !*overlap) loss.record_linkage = loss.record_linkage_bound;
}

}  // namespace

double CertaintyPenalty(const Taxonomy& tree, NodeId node, double data_min, double data_max) {
  if (tree.is_leaf(node)) return 0;
  if (!tree.numeric()) {
    return static_cast<double>(tree.leaf_count(node)) / static_cast<double>(tree.leaves());
  }
  if (node == Taxonomy::root()) return 1;
  if (!(data_max > data_min)) return RangeDistortion(tree, node);
  const Range range = tree.range(node);
  const double width = std::min(range.high, data_max) - std::max(range.low, data_min);
  return std::clamp(width / (data_max - data_min), 0.0, 1.0);
}

double RangeDistortion(const Taxonomy& tree, NodeId node) {
  if (tree.is_leaf(node)) return 0;
  if (node == Taxonomy::root()) return 1;
  const Range full = tree.range(Taxonomy::root());
  const Range range = tree.range(node);
  if (!(full.high > full.low)) return 0;
  return std::clamp((range.high - range.low) / (full.high - full.low), 0.0, 1.0);
}

Result<Loss> MeasureLoss(std::span<const QuasiIdentifier> quasi, std::uint64_t table_rows,
                         const Cells& release, const LossOptions& options) {
  if (Status status = CheckArguments(quasi, table_rows, release, options); !status) {
    return std::move(status).error();
  }
  Loss loss;
  loss.table_rows = table_rows;
  loss.release_rows = release.rows();
  loss.left_out = table_rows - release.rows();
  loss.starred = CountStarred(quasi, release);
  loss.suppressed = loss.left_out + loss.starred;
  MeasureCells(release, options, loss);
  MeasureLinkage(quasi, release, loss);
  for (std::size_t i = 0; i < quasi.size(); ++i) {
    const std::vector<std::uint64_t> published = LabelCounts(*quasi[i].tree, release, i);
    if (Status status = CheckSameTable(quasi[i], published); !status) {
      return std::move(status).error();
    }
    AttributeLoss attribute = MeasureAttribute(quasi[i], published, loss.left_out);
    loss.gcp_sum += attribute.ncp;
    attribute.distortion = PerRow(attribute.distortion, table_rows);
    attribute.ncp = PerRow(attribute.ncp, table_rows);
    (attribute.numeric ? loss.distortion_continuous : loss.distortion_categorical) +=
        attribute.distortion;
    loss.attributes.push_back(std::move(attribute));
  }
  if (!quasi.empty()) {
    loss.gcp = PerRow(loss.gcp_sum, table_rows) / static_cast<double>(quasi.size());
  }
  return loss;
}

}  // namespace reissue::metrics
