#include "reissue/models/bcf/adversary/attack.h"

#include <gtest/gtest.h>

#include "reissue/models/bcf/adversary/small_series.h"

namespace reissue::models::bcf {
namespace {

using testing::CellOf;
using testing::FromLabels;
using testing::GrowingTable;
using testing::Tree;

PairReport Attack(const Series& series, std::uint64_t k = 5) {
  return AttackPair(series, Pair::Solve(series, 0, 1), k);
}

// Examples 3.2 and 4.1, 3.3 and 4.2, 3.4 and 4.3.
TEST(Attack, FindsTheCrackSizesOfThePaper) {
  const Series series = testing::PaperTables();
  const Pair pair = Pair::Solve(series, 0, 1);
  ASSERT_EQ(pair.method(), Method::kEnvelope);
  const std::uint32_t europe = CellOf(series, 0, {"Europe", "Lawyer"});
  const std::uint32_t france = CellOf(series, 1, {"France", "Professional"});
  const std::uint32_t uk = CellOf(series, 1, {"UK", "Professional"});

  const Finding forward = Explain(series, pair, AttackKind::kForward, europe, france);
  ASSERT_EQ(forward.groups.size(), 2u);
  EXPECT_EQ(forward.groups[0].excluded, 1u);  // flu: 3 rows, 2 in France
  EXPECT_EQ(forward.groups[0].counterpart, 2u);
  EXPECT_EQ(forward.groups[1].excluded, 0u);  // HIV: 2 rows, 3 in France
  EXPECT_EQ(forward.left, 4u);
  EXPECT_EQ(Explain(series, pair, AttackKind::kForward, europe, uk).left, 5u);

  const Finding cross = Explain(series, pair, AttackKind::kCross, france, europe);
  EXPECT_EQ(cross.groups[0].excluded, 0u);
  EXPECT_EQ(cross.groups[1].excluded, 1u);
  EXPECT_EQ(cross.left, 4u);

  const Finding backward = Explain(series, pair, AttackKind::kBackward, uk);
  EXPECT_EQ(backward.groups[0].excluded, 1u);  // 3 − (5 − 3)
  EXPECT_EQ(backward.groups[0].class_earlier, 3u);
  EXPECT_EQ(backward.groups[0].class_later, 5u);
  EXPECT_EQ(backward.groups[1].excluded, 0u);  // 2 − (5 − 2) < 0
  EXPECT_EQ(backward.groups[1].class_earlier, 2u);
  EXPECT_EQ(backward.groups[1].class_later, 5u);
  EXPECT_EQ(backward.left, 4u);
  EXPECT_EQ(Explain(series, pair, AttackKind::kBackward, france).left, 5u);
}

TEST(Attack, ReportsThePapersTables) {
  const Series series = testing::PaperTables();
  const PairReport report = Attack(series);
  EXPECT_EQ(report.forward.anonymity, 4u);
  EXPECT_EQ(report.cross.anonymity, 4u);
  EXPECT_EQ(report.backward.anonymity, 4u);
  EXPECT_FALSE(report.satisfied);
  EXPECT_EQ(report.forward.exposed, 5u);
  EXPECT_EQ(report.cross.exposed, 5u);
  EXPECT_EQ(report.backward.exposed, 5u);
  ASSERT_EQ(report.worst.size(), 3u);
  const Finding& worst = report.worst[0];
  EXPECT_STREQ(Letter(worst.kind), "F");
  EXPECT_EQ(worst.born, 0u);
  EXPECT_EQ(worst.release, 0u);
  EXPECT_EQ(worst.against, 1u);
  EXPECT_EQ(worst.other, CellOf(series, 1, {"France", "Professional"}));
  EXPECT_EQ(worst.size, 5u);
  EXPECT_EQ(worst.excluded, 1u);
  EXPECT_EQ(worst.left, 4u);
  EXPECT_STREQ(Letter(report.worst[1].kind), "C");
  EXPECT_EQ(report.worst[1].release, 1u);
  EXPECT_STREQ(Letter(report.worst[2].kind), "B");
  EXPECT_EQ(report.worst[2].born, 1u);
  EXPECT_EQ(report.worst[2].cell, CellOf(series, 1, {"UK", "Professional"}));
  EXPECT_EQ(report.worst[2].other, std::nullopt);

  EXPECT_TRUE(Attack(series, 4).satisfied);
  EXPECT_TRUE(Attack(series, 4).worst.empty());
  EXPECT_EQ(Attack(series, 4).backward.exposed, 0u);
  EXPECT_EQ(AttackPair(series, Pair::Solve(series, 0, 1), 5, 1).worst.size(), 1u);
}

TEST(Attack, IsNullWithoutTargets) {
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}})};
  // Nobody was added: no B.
  const PairReport same =
      Attack(FromLabels(trees, {{{{"*"}, 0, 6}}, {{{"a"}, 0, 3}, {{"b"}, 0, 3}}}));
  EXPECT_EQ(same.forward.anonymity, 3u);
  EXPECT_EQ(same.cross.anonymity, 3u);
  EXPECT_EQ(same.backward.anonymity, std::nullopt);
  EXPECT_EQ(same.backward.exposed, 0u);
  // An empty earlier release: no F and C, and B is the size of the smallest cell.
  const PairReport fresh = Attack(FromLabels(trees, {{}, {{{"a"}, 0, 3}, {{"b"}, 0, 7}}}));
  EXPECT_EQ(fresh.forward.anonymity, std::nullopt);
  EXPECT_EQ(fresh.cross.anonymity, std::nullopt);
  EXPECT_EQ(fresh.backward.anonymity, 3u);
  // Nothing at all.
  const PairReport nothing = Attack(FromLabels(trees, {{}, {}}));
  EXPECT_TRUE(nothing.satisfied);
  EXPECT_EQ(nothing.backward.anonymity, std::nullopt);
}

