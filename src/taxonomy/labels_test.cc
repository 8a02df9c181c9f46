#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "all_labels.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(FromLabels, ContainmentGivesTheTree) {
  const std::vector<std::string> labels = {"[20,30)", "25", "[0,40)", "20",  "*",
                                           "40",      "30", "[0,20)", "25.0"};
  const Taxonomy tree = FromLabels(labels, "age").value();
  EXPECT_THAT(AllLabels(tree),
              ElementsAre("*", "[0,40)", "[0,20)", "[20,30)", "20", "25", "30", "40"));
  EXPECT_EQ(tree.label(tree.parent(*tree.Find("20"))), "[20,30)");
  EXPECT_EQ(tree.label(tree.parent(*tree.Find("30"))), "[0,40)") << "ends are exclusive";
  EXPECT_EQ(tree.label(tree.parent(*tree.Find("40"))), "*");
  EXPECT_EQ(tree.range(*tree.Find("[20,30)")).high, 30);
}

TEST(FromLabels, TheOrderOfTheLabelsDoesNotMatter) {
  std::vector<std::string> labels = {"1", "[0,10)", "[0,5)", "[5,10)", "7", "-3"};
  const auto expected = AllLabels(FromLabels(labels, "x").value());
  std::sort(labels.begin(), labels.end());
  do {
    EXPECT_EQ(AllLabels(FromLabels(labels, "x").value()), expected);
  } while (std::next_permutation(labels.begin(), labels.end()));
}

TEST(FromLabels, OnlyTheRoot) {
  const std::vector<std::string> labels = {"*"};
  EXPECT_THAT(AllLabels(FromLabels(labels, "x").value()), ElementsAre("*"));
  EXPECT_THAT(AllLabels(FromLabels({}, "x").value()), ElementsAre("*"));
}

TEST(FromLabels, RangesThatOverlapAreAnError) {
  const std::vector<std::string> labels = {"[0,20)", "[10,30)"};
  const auto tree = FromLabels(labels, "age");
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().place->column, "age");
  EXPECT_THAT(tree.error().message, HasSubstr("[0,20) and [10,30) overlap"));
}

TEST(FromLabels, OtherTextsAreAnErrorThatDoesNotNameThem) {
  for (const std::string text : {"secret", "[5,5)", "[9,3)", "[1;2)", "[1,2]", ""}) {
    const std::vector<std::string> labels = {"1", text};
    const auto tree = FromLabels(labels, "age");
    ASSERT_FALSE(tree) << text;
    EXPECT_EQ(tree.error().message.find("secret"), std::string::npos);
    EXPECT_FALSE(CanonicalLabel(text)) << text;
  }
}

TEST(CanonicalLabel, NumbersCountByWhatTheyAreWorth) {
  EXPECT_EQ(CanonicalLabel("05.0"), "5");
  EXPECT_EQ(CanonicalLabel("[1.50,+2)"), "[1.5,2)");
  EXPECT_EQ(CanonicalLabel("*"), "*");
}

}  // namespace
}  // namespace reissue::taxonomy
