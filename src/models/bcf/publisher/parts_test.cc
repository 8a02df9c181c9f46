#include "reissue/models/bcf/publisher/parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "growing_table.h"

namespace reissue::models::bcf {
namespace {

using internal::Judgement;
using internal::Parts;
using k::internal::Spot;
using testing::Cuts;
using testing::GrowingTable;
using testing::Person;

constexpr std::size_t kReleases = 3;

k::internal::Recoding RecodingOf(const k::internal::Problem& problem, const taxonomy::Cut& cut) {
  const taxonomy::Taxonomy& tree = problem.tree(0);
  k::internal::Recoding recoding(problem.places(), 0);
  for (Spot p = 0; p < problem.places(); ++p) {
    const NodeId stands = cut.NodeOfLeaf(tree.first_leaf(NodeId(p)));
    recoding[p] = stands != NodeId(p) && tree.IsAncestor(NodeId(p), stands) ? 1 : 0;
  }
  return recoding;
}

bool Kept(const Series& series, const k::Guarantee& guarantee) {
  SeriesAttackOptions attack;
  attack.guarantee = guarantee;
  return AttackSeries(series, Formulas(series), attack).verdict == Verdict::kKept;
}

// Those who are below a node, and nobody else.
GrowingTable Below(const GrowingTable& growing, NodeId node) {
  GrowingTable below = growing;
  const taxonomy::Taxonomy& tree = *growing.trees[0];
  std::erase_if(below.people, [&](const Person& person) {
    return !tree.IsAncestor(node, tree.leaf(person.leaves[0]));
  });
  return below;
}

TEST(Parts, SayWhatTheWholeSays) {
  Random random = Random::Seeded(21);
  std::size_t kept = 0, broken = 0, several = 0, known = 0;
  for (int round = 0; round < 300; ++round) {
    const GrowingTable growing = testing::RandomTable(random, 1, 4 + random.Below(10),
                                                      30 + random.Below(120), 2, kReleases + 1);
    std::vector<Cuts> cuts;
    for (std::size_t i = 0; i < kReleases; ++i) {
      cuts.push_back(testing::RandomCuts(random, growing.trees));
    }
    const Series earlier = testing::Publish(growing, cuts);
    const k::LeafCells table = testing::TableAt(growing, kReleases, false, 2);
    k::Guarantee guarantee;
    guarantee.k = 2;
    PublishOptions options;
    options.search.search = k::Search::kGreedy;
    const internal::Task task{table, earlier, guarantee, options};
    ASSERT_TRUE(Parts::Serve(task));
    const k::internal::Problem problem(table, guarantee, k::Score::kLoss, 0);
    Parts parts(task, table, problem);
    std::size_t questions = 0;
    const auto say = [&](const Series& series, const Formulas&, const History&) {
      ++questions;
      return Judgement{Kept(series, guarantee)};
    };
    for (int candidate = 0; candidate < 4; ++candidate) {
      const Cuts cut = testing::RandomCuts(random, growing.trees);
      const k::internal::Recoding recoding = RecodingOf(problem, cut[0]);
      const bool whole = Kept(testing::Extended(earlier, growing, cut), guarantee);
      ASSERT_EQ(parts.Ask(recoding, say).kept, whole) << "round " << round;
      const std::vector<Spot> to_blame = parts.Broken(recoding);
      ASSERT_EQ(to_blame.empty(), whole);
      for (const Spot part : to_blame) {
        const GrowingTable own = Below(growing, NodeId(part));
        ASSERT_FALSE(Kept(testing::Extended(testing::Publish(own, cuts), own, cut), guarantee));
      }
      (whole ? kept : broken) += 1;
      several += to_blame.size() > 1;
      // Nothing is asked twice.
      const std::size_t before = questions;
      ASSERT_EQ(parts.Ask(recoding, say).kept, whole);
      known += questions == before;
    }
  }
  EXPECT_EQ(known, 1200u);
  EXPECT_GT(kept, 100u);
  EXPECT_GT(broken, 100u);
  EXPECT_GT(several, 10u);
}

}  // namespace
}  // namespace reissue::models::bcf
