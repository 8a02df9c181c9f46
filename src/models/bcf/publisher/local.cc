#include "reissue/models/bcf/publisher/local.h"

#include "reissue/models/k/publisher/local.h"

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

}  // namespace

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
