#include "reissue/models/bcf/release/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_taxonomy.h"
#include "reissue/core/random.h"

namespace reissue::models::bcf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const taxonomy::Taxonomy> Places() {
  const std::vector<taxonomy::HierarchyLine> lines = {{1, {"UK", "Europe", "*"}},
                                                      {2, {"France", "Europe", "*"}},
                                                      {3, {"Canada", "America", "*"}},
                                                      {4, {"Peru", "America", "*"}},
                                                      {5, {"Japan", "*"}}};
  return std::make_shared<taxonomy::Taxonomy>(taxonomy::FromHierarchy(lines, "places.csv").value());
}

Cells OneColumn(const taxonomy::Taxonomy& tree,
                const std::vector<std::pair<std::string, std::uint64_t>>& rows) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (const auto& [label, count] : rows) {
    keys.insert(keys.end(), {tree.Find(label)->raw(), 0});
    counts.push_back(count);
  }
  return CollectCells(2, keys, counts);
}

std::vector<std::string> Labels(const taxonomy::Taxonomy& tree, const taxonomy::Cut& cut) {
  std::vector<std::string> labels;
  for (const NodeId node : cut.Nodes()) labels.push_back(tree.label(node));
  return labels;
}

TEST(RecoverCuts, FillsUpWithTheMostGeneralNodes) {
  const auto tree = Places();
  const auto cut_of = [&](const std::vector<std::pair<std::string, std::uint64_t>>& rows) {
    const Release release = Release::Make({tree}, OneColumn(*tree, rows)).value();
    const Recoding recoding = RecoverCuts({tree}, release);
    EXPECT_TRUE(recoding.global());
    return Labels(*tree, recoding.cuts.at(0));
  };
  EXPECT_THAT(cut_of({{"UK", 2}}), ElementsAre("UK", "France", "America", "Japan"));
  EXPECT_THAT(cut_of({{"Europe", 1}, {"Peru", 1}}),
              ElementsAre("Europe", "Canada", "Peru", "Japan"));
  EXPECT_THAT(cut_of({{"*", 3}}), ElementsAre("*"));
  EXPECT_THAT(cut_of({}), ElementsAre("*"));
}

TEST(RecoverCuts, NamesTheLabelsThatPreventIt) {
  const auto tree = Places();
  const Cells cells = OneColumn(*tree, {{"UK", 1}, {"America", 1}, {"Peru", 2}});
  const Recoding recoding = RecoverCuts({tree}, Release::Make({tree}, cells).value());
  ASSERT_FALSE(recoding.global());
  EXPECT_TRUE(recoding.cuts.empty());
  EXPECT_EQ(recoding.nested->column, 0u);
  EXPECT_EQ(tree->label(recoding.nested->above), "America");
  EXPECT_EQ(tree->label(recoding.nested->below), "Peru");
}

// Two releases that use some of the nodes of two cuts: in the envelope of the recovered cuts the
// used nodes are equal exactly where they lie on one path.
TEST(RecoverCuts, AnyTwoRecoveredCutsGiveTheRightEnvelope) {
  Random random = Random::Seeded(5);
  std::uint64_t comparable = 0;
  for (int round = 0; round < 400; ++round) {
    const auto tree =
        std::make_shared<taxonomy::Taxonomy>(support::RandomTaxonomy(random, 14, 0.4));
    std::vector<std::vector<NodeId>> used(2);
    std::vector<taxonomy::Cut> cuts;
    for (auto& labels : used) {
      std::vector<std::pair<std::string, std::uint64_t>> rows;
      for (const NodeId node : support::RandomCut(random, *tree).Nodes()) {
        if (random.Below(3) == 0) continue;
        labels.push_back(node);
        rows.emplace_back(tree->label(node), 1);
      }
      const Release release = Release::Make({tree}, OneColumn(*tree, rows)).value();
      const Recoding recoding = RecoverCuts({tree}, release);
      ASSERT_TRUE(recoding.global());
      for (const NodeId node : labels) ASSERT_TRUE(recoding.cuts[0].Contains(*tree, node));
      cuts.push_back(recoding.cuts[0]);
    }
    const taxonomy::Cut envelope = taxonomy::Envelope(*tree, cuts[0], cuts[1]);
    for (const NodeId x : used[0]) {
      for (const NodeId y : used[1]) {
        const bool equal =
            envelope.NodeOfLeaf(tree->first_leaf(x)) == envelope.NodeOfLeaf(tree->first_leaf(y));
        ASSERT_EQ(equal, tree->OnOnePath(x, y)) << round;
        comparable += equal;
      }
    }
  }
  EXPECT_GT(comparable, 200u);
}

