// The oracle against numbers worked out by hand.

#include "oracle.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "recoding.h"

namespace oracle::k {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Rows with one quasi-identifier, written "cell:values" with one letter per row.
Rows FromText(const std::vector<std::pair<std::string, std::string>>& cells) {
  Rows rows;
  for (const auto& [cell, values] : cells) {
    for (char value : values) rows.push_back({{cell}, std::string(1, value), ""});
  }
  return rows;
}

// * over A and B; A over a1 and a2; B over b1, b2 and b3.
Tree SmallTree() {
  return {
      {{"A", "*"}, {"B", "*"}, {"a1", "A"}, {"a2", "A"}, {"b1", "B"}, {"b2", "B"}, {"b3", "B"}}};
}

TEST(OracleTest, ClassesAreRowsThatAgree) {
  const auto classes = EquivalenceClasses(FromText({{"x", "f"}, {"y", "fg"}, {"x", "gg"}}));
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0].size(), 3u);
  EXPECT_EQ(classes[1].size(), 2u);
}

TEST(OracleTest, DiversityOfOneClass) {
  const Rows rows = FromText({{"x", "fffggh"}});  // 3, 2, 1
  EXPECT_EQ(DistinctValues(rows), 3u);
  EXPECT_NEAR(Entropy(rows), std::log(2.0) / 2 + std::log(3.0) / 3 + std::log(6.0) / 6, 1e-12);
  EXPECT_DOUBLE_EQ(RecursiveBound(rows, 1), 0.5);
  EXPECT_DOUBLE_EQ(RecursiveBound(rows, 2), 1.0);
  EXPECT_DOUBLE_EQ(RecursiveBound(rows, 3), 3.0);
  EXPECT_EQ(RecursiveBound(rows, 4), std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(LargestShare(rows), 0.5);
  EXPECT_NEAR(ConfidenceExcess(rows, {{"f", 0.7}, {"g", 0.25}}), 1.0 / 3 - 0.25, 1e-12);
  EXPECT_DOUBLE_EQ(ConfidenceExcess(rows, {{"z", 0.1}}), -0.1);
  EXPECT_DOUBLE_EQ(ConfidenceExcess(rows, {}), 0);
}

TEST(OracleTest, BoundariesOfDiversity) {
  const Rows even = FromText({{"x", "fg"}});
  EXPECT_THAT(Broken(even, even, {.k = 2, .distinct = 2, .entropy = 2.0}), IsEmpty());
  EXPECT_THAT(Broken(even, even, {.k = 3, .distinct = 3, .entropy = 2.001}),
              UnorderedElementsAre("k", "distinct", "entropy"));
  // r1 < c·r2 is strict: 1 < 1·1 does not hold.
  EXPECT_THAT(Broken(even, even, {.recursive = {{1.0, 2}}}), ElementsAre("recursive"));
  EXPECT_THAT(Broken(even, even, {.recursive = {{1.01, 2}}}), IsEmpty());
  EXPECT_THAT(Broken(even, even, {.alpha = 0.5}), IsEmpty());
  EXPECT_THAT(Broken(even, even, {.alpha = 0.49}), ElementsAre("alpha"));
  EXPECT_THAT(Broken(even, even, {.confidence = {{"g", 0.5}}}), IsEmpty());
  EXPECT_THAT(Broken(even, even, {.confidence = {{"g", 0.4}}}), ElementsAre("confidence"));
}

// The salaries of Li, Li and Venkatasubramanian 2007, Section 4: nine values once each; the three
// lowest are 0.375 away, the fourth, sixth and ninth 0.167.
TEST(OracleTest, OrderedDistanceOfThePaper) {
  const Rows all = FromText({{"x", "abc"}, {"y", "dfi"}, {"z", "egh"}});
  const std::vector<std::string> order = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  EXPECT_NEAR(OrderedDistance(FromText({{"x", "abc"}}), all, order), 0.375, 1e-12);
  EXPECT_NEAR(OrderedDistance(FromText({{"y", "dfi"}}), all, order), 1.0 / 6, 1e-12);
  EXPECT_NEAR(EqualDistance(FromText({{"x", "abc"}}), all), 2.0 / 3, 1e-12);
}

TEST(OracleTest, TransportWithEqualDistancesIsVariational) {
  // p = (4,0,2)/6, q = (1,3,2)/6: half of |3| + |3| + 0 over 6.
  EXPECT_EQ(TransportationCost({4, 0, 2}, {1, 3, 2}, {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}), 3);
  const Rows all = FromText({{"x", "fggghh"}});
  EXPECT_NEAR(EqualDistance(FromText({{"x", "ffffhh"}}), all), 0.5, 1e-12);
}

TEST(OracleTest, TransportMayHaveToRerouteAnEarlierChoice) {
  // The cheapest single step 1 → 1 (cost 0) shuts the way for 2; best is 1 → 2 and 2 → 1.
  EXPECT_EQ(TransportationCost({1, 1}, {1, 1}, {{0, 1}, {1, 9}}), 2);
}

TEST(OracleTest, GainLooksAtRisingValuesOnly) {
  const Rows all = FromText({{"x", "fg"}, {"y", "ggg"}});  // q: f 1/5, g 4/5
  EXPECT_NEAR(Gain(FromText({{"x", "fg"}}), all), (0.5 - 0.2) / 0.2, 1e-12);
  EXPECT_NEAR(Gain(FromText({{"y", "ggg"}}), all), 0.25, 1e-12);
  EXPECT_EQ(Gain(all, all), 0);
}

TEST(OracleTest, ExposureCountsPeople) {
  const Rows release = FromText({{"x", "f"}, {"y", "ggg"}, {"z", "ffffg"}});
  const Exposure exposure = Expose(release, {.k = 2, .confidence = {{"g", 0.5}}});
  EXPECT_EQ(exposure.identity, 1u);
  EXPECT_EQ(exposure.homogeneity, 4u);
  EXPECT_EQ(exposure.skew, 3u);
  EXPECT_EQ(exposure.exposed, 4u);
  EXPECT_FALSE(Satisfied(release, {.k = 2}));
  EXPECT_TRUE(Satisfied(release, {.k = 1}));
  EXPECT_TRUE(Satisfied({}, {.k = 5}));
}

TEST(RecodingTest, CutsAreTheNodeSetsWithOneNodeOnEachPath) {
  const Tree tree = SmallTree();
  std::set<std::set<std::string>> found;
  for (const Cut& cut : AllCuts(tree)) EXPECT_TRUE(found.insert(Nodes(cut)).second);
  std::vector<std::string> nodes = {Root(tree)};
  for (const auto& [node, parent] : tree.parent) nodes.push_back(node);
  std::set<std::set<std::string>> expected;
  for (std::size_t mask = 0; mask < (std::size_t{1} << nodes.size()); ++mask) {
    std::set<std::string> chosen;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (mask >> i & 1) chosen.insert(nodes[i]);
    }
    bool one_on_each_path = true;
    for (const std::string& leaf : Leaves(tree)) {
      std::size_t hits = chosen.contains("*");
      for (std::string at = leaf; at != "*"; at = tree.parent.at(at)) hits += chosen.contains(at);
      one_on_each_path &= hits == 1;
    }
    if (one_on_each_path) expected.insert(chosen);
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found.size(), 5u);  // the root, or two choices each for A and B
  EXPECT_EQ(AllCombinations({tree, tree}).size(), 25u);
}

