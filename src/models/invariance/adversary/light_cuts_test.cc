#include "reissue/models/invariance/adversary/light_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reissue/core/random.h"

namespace reissue::models::invariance {
namespace {

// People between random nodes, in both directions; then from every node to node 0, until its
// balance is a multiple of `step`.
CutGraph RandomGraph(Random& random, std::uint32_t nodes, std::size_t lines, std::int64_t step) {
  CutGraph graph{{}, std::vector<std::int64_t>(nodes, 0)};
  auto add = [&](std::uint32_t from, std::uint32_t to, std::int64_t people) {
    graph.edges.push_back({from, to, static_cast<std::uint64_t>(people)});
    graph.balance[from] += people;
    graph.balance[to] -= people;
  };
  for (std::size_t i = 0; i < lines; ++i) {
    add(static_cast<std::uint32_t>(random.Below(nodes)),
        static_cast<std::uint32_t>(random.Below(nodes)),
        1 + static_cast<std::int64_t>(random.Below(3)));
  }
  for (std::uint32_t i = 1; i < nodes; ++i) add(i, 0, ((-graph.balance[i]) % step + step) % step);
  Tidy(graph.edges);
  return graph;
}

std::uint64_t WeightOf(const CutGraph& graph, const std::vector<char>& side) {
  std::uint64_t weight = 0;
  for (const graph::WeightedEdge& edge : graph.edges)
    weight += side[edge.a] != side[edge.b] ? edge.weight : 0;
  return weight;
}

TEST(LightCuts, BalanceOfASide) {
  const CutGraph graph{{}, {5, -3, -2, 0}};
  EXPECT_EQ(BalanceOf(graph, {1, 0, 1, 1}), 3);
  EXPECT_EQ(BalanceOf(graph, {1, 1, 1, 0}), 0);
}

TEST(LightCuts, AgreeWithAllSets) {
  Random random = Random::Seeded(51);
  std::uint64_t crossed = 0, unbalanced = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto nodes = static_cast<std::uint32_t>(2 + random.Below(6));
    const std::uint64_t step = 1 + random.Below(4);
    const CutGraph graph =
        RandomGraph(random, nodes, random.Below(3 * nodes), static_cast<std::int64_t>(step));
    const std::uint64_t limit = 1 + random.Below(2 * step - 1);
    const LightCuts cuts = FindLightCuts(graph, limit, 100'000);
    ASSERT_TRUE(cuts.complete);
    std::vector<char> expected(graph.edges.size(), 0);
    std::uint64_t least = limit + 1;
    for (std::uint32_t set = 1; set < (1u << nodes) - 1; ++set) {
      std::vector<char> side(nodes);
      for (std::uint32_t i = 0; i < nodes; ++i) side[i] = (set >> i) & 1;
      const std::uint64_t weight = WeightOf(graph, side);
      if (weight == 0 || weight > limit) continue;
      if (BalanceOf(graph, side) != 0) {
        ++unbalanced;
        continue;
      }
      least = std::min(least, weight);
      for (std::size_t e = 0; e < expected.size(); ++e)
        expected[e] |= side[graph.edges[e].a] != side[graph.edges[e].b];
    }
    ASSERT_EQ(cuts.crossed, expected) << round;
    ASSERT_EQ(cuts.least ? cuts.least->first : limit + 1, least) << round;
    if (cuts.least) {
      std::vector<char> side(nodes, 0);
      for (const std::uint32_t node : cuts.least->second) side[node] = 1;
      ASSERT_EQ(WeightOf(graph, side), least) << round;
      ASSERT_EQ(BalanceOf(graph, side), 0) << round;
    }
    crossed += static_cast<std::uint64_t>(std::ranges::count(expected, 1));
  }
  EXPECT_GT(crossed, 500u);
  EXPECT_GT(unbalanced, 500u);
}

// Too many nodes for a search: edges between classes that light cuts separate, and no others.
TEST(LightCuts, LargeGraphs) {
  Random random = Random::Seeded(52);
  std::uint64_t crossed = 0, kept = 0;
  for (int round = 0; round < 60; ++round) {
    const auto nodes = static_cast<std::uint32_t>(70 + random.Below(80));
    const CutGraph graph = RandomGraph(random, nodes, 2 * nodes + random.Below(nodes), 20);
    const std::uint64_t limit = 2 + random.Below(6);
    const LightCuts cuts = FindLightCuts(graph, limit, 100'000);
    ASSERT_TRUE(cuts.complete);
    const std::vector<std::uint32_t> classes = HeavyClasses(graph, limit + 1);
    std::uint64_t least = limit + 1;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const bool apart = classes[graph.edges[e].a] != classes[graph.edges[e].b];
      ASSERT_EQ(static_cast<bool>(cuts.crossed[e]), apart) << round;
      (apart ? crossed : kept) += 1;
      if (!apart) continue;
      CutSearch search(graph, limit, 1, [&](const std::vector<char>&, std::uint64_t weight) {
        least = std::min(least, weight);
      });
      search.Once(graph.edges[e].a, graph.edges[e].b);
    }
    ASSERT_EQ(cuts.least ? cuts.least->first : limit + 1, least) << round;
  }
  EXPECT_GT(crossed, 500u);
  EXPECT_GT(kept, 500u);
}

}  // namespace
}  // namespace reissue::models::invariance
