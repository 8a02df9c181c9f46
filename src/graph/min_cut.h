#pragma once
// The least cut of an undirected graph with whole weights (Nagamochi and Ibaraki, by LEMON). No
// state; safe from any thread. Plain C++17, as LEMON's headers are.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reissue::graph {

struct WeightedEdge {
  std::uint32_t a = 0, b = 0;
  std::uint64_t weight = 0;
};

struct MinCut {
  std::uint64_t weight = 0;
  std::vector<char> side;  // per node; neither side is empty
};

// Nodes are 0 … nodes − 1, at least two; parallel edges add up, loops do not count. A graph that is
// not connected has a cut of 0. The sum of all weights must be below 2⁶². O(nodes · edges · log).
MinCut MinimumCut(std::size_t nodes, const std::vector<WeightedEdge>& edges);

}  // namespace reissue::graph
