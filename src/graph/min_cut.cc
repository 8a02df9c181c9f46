#include "reissue/graph/min_cut.h"

#include <lemon/nagamochi_ibaraki.h>
#include <lemon/smart_graph.h>

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
  Graph graph;
  graph.reserveNode(static_cast<int>(nodes));
  graph.reserveEdge(static_cast<int>(edges.size()));
  for (std::size_t i = 0; i < nodes; ++i) graph.addNode();
  Weights weights(graph);
  for (const WeightedEdge& edge : edges) {
    if (edge.a == edge.b || edge.weight == 0) continue;
    weights[graph.addEdge(Graph::nodeFromId(static_cast<int>(edge.a)),
                          Graph::nodeFromId(static_cast<int>(edge.b)))] =
        static_cast<std::int64_t>(edge.weight);
  }
  lemon::NagamochiIbaraki<Graph, Weights> algorithm(graph, weights);
  algorithm.run();
  Graph::NodeMap<bool> side(graph);
  MinCut cut;
  cut.weight = static_cast<std::uint64_t>(algorithm.minCutMap(side));
  cut.side.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i)
    cut.side[i] = side[Graph::nodeFromId(static_cast<int>(i))];
  return cut;
}

}  // namespace reissue::graph
