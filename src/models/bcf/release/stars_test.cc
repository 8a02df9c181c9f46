#include "reissue/models/bcf/release/stars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reissue::models::bcf {
namespace {

using ::testing::ElementsAre;

// Two quasi-identifiers and a value; node 0 is the root.
Cells Rows(const std::vector<std::vector<std::uint32_t>>& rows) {
  std::vector<std::uint32_t> keys;
  for (const auto& row : rows) keys.insert(keys.end(), row.begin(), row.end());
  return CollectCells(3, keys, std::vector<std::uint64_t>(rows.size(), 1));
}

// What the column says of each cell, in the order of the keys.
std::vector<std::string> Column(const Cells& published) {
  const std::vector<Cells> all = WithStars(std::vector<Cells>{published});
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < all[0].size(); ++i) {
    labels.push_back(StarTree()->label(NodeId(all[0].key(CellId(i))[2])));
  }
  EXPECT_EQ(all[0].rows(), published.rows());
  return labels;
}

TEST(Stars, RowsThatTellNothingBesideOthersAreStarred) {
  EXPECT_THAT(Column(Rows({{0, 0, 1}, {0, 2, 1}, {1, 2, 0}})),
              ElementsAre("starred", "told", "told"));
}

TEST(Stars, OfARowThatIsLikeAllOthersNobodyKnows) {
  EXPECT_THAT(Column(Rows({{0, 0, 0}, {0, 0, 1}})), ElementsAre("*", "*"));
  EXPECT_THAT(Column(Rows({{0, 1, 0}, {2, 0, 1}})), ElementsAre("told", "told"));
}

TEST(Stars, OnlyBesideOthers) {
  const Cells all = Rows({{0, 0, 0}}), none = Rows({{1, 0, 0}}),
              some = Rows({{0, 0, 0}, {1, 0, 0}});
  EXPECT_FALSE(AnyStars(std::vector<Cells>{all, none}));
  EXPECT_TRUE(AnyStars(std::vector<Cells>{all, some}));
}

TEST(Stars, TheTreeHasItsLeavesInOrder) {
  EXPECT_EQ(StarTree()->label(StarTree()->leaf(kTold)), "told");
  EXPECT_EQ(StarTree()->label(StarTree()->leaf(kStarred)), "starred");
}

}  // namespace
}  // namespace reissue::models::bcf
