#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "all_labels.h"
#include "reissue/core/random.h"
#include "reissue/taxonomy/numbers.h"
#include "reissue/taxonomy/round.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {
namespace {

using ::testing::ElementsAre;

Result<Taxonomy> Breakpoints(const std::vector<std::vector<double>>& levels,
                             const std::vector<std::string>& values) {
  return FromBreakpoints(levels, values, "age");
}

TEST(FromBreakpoints, MergesOneListPairwise) {
  const Taxonomy tree =
      Breakpoints({{0, 10, 20, 30, 40, 50}}, {"41", "5", "12", "25", "9"}).value();
  EXPECT_THAT(AllLabels(tree), ElementsAre("*", "[0,40)", "[0,20)", "[0,10)", "5", "9", "[10,20)",
                                           "12", "[20,40)", "[20,30)", "25", "[40,50)", "41"));
  EXPECT_EQ(tree.range(Taxonomy::root()).low, 0);
  EXPECT_EQ(tree.range(Taxonomy::root()).high, 50);
  const Range leaf = tree.range(tree.Find("12").value());
  EXPECT_EQ(leaf.low, 12);
  EXPECT_EQ(leaf.high, 12);
  EXPECT_EQ(tree.range(tree.Find("[20,40)").value()).high, 40);
}

TEST(FromBreakpoints, FollowsSeveralLists) {
  const Taxonomy tree =
      Breakpoints({{0, 0.5, 1, 2.25}, {0, 1, 2.25}}, {"0", "0.75", "2", "2.0"}).value();
  EXPECT_THAT(AllLabels(tree),
              ElementsAre("*", "[0,1)", "[0,0.5)", "0", "[0.5,1)", "0.75", "[1,2.25)", "2", "2.0"));
  // Two numbers are the whole span, which is the root.
  EXPECT_THAT(AllLabels(Breakpoints({{0, 10}}, {"7", "3"}).value()), ElementsAre("*", "3", "7"));
}

TEST(FromBreakpoints, SaysWhatIsWrongWithTheLists) {
  EXPECT_EQ(Breakpoints({}, {"1"}).error().ToString(),
            "column \"age\": there are no breakpoints\n"
            "  write at least one list, for example `breakpoints = [0, 20, 40, 60]`");
  EXPECT_EQ(Breakpoints({{1}}, {"1"}).error().ToString(),
            "column \"age\": breakpoint list 1 has 1 number; a range needs two\n"
            "  name the lower end of every range and the upper end of the last one");
  EXPECT_EQ(Breakpoints({{1, 5, 5}}, {"1"}).error().ToString(),
            "column \"age\": breakpoint list 1 does not ascend: 5 comes after 5\n"
            "  sort the numbers and name each once");
  EXPECT_EQ(Breakpoints({{0, std::nan("")}}, {"1"}).error().message,
            "breakpoint list 1 has an entry that is not a finite number");
  EXPECT_EQ(Breakpoints({{0, 10, 20}, {0, 15, 20}}, {"1"}).error().ToString(),
            "column \"age\": 15 is in breakpoint list 2 but not in list 1\n"
            "  write the finest list first; each further list is a selection of the one before");
  EXPECT_EQ(Breakpoints({{0, 10, 20}, {0, 10}}, {"1"}).error().ToString(),
            "column \"age\": breakpoint list 2 covers [0,10), but list 1 covers [0,20)\n"
            "  begin and end all lists with the same two numbers");
}

TEST(FromBreakpoints, NeverNamesAValue) {
  EXPECT_EQ(
      Breakpoints({{0, 50}}, {"10", "50", "-77"}).error().ToString(),
      "column \"age\": 2 of 3 distinct values lie outside the breakpoints [0,50)\n"
      "  make the first breakpoint at most the least value, and the last one greater than the "
      "greatest value");
  EXPECT_EQ(Breakpoints({{0, 50}}, {"10", "secret"}).error().ToString(),
            "column \"age\": 1 of 2 distinct values are not numbers, but the column is declared "
            "numeric\n"
            "  write them as plain decimal numbers, name the marks of missing values in "
            "`missing_markers` of [table], or give the column a taxonomy instead");
  EXPECT_EQ(Breakpoints({{0, 50}}, {}).error().ToString(),
            "column \"age\": the column has no values, so no ranges can be made\n"
            "  give it values, a taxonomy, or another role");
}

TEST(FromData, HalvesAtTheWeightedMedian) {
  const std::vector<std::string> values = {"30", "10", "20", "40"};
  const std::vector<std::uint64_t> even = {1, 1, 1, 1}, skewed = {1, 9, 1, 1};
  EXPECT_THAT(AllLabels(FromData(values, even, "age").value()),
              ElementsAre("*", "[10,30)", "10", "20", "[30,41)", "30", "40"));
  EXPECT_THAT(AllLabels(FromData(values, skewed, "age").value()),
              ElementsAre("*", "10", "[20,41)", "20", "[30,41)", "30", "40"));
}

// Labels of ranges are not kept, and found all the same.
TEST(FromData, EveryLabelIsFoundAndNoOther) {
  std::vector<std::string> values = {"1", "1.0", "-0", "0", "1e3", "0.5", "+7", "7", "-12.25"};
  for (int i = 20; i < 300; ++i) values.push_back(std::to_string(i * i % 1009) + ".5");
  const std::vector<std::uint64_t> counts(values.size(), 1);
  for (std::size_t some = 1; some <= values.size(); some += some < 9 ? 1 : 97) {
    const std::vector<std::string> first(values.begin(),
                                         values.begin() + static_cast<std::ptrdiff_t>(some));
    const Taxonomy tree = FromData(first, {counts.data(), first.size()}, "n").value();
    for (std::size_t n = 0; n < tree.nodes(); ++n) {
      const std::string label = tree.label(NodeId(n));
      EXPECT_EQ(tree.Find(label), NodeId(n)) << label;
      EXPECT_EQ(label.starts_with('['), !tree.is_leaf(NodeId(n)) && n > 0);
    }
    for (const std::string& value : first) {
      ASSERT_TRUE(tree.Find(value));
      EXPECT_TRUE(tree.is_leaf(*tree.Find(value)));
    }
    for (const char* other :
         {"", "x", "1.00", "01", "[", "[1", "[1,", "[1,2", "[0,1.0)", "[1,x)", "[1,2]",
          "[-1e9,1e9)", "1e9", "-1e9", "(1,2)", "[1,1)", "**", "nan"}) {
      EXPECT_FALSE(tree.Find(other)) << other;
    }
  }
}

TEST(FromData, KeepsSpellingsOfOneNumberTogether) {
  const std::vector<std::string> values = {"1.0", "2.5", "1"};
  const std::vector<std::uint64_t> counts = {1, 1, 1};
  EXPECT_THAT(AllLabels(FromData(values, counts, "w").value()),
              ElementsAre("*", "[1,2.5)", "1", "1.0", "2.5"));
  const std::vector<std::string> one = {"7"};
  const std::vector<std::uint64_t> once = {3};
  const Taxonomy tree = FromData(one, once, "w").value();
  EXPECT_THAT(AllLabels(tree), ElementsAre("*", "7"));
  EXPECT_EQ(tree.range(Taxonomy::root()).high, 8);
  EXPECT_EQ(FromData({}, {}, "w").error().message,
            "the column has no values, so no ranges can be made");
}

TEST(FromData, IsABinaryTreeThatDoesNotDependOnTheOrder) {
  Random random = Random::Seeded(8);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<std::string, std::uint64_t>> entries;
    const std::size_t wanted = 1 + random.Below(60);
    for (std::size_t i = 0; i < wanted; ++i) {
      const double number = static_cast<double>(random.Below(1000)) / 10 - 30;
      entries.push_back({FormatNumber(number), random.Below(5) == 0 ? 0 : random.Below(1000)});
    }
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end(),
                              [](const auto& a, const auto& b) { return a.first == b.first; }),
                  entries.end());
    std::vector<std::vector<std::string>> outcomes;
    for (int order = 0; order < 2; ++order) {
      random.Shuffle(entries);
      std::vector<std::string> values;
      std::vector<std::uint64_t> counts;
      for (const auto& [value, count] : entries) {
        values.push_back(value);
        counts.push_back(count);
      }
      const Taxonomy tree = FromData(values, counts, "x").value();
      ASSERT_EQ(tree.leaves(), entries.size());
      for (std::size_t i = 0; i < tree.nodes(); ++i) {
        const NodeId node(i);
        if (entries.size() > 1 && !tree.is_leaf(node)) {
          ASSERT_EQ(tree.children(node).size(), 2u);
        }
        for (std::uint32_t r = tree.first_leaf(node); r < tree.last_leaf(node); ++r) {
          const double value = ParseNumber(tree.label(tree.leaf(r))).value();
          ASSERT_LE(tree.range(node).low, value);
          if (!tree.is_leaf(node)) {
            ASSERT_LT(value, tree.range(node).high);
          }
        }
      }
      outcomes.push_back(AllLabels(tree));
    }
    ASSERT_EQ(outcomes[0], outcomes[1]);
  }
}

