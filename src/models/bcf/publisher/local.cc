#include "reissue/models/bcf/publisher/local.h"

#include <algorithm>
#include <limits>

#include "reissue/models/bcf/publisher/dated.h"
#include "reissue/models/bcf/publisher/stars.h"
#include "reissue/models/bcf/release/stars.h"
#include "reissue/models/k/publisher/improve.h"
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

// The rows of a table by leaf of the tree; those that are starred aside.
k::LeafCells OneColumn(const k::LeafCells& table, const SpaceTree& tree, const Composite& composite,
                       k::Score score) {
  const std::size_t width = table.taxonomies.size(), origins = table.cells.origins();
  const taxonomy::Locator locate(tree);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    const bool aside = composite.aside && key[width - 1] == kStarred;
    const NodeId leaf =
        aside ? *composite.aside : composite.node_of_box[locate(key.first(tree.columns()))];
    table.cells.ForEachPart(CellId(i), [&](const Cells::Part& part) {
      keys.push_back(composite.tree->first_leaf(leaf));
      keys.insert(keys.end(), key.begin() + static_cast<std::ptrdiff_t>(width), key.end());
      if (origins > 1) keys.push_back(part.origin);
      counts.push_back(part.rows);
    });
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

// Of a box of an earlier release.
std::optional<NodeId> NodeOfCell(const Release& release, std::size_t cell, const SpaceTree& tree,
                                 const Composite& composite) {
  std::vector<NodeId> nodes;
  for (std::size_t j = 0; j < tree.columns(); ++j) nodes.push_back(release.node(cell, j));
  if (composite.aside && release.node(cell, tree.columns()) == StarTree()->leaf(kStarred)) {
    return composite.aside;
  }
  const auto box = tree.Find(nodes);
  if (!box) return std::nullopt;
  return composite.node_of_box[*box];
}

Result<Series> OneColumn(const Series& earlier, const SpaceTree& tree, const Composite& composite) {
  std::vector<Cells> published;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    const Release& release = earlier.release(i);
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t cell = 0; cell < release.cells(); ++cell) {
      const auto node = NodeOfCell(release, cell, tree, composite);
      if (!node) {
        return InputError("an earlier release was not recoded by the boxes that the vault knows",
                          "Go on with recoding = \"global\".");
      }
      for (std::size_t g = release.first_group(cell); g < release.last_group(cell); ++g) {
        keys.push_back(node->raw());
        keys.push_back(release.value(g));
        counts.push_back(release.rows_of_group(g));
      }
    }
    published.push_back(CollectCells(2, keys, counts));
  }
  return Series::Make({composite.tree}, published);
}

// The whole detail of those who are starred, and what is hidden of the others.
double CostWithStars(const k::LeafCells& table, const k::LocalRecoding& local, k::Score score) {
  const k::LeafCells told = PartOf(table, kTold), starred = PartOf(table, kStarred);
  k::LocalRecoding nothing = local;
  std::ranges::fill(nothing.shown, k::LocalRecoding::kLeftOut);
  const auto rows = static_cast<double>(table.cells.rows());
  const double share = static_cast<double>(starred.cells.rows()) / rows;
  const double cost = k::CostOf(told, local, score);
  if (score == k::Score::kDiscernibility) return (1 - share) * (1 - share) * cost + share;
  return (1 - share) * cost + share * k::CostOf(starred, nothing, score);
}

// What one call works on.
struct Boxes {
  const SpaceTree& tree;
  const Composite& composite;
  const Series& earlier;
  const Series& series;  // of the one column
  const k::Guarantee& guarantee;
  const PublishOptions& options;
  ThreadPool& pool;
  Progress& progress;
};

// Who judges releases by boxes.
class ByBoxes : public internal::Judge {
 public:
  ByBoxes(const internal::Judge& judge, const Boxes& boxes) : judge_(judge), boxes_(boxes) {}

