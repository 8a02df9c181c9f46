// Penalty, linkage, order and shapes against brute force.

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "tables.h"

namespace oracle::similarity {
namespace {

TableShape AnyTable(reissue::Random& random, std::size_t most) {
  TableShape shape;
  shape.rows = 1 + random.Below(most);
  shape.columns = 1 + int(random.Below(4));
  shape.values = 1 + int(random.Below(5));
  shape.beliefs = 1 + int(random.Below(5));
  shape.spread = random.Below(3) == 0 ? 1 : 0.5;
  shape.twins = random.Below(2) == 0 ? 0 : random.Unit();
  shape.numbers_only = random.Below(4) == 0;
  shape.whole = random.Below(2) == 0;
  return shape;
}

Groups AnyGroups(const Rows& rows, reissue::Random& random) {
  Groups groups;
  const std::uint64_t most = 1 + random.Below(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    groups.of.push_back(random.Below(10) == 0 ? -1 : int(random.Below(most)));
  }
  groups.shown = rows.value;
  return groups;
}

TEST(SimilarityPlaces, PenaltyLinkageAndShape) {
  reissue::ThreadPool pool(2);
  double penalty = 0, linkage = 0, j = 0, beta = 0, t = 0;
  std::size_t tables = 0, suppressed = 0;
  for (std::uint64_t number = 0; number < 6000; ++number) {
    reissue::Random random = reissue::Random::Seeded(number);
    const Drawn drawn = DrawTable(AnyTable(random, 30), random);
    Groups groups = AnyGroups(drawn.rows, random);
    if (random.Below(5) == 0) {
      for (int& value : groups.shown) {
        if (random.Below(4) == 0) value = int(random.Below(std::uint64_t(drawn.rows.values)));
      }
    }
    const model::Outcome outcome = OutcomeOf(groups);
    ++tables;
    for (const int group : groups.of) suppressed += group < 0 ? 1 : 0;
    penalty =
        std::max(penalty, std::abs(PenaltyOf(drawn.rows, groups) -
                                   model::CertaintyPenalty(drawn.table.points, outcome.group)));
    ASSERT_LE(penalty, 1e-9) << number;
    linkage =
        std::max(linkage, std::abs(LinkageOf(drawn.rows, groups) -
                                   model::RecordLinkage(drawn.table.points, outcome.group, pool)));
    ASSERT_LE(linkage, 1e-9) << number << '\n' << Describe(drawn, {}, groups);
    if (outcome.groups == 0) continue;
    const bool ordered = random.Below(2) == 0;
    const Measured own = MeasureRelease(drawn.rows, groups, ordered);
    const model::Shape theirs = model::ShapeOf(drawn.table, outcome, ordered);
    ASSERT_EQ(std::uint64_t(own.k), theirs.k);
    ASSERT_NEAR(own.j, theirs.j, 1e-9);
    ASSERT_NEAR(own.beta, theirs.beta, 1e-9);
    ASSERT_NEAR(own.t, theirs.t, 1e-9);
    j = std::max(j, std::abs(own.j - theirs.j));
    beta = std::max(beta, std::abs(own.beta - theirs.beta));
    t = std::max(t, std::abs(own.t - theirs.t));
  }
  std::cout << tables << " tables, rows left out " << suppressed
            << "; largest differences: penalty " << penalty << ", linkage " << linkage << ", J "
            << j << ", beta " << beta << ", t " << t << '\n';
}

TEST(SimilarityPlaces, ColumnsByThemselves) {
  double penalty = 0, distance = 0;
  std::size_t pairs = 0;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    reissue::Random random = reissue::Random::Seeded(50'000 + number);
    const Drawn drawn = DrawTable(AnyTable(random, 20), random);
    for (std::size_t a = 0; a < drawn.rows.axes.size(); ++a) {
      const model::Column& column = drawn.table.points.columns[a];
      for (std::size_t one = 0; one < drawn.rows.size(); ++one) {
        for (std::size_t two = 0; two < drawn.rows.size(); ++two) {
          const double low = std::min(drawn.rows.place[one][a], drawn.rows.place[two][a]);
          const double high = std::max(drawn.rows.place[one][a], drawn.rows.place[two][a]);
          const Axis& axis = drawn.rows.axes[a];
          ++pairs;
          penalty =
              std::max(penalty, std::abs(axis.Penalty(low, high) - column.Penalty(low, high)));
          distance =
              std::max(distance, std::abs(axis.Apart(high, low) - column.Distance(high, low)));
        }
      }
    }
  }
  std::cout << pairs << " pairs of places: penalty off by " << penalty << ", distance by "
            << distance << '\n';
  EXPECT_LE(penalty, 1e-12);
  EXPECT_LE(distance, 1e-9);
}

TEST(SimilarityPlaces, NearestPointNext) {
  std::size_t tables = 0, rows = 0, ties = 0, close = 0;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    reissue::Random random = reissue::Random::Seeded(100'000 + number);
    const Drawn drawn = DrawTable(AnyTable(random, number % 50 == 0 ? 300 : 40), random);
    const OrderCheck check = CheckOrder(drawn.rows, model::NearestPointNext(drawn.table.points));
    ASSERT_TRUE(check.right) << number << '\n' << Describe(drawn, {}, {});
    ++tables;
    rows += check.steps;
    ties += check.ties;
    close += check.close;
  }
  std::cout << "nearest point next: " << tables << " tables of " << rows << " rows, ties " << ties
            << ", of them decided by rounding among different places " << close << '\n';
}

TEST(SimilarityPlaces, HilbertOrderHasEveryRowOnce) {
  for (std::uint64_t number = 0; number < 2000; ++number) {
    reissue::Random random = reissue::Random::Seeded(200'000 + number);
    const Drawn drawn = DrawTable(AnyTable(random, 40), random);
    std::vector<std::uint32_t> order = model::HilbertOrder(drawn.table.points);
    // Twins stand together.
    for (std::size_t i = 0; i + 2 < order.size(); ++i) {
      if (drawn.rows.place[order[i]] == drawn.rows.place[order[i + 1]]) continue;
      for (std::size_t later = i + 1; later < order.size(); ++later) {
        ASSERT_NE(drawn.rows.place[order[i]], drawn.rows.place[order[later]]) << number;
      }
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i);
    ASSERT_EQ(order.size(), drawn.rows.size());
  }
}

}  // namespace
}  // namespace oracle::similarity