TEST(RecodingTest, AChainOfOneHasItsOwnCuts) {
  const Tree tree = {{{"U", "*"}, {"u", "U"}, {"v", "*"}}};
  EXPECT_EQ(AllCuts(tree).size(), 3u);  // {*}, {U, v}, {u, v}
}

TEST(RecodingTest, RecodeSpecialiseLeaveOut) {
  const Tree tree = SmallTree();
  const Cut top = CutFromNodes(tree, {"*"});
  const Cut middle = Specialised(tree, top, "*");
  EXPECT_EQ(Nodes(middle), (std::set<std::string>{"A", "B"}));
  const Rows rows = FromText({{"a1", "f"}, {"a2", "g"}, {"b3", "f"}});
  const Rows recoded = Recode(rows, {middle});
  EXPECT_EQ(recoded[0].quasi[0], "A");
  EXPECT_EQ(recoded[1].quasi[0], "A");
  EXPECT_EQ(recoded[2].quasi[0], "B");
  EXPECT_EQ(LeaveOut(recoded, {{"A"}}).size(), 1u);
  EXPECT_EQ(Steps(tree, "a1", "*"), 2u);
}

TEST(RecodingTest, Costs) {
  const Tree tree = SmallTree();
  Rows rows = FromText({{"a1", "f"}, {"a2", "g"}, {"b1", "fff"}, {"b2", "g"}});
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].label = i < 3 ? "yes" : "no";
  const Combination cuts = {CutFromNodes(tree, {"A", "b1", "b2", "b3"})};
  // Classes A 2, b1 3, b2 1.
  EXPECT_NEAR(CostOf(Cost::kDiscernibility, rows, {tree}, cuts), (4 + 9 + 1) / 36.0, 1e-12);
  EXPECT_NEAR(CostOf(Cost::kDiscernibility, rows, {tree}, cuts, {{"b2"}}), (4 + 9 + 6) / 36.0,
              1e-12);
  EXPECT_NEAR(CostOf(Cost::kDistortion, rows, {tree}, cuts), 2 / 6.0, 1e-12);
  EXPECT_NEAR(CostOf(Cost::kDistortion, rows, {tree}, cuts, {{"b2"}}), 4 / 6.0, 1e-12);
  // A: yes yes; b1: yes no no; b2: no.
  const double mixed = 3 * (std::log2(3.0) / 3 + 2 * std::log2(1.5) / 3);
  EXPECT_NEAR(CostOf(Cost::kClass, rows, {tree}, cuts), mixed / 6, 1e-12);
  // In the whole table three of six: one bit for the row left out.
  EXPECT_NEAR(CostOf(Cost::kClass, rows, {tree}, cuts, {{"b2"}}), (mixed + 1) / 6, 1e-12);
}

