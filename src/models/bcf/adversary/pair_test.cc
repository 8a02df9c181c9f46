#include "reissue/models/bcf/adversary/pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "reissue/models/bcf/adversary/small_series.h"

namespace reissue::models::bcf {
namespace {

using ::testing::ElementsAre;
using testing::FromLabels;
using testing::GrowingTable;
using testing::Tree;

TEST(Pair, FlowAndClosedFormsAgreeOnCutsAndOnBoxesOfOneTree) {
  Random random = Random::Seeded(21);
  int local = 0;
  for (int round = 0; round < 600; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 6, 5 + random.Below(40), 2, 2);
    const Series series = round % 2 == 0
                              ? testing::PublishBoxes(random, table, 2)
                              : testing::Publish(table, {testing::RandomCuts(random, table.trees),
                                                         testing::RandomCuts(random, table.trees)});
    local += !series.recoding(0).global() || !series.recoding(1).global();
    const Pair closed = Pair::Solve(series, 0, 1);
    const Pair flow = Pair::Solve(series, 0, 1, true);
    ASSERT_EQ(closed.method(), Method::kEnvelope);
    ASSERT_EQ(flow.method(), Method::kFlow);
    ASSERT_TRUE(closed.contradictions().empty());
    ASSERT_TRUE(flow.contradictions().empty());
    const Release& before = series.release(0);
    const Release& after = series.release(1);
    for (std::size_t cell = 0; cell < before.cells(); ++cell) {
      ASSERT_TRUE(std::ranges::equal(closed.ComparableCells(cell), flow.ComparableCells(cell)));
      for (const std::uint32_t other : closed.ComparableCells(cell)) {
        ForEachCommonValue(before, cell, after, other,
                           [&](std::uint32_t, std::size_t a, std::size_t b) {
                             EXPECT_EQ(closed.Together(series, a, b), flow.Together(series, a, b));
                           });
      }
    }
    for (std::size_t group = 0; group < after.groups(); ++group) {
      ASSERT_EQ(closed.Newcomers(group), flow.Newcomers(group)) << round;
    }
  }
  EXPECT_GT(local, 100);
}

// All ways to find each earlier row again in the later release, row by row.
class EveryWorld {
 public:
  explicit EveryWorld(const Series& series) : series_(series) {
    const Release& before = series.release(0);
    for (std::size_t group = 0; group < before.groups(); ++group) {
      rows_.insert(rows_.end(), before.rows_of_group(group), group);
    }
    used_.assign(series.release(1).groups(), 0);
    newcomers.assign(used_.size(), 0);
    Place(0);
  }

  std::uint64_t worlds = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> together;
  std::vector<std::uint64_t> newcomers;

 private:
  void Place(std::size_t row) {
    const Release& before = series_.release(0);
    const Release& after = series_.release(1);
    if (row == rows_.size()) {
      ++worlds;
      for (const auto& [groups, count] : now_) {
        together[groups] = std::max(together[groups], count);
      }
      for (std::size_t group = 0; group < used_.size(); ++group) {
        newcomers[group] = std::max(newcomers[group], after.rows_of_group(group) - used_[group]);
      }
      return;
    }
    const std::size_t group = rows_[row];
    for (std::size_t other = 0; other < after.groups(); ++other) {
      if (before.value(group) != after.value(other) || used_[other] == after.rows_of_group(other) ||
          !series_.Comparable(before.key(before.cell_of_group(group)),
                              after.key(after.cell_of_group(other)))) {
        continue;
      }
      ++used_[other];
      ++now_[{group, other}];
      Place(row + 1);
      --now_[{group, other}];
      --used_[other];
    }
  }

