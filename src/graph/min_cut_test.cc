#include "reissue/graph/min_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "reissue/core/random.h"

namespace reissue::graph {
namespace {

std::uint64_t Across(const std::vector<WeightedEdge>& edges, const std::vector<char>& side) {
  std::uint64_t across = 0;
  for (const WeightedEdge& edge : edges) {
    if (side[edge.a] != side[edge.b]) across += edge.weight;
  }
  return across;
}

// Stoer and Wagner with a matrix: the node that is added last, of all that are left, has the least
// cut between itself and the one before; then the two become one.
std::uint64_t StoerWagner(std::size_t nodes, const std::vector<WeightedEdge>& edges) {
  std::vector<std::vector<std::uint64_t>> weight(nodes, std::vector<std::uint64_t>(nodes, 0));
  for (const WeightedEdge& edge : edges) {
    if (edge.a == edge.b) continue;
    weight[edge.a][edge.b] += edge.weight;
    weight[edge.b][edge.a] += edge.weight;
  }
  std::vector<std::size_t> left(nodes);
  for (std::size_t i = 0; i < nodes; ++i) left[i] = i;
  std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
  while (left.size() > 1) {
    std::vector<std::uint64_t> attached(nodes, 0);
    std::vector<std::size_t> waiting = left;
    std::size_t last = 0, before = 0;
    while (!waiting.empty()) {
      const auto next =
          std::ranges::max_element(waiting, {}, [&](std::size_t node) { return attached[node]; });
      before = last;
      last = *next;
      waiting.erase(next);
      for (const std::size_t node : waiting) attached[node] += weight[last][node];
    }
    best = std::min(best, attached[last]);
    for (const std::size_t node : left) {
      weight[before][node] += weight[last][node];
      weight[node][before] = weight[before][node];
    }
    std::erase(left, last);
  }
  return best;
}

TEST(MinCut, AgreesWithStoerAndWagner) {
  Random random = Random::Seeded(31);
  std::uint64_t positive = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::size_t nodes = 2 + random.Below(12);
    const std::size_t lines = random.Below(4 * nodes);
    const std::uint64_t heaviest = 1 + random.Below(20);
    std::vector<WeightedEdge> edges;
    for (std::size_t i = 0; i < lines; ++i) {
      edges.push_back({static_cast<std::uint32_t>(random.Below(nodes)),
                       static_cast<std::uint32_t>(random.Below(nodes)), random.Below(heaviest)});
    }
    const MinCut cut = MinimumCut(nodes, edges);
    ASSERT_EQ(cut.weight, StoerWagner(nodes, edges)) << round;
    ASSERT_EQ(cut.weight, Across(edges, cut.side)) << round;
    const auto ones = std::ranges::count(cut.side, 1);
    ASSERT_TRUE(ones > 0 && static_cast<std::size_t>(ones) < nodes) << round;
    positive += cut.weight > 0;
  }
  EXPECT_GT(positive, 1000u);
}

TEST(MinCut, LargeWeightsFit) {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 60;
  EXPECT_EQ(MinimumCut(3, {{0, 1, kMany}, {1, 2, kMany - 1}}).weight, kMany - 1);
}

}  // namespace
}  // namespace reissue::graph