TEST(FromData, EndsAboveTheGreatestNumberWhateverItIs) {
  for (const char* text :
       {"0.25", "1e300", "-5", "9007199254740993", "1e-9", "1.7976931348623157e308"}) {
    const std::vector<std::string> values = {text};
    const std::vector<std::uint64_t> counts = {1};
    const Taxonomy tree = FromData(values, counts, "x").value();
    EXPECT_LE(tree.range(Taxonomy::root()).low, tree.range(Taxonomy::root()).high) << text;
  }
}

TEST(FromRoundRanges, EndsAreRoundNumbers) {
  const std::vector<std::string> values = {"17.3", "18", "18.0", "40.5", "63", "96.7"};
  const Taxonomy tree = FromRoundRanges(values, "x").value();
  EXPECT_TRUE(tree.numeric());
  EXPECT_EQ(AllLabels(tree),
            (std::vector<std::string>{"*",        "[0,80)",   "[0,40)",   "[0,20)",   "[10,20)",
                                      "[15,20)",  "17.3",     "18",       "[40,80)",  "[40,60)",
                                      "[40,50)",  "[40,45)",  "40.5",     "[60,80)",  "[60,70)",
                                      "[60,65)",  "63",       "[80,160)", "[80,120)", "[80,100)",
                                      "[90,100)", "[95,100)", "96.7"}));
}