TEST(Attack, SkipsPlacesWhereNobodyCanBe) {
  // A cell and a comparable one without a common value; a cell in which everybody is older.
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}})};
  const PairReport report =
      Attack(FromLabels(trees, {{{{"*"}, 0, 5}}, {{{"a"}, 0, 5}, {{"b"}, 1, 8}}}));
  EXPECT_EQ(report.forward.anonymity, 5u);   // b has none of value 0
  EXPECT_EQ(report.backward.anonymity, 8u);  // all of a is older
  EXPECT_TRUE(report.satisfied);
}

TEST(Attack, HasNoNumbersForTablesThatShrink) {
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}})};
  const PairReport report =
      Attack(FromLabels(trees, {{{{"a"}, 0, 5}, {{"b"}, 0, 1}}, {{{"a"}, 0, 4}, {{"b"}, 0, 9}}}));
  EXPECT_FALSE(report.satisfied);
  ASSERT_EQ(report.contradictions.size(), 1u);
  EXPECT_EQ(report.contradictions[0].earlier_rows, 5u);
  EXPECT_EQ(report.contradictions[0].later_rows, 4u);
  EXPECT_EQ(report.forward.anonymity, std::nullopt);
}

TEST(Attack, ForwardEqualsCross) {
  Random random = Random::Seeded(31);
  for (int round = 0; round < 300; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 6, 1 + random.Below(60), 3, 2);
    const Series series = testing::Publish(table, {testing::RandomCuts(random, table.trees),
                                                   testing::RandomCuts(random, table.trees)});
    const PairReport report = Attack(series);
    ASSERT_EQ(report.forward.anonymity, report.cross.anonymity) << round;
    ASSERT_EQ(report.forward.anonymity.has_value(), series.release(0).rows() > 0) << round;
    ASSERT_EQ(report.backward.anonymity.has_value(),
              series.release(1).rows() > series.release(0).rows())
        << round;
  }
}

// What the pair leaves to one person of the table.
std::uint64_t LeftTo(const GrowingTable& table, const std::vector<testing::Cuts>& cuts,
                     const Series& series, const Pair& pair, const testing::Person& person) {
  std::vector<std::uint32_t> cells;
  for (std::size_t release = 0; release < 2; ++release) {
    std::vector<std::uint32_t> key;
    for (std::size_t column = 0; column < table.trees.size(); ++column) {
      key.push_back(cuts[release][column].NodeOfLeaf(person.leaves[column]).raw());
    }
    const auto cell = series.release(release).FindCell(key);
    cells.push_back(static_cast<std::uint32_t>(cell.value_or(0)));
  }
  return person.born == 0 ? pair.TogetherInCells(series, cells[0], cells[1])
                          : Explain(series, pair, AttackKind::kBackward, cells[1]).left;
}

