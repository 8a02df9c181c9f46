#include "reissue/models/bcf/publisher/local.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "reissue/models/k/publisher/local.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::bcf {
namespace {

using taxonomy::Composite;
using taxonomy::SpaceTree;

// The highest boxes that no ceiling forbids; where a box without rows was not split, itself.
taxonomy::Cut CeilingOf(const k::LeafCells& table, const SpaceTree& tree,
                        const Composite& composite) {
  taxonomy::Cut cut = taxonomy::Cut::Root(*composite.tree);
  for (std::size_t n = 0; n < composite.tree->nodes(); ++n) {  // in preorder
    const NodeId node(n);
    if (composite.tree->is_leaf(node) || !cut.Contains(*composite.tree, node)) continue;
    if (AboveCeiling(table, tree, composite.box_of_node[n])) cut.Specialise(*composite.tree, node);
  }
  return cut;
}

// The rows of a table by leaf of the tree.
k::LeafCells OneColumn(const k::LeafCells& table, const SpaceTree& tree, const Composite& composite,
                       k::Score score) {
  const std::size_t width = tree.columns(), origins = table.cells.origins();
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    const NodeId leaf = composite.node_of_box[tree.Locate(key.first(width))];
    keys.push_back(composite.tree->first_leaf(leaf));
    keys.insert(keys.end(), key.begin() + static_cast<std::ptrdiff_t>(width), key.end());
    for (std::size_t origin = 0; origin < origins; ++origin) {
      counts.push_back(table.cells.count(CellId(i), origin));
    }
  }
  k::LeafCells one;
  one.taxonomies = {composite.tree};
  one.cells = CollectCells(table.cells.width() - width + 1, keys, counts, origins);
  one.sensitive_values = table.sensitive_values;
  one.class_values = table.class_values;
  one.hidden.emplace_back();
  for (const SpaceTree::Box box : composite.box_of_node) {
    one.hidden[0].push_back(k::HiddenBy(table, tree, box, score));
  }
  if (!table.ceilings.empty()) one.ceilings.push_back(CeilingOf(table, tree, composite));
  return one;
}

Result<Series> OneColumn(const Series& earlier, const SpaceTree& tree, const Composite& composite) {
  std::vector<Cells> published;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    const Release& release = earlier.release(i);
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    std::vector<NodeId> nodes(tree.columns());
    for (std::size_t cell = 0; cell < release.cells(); ++cell) {
      for (std::size_t j = 0; j < nodes.size(); ++j) nodes[j] = release.node(cell, j);
      const auto box = tree.Find(nodes);
      if (!box) {
        return InputError("an earlier release was not recoded by the boxes that the vault knows",
                          "Go on with recoding = \"global\".");
      }
      for (std::size_t g = release.first_group(cell); g < release.last_group(cell); ++g) {
        keys.push_back(composite.node_of_box[*box].raw());
        keys.push_back(release.value(g));
        counts.push_back(release.rows_of_group(g));
      }
    }
    published.push_back(CollectCells(2, keys, counts));
  }
  return Series::Make({composite.tree}, published);
}

// Cells of releases that lie in one box, by release and number.
using CellsInBox = std::vector<std::pair<std::size_t, std::size_t>>;

std::vector<NodeId> NodesOf(const Release& release, std::size_t cell, std::size_t columns) {
  std::vector<NodeId> nodes(columns);
  for (std::size_t j = 0; j < columns; ++j) nodes[j] = release.node(cell, j);
  return nodes;
}

class ThroughAll {
 public:
  ThroughAll(const Series& releases, SpaceTree::Trees trees)
      : releases_(releases), tree_(std::move(trees)) {}

  std::optional<SpaceTree> Build() {
    CellsInBox all;
    for (std::size_t i = 0; i < releases_.size(); ++i) {
      for (std::size_t c = 0; c < releases_.release(i).cells(); ++c) all.emplace_back(i, c);
    }
    if (!Divide(0, std::move(all))) return std::nullopt;
    return std::move(tree_);
  }

