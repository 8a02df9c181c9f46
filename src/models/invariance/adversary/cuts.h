#pragma once
// Light cuts of undirected graphs with whole weights and a balance per node. Internal to the
// adversary. A set of nodes is balanced if the balances in it add up to 0; docs/design/0004 says
// what balanced cuts prove. No state; safe from any thread.

#include <cstdint>
#include <functional>
#include <vector>

#include "reissue/graph/min_cut.h"

namespace reissue::models::invariance {

struct CutGraph {
  std::vector<graph::WeightedEdge> edges;  // a < b, ascending, no two between the same nodes
  std::vector<std::int64_t> balance;       // per node; they add up to 0 over every component

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(balance.size()); }
};

// Adds up parallel edges, drops loops and edges of no weight, sorts.
void Tidy(std::vector<graph::WeightedEdge>& edges);

// A number from 0 on per node, the same for nodes that are connected; in order of the first node.
std::vector<std::uint32_t> ComponentsOf(const CutGraph& graph);

// The weight of all edges at each node.
std::vector<std::uint64_t> Degrees(const CutGraph& graph);

// The greatest common divisor of the balances; 0 where all are 0.
std::uint64_t BalanceStep(const CutGraph& graph);

std::int64_t BalanceOf(const CutGraph& graph, const std::vector<char>& side);

// Makes one node of the ends of every edge of at least `heavy`, again and again: no lighter cut
// separates them. Node 0 stays node 0.
struct Contraction {
  std::vector<std::uint32_t> node;  // per node of the old graph
  CutGraph graph;
};
Contraction Contract(const CutGraph& graph, std::uint64_t heavy);
// One node per number in `node` (0 … nodes − 1).
CutGraph Merge(const CutGraph& graph, const std::vector<std::uint32_t>& node, std::uint32_t nodes);

// Classes of nodes that no cut lighter than `heavy` separates, numbered from 0 in order of the
// first node. At most nodes maximum flows.
std::vector<std::uint32_t> HeavyClasses(const CutGraph& graph, std::uint64_t heavy);

// Looks at all cuts of at most `limit` that separate a component, by branching on the side of each
// node; a maximum flow says whether a branch has any such cut, so each step finds one. At most
// (nodes · such cuts) steps.
class CutSearch {
 public:
  // Told of every such cut at least once; `side` is 0 for the first node of each component, and 1
  // only within one component.
  using Visit = std::function<void(const std::vector<char>& side, std::uint64_t weight)>;

  CutSearch(const CutGraph& graph, std::uint64_t limit, std::uint64_t steps, Visit visit);

  // Only cuts that separate these two (of one component).
  void Between(std::uint32_t a, std::uint32_t b);
  // Only the least of them.
  void Once(std::uint32_t a, std::uint32_t b);
  // All cuts.
  void Everywhere();

  // May be called by a visit.
  void Stop() { stopped_ = true; }
  void Lower(std::uint64_t limit) { limit_ = limit; }

  bool complete() const { return complete_; }
  std::uint64_t steps_left() const { return steps_; }

 private:
  void Start(std::uint32_t root);
  void Branch(std::size_t next);
  bool Look();

  const CutGraph& graph_;
  std::uint64_t limit_, steps_;
  Visit visit_;
  bool stopped_ = false, complete_ = true;
  std::vector<std::uint32_t> component_, order_;
  std::vector<char> decided_;  // per node: kRoot, kOther, or kOpen
};

}  // namespace reissue::models::invariance