// Nobody gains by a finer second release, so the least over the people of the table never rises.
TEST(Attack, SpecialisingTheLaterReleaseHelpsNobody) {
  Random random = Random::Seeded(32);
  int lost = 0;
  for (int round = 0; round < 200; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 6, 5 + random.Below(40), 2, 2);
    std::vector<testing::Cuts> coarse = {testing::RandomCuts(random, table.trees),
                                         testing::RandomCuts(random, table.trees)};
    std::vector<testing::Cuts> fine = coarse;
    const std::size_t column = random.Below(2);
    const taxonomy::Taxonomy& tree = *table.trees[column];
    const std::vector<NodeId> nodes = coarse[1][column].Nodes();
    const NodeId node = nodes[random.Below(nodes.size())];
    if (tree.is_leaf(node)) continue;
    fine[1][column].Specialise(tree, node);
    const Series before = testing::Publish(table, coarse);
    const Series after = testing::Publish(table, fine);
    const Pair pair_before = Pair::Solve(before, 0, 1);
    const Pair pair_after = Pair::Solve(after, 0, 1);
    for (const testing::Person& person : table.people) {
      const std::uint64_t was = LeftTo(table, coarse, before, pair_before, person);
      const std::uint64_t is = LeftTo(table, fine, after, pair_after, person);
      ASSERT_GE(is, 1u) << round;
      ASSERT_LE(is, was) << round;
      lost += is < was;
    }
  }
  EXPECT_GT(lost, 100);
}

// Where the later release is at least as fine as the earlier one in the specialised column, no
// target vanishes altogether, and the least over all targets never rises either.
TEST(Attack, SpecialisingBelowTheEarlierReleaseNeverRaisesTheLeast) {
  Random random = Random::Seeded(33);
  int tried = 0;
  for (int round = 0; round < 600; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 6, 5 + random.Below(40), 2, 2);
    std::vector<testing::Cuts> cuts = {testing::RandomCuts(random, table.trees),
                                       testing::RandomCuts(random, table.trees)};
    const std::size_t column = random.Below(2);
    const taxonomy::Taxonomy& tree = *table.trees[column];
    const std::vector<NodeId> nodes = cuts[1][column].Nodes();
    const NodeId node = nodes[random.Below(nodes.size())];
    const NodeId earlier = cuts[0][column].NodeOfLeaf(tree.first_leaf(node));
    if (tree.is_leaf(node) || !tree.IsAncestor(earlier, node)) continue;
    ++tried;
    const PairReport before = Attack(testing::Publish(table, cuts));
    cuts[1][column].Specialise(tree, node);
    const PairReport after = Attack(testing::Publish(table, cuts));
    // Null (no targets) compares as less than any number.
    ASSERT_LE(after.forward.anonymity, before.forward.anonymity) << round;
    ASSERT_LE(after.backward.anonymity, before.backward.anonymity) << round;
    ASSERT_EQ(after.forward.anonymity.has_value(), before.forward.anonymity.has_value());
    ASSERT_EQ(after.backward.anonymity.has_value(), before.backward.anonymity.has_value());
  }
  EXPECT_GT(tried, 100);
}

// Otherwise it can rise: a target that the coarser release allows is ruled out by the finer one.
TEST(Attack, TheLeastOverAllTargetsCanRiseWhenATargetVanishes) {
  const Taxonomies trees = {Tree({{"a1", "a", "*"}, {"a2", "a", "*"}}),
                            Tree({{"b1", "*"}, {"b2", "*"}})};
  const std::vector<testing::Published> first = {{{"a1", "*"}, 0, 5}, {{"a2", "*"}, 0, 1}};
  const PairReport coarse =
      Attack(FromLabels(trees, {first, {{{"a", "b1"}, 0, 1}, {{"a", "b2"}, 0, 10}}}));
  const PairReport fine =
      Attack(FromLabels(trees, {first, {{{"a2", "b1"}, 0, 1}, {{"a1", "b2"}, 0, 10}}}));
  EXPECT_EQ(coarse.backward.anonymity, 1u);
  EXPECT_EQ(fine.backward.anonymity, 5u);

  // No pair of cells is skipped here: the part of (a,b1) that (a1,*) is comparable with is empty.
  const std::vector<testing::Published> other = {{{"a1", "*"}, 0, 5}, {{"a2", "*"}, 1, 10}};
  const auto later = [](const std::string& in_b1, const std::string& in_b2) {
    return std::vector<testing::Published>{{{in_b1, "b1"}, 0, 1},
                                           {{in_b1, "b1"}, 1, 10},
                                           {{in_b2, "b2"}, 0, 5},
                                           {{in_b2, "b2"}, 1, 5}};
  };
  const PairReport before = Attack(FromLabels(trees, {other, later("a", "a")}));
  const PairReport after = Attack(FromLabels(trees, {other, later("a2", "a1")}));
  EXPECT_EQ(before.forward.anonymity, 1u);
  EXPECT_EQ(after.forward.anonymity, 5u);
}

}  // namespace
}  // namespace reissue::models::bcf
