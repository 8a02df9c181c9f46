#include "reissue/models/bcf/release/overlap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/core/random.h"
#include "reissue/taxonomy/tree_builder.h"

namespace reissue::models::bcf {
namespace {

using taxonomy::Regions;
using ::testing::ElementsAre;

Scale Sets(std::uint32_t atoms, const std::vector<taxonomy::Region>& regions) {
  return {nullptr, std::make_shared<const Regions>(Regions::Make(atoms, regions, "x").value())};
}

Scale SmallTree() {
  taxonomy::TreeBuilder builder;
  const std::size_t root = builder.Add("*", taxonomy::TreeBuilder::kNoParent);
  const std::size_t a = builder.Add("A", root);
  builder.Add("a1", a);
  builder.Add("a2", a);
  builder.Add("B", root);
  return {std::make_shared<const taxonomy::Taxonomy>(std::move(builder).Build()), nullptr};
}

// Cells of one value with one row each.
Cells Release1(const std::vector<std::vector<std::uint32_t>>& keys) {
  std::vector<std::uint32_t> all;
  for (const auto& key : keys) {
    all.insert(all.end(), key.begin(), key.end());
    all.push_back(0);
  }
  return CollectCells(keys[0].size() + 1, all, std::vector<std::uint64_t>(keys.size(), 1));
}

TEST(Overlap, IsAskedOfAllCellsTogether) {
  const Scale sets = Sets(3, {{"ab", {0, 1}}, {"ac", {0, 2}}, {"bc", {1, 2}}});
  const auto node = [&](const char* label) { return sets.regions->Find(label)->raw(); };
  const std::vector<Cells> published = {Release1({{node("ab")}}), Release1({{node("bc")}}),
                                        Release1({{node("ac")}, {0}})};
  const Series series = Series::Make(Scales{sets}, published).value();
  EXPECT_FALSE(series.trees_only());
  EXPECT_FALSE(series.pairwise());
  EXPECT_FALSE(series.recoding(0).global());
  Overlap overlap(series);
  overlap.Start(series.release(0).key(0));
  EXPECT_THAT(series.ComparableCells(2, overlap), ElementsAre(0, 1));
  overlap.Push(series.release(1).key(0));
  EXPECT_THAT(series.ComparableCells(2, overlap), ElementsAre(0)) << "`*` alone";
  EXPECT_FALSE(overlap.Fits(series.release(2).key(1)));
  overlap.Pop();
  EXPECT_TRUE(overlap.Fits(series.release(2).key(1)));
  EXPECT_THAT(series.ComparableCells(2, series.release(1).key(0)), ElementsAre(0, 1));
}

TEST(Overlap, TreesAndRegionsSideBySide) {
  const std::vector<std::string> bands = {"[0,20)", "[10,30)", "[20,40)"};
  const Scale ages = {nullptr,
                      std::make_shared<const Regions>(Regions::FromRanges(bands, "age").value())};
  const Scale tree = SmallTree();
  const auto age = [&](const char* label) { return ages.regions->Find(label)->raw(); };
  const auto job = [&](const char* label) { return tree.tree->Find(label)->raw(); };
  const std::vector<Cells> published = {
      Release1({{age("[0,20)"), job("A")}, {age("[20,40)"), job("*")}}),
      Release1({{age("[10,30)"), job("a1")}, {age("[10,30)"), job("B")}, {age("[0,20)"), 0}})};
  const Series series = Series::Make(Scales{ages, tree}, published).value();
  EXPECT_TRUE(series.pairwise());
  EXPECT_EQ(series.label(0, series.release(0).node(0, 0)), "[0,20)");
  EXPECT_EQ(series.label(1, series.release(0).node(0, 1)), "A");
  for (std::size_t cell = 0; cell < 2; ++cell) {
    std::vector<std::uint32_t> comparable;
    for (std::uint32_t other = 0; other < series.release(1).cells(); ++other) {
      if (series.Comparable(series.release(0).key(cell), series.release(1).key(other))) {
        comparable.push_back(other);
      }
    }
    EXPECT_EQ(series.ComparableCells(1, series.release(0).key(cell)), comparable);
    EXPECT_EQ(comparable.size(), 2u);
  }
  EXPECT_TRUE(series.LiesIn(series.release(0).key(0), series.release(1).key(0)));
  EXPECT_FALSE(series.LiesIn(series.release(1).key(0), series.release(0).key(0)));
}

TEST(Overlap, ANumberThatIsNoRegionIsAnError) {
  const std::vector<Cells> published = {Release1({{9}})};
  const auto series = Series::Make(Scales{Sets(2, {{"a", {0}}})}, published);
  ASSERT_FALSE(series);
}

}  // namespace
}  // namespace reissue::models::bcf
