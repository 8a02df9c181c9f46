#include "reissue/taxonomy/levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/core/random.h"

namespace reissue::taxonomy {
namespace {

using ::testing::ElementsAre;

std::vector<HierarchyLine> Lines(std::vector<std::vector<std::string>> texts) {
  std::vector<HierarchyLine> lines;
  for (auto& labels : texts) lines.push_back({lines.size() + 1, std::move(labels)});
  return lines;
}

std::vector<std::string> LabelsOf(const Taxonomy& tree, const Cut& cut) {
  std::vector<std::string> labels;
  for (const NodeId node : cut.Nodes()) labels.push_back(tree.label(node));
  return labels;
}

TEST(Levels, AreTheColumnsOfTheFile) {
  const auto lines = Lines({{"Ulm", "Baden", "South", "*"},
                            {"Bonn", "Rhine", "West", "*"},
                            {"Köln", "Rhine", "West", "*"},
                            {"Berlin", "Berlin", "East", "*"},  // padded by its writer
                            {"Sea", "*"}});                     // and this one is not
  const Taxonomy tree = FromHierarchy(lines, "f").value();
  const auto level = [&](std::uint32_t n) {
    return LabelsOf(tree, LevelOf(tree, lines, n).value());
  };
  EXPECT_THAT(level(0), ElementsAre("Ulm", "Bonn", "Köln", "Berlin", "Sea"));
  EXPECT_THAT(level(1), ElementsAre("Baden", "Rhine", "Berlin", "Sea"));
  EXPECT_THAT(level(2), ElementsAre("South", "West", "East", "Sea"));
  EXPECT_THAT(level(3), ElementsAre("*"));
  EXPECT_EQ(LevelOf(tree, lines, 4).error().message, "there is no level 4");
}

TEST(Levels, PaddingFurtherUpCountsAsTheFileHasIt) {
  const auto lines = Lines({{"a", "b", "b", "*"}, {"c", "d", "e", "*"}});
  const Taxonomy tree = FromHierarchy(lines, "f").value();
  EXPECT_THAT(LabelsOf(tree, LevelOf(tree, lines, 1).value()), ElementsAre("b", "d"));
}

TEST(Levels, WhatLiesAboveStandsForBoth) {
  const auto lines = Lines({{"a", "b", "b", "*"}, {"c", "d", "b", "*"}, {"f", "g", "h", "*"}});
  const Taxonomy tree = FromHierarchy(lines, "f").value();
  EXPECT_THAT(LabelsOf(tree, LevelOf(tree, lines, 1).value()), ElementsAre("b", "g"));
}

TEST(Levels, SetsHaveNone) {
  const auto lines = Lines({{"a", "x", "*"}, {"b", "x", "*"}, {"c", "x", "*"}, {"d", "y", "*"}});
  const Taxonomy tree = WithSets(FromHierarchy(lines, "f").value());
  EXPECT_THAT(LabelsOf(tree, LevelOf(tree, lines, 0).value()), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(LabelsOf(tree, LevelOf(tree, lines, 1).value()), ElementsAre("x", "y"));
}

TEST(Truncated, EndsAtTheCutAndKeepsTheRest) {
  const std::vector<std::vector<double>> breakpoints = {{0, 10, 20, 30}, {0, 20, 30}};
  const std::vector<std::string> values = {"3", "7", "12", "25"};
  const Taxonomy tree = FromBreakpoints(breakpoints, values, "age").value();
  const Cut floor = LevelOf(tree, BreakpointLines(breakpoints, tree), 1).value();
  const Taxonomy ends = Truncated(tree, floor);
  ASSERT_EQ(ends.leaves(), 3u);
  EXPECT_EQ(ends.label(ends.leaf(0)), "[0,10)");
  EXPECT_EQ(ends.label(ends.leaf(2)), "[20,30)");
  EXPECT_EQ(ends.label(ends.parent(ends.leaf(1))), "[0,20)");
  EXPECT_TRUE(ends.numeric());
  EXPECT_EQ(ends.range(ends.leaf(1)).low, 10);
  EXPECT_EQ(Truncated(tree, Cut::Leaves(tree)).nodes(), tree.nodes());
  EXPECT_EQ(Truncated(tree, Cut::Root(tree)).nodes(), 1u);
}

// A range that is in several lists is on several levels: no single number is above level 0.
TEST(Levels, OfBreakpointsAreTheLists) {
  const std::vector<std::vector<double>> breakpoints = {{0, 5, 10, 15, 20, 25, 30}};
  const std::vector<std::string> values = {"1", "7", "12", "16", "21", "28"};
  const Taxonomy tree = FromBreakpoints(breakpoints, values, "age").value();
  const auto lines = BreakpointLines(breakpoints, tree);
  const auto level = [&](std::uint32_t n) {
    return LabelsOf(tree, LevelOf(tree, lines, n).value());
  };
  EXPECT_THAT(level(0), ElementsAre("1", "7", "12", "16", "21", "28"));
  EXPECT_THAT(level(1), ElementsAre("[0,5)", "[5,10)", "[10,15)", "[15,20)", "[20,25)", "[25,30)"));
  EXPECT_THAT(level(2), ElementsAre("[0,10)", "[10,20)", "[20,30)"));
  EXPECT_THAT(level(3), ElementsAre("[0,20)", "[20,30)"));
  EXPECT_THAT(level(4), ElementsAre("*"));
  EXPECT_FALSE(LevelOf(tree, lines, 5));
}

// Whatever the file: every raw value has exactly one node of each level, at or above it, and those
// of a higher level are nowhere finer.
TEST(Levels, OfRandomFilesAreCutsOneAboveTheOther) {
  Random random = Random::Seeded(3);
  int files = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::vector<std::string>> texts;
    const std::size_t leaves = 1 + random.Below(8), height = 1 + random.Below(4);
    for (std::size_t i = 0; i < leaves; ++i) {
      std::vector<std::string> line = {"v" + std::to_string(i)};
      for (std::size_t level = 1; level < height; ++level) {
        const std::size_t width = std::size_t{1} << level;
        const bool pad = random.Below(4) == 0;
        line.push_back(pad ? line.back() : std::to_string(level) + "." + std::to_string(i / width));
      }
      line.push_back("*");
      texts.push_back(line);
    }
    const auto lines = Lines(texts);
    const auto tree = FromHierarchy(lines, "f");
    if (!tree) continue;  // padding can give a label two parents
    ++files;
    std::vector<Cut> cuts;
    for (std::uint32_t level = 0; level <= height; ++level) {
      cuts.push_back(LevelOf(*tree, lines, level).value());
      EXPECT_TRUE(level == 0 || Refines(*tree, cuts[level - 1], cuts[level]));
      const Taxonomy ends = Truncated(*tree, cuts[level]);
      EXPECT_EQ(ends.leaves(), cuts[level].Nodes().size());
    }
    EXPECT_EQ(cuts.front(), Cut::Leaves(*tree));
    EXPECT_EQ(cuts.back(), Cut::Root(*tree));
  }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace reissue::taxonomy