  internal::Judgement Ask(const Cells& published, internal::Effort effort) const override {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    const std::size_t width = boxes_.earlier.columns();
    for (std::size_t i = 0; i < published.size(); ++i) {
      const auto key = published.key(CellId(i));
      const NodeId node(key[0]);
      for (const NodeId label : boxes_.tree.nodes(boxes_.composite.box_of_node[node.index()])) {
        keys.push_back(label.raw());
      }
      if (width > boxes_.tree.columns()) keys.push_back(StarOf(node).raw());
      keys.push_back(key[1]);
      counts.push_back(published.count(CellId(i)));
    }
    return judge_.Ask(CollectCells(width + 1, keys, counts), effort);
  }

 private:
  // As readers see it: a release that shows one box of everything has everybody in it.
  NodeId StarOf(NodeId node) const {
    if (boxes_.composite.aside && node == *boxes_.composite.aside) {
      return StarTree()->leaf(kStarred);
    }
    return node == taxonomy::Taxonomy::root() ? taxonomy::Taxonomy::root()
                                              : StarTree()->leaf(kTold);
  }

  const internal::Judge& judge_;
  const Boxes& boxes_;
};

// With whoever is starred in the table.
Result<k::Outcome> Descend(const k::LeafCells& table, const Boxes& boxes) {
  const auto& [tree, composite, earlier, series, guarantee, options, pool, progress] = boxes;
  const k::LeafCells leaves = OneColumn(table, tree, composite, options.search.score);
  // In one column no split stands in the way of another, except to the adversary of three releases
  // and more: one descent ends at the best there is.
  PublishOptions descent = options;
  descent.search.search = k::Search::kGreedy;
  descent.search.to_the_end = options.search.search == k::Search::kGreedy;
  descent.search.suppression_limit = 0;
  const internal::Task task{table, earlier, guarantee, options};
  const bool ages = !AgeColumns(options.ages).empty();
  const internal::DatedReader dated(task, options.ages);
  const ByBoxes further(dated, boxes);
  k::Outcome outcome = REISSUE_TRY(internal::PublishFor(leaves, series, guarantee, descent,
                                                        ages ? &further : nullptr, pool, progress));
  k::LocalRecoding local{tree, std::vector<SpaceTree::Box>(tree.size(), 0), {}};
  for (SpaceTree::Box box = 0; box < tree.size(); ++box) {
    if (!tree.is_leaf(box)) continue;
    const std::uint32_t rank = composite.tree->first_leaf(composite.node_of_box[box]);
    local.shown[box] = composite.box_of_node[outcome.cuts[0].NodeOfLeaf(rank).index()];
  }
  const double cost = composite.aside ? CostWithStars(table, local, options.search.score)
                                      : k::CostOf(table, local, options.search.score);
  outcome.cuts.clear();
  outcome.local = std::make_shared<const k::LocalRecoding>(std::move(local));
  outcome.greedy_cost += cost - outcome.cost;
  if (outcome.paper_cost) *outcome.paper_cost += cost - outcome.cost;
  outcome.cost = cost;
  return outcome;
}

std::uint64_t StarredRows(const k::LeafCells& table) {
  return PartOf(table, kStarred).cells.rows();
}

// The leaves of the tree below nodes of the composite column.
std::vector<std::uint8_t> LeavesBelow(const std::vector<NodeId>& nodes, const Boxes& boxes) {
  std::vector<std::uint8_t> below(boxes.tree.size(), 0);
  for (const NodeId node : nodes) below[boxes.composite.box_of_node[node.index()]] = 1;
  // Children come after their parents.
  for (SpaceTree::Box box = 1; box < boxes.tree.size(); ++box) {
    below[box] |= below[boxes.tree.parent(box)];
  }
  for (SpaceTree::Box box = 0; box < boxes.tree.size(); ++box) {
    if (!boxes.tree.is_leaf(box)) below[box] = 0;
  }
  return below;
}