TEST(FromRoundRanges, WhereNoneFitNumbersStandBelowTheRoot) {
  EXPECT_EQ(AllLabels(FromRoundRanges(std::vector<std::string>{"7", "7.0"}, "x").value()),
            (std::vector<std::string>{"*", "7"}));
  EXPECT_EQ(AllLabels(FromRoundRanges(std::vector<std::string>{"1e300", "-1e300"}, "x").value())[0],
            "*");
  EXPECT_FALSE(FromRoundRanges(std::vector<std::string>{"7", "x"}, "x"));
  EXPECT_FALSE(FromRoundRanges(std::vector<std::string>(), "x"));
}

TEST(RoundedOutward, HoldsBothEnds) {
  Random random = Random::Seeded(11);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> numbers;
    for (int i = 0; i < 5; ++i) {
      numbers.push_back(std::round((random.Unit() - 0.4) * 2000) / std::pow(10, random.Below(3)));
    }
    const auto width = FinestWidth(numbers);
    if (!width) continue;
    const auto [low, high] = std::ranges::minmax(numbers);
    const auto [from, to] = RoundedOutward(low, high, *width);
    ASSERT_LE(from, low);
    ASSERT_GE(to, high);
    ASSERT_LT(low - from, width->Times(1));
    ASSERT_LT(to - high, width->Times(1));
  }
  EXPECT_EQ(RoundedOutward(-3, 20, {5, 0}), (std::pair<double, double>(-5, 20)));
}

}  // namespace
}  // namespace reissue::taxonomy
