#include "reissue/models/k/publisher/stops.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reissue/core/random.h"
#include "reissue/models/k/publisher/local.h"

namespace reissue::models::k {
namespace {

std::shared_ptr<const taxonomy::Taxonomy> StopsTree(
    const std::vector<std::vector<std::string>>& lines) {
  std::vector<taxonomy::HierarchyLine> hierarchy;
  for (const auto& labels : lines) hierarchy.push_back({hierarchy.size() + 1, labels});
  return std::make_shared<const taxonomy::Taxonomy>(
      taxonomy::FromHierarchy(hierarchy, "test").value());
}

// Towns in two counties; births where there are newcomers.
LeafCells Towns(const std::vector<std::pair<std::uint32_t, std::vector<std::uint64_t>>>& rows) {
  LeafCells table;
  table.taxonomies = {StopsTree({{"Ulm", "Baden", "*"},
                                 {"Aalen", "Baden", "*"},
                                 {"Bonn", "Rhine", "*"},
                                 {"Trier", "Rhine", "*"}})};
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (const auto& [town, births] : rows) {
    for (std::uint32_t birth = 0; birth < births.size(); ++birth) {
      keys.insert(keys.end(), {town, 0});
      if (births.size() > 1) keys.push_back(birth);
      counts.push_back(births[birth]);
    }
  }
  table.cells = CollectCells(2, keys, counts, rows[0].second.size());
  return table;
}

Guarantee AtLeast(std::uint64_t k) {
  Guarantee guarantee;
  guarantee.k = k;
  return guarantee;
}

Outcome ByCuts(const LeafCells& table, const std::vector<std::string>& labels) {
  std::vector<NodeId> nodes;
  for (const std::string& label : labels) nodes.push_back(*table.taxonomies[0]->Find(label));
  Outcome outcome;
  outcome.cuts = {taxonomy::Cut::FromNodes(*table.taxonomies[0], nodes).value()};
  return outcome;
}

TEST(StopsOf, NamesWhatIsTooSmall) {
  const LeafCells table = Towns({{0, {9}}, {1, {2}}, {2, {7}}, {3, {1}}});
  const auto stops = StopsOf(table, AtLeast(5), ByCuts(table, {"Baden", "Rhine"}));
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_DOUBLE_EQ(stops[0].loss, 0.5);
  EXPECT_EQ(stops[0].labels, 2u);
  const Stop& nearest = stops[0].nearest;  // one row in the way, for eight that would be shown
  EXPECT_EQ(table.taxonomies[0]->label(nearest.node), "Rhine");
  EXPECT_EQ(nearest.groups, 1u);
  EXPECT_EQ(nearest.rows, 1u);
  EXPECT_DOUBLE_EQ(nearest.saved, 8 * 0.5 / 19);
  ASSERT_EQ(nearest.values.size(), 1u);
  EXPECT_EQ(table.taxonomies[0]->label(nearest.values[0].node), "Trier");
  ASSERT_EQ(nearest.cells.size(), 1u);
  EXPECT_EQ(table.cells.key(CellId(nearest.cells[0]))[0], 3u);
}

TEST(StopsOf, FewNewcomersStopWhatOldRowsDoNot) {
  const LeafCells table = Towns({{0, {9, 6}}, {1, {8, 2}}, {2, {7, 0}}, {3, {6, 0}}});
  const auto stops = StopsOf(table, AtLeast(5), ByCuts(table, {"Baden", "Bonn", "Trier"}));
  const Stop& nearest = stops[0].nearest;
  EXPECT_EQ(table.taxonomies[0]->label(nearest.node), "Baden");
  EXPECT_EQ(nearest.groups, 1u);
  EXPECT_EQ(nearest.newcomers, 2u);
  EXPECT_EQ(nearest.missing, 3u);
}

TEST(StopsOf, NothingIsHiddenNothingStops) {
  const LeafCells table = Towns({{0, {9}}, {1, {8}}, {2, {7}}, {3, {6}}});
  const auto stops = StopsOf(table, AtLeast(5), ByCuts(table, {"Ulm", "Aalen", "Bonn", "Trier"}));
  EXPECT_EQ(stops[0].loss, 0);
  EXPECT_EQ(stops[0].labels, 0u);
  EXPECT_FALSE(stops[0].nearest.node.valid());
}

// A release that cannot be finer anywhere says so of every label: for random tables, against
// splitting each and counting.
TEST(StopsOf, FindsEveryLabelOfBestReleases) {
  Random random = Random::Seeded(4);
  ThreadPool pool(1);
  Progress progress;
  std::uint64_t stopped = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<std::uint32_t, std::vector<std::uint64_t>>> rows;
    for (std::uint32_t town = 0; town < 4; ++town) rows.push_back({town, {1 + random.Below(9)}});
    const LeafCells table = Towns(rows);
    const Guarantee guarantee = AtLeast(2 + random.Below(4));
    PublishOptions options;
    options.search = Search::kGreedy;
    for (const auto publish : {&Publish, &PublishLocally}) {
      const auto outcome = publish(table, guarantee, options, pool, progress);
      if (!outcome) continue;
      const auto stops = StopsOf(table, guarantee, *outcome);
      // By hand: a label above the towns stands there because one of its parts is too small.
      std::set<std::string> labels;
      const taxonomy::Taxonomy& tree = *table.taxonomies[0];
      const Cells shown =
          outcome->local ? RecodedLocally(table, *outcome->local) : Recoded(table, outcome->cuts);
      double hidden = 0;
      for (std::size_t i = 0; i < shown.size(); ++i) {
        const NodeId node(shown.key(CellId(i))[0]);
        if (tree.is_leaf(node)) continue;
        labels.insert(tree.label(node));
        hidden += static_cast<double>(shown.count(CellId(i)) * tree.leaf_count(node)) / 4;
      }
      EXPECT_EQ(stops[0].labels, labels.size());
      EXPECT_NEAR(stops[0].loss, hidden / static_cast<double>(table.cells.rows()), 1e-12);
      EXPECT_NEAR(LossOf(table, *outcome), stops[0].loss, 1e-12);
      stopped += labels.size();
    }
  }
  EXPECT_GT(stopped, 100u);
}

}  // namespace
}  // namespace reissue::models::k
