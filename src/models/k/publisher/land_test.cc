#include "reissue/models/k/publisher/land.h"

#include <gtest/gtest.h>

#include <set>

#include "random_problem.h"

namespace reissue::models::k::internal {
namespace {

TEST(LandTest, SplitsPutTheTuplesOfEachChildTogether) {
  Random random = Random::Seeded(1);
  for (int round = 0; round < 50; ++round) {
    const LeafCells table = testing::RandomTable(random, {2, 5, 3 + random.Below(200), 2});
    const Problem problem(table, {}, Score::kLoss, 0);
    Land land(problem);
    for (std::size_t column = 0; column < problem.columns(); ++column) {
      const Spot place = problem.root(column);
      if (problem.is_leaf(place)) continue;
      std::vector<std::uint64_t> counted(problem.fan_out(place));
      const Land::Lane lane{static_cast<std::uint32_t>(column), problem.child_of_leaf(place),
                            counted.data()};
      land.Count(land.all(), {&lane, 1});
      const std::vector<Range> children = land.Split(land.all(), place, column);
      std::set<std::uint32_t> seen;
      std::uint32_t begin = 0;
      for (std::size_t c = 0; c < children.size(); ++c) {
        EXPECT_EQ(children[c].begin, begin);
        begin = children[c].end;
        std::uint64_t rows = 0;
        for (std::uint32_t at = children[c].begin; at < children[c].end; ++at) {
          const std::uint32_t tuple = land.tuple(at);
          seen.insert(tuple);
          rows += problem.rows(tuple);
          EXPECT_EQ(problem.child_of_leaf(place)[problem.leaves(tuple)[column]], c);
          EXPECT_EQ(land.ChildOf(place, column, at), c);
        }
        EXPECT_EQ(children[c].rows, rows);
        EXPECT_EQ(counted[c], rows);
      }
      EXPECT_EQ(seen.size(), problem.tuples());
    }
  }
}

}  // namespace
}  // namespace reissue::models::k::internal
