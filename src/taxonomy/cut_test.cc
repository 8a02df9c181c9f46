#include "reissue/taxonomy/cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "random_taxonomy.h"

namespace reissue::taxonomy {
namespace {

Taxonomy TwoGroups() {
  const std::vector<HierarchyLine> lines = {
      {1, {"a1", "A", "*"}}, {2, {"a2", "A", "*"}}, {3, {"b1", "B", "*"}}, {4, {"b2", "B", "*"}}};
  return FromHierarchy(lines, "t.csv").value();
}

std::vector<NodeId> Named(const Taxonomy& tree, const std::vector<std::string>& labels) {
  std::vector<NodeId> nodes;
  for (const std::string& label : labels) nodes.push_back(tree.Find(label).value());
  return nodes;
}

TEST(Cut, StartsAtTheRootAndGoesDownAndUp) {
  const Taxonomy tree = TwoGroups();
  Cut cut = Cut::Root(tree);
  EXPECT_EQ(cut.Nodes(), Named(tree, {"*"}));
  cut.Specialise(tree, Taxonomy::root());
  EXPECT_EQ(cut.Nodes(), Named(tree, {"A", "B"}));
  cut.Specialise(tree, tree.Find("B").value());
  EXPECT_EQ(cut.Nodes(), Named(tree, {"A", "b1", "b2"}));
  EXPECT_EQ(cut.NodeOfLeaf(1), tree.Find("A").value());
  EXPECT_TRUE(cut.Contains(tree, tree.Find("b1").value()));
  EXPECT_FALSE(cut.Contains(tree, tree.Find("B").value()));
  EXPECT_FALSE(cut.Contains(tree, tree.Find("a1").value()));
  cut.Generalise(tree, Taxonomy::root());
  EXPECT_EQ(cut, Cut::Root(tree));
  EXPECT_EQ(Cut::Leaves(tree).Nodes(), Named(tree, {"a1", "a2", "b1", "b2"}));
}

TEST(Cut, SaysWhyNodesAreNotACut) {
  const Taxonomy tree = TwoGroups();
  EXPECT_EQ(Cut::FromNodes(tree, Named(tree, {"a1", "A", "B"})).error().message,
            "not a cut: \"a1\" lies below \"A\", and both are named");
  EXPECT_EQ(Cut::FromNodes(tree, Named(tree, {"A", "b2"})).error().message,
            "not a cut: neither the leaf \"b1\" nor a node above it is named");
  const std::vector<NodeId> strange = {NodeId(99)};
  EXPECT_EQ(Cut::FromNodes(tree, strange).error().message,
            "there is no node 99 in a taxonomy of 7 nodes");
  EXPECT_TRUE(Cut::FromNodes(tree, Named(tree, {"A", "A", "B"})));  // a set: twice is once
}

// Every subset of the nodes of a small tree is a cut or is not, by the definition.
TEST(Cut, AcceptsExactlyTheCuts) {
  Random random = Random::Seeded(4);
  for (int round = 0; round < 60; ++round) {
    const Taxonomy tree = support::RandomTaxonomy(random, 10, random.Unit());
    const auto enumerated = support::AllCutNodes(tree);
    const std::set<std::vector<NodeId>> expected(enumerated.begin(), enumerated.end());
    std::size_t accepted = 0;
    for (std::uint32_t mask = 0; mask < (1u << tree.nodes()); ++mask) {
      std::vector<NodeId> nodes;
      for (std::size_t i = 0; i < tree.nodes(); ++i) {
        if (mask >> i & 1) nodes.push_back(NodeId(i));
      }
      const Result<Cut> cut = Cut::FromNodes(tree, nodes);
      ASSERT_EQ(cut.has_value(), expected.count(nodes) == 1);
      if (!cut) continue;
      ++accepted;
      ASSERT_EQ(cut->Nodes(), nodes);
    }
    // A chain of single children gives different node sets with the same leaves: all are cuts.
    ASSERT_EQ(accepted, expected.size());
  }
}

TEST(Envelope, IsTheMoreGeneralNodeOnEveryPath) {
  Random random = Random::Seeded(5);
  for (int round = 0; round < 40; ++round) {
    const Taxonomy tree = support::RandomTaxonomy(random, 11, random.Unit());
    const std::vector<Cut> cuts = support::AllCuts(tree);
    for (std::size_t i = 0; i < std::min<std::size_t>(cuts.size(), 40); ++i) {
      const Cut& a = cuts[i];
      EXPECT_EQ(Envelope(tree, a, a), a);
      const Cut& b = cuts[random.Below(cuts.size())];
      const Cut envelope = Envelope(tree, a, b);
      for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
        NodeId general = tree.leaf(rank);  // walks up to the higher of the two
        bool seen_a = false, seen_b = false;
        for (NodeId n = general; n.valid(); n = tree.parent(n)) {
          seen_a = seen_a || n == a.NodeOfLeaf(rank);
          seen_b = seen_b || n == b.NodeOfLeaf(rank);
          general = n;
          if (seen_a && seen_b) break;
        }
        ASSERT_EQ(envelope.NodeOfLeaf(rank), general);
      }
      ASSERT_EQ(Cut::FromNodes(tree, envelope.Nodes()).value(), envelope);
      ASSERT_EQ(Envelope(tree, b, a), envelope);
      ASSERT_TRUE(Refines(tree, a, envelope));
      ASSERT_TRUE(Refines(tree, b, envelope));
    }
  }
}

TEST(Refines, MeansEveryNodeLiesAtOrBelowANodeOfTheOther) {
  Random random = Random::Seeded(6);
  int yes = 0, no = 0;
  for (int round = 0; round < 300; ++round) {
    const Taxonomy tree = support::RandomTaxonomy(random, 20, random.Unit());
    const Cut fine = support::RandomCut(random, tree, 0.7);
    const Cut coarse = support::RandomCut(random, tree, 0.5);
    const std::vector<NodeId> above = coarse.Nodes();
    bool expected = true;
    for (const NodeId node : fine.Nodes()) {
      expected &= std::any_of(above.begin(), above.end(),
                              [&](NodeId n) { return tree.IsAncestor(n, node); });
    }
    ASSERT_EQ(Refines(tree, fine, coarse), expected);
    ++(expected ? yes : no);
    ASSERT_EQ(Refines(tree, fine, coarse), Envelope(tree, fine, coarse) == coarse);
  }
  EXPECT_GT(yes, 50);
  EXPECT_GT(no, 50);
}

TEST(RandomBranchingTaxonomy, HasTheLeavesAskedFor) {
  Random random = Random::Seeded(7);
  for (std::size_t leaves = 1; leaves < 40; ++leaves) {
    const Taxonomy tree = support::RandomBranchingTaxonomy(random, leaves, 3);
    ASSERT_EQ(tree.leaves(), leaves);
    for (std::size_t i = 0; i < tree.nodes(); ++i) {
      ASSERT_LE(tree.children(NodeId(i)).size(), 3u);
      if (leaves > 1) {
        ASSERT_NE(tree.children(NodeId(i)).size(), 1u);
      }
    }
    for (std::size_t rank = 0; rank < leaves; ++rank) {
      ASSERT_EQ(tree.label(tree.leaf(rank)), "v" + std::to_string(rank));
    }
  }
}

}  // namespace
}  // namespace reissue::taxonomy
