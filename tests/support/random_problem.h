#pragma once
// Small random problems for the tests of the publisher, and the definitions of its costs and
// releases written down once more in the plainest way.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "random_taxonomy.h"
#include "reissue/core/random.h"
#include "reissue/models/k/adversary/attack.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::k::testing {

struct ProblemShape {
  std::size_t columns = 2;
  std::size_t leaves = 5;
  std::size_t rows = 30;
  std::uint32_t values = 3;
};

inline LeafCells RandomTable(Random& random, const ProblemShape& shape) {
  LeafCells table;
  for (std::size_t j = 0; j < shape.columns; ++j) {
    table.taxonomies.push_back(std::make_shared<const taxonomy::Taxonomy>(
        random.Below(3) == 0
            ? support::RandomTaxonomy(random, shape.leaves + 2)
            : support::RandomBranchingTaxonomy(random, 1 + random.Below(shape.leaves), 3)));
  }
  table.sensitive_values = shape.values;
  table.class_values = 2;
  std::vector<std::uint32_t> keys;
  for (std::size_t row = 0; row < shape.rows; ++row) {
    for (const auto& tree : table.taxonomies) {
      // The smaller of two: some leaves are rare, some may be missing.
      keys.push_back(static_cast<std::uint32_t>(
          std::min(random.Below(tree->leaves()), random.Below(tree->leaves()))));
    }
    const bool follows = random.Below(2) == 0;
    keys.push_back(follows ? keys.back() % shape.values
                           : static_cast<std::uint32_t>(random.Below(shape.values)));
    keys.push_back(static_cast<std::uint32_t>(random.Below(2)));
  }
  const std::vector<std::uint64_t> counts(shape.rows, 1);
  table.cells = CollectCells(shape.columns + 2, keys, counts);
  return table;
}

// Any combination of promises, mild enough that many of them can be kept.
inline Guarantee RandomGuarantee(Random& random, std::uint32_t values) {
  Guarantee g;
  g.k = 1 + random.Below(6);
  if (random.Below(4) == 0) g.distinct = 1 + static_cast<std::uint32_t>(random.Below(values));
  if (random.Below(5) == 0) g.entropy = 1 + 1.2 * random.Unit();
  if (random.Below(5) == 0) {
    g.recursive = {1 + 3 * random.Unit(), 1 + static_cast<std::uint32_t>(random.Below(3))};
  }
  if (random.Below(4) == 0) g.alpha = 0.5 + 0.5 * random.Unit();
  if (random.Below(5) == 0) g.confidence = {0.4 + 0.6 * random.Unit(), 2.0, 0.8};
  if (random.Below(4) == 0) g.t = 0.1 + 0.5 * random.Unit();
  if (random.Below(2) == 0) g.distance = Distance::kOrdered;
  for (std::uint32_t v = 0; v < values; ++v) g.order.push_back(values - 1 - v);
  if (random.Below(4) == 0) g.beta = 0.2 + 2 * random.Unit();
  return g;
}

using CellKey = std::vector<std::uint32_t>;

// Rows per cell of the cuts.
inline std::map<CellKey, std::uint64_t> CellRows(const LeafCells& table,
                                                 const std::vector<taxonomy::Cut>& cuts) {
  std::map<CellKey, std::uint64_t> rows;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    CellKey cell;
    for (std::size_t j = 0; j < cuts.size(); ++j) cell.push_back(cuts[j].NodeOfLeaf(key[j]).raw());
    rows[cell] += table.cells.count(CellId(i));
  }
  return rows;
}

inline bool IsSuppressed(const CellKey& cell, const std::vector<std::vector<NodeId>>& suppressed) {
  return std::any_of(suppressed.begin(), suppressed.end(), [&](const std::vector<NodeId>& nodes) {
    return std::equal(nodes.begin(), nodes.end(), cell.begin(), cell.end(),
                      [](NodeId node, std::uint32_t raw) { return node.raw() == raw; });
  });
}

// What a reader would see.
inline PublishedCells Released(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts,
                               const std::vector<std::vector<NodeId>>& suppressed = {}) {
  PublishedCells release;
  release.quasi = cuts.size();
  release.sensitive_values = table.sensitive_values;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    CellKey cell;
    for (std::size_t j = 0; j < cuts.size(); ++j) cell.push_back(cuts[j].NodeOfLeaf(key[j]).raw());
    if (IsSuppressed(cell, suppressed)) continue;
    keys.insert(keys.end(), cell.begin(), cell.end());
    keys.push_back(key[cuts.size()]);
    counts.push_back(table.cells.count(CellId(i)));
  }
  release.cells = CollectCells(cuts.size() + 1, keys, counts);
  return release;
}

inline std::vector<taxonomy::Cut> RootCuts(const LeafCells& table) {
  std::vector<taxonomy::Cut> cuts;
  for (const auto& tree : table.taxonomies) cuts.push_back(taxonomy::Cut::Root(*tree));
  return cuts;
}

inline double EntropyTimesRows(const std::map<std::uint32_t, double>& histogram) {
  double rows = 0, sum = 0;
  for (const auto& [code, r] : histogram) rows += r;
  for (const auto& [code, r] : histogram) sum += r * std::log2(rows / r);
  return sum;
}

// Row by row, as the definitions say; numeric trees are not needed here.
inline double CostByDefinition(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts,
                               const std::vector<std::vector<NodeId>>& suppressed, Score score) {
  const auto cells = CellRows(table, cuts);
  const auto n = static_cast<double>(table.cells.rows());
  double cost = 0;
  std::map<std::pair<std::size_t, std::uint32_t>, std::map<std::uint32_t, double>> classes;
  std::map<std::uint32_t, double> all_classes;
  double left_out = 0;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    const auto rows = static_cast<double>(table.cells.count(CellId(i)));
    CellKey cell;
    for (std::size_t j = 0; j < cuts.size(); ++j) cell.push_back(cuts[j].NodeOfLeaf(key[j]).raw());
    const bool out = IsSuppressed(cell, suppressed);
    left_out += out ? rows : 0;
    if (score == Score::kDiscernibility) {
      cost += rows * (out ? n : static_cast<double>(cells.at(cell)));
    }
    all_classes[key.back()] += rows;
    for (std::size_t j = 0; j < cuts.size(); ++j) {
      const taxonomy::Taxonomy& tree = *table.taxonomies[j];
      const double node_depth = out ? 0 : tree.depth(NodeId(cell[j]));
      if (score == Score::kDistortion) cost += rows * (tree.depth(tree.leaf(key[j])) - node_depth);
      const NodeId node = out ? tree.root() : NodeId(cell[j]);
      if (score == Score::kLoss && !tree.is_leaf(node)) {
        cost += rows * tree.leaf_count(node) / static_cast<double>(tree.leaves() * cuts.size());
      }
      if (!out) classes[{j, cell[j]}][key.back()] += rows;
    }
  }
  if (score == Score::kDiscernibility) return cost / (n * n);
  if (score == Score::kDistortion || score == Score::kLoss) return cost / n;
  for (const auto& [node, histogram] : classes) cost += EntropyTimesRows(histogram);
  cost += left_out * EntropyTimesRows(all_classes) / n * static_cast<double>(cuts.size());
  return cost / n;
}

}  // namespace reissue::models::k::testing
