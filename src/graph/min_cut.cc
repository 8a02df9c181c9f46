#include "reissue/graph/min_cut.h"

// Without its locks: a graph is one thread's here, and where memory runs out while it holds a lock
// it waits for itself for ever.
// clang-format off
#include <lemon/config.h>
#undef LEMON_USE_PTHREAD
// clang-format on
#include <lemon/nagamochi_ibaraki.h>
#include <lemon/smart_graph.h>

#include "reissue/core/fragile.h"

namespace reissue::graph {
namespace {

using Graph = lemon::SmartGraph;
using Weights = Graph::EdgeMap<std::int64_t>;

// The part that is connected with node 0; LEMON wants a connected graph.
std::vector<char> ReachedFromZero(std::size_t nodes, const std::vector<WeightedEdge>& edges) {
  std::vector<std::vector<std::uint32_t>> next(nodes);
  for (const WeightedEdge& edge : edges) {
    if (edge.weight == 0) continue;
    next[edge.a].push_back(edge.b);
    next[edge.b].push_back(edge.a);
  }
  std::vector<char> reached(nodes, 0);
  std::vector<std::uint32_t> stack = {0};
  reached[0] = 1;
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    for (const std::uint32_t to : next[at]) {
      if (reached[to]) continue;
      reached[to] = 1;
      stack.push_back(to);
    }
  }
  return reached;
}

}  // namespace

MinCut MinimumCut(std::size_t nodes, const std::vector<WeightedEdge>& edges) {
  std::vector<char> reached = ReachedFromZero(nodes, edges);
  for (const char node : reached) {
    if (!node) return {0, std::move(reached)};
  }
  const auto graph_owner = MakeFragile<Graph>();
  Graph& graph = *graph_owner;
  graph.reserveNode(static_cast<int>(nodes));
  graph.reserveEdge(static_cast<int>(edges.size()));
  for (std::size_t i = 0; i < nodes; ++i) graph.addNode();
  const auto weights_owner = MakeFragile<Weights>(graph);
  Weights& weights = *weights_owner;
  for (const WeightedEdge& edge : edges) {
    if (edge.a == edge.b || edge.weight == 0) continue;
    weights[graph.addEdge(Graph::nodeFromId(static_cast<int>(edge.a)),
                          Graph::nodeFromId(static_cast<int>(edge.b)))] =
        static_cast<std::int64_t>(edge.weight);
  }
  using Algorithm = lemon::NagamochiIbaraki<Graph, Weights>;
  const auto algorithm_owner = MakeFragile<Algorithm>(graph, weights);
  Algorithm& algorithm = *algorithm_owner;
  algorithm.run();
  const auto side_owner = MakeFragile<Graph::NodeMap<bool>>(graph);
  Graph::NodeMap<bool>& side = *side_owner;
  MinCut cut;
  cut.weight = static_cast<std::uint64_t>(algorithm.minCutMap(side));
  cut.side.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i)
    cut.side[i] = side[Graph::nodeFromId(static_cast<int>(i))];
  return cut;
}

}  // namespace reissue::graph
