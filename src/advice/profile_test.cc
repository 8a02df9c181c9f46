#include "reissue/advice/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reissue::advice {
namespace {

using ::testing::ElementsAre;

TEST(ProfileOf, CountsOverTables) {
  const Table a = MakeTable({"x"}, {{"5"}, {"7"}, {"?"}, {""}});
  const Table b = MakeTable({"x"}, {{"5"}, {"*"}, {"9.5"}, {"5"}});
  const std::vector<const Column*> columns = {&a[ColumnId(0)], &b[ColumnId(0)]};
  const Profile profile = ProfileOf(columns);
  EXPECT_EQ(profile.rows, 8u);
  EXPECT_EQ(profile.empty, 1u);
  EXPECT_EQ(profile.marked, 1u);
  EXPECT_EQ(profile.starred, 1u);
  EXPECT_THAT(profile.marks, ElementsAre("?"));
  EXPECT_THAT(profile.values, ElementsAre("5", "7", "9.5"));
  EXPECT_THAT(profile.counts, ElementsAre(3, 1, 1));
  EXPECT_FALSE(profile.once);  // 5 twice in b
  EXPECT_EQ(profile.most, 2u);
  EXPECT_TRUE(profile.numeric);
  EXPECT_FALSE(profile.whole);
  EXPECT_EQ(profile.low, 5);
  EXPECT_EQ(profile.high, 9.5);
  EXPECT_NEAR(profile.entropy, 1.371, 0.001);
  EXPECT_THAT(profile.Numbers(), ElementsAre(5, 5, 5, 7, 9.5));
}

TEST(ProfileOf, KnowsWhatStandsOnceInEveryTable) {
  const Table a = MakeTable({"x"}, {{"a"}, {"b"}});
  const std::vector<const Column*> columns = {&a[ColumnId(0)], &a[ColumnId(0)]};
  EXPECT_TRUE(ProfileOf(columns).once);
  EXPECT_FALSE(ProfileOf(columns).numeric);
}

}  // namespace
}  // namespace reissue::advice
