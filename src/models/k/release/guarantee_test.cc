#include "reissue/models/k/release/guarantee.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reissue/core/random.h"

namespace reissue::models::k {
namespace {

using Cell = std::vector<Bin>;

// Two values of three, one of one; the release has 4, 4, 2.
const Cell kCell = {{0, 3}, {1, 1}};
const Overall kOverall = {4, 4, 2};

TEST(Measure, CountsByHand) {
  const Measures m = Measure(kCell, kOverall, {});
  EXPECT_EQ(m.rows, 4u);
  EXPECT_EQ(m.distinct, 2u);
  EXPECT_DOUBLE_EQ(m.top_share, 0.75);
  EXPECT_EQ(m.top_code, 0u);
  EXPECT_DOUBLE_EQ(m.recursive_c, 3.0);  // 3 / 1 for l = 2
  // exp(−¾·ln ¾ − ¼·ln ¼) = 4 / 3^(3/4)
  EXPECT_NEAR(m.entropy_l, 4 / std::pow(3, 0.75), 1e-12);
  EXPECT_DOUBLE_EQ(m.confidence_excess, 0);
}

TEST(Measure, EqualDistanceAndGain) {
  const Measures m = Measure(kCell, kOverall, {});
  // p = ¾ ¼ 0, q = 0.4 0.4 0.2: ½(0.35 + 0.15 + 0.2) = 0.35; (0.75 − 0.4)/0.4 = 0.875
  EXPECT_NEAR(m.distance, 0.35, 1e-12);
  EXPECT_NEAR(m.gain, 0.875, 1e-12);
}

TEST(Measure, OrderedDistance) {
  Guarantee g;
  g.distance = Distance::kOrdered;
  g.order = {0, 1, 2};
  // |0.75 − 0.4| + |1 − 0.8| over m − 1 = 2
  EXPECT_NEAR(Measure(kCell, kOverall, g).distance, 0.275, 1e-12);
  g.order = {2, 0, 1};  // order of values: 1, 2, 0
  // |0.25 − 0.4| + |0.25 − 0.6|
  EXPECT_NEAR(Measure(kCell, kOverall, g).distance, 0.25, 1e-12);
}

TEST(Measure, OrderedDistanceSkipsValuesThatDoNotOccur) {
  Guarantee g;
  g.distance = Distance::kOrdered;
  g.order = {0, 1, 2, 3};
  const double full = Measure(Cell{{0, 3}, {3, 1}}, {4, 0, 0, 4}, g).distance;
  EXPECT_NEAR(full, 0.25, 1e-12);
  EXPECT_NEAR(Measure(Cell{{0, 3}}, {4, 0}, g).distance, 0, 1e-12);
}

// The example of the t-closeness literature: nine salaries, 3k to 11k.
TEST(Measure, OrderedDistanceOfNineSalaries) {
  Guarantee g;
  g.distance = Distance::kOrdered;
  const Overall overall(9, 1);
  EXPECT_NEAR(Measure(Cell{{0, 1}, {1, 1}, {2, 1}}, overall, g).distance, 0.375, 1e-12);
  EXPECT_NEAR(Measure(Cell{{3, 1}, {5, 1}, {8, 1}}, overall, g).distance, 1.0 / 6, 1e-12);
}

TEST(Measure, RecursiveNeedsEnoughValues) {
  Guarantee g;
  g.recursive = {.c = 1, .l = 3};
  EXPECT_TRUE(std::isinf(Measure(kCell, kOverall, g).recursive_c));
  EXPECT_DOUBLE_EQ(Measure(Cell{{0, 5}, {1, 4}, {2, 2}, {3, 3}}, {9, 9, 9, 9}, g).recursive_c, 1.0);
}

TEST(Measure, ConfidenceRunsOverBoundedValues) {
  Guarantee g;
  g.confidence = {2.0, 0.5, 0.9};
  EXPECT_NEAR(Measure(kCell, kOverall, g).confidence_excess, -0.25, 1e-12);
  g.confidence = {0.5};
  EXPECT_NEAR(Measure(kCell, kOverall, g).confidence_excess, 0.25, 1e-12);
}

TEST(Measure, ValueUnknownToTheReleaseGainsWithoutBound) {
  EXPECT_TRUE(std::isinf(Measure(Cell{{2, 1}}, {4, 4, 0}, {}).gain));
  EXPECT_TRUE(std::isinf(Measure(Cell{{7, 1}}, {4, 4, 0}, {}).gain));
}

TEST(Measure, EmptyCell) {
  EXPECT_EQ(Measure({}, kOverall, {}).rows, 0u);
  EXPECT_FALSE(Keeps({}, kOverall, {}));
}

// Each promise passes at its threshold and fails just beyond it.
TEST(Keeps, Thresholds) {
  const auto keeps = [](const auto& set) {
    Guarantee g;
    set(g);
    return Keeps(kCell, kOverall, g);
  };
  EXPECT_TRUE(keeps([](Guarantee& g) { g.k = 4; }));
  EXPECT_FALSE(keeps([](Guarantee& g) { g.k = 5; }));
  EXPECT_TRUE(keeps([](Guarantee& g) { g.distinct = 2; }));
  EXPECT_FALSE(keeps([](Guarantee& g) { g.distinct = 3; }));
  const double l = 4 / std::pow(3, 0.75);
  EXPECT_TRUE(keeps([&](Guarantee& g) { g.entropy = l; }));
  EXPECT_FALSE(keeps([&](Guarantee& g) { g.entropy = l + 1e-6; }));
  EXPECT_FALSE(keeps([](Guarantee& g) { g.recursive = {.c = 3, .l = 2}; }));  // strict
  EXPECT_TRUE(keeps([](Guarantee& g) { g.recursive = {.c = 3.001, .l = 2}; }));
  EXPECT_FALSE(keeps([](Guarantee& g) { g.recursive = {.c = 1000, .l = 3}; }));
  EXPECT_TRUE(keeps([](Guarantee& g) { g.alpha = 0.75; }));
  EXPECT_FALSE(keeps([](Guarantee& g) { g.alpha = 0.749; }));
  EXPECT_TRUE(keeps([](Guarantee& g) { g.confidence = {0.75, 0.25, 0}; }));
  EXPECT_FALSE(keeps([](Guarantee& g) { g.confidence = {1.5, 0.2}; }));
  EXPECT_TRUE(keeps([](Guarantee& g) { g.t = 0.35; }));
  EXPECT_FALSE(keeps([](Guarantee& g) { g.t = 0.349; }));
  EXPECT_TRUE(keeps([](Guarantee& g) { g.beta = 0.875; }));
  EXPECT_FALSE(keeps([](Guarantee& g) { g.beta = 0.874; }));
}

TEST(Keeps, RoundingDoesNotSneakPastTheStrictBound) {
  Guarantee g;
  g.recursive = {.c = 1.1, .l = 2};  // 1.1 · 10 is a little above 11 in binary
  EXPECT_FALSE(Keeps(Cell{{0, 11}, {1, 10}}, {21, 21}, g));
}

std::vector<std::uint64_t> RandomHistogram(Random& random, std::size_t values) {
  std::vector<std::uint64_t> rows(values);
  for (std::uint64_t& r : rows) r = random.Below(3) == 0 ? 0 : random.Below(7);
  return rows;
}

Cell Sparse(const std::vector<std::uint64_t>& rows) {
  Cell cell;
  for (std::uint32_t code = 0; code < rows.size(); ++code) {
    if (rows[code] > 0) cell.push_back({code, rows[code]});
  }
  return cell;
}

std::vector<Guarantee> OnePromiseEach() {
  std::vector<Guarantee> all(9);
  all[0].k = 6;
  all[1].distinct = 3;
  all[2].entropy = 2.2;
  all[3].recursive = {.c = 1.3, .l = 2};
  all[4].recursive = {.c = 2, .l = 3};
  all[5].alpha = 0.5;
  all[6].confidence = {0.4, 1.5, 0.3};
  all[7].t = 0.3;
  all[8].beta = 0.8;
  all.push_back(all[7]);
  all.back().distance = Distance::kOrdered;
  all.back().order = {2, 0, 3, 1};
  return all;
}

// Merging two cells that keep a promise gives a cell that keeps it.
TEST(Keeps, IsAntiMonotone) {
  Random random = Random::Seeded(11);
  for (const Guarantee& g : OnePromiseEach()) {
    int merged_pairs = 0;
    for (int round = 0; round < 20000; ++round) {
      const auto a = RandomHistogram(random, 4), b = RandomHistogram(random, 4);
      Overall merged(4), overall = RandomHistogram(random, 4);
      for (std::size_t i = 0; i < 4; ++i) {
        merged[i] = a[i] + b[i];
        overall[i] += merged[i];
      }
      if (!Keeps(Sparse(a), overall, g) || !Keeps(Sparse(b), overall, g)) continue;
      ++merged_pairs;
      ASSERT_TRUE(Keeps(Sparse(merged), overall, g));
    }
    EXPECT_GT(merged_pairs, 100);
  }
}

TEST(PromiseChecker, AgreesWithMeasure) {
  Random random = Random::Seeded(12);
  for (int round = 0; round < 5000; ++round) {
    const auto rows = RandomHistogram(random, 4);
    const Cell cell = Sparse(rows);
    if (cell.empty()) continue;
    Overall overall = RandomHistogram(random, 4);
    for (std::size_t i = 0; i < 4; ++i) overall[i] += rows[i];
    for (const Guarantee& g : OnePromiseEach()) {
      const Measures m = Measure(cell, overall, g);
      bool keeps = m.rows >= g.k;
      if (g.distinct) keeps &= m.distinct >= *g.distinct;
      if (g.entropy) keeps &= m.entropy_l >= *g.entropy - kTolerance;
      if (g.recursive) keeps &= m.recursive_c < g.recursive->c - 1e-7;
      if (g.alpha) keeps &= m.top_share <= *g.alpha + kTolerance;
      if (!g.confidence.empty()) keeps &= m.confidence_excess <= kTolerance;
      if (g.t) keeps &= m.distance <= *g.t + kTolerance;
      if (g.beta) keeps &= m.gain <= *g.beta + kTolerance;
      ASSERT_EQ(Keeps(cell, overall, g), keeps);
    }
  }
}

}  // namespace
}  // namespace reissue::models::k