// Newcomers to star, by leaf of the tree.
struct Stars {
  std::vector<std::uint8_t> leaves;
  std::uint64_t rows = 0;
};

// Plans within the limit, the smallest first.
std::vector<Stars> Choices(const k::LeafCells& table, const Boxes& boxes) {
  std::vector<Stars> choices;
  if (table.cells.origins() == 1) return choices;  // nobody knows who is new
  const std::uint64_t most =
      StarsAtOnce(boxes.options.search.suppression_limit, StarredRows(table), boxes.guarantee.k);
  // Plans weigh detail, whatever the score.
  const k::LeafCells leaves = OneColumn(table, boxes.tree, boxes.composite, k::Score::kLoss);
  for (const internal::StarPlan& plan :
       internal::PlanStars(leaves, boxes.series, *boxes.composite.aside, boxes.guarantee.k)) {
    if (plan.rows > most) continue;
    choices.push_back({LeavesBelow(plan.nodes, boxes), plan.rows});
  }
  return choices;
}

// For how many plans there is time, if the release that stars nobody took so much: of one core,
// which counts twice, and plans are tried side by side. A tree has half of the budget, since there
// are two.
std::size_t PlansFor(const k::PublishOptions& search, std::uint64_t work) {
  if (search.search == k::Search::kGreedy) return std::numeric_limits<std::size_t>::max();
  const double budget = k::internal::kVisitsPerSecond * search.budget_seconds / 2;
  const double plans = budget / static_cast<double>(std::max<std::uint64_t>(work / 2, 1));
  return static_cast<std::size_t>(std::clamp(plans, 0.0, 1e6));
}

// Whatever newcomers it pays to star, beside those who are. Nobody is starred unless the release is
// better for it, and no choice depends on the limit or on the budget: whoever allows more tries
// more of them, and gets no worse a release.
Result<k::Outcome> DescendWithStars(const k::LeafCells& table, const Boxes& boxes) {
  k::Outcome best = REISSUE_TRY(Descend(table, boxes));
  best.starred_rows = StarredRows(table);
  std::vector<Stars> choices = Choices(table, boxes);
  choices.resize(std::min(choices.size(), PlansFor(boxes.options.search, best.work)));
  std::vector<std::optional<Result<k::Outcome>>> tried(choices.size());
  boxes.pool.Run(choices.size(), [&](std::size_t i) {
    ThreadPool alone(1);
    Progress quiet;
    const Boxes own{boxes.tree,      boxes.composite, boxes.earlier, boxes.series,
                    boxes.guarantee, boxes.options,   alone,         quiet};
    tried[i] = Descend(AfterStarring(table, boxes.tree, choices[i].leaves), own);
  });
  std::uint64_t work = best.work;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    work += *tried[i] ? (*tried[i])->work : 0;
    if (!*tried[i] || (*tried[i])->cost >= best.cost) continue;
    best = **std::move(tried[i]);
    best.starred_rows = StarredRows(table) + choices[i].rows;
    k::LocalRecoding local = *best.local;
    local.starred = choices[i].leaves;
    best.local = std::make_shared<const k::LocalRecoding>(std::move(local));
  }
  best.work = work;
  return best;
}

}  // namespace

Result<k::Outcome> PublishLocally(const k::LeafCells& table, const SpaceTree& tree,
                                  const Series& earlier, const k::Guarantee& guarantee,
                                  const PublishOptions& options, ThreadPool& pool,
                                  Progress& progress) {
  const bool stars = table.taxonomies.size() > tree.columns();
  const Composite composite = Compose(tree, stars);
  const Series series = REISSUE_TRY(OneColumn(earlier, tree, composite));
  const Boxes boxes{tree, composite, earlier, series, guarantee, options, pool, progress};
  return stars ? DescendWithStars(table, boxes) : Descend(table, boxes);
}

}  // namespace reissue::models::bcf
