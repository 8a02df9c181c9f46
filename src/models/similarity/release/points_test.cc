#include "reissue/models/similarity/release/points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reissue/core/random.h"

namespace reissue::models::similarity {
namespace {

// ((a b) (c d e)) f: six leaves.
Column SixLeaves() { return Column::Tree({2, 5, 3, 3, 6}); }

TEST(Points, PenaltyIsTheShareOfTheRangeOrOfTheLeaves) {
  const Column number = Column::Number(10, 30);
  EXPECT_NEAR(number.Penalty(15, 20), 0.25, 1e-12);
  EXPECT_EQ(Column::Number(4, 4).Penalty(4, 4), 0);
  const Column tree = SixLeaves();
  EXPECT_EQ(tree.Penalty(2, 2), 0);
  EXPECT_NEAR(tree.Penalty(0, 1), 2.0 / 6, 1e-12);
  EXPECT_NEAR(tree.Penalty(2, 4), 3.0 / 6, 1e-12);
  EXPECT_NEAR(tree.Penalty(3, 4), 3.0 / 6, 1e-12);
  EXPECT_NEAR(tree.Penalty(1, 2), 5.0 / 6, 1e-12);
  EXPECT_NEAR(tree.Penalty(0, 5), 1, 1e-12);
  EXPECT_EQ(Column::Tree({}).Penalty(0, 0), 0);
}

TEST(Points, DistanceIsInDeviationsAndGrows) {
  Points points{.columns = {Column::Number(0, 4), SixLeaves()}, .place = {0, 0, 4, 5}};
  Standardise(points);
  EXPECT_NEAR(points.columns[0].Distance(0, 4), 2, 1e-12);  // the deviation is 2
  EXPECT_NEAR(points.columns[0].Distance(3, 1), 1, 1e-12);
  const Column& tree = points.columns[1];
  for (double a = 0; a < 6; ++a) {
    for (double b = a + 1; b < 6; ++b) {
      EXPECT_EQ(tree.Distance(a, b), tree.Penalty(a, b));
      EXPECT_EQ(tree.Distance(b, a), tree.Distance(a, b));
      EXPECT_GE(tree.Distance(a, b), tree.Distance(a, b - 1));
    }
  }
}

// Few leaves and many are looked up in different ways.
TEST(Points, PenaltyIsTheWidestJoinBetween) {
  Random random = Random::Seeded(3);
  for (const std::uint32_t leaves : {1u, 2u, 3u, 63u, 64u, 65u, 200u}) {
    std::vector<std::uint32_t> joins;
    for (std::uint32_t i = 1; i < leaves; ++i) {
      joins.push_back(static_cast<std::uint32_t>(2 + random.Below(leaves - 1)));
    }
    const Column tree = Column::Tree(joins);
    for (std::uint32_t a = 0; a < leaves; ++a) {
      std::uint32_t widest = 0;
      for (std::uint32_t b = a; b < leaves; ++b) {
        if (b > a) widest = std::max(widest, joins[b - 1]);
        const double share = static_cast<double>(widest) / leaves;
        ASSERT_EQ(tree.Penalty(a, b), share) << leaves << " leaves, " << a << " and " << b;
        ASSERT_EQ(tree.Distance(a, b), share);
        ASSERT_EQ(tree.Distance(b, a), share);
      }
    }
  }
}

TEST(Points, CertaintyPenaltyByHand) {
  const Points points{.columns = {Column::Number(0, 10), SixLeaves()},
                      .place = {0, 0, 2, 1, 6, 2, 10, 5, 7, 4}};
  // (0.2 + 2/6) / 2 for two rows, (0.1 + 3/6) / 2 for two more, and a row that is left out.
  const std::vector<std::uint32_t> group = {1, 1, 0, kSuppressed, 0};
  EXPECT_NEAR(CertaintyPenalty(points, group), (0.2 + 2.0 / 6) + (0.1 + 0.5) + 1, 1e-12);
}

TEST(Points, RecordLinkageByHand) {
  ThreadPool pool(1);
  const Points line{.columns = {Column::Number(0, 10)}, .place = {0, 2, 3, 9, 10, 4}};
  // Middles 1.5 and 9.5: rows 0 to 2 are nearest to their own group of three.
  EXPECT_NEAR(RecordLinkage(line, std::vector<std::uint32_t>{0, 0, 0, 1, 1, kSuppressed}, pool), 2,
              1e-12);
  // The same box twice: the chance is shared.
  const Points same{.columns = {Column::Number(0, 1)}, .place = {0, 1, 0, 1}};
  EXPECT_NEAR(RecordLinkage(same, std::vector<std::uint32_t>{0, 0, 1, 1}, pool), 1, 1e-12);
  // A far row in a wide group is nearer to another one.
  const Points wide{.columns = {Column::Number(0, 10)}, .place = {0, 10, 9, 9}};
  EXPECT_NEAR(RecordLinkage(wide, std::vector<std::uint32_t>{0, 0, 1, 1}, pool), 0.5 + 1, 1e-12);
}

// The definition; O(rows · groups).
double SlowLinkage(const Points& points, const std::vector<std::uint32_t>& group) {
  const std::vector<Box> boxes = BoxesOf(points, group);
  double sum = 0;
  for (std::size_t row = 0; row < group.size(); ++row) {
    if (group[row] == kSuppressed) continue;
    std::vector<double> away;
    for (const Box& box : boxes) {
      double squares = box.rows == 0 ? INFINITY : 0;
      for (std::size_t c = 0; c < points.columns.size() && box.rows > 0; ++c) {
        const Column& column = points.columns[c];
        const double place = points.of(row)[c];
        const double distance =
            column.tree()
                ? column.Penalty(std::min(place, box.low[c]), std::max(place, box.high[c]))
                : column.Distance(place, (box.low[c] + box.high[c]) / 2);
        squares += distance * distance;
      }
      away.push_back(squares);
    }
    const double nearest = *std::ranges::min_element(away);
    if (away[group[row]] > nearest + 1e-12) continue;
    const auto ties =
        std::ranges::count_if(away, [&](double other) { return other <= nearest + 1e-12; });
    sum += 1 / static_cast<double>(boxes[group[row]].rows) / static_cast<double>(ties);
  }
  return sum;
}

TEST(Points, RecordLinkageIsTheDefinition) {
  Random random = Random::Seeded(1);
  ThreadPool one(1), three(3);
  for (int round = 0; round < 200; ++round) {
    Points points;
    const std::size_t rows = 1 + random.Below(700);
    if (round % 4 != 1) points.columns.push_back(Column::Number(0, 20));
    if (round % 4 != 2) points.columns.push_back(SixLeaves());
    if (round % 4 == 3) points.columns.push_back(Column::Number(0, 20));
    std::vector<std::uint32_t> group;
    for (std::size_t row = 0; row < rows; ++row) {
      for (const Column& column : points.columns) {
        points.place.push_back(static_cast<double>(random.Below(column.tree() ? 6 : 20)));
      }
      // Groups are often near in the first column.
      const auto near = static_cast<std::uint32_t>(points.of(row)[0]) * 3;
      group.push_back(random.Below(20) == 0 ? kSuppressed
                                            : near + static_cast<std::uint32_t>(random.Below(9)));
    }
    Standardise(points);
    const double fast = RecordLinkage(points, group, one);
    EXPECT_NEAR(fast, SlowLinkage(points, group), 1e-9) << round;
    EXPECT_EQ(fast, RecordLinkage(points, group, three));
  }
}

}  // namespace
}  // namespace reissue::models::similarity
