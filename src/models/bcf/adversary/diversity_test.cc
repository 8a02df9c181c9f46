#include "reissue/models/bcf/adversary/diversity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/models/bcf/adversary/small_series.h"

namespace reissue::models::bcf {
namespace {

using testing::CellOf;
using testing::FromLabels;
using testing::PaperTables;
using testing::Tree;

// What is left to a target of the paper's tables: F and C 3 + 2 with the UK, 2 + 2 with France;
// B 2 + 2 and 2 + 3: (flu, HIV).
TEST(Diversity, PaperTables) {
  const Series series = PaperTables();
  k::Guarantee guarantee;
  guarantee.distinct = 2;
  guarantee.alpha = 0.55;
  const Diversity found = MeasureDiversity(series, Pair::Solve(series, 0, 1), guarantee);
  EXPECT_EQ(found.targets, 6u);
  EXPECT_EQ(found.worst.rows, 4u);
  EXPECT_EQ(found.worst.distinct, 2u);
  EXPECT_DOUBLE_EQ(found.worst.top_share, 0.6);
  EXPECT_DOUBLE_EQ(found.largest_share[0], 0.6);
  EXPECT_DOUBLE_EQ(found.largest_share[1], 0.6);
  ASSERT_EQ(found.broken.size(), 3u);
  const std::uint32_t uk = CellOf(series, 1, {"UK", "Professional"});
  EXPECT_EQ(found.broken[0].kind, AttackKind::kForward);
  EXPECT_EQ(found.broken[0].promise, "alpha");
  EXPECT_EQ(found.broken[0].other, uk);
  EXPECT_EQ(found.broken[1].kind, AttackKind::kCross);
  EXPECT_EQ(found.broken[1].cell, uk);
  EXPECT_EQ(found.broken[2].kind, AttackKind::kBackward);
  EXPECT_EQ(found.broken[2].cell, CellOf(series, 1, {"France", "Professional"}));
}

// Both releases have two values in every cell; what is left to a target has one.
TEST(Diversity, BreaksByExclusionAlone) {
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}})};
  const Series series =
      FromLabels(trees, {{{{"*"}, 0, 2}, {{"*"}, 1, 2}},
                         {{{"a"}, 0, 2}, {{"a"}, 2, 2}, {{"b"}, 1, 2}, {{"b"}, 2, 2}}});
  k::Guarantee guarantee;
  guarantee.distinct = 2;
  const Diversity found = MeasureDiversity(series, Pair::Solve(series, 0, 1), guarantee);
  EXPECT_EQ(found.worst.distinct, 1u);
  ASSERT_EQ(found.broken.size(), 3u);
  EXPECT_EQ(found.broken[0].promise, "distinct");
  EXPECT_EQ(found.broken[0].left.rows, 2u);
  EXPECT_DOUBLE_EQ(found.broken[0].measured, 1);
  EXPECT_DOUBLE_EQ(found.broken[0].promised, 2);
  guarantee.distinct = 1;
  EXPECT_TRUE(MeasureDiversity(series, Pair::Solve(series, 0, 1), guarantee).broken.empty());
}

TEST(Diversity, NothingWhereTheFilesAreNoSeries) {
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}})};
  const Series series = FromLabels(trees, {{{{"a"}, 0, 2}}, {{{"a"}, 0, 1}, {{"b"}, 0, 5}}});
  k::Guarantee guarantee;
  guarantee.distinct = 2;
  EXPECT_EQ(MeasureDiversity(series, Pair::Solve(series, 0, 1), guarantee).targets, 0u);
}

}  // namespace
}  // namespace reissue::models::bcf
