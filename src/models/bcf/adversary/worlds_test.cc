#include "reissue/models/bcf/adversary/worlds.h"

#include <gtest/gtest.h>

#include "small_series.h"

namespace reissue::models::bcf {
namespace {

using testing::CellOf;

// The three releases for which the paper's formulas leave 2 where there is 1.
Series ThreeReleases() {
  const std::vector<std::vector<std::string>> lines = {
      {"a1", "A", "*"}, {"a2", "A", "*"}, {"b1", "B", "*"}, {"b2", "B", "*"}};
  const Taxonomies trees = {testing::Tree(lines), testing::Tree(lines)};
  return testing::FromLabels(trees, {{{{"A", "b2"}, 0, 1}, {{"B", "b2"}, 0, 1}},
                                     {{{"*", "B"}, 0, 4}},
                                     {{{"A", "*"}, 0, 2}, {{"B", "*"}, 0, 2}}});
}

TEST(WorldsTest, PaperOverstates) {
  const Series series = ThreeReleases();
  const Formulas formulas(series);
  const std::vector<std::uint32_t> cells = {CellOf(series, 1, {"*", "B"}),
                                            CellOf(series, 2, {"A", "*"})};
  EXPECT_EQ(formulas.Left(1, cells), 2u);
  Worlds worlds(series, formulas);
  EXPECT_TRUE(worlds.impossible().empty());
  const std::vector<std::size_t> groups = {series.release(1).first_group(cells[0]),
                                           series.release(2).first_group(cells[1])};
  EXPECT_EQ(worlds.Left(1, groups), (Interval{1, 1}));
  EXPECT_EQ(worlds.statistics().programs, 0u);  // the others tell of those who came since the first
  Worlds whole(series, formulas, History::Whole(series), {});
  EXPECT_EQ(whole.Left(1, groups), (Interval{1, 1}));
  EXPECT_EQ(whole.statistics().programs, 1u);
}

TEST(WorldsTest, WitnessExplainsEveryGroup) {
  const Series series = ThreeReleases();
  const Formulas formulas(series);
  Worlds worlds(series, formulas);
  const World world = worlds.Witness(1, std::vector<std::size_t>{0, 0});
  std::vector<std::vector<std::uint64_t>> rows(3);
  for (std::size_t i = 0; i < 3; ++i) rows[i].assign(series.release(i).cells(), 0);
  std::uint64_t reached = 0;
  for (const Share& share : world) {
    for (std::size_t a = 0; a < share.target.cells.size(); ++a) {
      rows[share.target.birth + a][share.target.cells[a]] += share.people;
    }
    if (share.target == Target{1, {0, 0}}) reached = share.people;
  }
  EXPECT_EQ(reached, 1u);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t cell = 0; cell < rows[i].size(); ++cell) {
      EXPECT_EQ(rows[i][cell], series.release(i).rows_of_cell(cell));
    }
  }
}

// Pairs of releases can be explained, all three together cannot: a and b both need the one column x
// of the last release.
TEST(WorldsTest, ImpossibleOnlyTogether) {
  const Taxonomies trees = {testing::Tree({{"a", "*"}, {"b", "*"}, {"c", "*"}}),
                            testing::Tree({{"x", "*"}, {"y", "*"}, {"z", "*"}})};
  const Series series = testing::FromLabels(
      trees, {{{{"a", "*"}, 0, 1}, {{"b", "*"}, 0, 1}, {{"c", "*"}, 0, 1}},
              {{{"*", "x"}, 0, 1}, {{"*", "y"}, 0, 1}, {{"*", "z"}, 0, 1}},
              {{{"a", "x"}, 0, 1}, {{"b", "x"}, 0, 1}, {{"c", "y"}, 0, 1}, {{"c", "z"}, 0, 1}}});
  const Formulas formulas(series);
  ASSERT_TRUE(formulas.consistent());
  const Worlds worlds(series, formulas);
  ASSERT_EQ(worlds.impossible().size(), 1u);
  std::int64_t sum = 0;
  for (const Impossible::Term& term : worlds.impossible()[0].terms) {
    sum += term.times * static_cast<std::int64_t>(term.rows);
  }
  EXPECT_LT(sum, 0);
}

TEST(WorldsTest, LimitsLeaveBounds) {
  const Series series = ThreeReleases();
  const Formulas formulas(series);
  Worlds worlds(series, formulas, History::Whole(series),
                {.variables = 1, .steps = 100, .all_steps = 100, .nodes = 1});
  const Interval left = worlds.Left(1, std::vector<std::size_t>{0, 0});
  EXPECT_EQ(left.lower, 0u);
  EXPECT_GE(left.upper, 1u);
  EXPECT_EQ(worlds.statistics().too_large, 1u);
}

}  // namespace
}  // namespace reissue::models::bcf