  const Series& series_;
  std::vector<std::size_t> rows_;
  std::vector<std::uint64_t> used_;
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> now_;
};

void ExpectSameAsEveryWorld(const Series& series, const Pair& pair, const EveryWorld& world) {
  const Release& before = series.release(0);
  const Release& after = series.release(1);
  ASSERT_EQ(pair.contradictions().empty(), world.worlds > 0);
  if (world.worlds == 0) return;
  for (std::size_t cell = 0; cell < before.cells(); ++cell) {
    for (const std::uint32_t other : pair.ComparableCells(cell)) {
      ForEachCommonValue(
          before, cell, after, other, [&](std::uint32_t, std::size_t a, std::size_t b) {
            const auto found = world.together.find({a, b});
            const std::uint64_t most = found == world.together.end() ? 0 : found->second;
            EXPECT_EQ(pair.Together(series, a, b), most);
          });
    }
  }
  for (std::size_t group = 0; group < after.groups(); ++group) {
    EXPECT_EQ(pair.Newcomers(group), world.newcomers[group]);
  }
}

TEST(Pair, BothMethodsAgreeWithEveryWorld) {
  Random random = Random::Seeded(22);
  int local = 0;
  for (int round = 0; round < 400; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 4, 2 + random.Below(8), 2, 2);
    const Series series = round % 2 == 0
                              ? testing::PublishLocally(random, table, 2)
                              : testing::Publish(table, {testing::RandomCuts(random, table.trees),
                                                         testing::RandomCuts(random, table.trees)});
    const Pair pair = Pair::Solve(series, 0, 1);
    local += pair.method() == Method::kFlow;
    ExpectSameAsEveryWorld(series, pair, EveryWorld(series));
    if (HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(local, 100);
}

// Releases of different tables: each proof must hold on its own, and there must be one exactly
// where there is no world.
TEST(Pair, ProvesThatReleasesDoNotGrow) {
  Random random = Random::Seeded(23);
  int refused[2] = {0, 0};
  for (int round = 0; round < 400; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 4, 4 + random.Below(6), 2, 2);
    GrowingTable other = testing::RandomTable(random, 2, 4, 6 + random.Below(4), 2, 2);
    other.trees = table.trees;
    const bool local = round % 2 == 0;
    const auto publish = [&](const GrowingTable& from) {
      return local ? testing::PublishLocally(random, from, 2)
                   : testing::Publish(from, {testing::RandomCuts(random, table.trees),
                                             testing::RandomCuts(random, table.trees)});
    };
    const auto back = [](const Series& series, std::size_t release) {
      std::vector<std::uint32_t> keys;
      std::vector<std::uint64_t> counts;
      const Release& from = series.release(release);
      for (std::size_t group = 0; group < from.groups(); ++group) {
        const auto key = from.key(from.cell_of_group(group));
        keys.insert(keys.end(), key.begin(), key.end());
        keys.push_back(from.value(group));
        counts.push_back(from.rows_of_group(group));
      }
      return CollectCells(3, keys, counts);
    };
    const Series series =
        Series::Make(table.trees, std::vector{back(publish(table), 0), back(publish(other), 1)})
            .value();
    const Pair pair = Pair::Solve(series, 0, 1);
    ExpectSameAsEveryWorld(series, pair, EveryWorld(series));
    refused[local] += !pair.contradictions().empty();
    for (const Contradiction& proof : pair.contradictions()) {
      std::uint64_t supply = 0;
      std::uint64_t room = 0;
      for (const std::uint32_t cell : proof.earlier_cells) {
        const auto group = series.release(0).FindGroup(cell, proof.value);
        supply += series.release(0).rows_of_group(group.value());
      }
      for (std::uint32_t cell = 0; cell < series.release(1).cells(); ++cell) {
        const auto group = series.release(1).FindGroup(cell, proof.value);
        const bool reachable =
            group && std::ranges::any_of(proof.earlier_cells, [&](std::uint32_t earlier) {
              return series.Comparable(series.release(0).key(earlier), series.release(1).key(cell));
            });
        if (reachable) room += series.release(1).rows_of_group(*group);
        EXPECT_EQ(reachable, std::ranges::count(proof.later_cells, cell) == 1);
      }
      EXPECT_EQ(supply, proof.earlier_rows);
      EXPECT_EQ(room, proof.later_rows);
      EXPECT_GT(supply, room);
    }
    if (HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(refused[0], 20);
  EXPECT_GT(refused[1], 20);
}

TEST(Pair, AStarredRowIsNoGlobalRecoding) {
  // One starred row in the later release. a can be the row (a) or the starred one, b only the
  // starred one: so b is starred, and a is a.
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}, {"c", "*"}})};
  const Series series = FromLabels(
      trees, {{{{"a"}, 0, 1}, {{"b"}, 0, 1}}, {{{"a"}, 0, 1}, {{"c"}, 0, 4}, {{"*"}, 0, 1}}});
  const Pair pair = Pair::Solve(series, 0, 1);
  EXPECT_EQ(pair.method(), Method::kFlow);
  ASSERT_TRUE(pair.contradictions().empty());
  const std::uint32_t a = testing::CellOf(series, 0, {"a"});
  const std::uint32_t b = testing::CellOf(series, 0, {"b"});
  const std::uint32_t star = testing::CellOf(series, 1, {"*"});
  EXPECT_EQ(pair.TogetherInCells(series, a, testing::CellOf(series, 1, {"a"})), 1u);
  EXPECT_EQ(pair.TogetherInCells(series, a, star), 0u);
  EXPECT_EQ(pair.TogetherInCells(series, b, star), 1u);
  EXPECT_THAT(pair.ComparableCells(b), ElementsAre(star));
  EXPECT_EQ(pair.Newcomers(testing::CellOf(series, 1, {"c"})), 4u);
  EXPECT_EQ(pair.Newcomers(star), 0u);
}

}  // namespace
}  // namespace reissue::models::bcf