TEST(RecodingTest, DistortionOfNumbersIsTheShareOfTheirRange) {
  const Tree tree = {
      {{"[0,4)", "*"}, {"[4,10)", "*"}, {"1", "[0,4)"}, {"3", "[0,4)"}, {"9", "[4,10)"}},
      {{"*", 10}, {"[0,4)", 4}, {"[4,10)", 6}, {"1", 0}, {"3", 0}, {"9", 0}}};
  const Rows rows = FromText({{"1", "f"}, {"3", "f"}, {"9", "g"}});
  const Combination cuts = {CutFromNodes(tree, {"[0,4)", "9"})};
  EXPECT_NEAR(CostOf(Cost::kDistortion, rows, {tree}, cuts), (0.4 + 0.4 + 0) / 3, 1e-12);
  EXPECT_NEAR(CostOf(Cost::kDistortion, rows, {tree}, cuts, {{"9"}}), (0.4 + 0.4 + 1) / 3, 1e-12);
}

TEST(RecodingTest, OptimumAndMaximalCombinations) {
  const Tree tree = SmallTree();
  const Rows rows = FromText({{"a1", "ff"}, {"a2", "gg"}, {"b1", "fg"}, {"b2", "g"}});
  // k = 2: b2 has one row, so B stays whole and A may be split: classes 2, 2, 3.
  const auto maximal = MaximalCombinations(rows, {tree}, {.k = 2});
  ASSERT_EQ(maximal.size(), 1u);
  EXPECT_EQ(Nodes(maximal[0][0]), (std::set<std::string>{"a1", "a2", "B"}));
  EXPECT_NEAR(*LeastCost(Cost::kDiscernibility, rows, {tree}, {.k = 2}), 17 / 49.0, 1e-12);
  // Leaving out b2 costs 7 and leaves 2, 2, 2: 19, worse.
  EXPECT_NEAR(*LeastCost(Cost::kDiscernibility, rows, {tree}, {.k = 2}, 1), 17 / 49.0, 1e-12);
  // Two values in every class: A stays whole.
  EXPECT_NEAR(*LeastCost(Cost::kDiscernibility, rows, {tree}, {.distinct = 2}), 25 / 49.0, 1e-12);
  EXPECT_FALSE(LeastCost(Cost::kDiscernibility, rows, {tree}, {.k = 8}).has_value());
}

}  // namespace
}  // namespace oracle::k