TEST(Release, HasCellsAndGroupsInOrder) {
  const auto tree = Places();
  const std::uint32_t uk = tree->Find("UK")->raw();
  const std::uint32_t peru = tree->Find("Peru")->raw();
  const std::vector<std::uint32_t> keys = {peru, 7, uk, 3, uk, 1, uk, 2};
  const std::vector<std::uint64_t> counts = {4, 5, 6, 0};
  const Release release = Release::Make({tree}, CollectCells(2, keys, counts)).value();
  ASSERT_EQ(release.cells(), 2u);
  ASSERT_EQ(release.groups(), 3u);
  EXPECT_EQ(release.rows(), 15u);
  EXPECT_EQ(release.rows_of_cell(0), 11u);
  EXPECT_EQ(release.value(0), 1u);
  EXPECT_EQ(release.rows_of_group(0), 6u);
  EXPECT_EQ(release.cell_of_group(2), 1u);
  EXPECT_EQ(release.FindGroup(0, 3), 1u);
  EXPECT_EQ(release.FindGroup(0, 2), std::nullopt);  // no rows
  EXPECT_EQ(release.FindGroup(1, 3), std::nullopt);
  EXPECT_EQ(release.FindCell(std::vector{peru}), 1u);
  EXPECT_EQ(release.FindCell(std::vector{uk + 1}), std::nullopt);
}

TEST(Series, RefusesWhatDoesNotFitTheTaxonomies) {
  const auto tree = Places();
  const std::vector<std::uint64_t> one = {1};
  const Cells good = OneColumn(*tree, {{"UK", 1}});
  const Cells wide = CollectCells(3, std::vector<std::uint32_t>{1, 1, 0}, one);
  const Cells strange = CollectCells(2, std::vector<std::uint32_t>{99, 0}, one);
  EXPECT_TRUE(Series::Make({tree}, std::vector{good, good}).has_value());
  EXPECT_FALSE(Series::Make(Taxonomies{}, std::vector{good}).has_value());
  EXPECT_FALSE(Series::Make({nullptr}, std::vector{good}).has_value());
  EXPECT_THAT(Series::Make({tree}, std::vector{good, wide}).error().message,
              HasSubstr("release 2"));
  EXPECT_THAT(Series::Make({tree}, std::vector{strange}).error().message, HasSubstr("node 99"));
}

TEST(Series, FindsComparableCellsAsALookAtAllWould) {
  Random random = Random::Seeded(6);
  std::uint64_t found = 0;
  for (int round = 0; round < 100; ++round) {
    Taxonomies trees;
    for (int column = 0; column < 3; ++column) {
      trees.push_back(
          std::make_shared<taxonomy::Taxonomy>(support::RandomTaxonomy(random, 9, 0.4)));
    }
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts(20, 1);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (const auto& tree : trees) {
        keys.push_back(static_cast<std::uint32_t>(random.Below(tree->nodes())));
      }
      keys.push_back(static_cast<std::uint32_t>(random.Below(2)));
    }
    const Series series = Series::Make(trees, std::vector{CollectCells(4, keys, counts)}).value();
    const Release& release = series.release(0);
    for (std::size_t cell = 0; cell < release.cells(); ++cell) {
      std::vector<std::uint32_t> expected;
      for (std::uint32_t other = 0; other < release.cells(); ++other) {
        if (series.Comparable(release.key(cell), release.key(other))) expected.push_back(other);
      }
      ASSERT_EQ(series.ComparableCells(0, release.key(cell)), expected) << round;
      found += expected.size();
    }
  }
  EXPECT_GT(found, 2000u);
}

TEST(Series, KnowsWhichReleasesHaveTheSameCells) {
  const auto tree = Places();
  const Cells uk = OneColumn(*tree, {{"UK", 1}}), more = OneColumn(*tree, {{"UK", 5}});
  const Cells other = OneColumn(*tree, {{"Peru", 1}});
  const Cells both = OneColumn(*tree, {{"UK", 1}, {"Peru", 1}});
  const Series series = Series::Make({tree}, std::vector{uk, other, more, both, other}).value();
  std::vector<std::size_t> shapes;
  for (std::size_t i = 0; i < series.size(); ++i) shapes.push_back(series.shape(i));
  EXPECT_EQ(shapes, (std::vector<std::size_t>{0, 1, 0, 3, 1}));
  EXPECT_EQ(&series.recoding(0), &series.recoding(2));
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Recoding own = RecoverCuts(series.taxonomies(), series.release(i));
    EXPECT_EQ(series.recoding(i).cuts, own.cuts);
  }
}

}  // namespace
}  // namespace reissue::models::bcf