 private:
  // False where the cells are no boxes of one tree.
  bool Divide(SpaceTree::Box box, CellsInBox cells) {
    const std::vector<NodeId> nodes(tree_.nodes(box).begin(), tree_.nodes(box).end());
    std::set<std::size_t> whole;  // releases of which the box is a cell
    CellsInBox inside;
    for (const auto& [i, c] : cells) {
      if (NodesOf(releases_.release(i), c, nodes.size()) == nodes) {
        whole.insert(i);
      } else {
        inside.emplace_back(i, c);
      }
    }
    for (const auto& [i, c] : inside) {
      if (whole.contains(i)) return false;
    }
    if (inside.empty()) return true;
    // Any column will do in which all of them lie deeper: a tree that splits another one first can
    // split this one first as well. Later releases lie higher in the tree, so the best comes first.
    const auto column = BestOf(nodes, inside);
    if (!column) return false;
    tree_.Split(box, *column);
    std::vector<CellsInBox> below(tree_.fan_out(box));
    for (const auto& [i, c] : inside) {
      const NodeId node = releases_.release(i).node(c, *column);
      const std::uint32_t rank = tree_.trees()[*column]->first_leaf(node);
      below[tree_.ChildWith(box, rank) - tree_.first_child(box)].emplace_back(i, c);
    }
    for (std::uint32_t b = 0; b < below.size(); ++b) {
      if (!below[b].empty() && !Divide(tree_.first_child(box) + b, std::move(below[b]))) {
        return false;
      }
    }
    return true;
  }

  // Of the columns in which all cells lie deeper the one that shows most for each bit it tells.
  std::optional<std::size_t> BestOf(const std::vector<NodeId>& nodes,
                                    const CellsInBox& cells) const {
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      const bool all = std::ranges::all_of(cells, [&](const auto& cell) {
        return releases_.release(cell.first).node(cell.second, j) != nodes[j];
      });
      if (!all) continue;
      const double worth = Worth(nodes[j], cells, j);
      if (best && worth <= most) continue;
      best = j;
      most = worth;
    }
    return best;
  }

  double Worth(NodeId node, const CellsInBox& cells, std::size_t column) const {
    const taxonomy::Taxonomy& tree = *tree_.trees()[column];
    const auto children = tree.children(node);
    std::vector<double> rows(children.size());
    double all = 0;
    for (const auto& [i, c] : cells) {
      const std::uint32_t leaf = tree.first_leaf(releases_.release(i).node(c, column));
      const auto after = std::ranges::upper_bound(
          children, leaf, {}, [&](NodeId child) { return tree.first_leaf(child); });
      const auto n = static_cast<double>(releases_.release(i).rows_of_cell(c));
      rows[static_cast<std::size_t>(after - children.begin()) - 1] += n;
      all += n;
    }
    const auto share = [&](NodeId n) { return k::internal::Hidden(tree, n, k::Score::kLoss); };
    double saved = 0, bits = 0;
    for (std::size_t c = 0; c < rows.size(); ++c) {
      saved += rows[c] * (share(node) - share(children[c]));
      if (rows[c] > 0) bits += rows[c] * std::log2(all / rows[c]);
    }
    return saved / std::max(bits, all / 64);
  }

  const Series& releases_;
  SpaceTree tree_;
};

}  // namespace

std::optional<SpaceTree> TreeThrough(const Series& releases, SpaceTree::Trees trees) {
  return ThroughAll(releases, std::move(trees)).Build();
}

Result<k::Outcome> PublishLocally(const k::LeafCells& table, const SpaceTree& tree,
                                  const Series& earlier, const k::Guarantee& guarantee,
                                  const PublishOptions& options, ThreadPool& pool,
                                  Progress& progress) {
  const Composite composite = Compose(tree);
  const k::LeafCells leaves = OneColumn(table, tree, composite, options.search.score);
  const Series series = REISSUE_TRY(OneColumn(earlier, tree, composite));
  // In one column no split stands in the way of another, except to the adversary of three releases
  // and more: one descent ends at the best there is.
  PublishOptions descent = options;
  descent.search.search = k::Search::kGreedy;
  k::Outcome outcome = REISSUE_TRY(Publish(leaves, series, guarantee, descent, pool, progress));
  k::LocalRecoding local{tree, std::vector<SpaceTree::Box>(tree.size(), 0)};
  for (SpaceTree::Box box = 0; box < tree.size(); ++box) {
    if (!tree.is_leaf(box)) continue;
    const std::uint32_t rank = composite.tree->first_leaf(composite.node_of_box[box]);
    local.shown[box] = composite.box_of_node[outcome.cuts[0].NodeOfLeaf(rank).index()];
  }
  outcome.cuts.clear();
  outcome.local = std::make_shared<const k::LocalRecoding>(std::move(local));
  const double cost = k::CostOf(table, *outcome.local, options.search.score);
  outcome.greedy_cost += cost - outcome.cost;
  if (outcome.paper_cost) *outcome.paper_cost += cost - outcome.cost;
  outcome.cost = cost;
  return outcome;
}

}  // namespace reissue::models::bcf
