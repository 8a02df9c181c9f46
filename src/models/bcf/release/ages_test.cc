#include "reissue/models/bcf/release/ages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/models/bcf/release/stars.h"

namespace reissue::models::bcf {
namespace {

using taxonomy::Taxonomy;
using ::testing::ElementsAre;

// Clerks and painters have always been there, typists came with release 2 (1, from 0).
class AgesTest : public ::testing::Test {
 protected:
  AgesTest() {
    const std::vector<taxonomy::HierarchyLine> lines = {
        {1, {"clerk", "office", "*"}}, {2, {"typist", "office", "*"}}, {3, {"painter", "*", "*"}}};
    trees_ = {std::make_shared<const Taxonomy>(taxonomy::FromHierarchy(lines, "job.csv").value())};
    ages_.emplace_back(3);
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      const bool fresh = trees_[0]->label(trees_[0]->leaf(rank)) == "typist";
      ages_[0][rank] = {fresh ? 1u : 0u};
    }
  }

  // With a column of stars where `star` is given; what the new column says of the label.
  std::string AgeOf(const std::string& label, std::uint32_t release,
                    std::optional<NodeId> star = std::nullopt) const {
    std::vector<std::uint32_t> key = {trees_[0]->Find(label).value().raw()};
    Taxonomies trees = trees_;
    if (star) {
      key.push_back(star->raw());
      trees.push_back(StarTree());
    }
    key.push_back(0);
    const Cells cells = CollectCells(key.size(), key, std::vector<std::uint64_t>{7});
    const Cells dated = WithAges(trees, cells, release, ages_, AgeColumns(ages_));
    EXPECT_EQ(dated.rows(), 7u);
    return AgeTree()->label(NodeId(dated.key(CellId(0))[key.size() - 1]));
  }

  Taxonomies trees_;
  Ages ages_;
};

TEST_F(AgesTest, OneColumnForEachReleaseThatBroughtValues) {
  EXPECT_THAT(AgeColumns(ages_), ElementsAre(AgeColumn{0, 1}));
  ages_[0][0] = {2};
  EXPECT_THAT(AgeColumns(ages_), ElementsAre(AgeColumn{0, 1}, AgeColumn{0, 2}));
}

TEST_F(AgesTest, SaysWhatFollowsOfALabel) {
  EXPECT_EQ(AgeOf("office", 0), "before");  // as far as its values were there
  EXPECT_EQ(AgeOf("*", 0), "before");
  EXPECT_EQ(AgeOf("clerk", 1), "before");
  EXPECT_EQ(AgeOf("typist", 1), "since");
  EXPECT_EQ(AgeOf("office", 1), "*");
  ages_[0][trees_[0]->first_leaf(*trees_[0]->Find("typist"))] = {0, 1};  // ends at a floor
  EXPECT_EQ(AgeOf("typist", 1), "*");
}

TEST_F(AgesTest, OfThoseWhoAreStarredItSaysNothing) {
  EXPECT_EQ(AgeOf("*", 0, StarTree()->leaf(kStarred)), "*");
  EXPECT_EQ(AgeOf("*", 0, StarTree()->leaf(kTold)), "before");
  // A release that tells nothing of anybody is no release of starred people alone.
  EXPECT_EQ(AgeOf("*", 0, Taxonomy::root()), "before");
}

TEST_F(AgesTest, OnlyLabelsOfNewValuesAloneTell) {
  const auto tells = [&](const std::string& label) {
    const std::vector<std::uint32_t> key = {trees_[0]->Find(label).value().raw(), 0};
    std::vector<char> telling(1, 0);
    FindTelling(trees_, CollectCells(2, key, std::vector<std::uint64_t>{1}), 1, ages_,
                AgeColumns(ages_), telling);
    return telling[0] != 0;
  };
  EXPECT_TRUE(tells("typist"));
  EXPECT_FALSE(tells("office"));
  EXPECT_FALSE(tells("clerk"));
}

}  // namespace
}  // namespace reissue::models::bcf
