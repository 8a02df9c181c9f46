#include "reissue/models/invariance/adversary/cuts.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "reissue/graph/flow.h"

namespace reissue::models::invariance {
namespace {

using graph::Flow;
using graph::WeightedEdge;

constexpr char kRoot = 0, kOther = 1, kOpen = 2;
constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

class Joined {
 public:
  explicit Joined(std::uint32_t nodes) : parent_(nodes) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t Of(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  bool Join(std::uint32_t a, std::uint32_t b) {
    a = Of(a), b = Of(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }
  // Numbered in order of the first member.
  std::pair<std::vector<std::uint32_t>, std::uint32_t> Numbers() {
    std::vector<std::uint32_t> number(parent_.size());
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < number.size(); ++i) {
      const std::uint32_t leader = Of(i);
      number[i] = leader == i ? count++ : number[leader];
    }
    return {std::move(number), count};
  }

 private:
  std::vector<std::uint32_t> parent_;
};

Flow FlowNetwork(const CutGraph& graph) {
  Flow flow(graph.nodes());
  for (const WeightedEdge& edge : graph.edges) {
    flow.AddArc(edge.a, edge.b, edge.weight);
    flow.AddArc(edge.b, edge.a, edge.weight);
  }
  return flow;
}

}  // namespace

void Tidy(std::vector<WeightedEdge>& edges) {
  for (WeightedEdge& edge : edges) {
    if (edge.a > edge.b) std::swap(edge.a, edge.b);
  }
  std::ranges::sort(edges, {}, [](const WeightedEdge& edge) { return std::pair(edge.a, edge.b); });
  std::size_t kept = 0;
  for (const WeightedEdge& edge : edges) {
    if (edge.a == edge.b || edge.weight == 0) continue;
    if (kept > 0 && edges[kept - 1].a == edge.a && edges[kept - 1].b == edge.b) {
      edges[kept - 1].weight += edge.weight;
    } else {
      edges[kept++] = edge;
    }
  }
  edges.resize(kept);
}

std::vector<std::uint32_t> ComponentsOf(const CutGraph& graph) {
  Joined sets(graph.nodes());
  for (const WeightedEdge& edge : graph.edges) sets.Join(edge.a, edge.b);
  return sets.Numbers().first;
}

std::vector<std::uint64_t> Degrees(const CutGraph& graph) {
  std::vector<std::uint64_t> degrees(graph.nodes(), 0);
  for (const WeightedEdge& edge : graph.edges) {
    degrees[edge.a] += edge.weight;
    degrees[edge.b] += edge.weight;
  }
  return degrees;
}

std::uint64_t BalanceStep(const CutGraph& graph) {
  std::uint64_t step = 0;
  for (const std::int64_t balance : graph.balance)
    step = std::gcd(step, static_cast<std::uint64_t>(balance < 0 ? -balance : balance));
  return step;
}

std::int64_t BalanceOf(const CutGraph& graph, const std::vector<char>& side) {
  std::int64_t balance = 0;
  for (std::uint32_t i = 0; i < graph.nodes(); ++i) {
    if (side[i]) balance += graph.balance[i];
  }
  return balance;
}

CutGraph Merge(const CutGraph& graph, const std::vector<std::uint32_t>& node, std::uint32_t nodes) {
  CutGraph merged{graph.edges, std::vector<std::int64_t>(nodes, 0)};
  for (WeightedEdge& edge : merged.edges) {
    edge.a = node[edge.a];
    edge.b = node[edge.b];
  }
  Tidy(merged.edges);
  for (std::uint32_t i = 0; i < graph.nodes(); ++i) merged.balance[node[i]] += graph.balance[i];
  return merged;
}

Contraction Contract(const CutGraph& graph, std::uint64_t heavy) {
  Contraction result{std::vector<std::uint32_t>(graph.nodes()), graph};
  std::iota(result.node.begin(), result.node.end(), 0u);
  while (true) {
    Joined sets(result.graph.nodes());
    bool joined = false;
    for (const WeightedEdge& edge : result.graph.edges) {
      if (edge.weight >= heavy) joined |= sets.Join(edge.a, edge.b);
    }
    if (!joined) return result;
    const auto [number, count] = sets.Numbers();
    result.graph = Merge(result.graph, number, count);
    for (std::uint32_t& node : result.node) node = number[node];
  }
}

std::vector<std::uint32_t> HeavyClasses(const CutGraph& graph, std::uint64_t heavy) {
  const Contraction small = Contract(graph, heavy);
  const std::vector<std::uint64_t> degrees = Degrees(small.graph);
  Joined sets(small.graph.nodes());
  // Joined of nodes that may still be together; the first of each is asked about all others.
  std::vector<std::vector<std::uint32_t>> waiting(1);
  for (std::uint32_t i = 0; i < small.graph.nodes(); ++i) {
    if (degrees[i] >= heavy) waiting[0].push_back(i);
  }
  while (!waiting.empty()) {
    std::vector<std::uint32_t> together = std::move(waiting.back());
    waiting.pop_back();
    while (together.size() > 1) {
      const std::uint32_t first = together.front(), last = together.back();
      Flow flow = FlowNetwork(small.graph);
      if (flow.Maximise(first, last, heavy) >= heavy) {
        sets.Join(first, last);
        together.pop_back();
        continue;
      }
      const std::vector<char> near = flow.Reachable(first);
      std::vector<std::uint32_t> far;
      for (const std::uint32_t node : together) {
        if (!near[node]) far.push_back(node);
      }
      std::erase_if(together, [&](std::uint32_t node) { return !near[node]; });
      waiting.push_back(std::move(far));
    }
  }
  const std::vector<std::uint32_t> number = sets.Numbers().first;
  std::vector<std::uint32_t> classes(graph.nodes());
  for (std::uint32_t i = 0; i < graph.nodes(); ++i) classes[i] = number[small.node[i]];
  return classes;
}

CutSearch::CutSearch(const CutGraph& graph, std::uint64_t limit, std::uint64_t steps, Visit visit)
    : graph_(graph),
      limit_(limit),
      steps_(steps),
      visit_(std::move(visit)),
      component_(ComponentsOf(graph)) {}

// Orders the component so that every node but the first follows a neighbour.
void CutSearch::Start(std::uint32_t root) {
  std::vector<std::vector<std::uint32_t>> next(graph_.nodes());
  for (const WeightedEdge& edge : graph_.edges) {
    if (component_[edge.a] != component_[root]) continue;
    next[edge.a].push_back(edge.b);
    next[edge.b].push_back(edge.a);
  }
  decided_.assign(graph_.nodes(), kRoot);
  decided_[root] = kOpen;
  order_ = {root};
  for (std::size_t i = 0; i < order_.size(); ++i) {
    for (const std::uint32_t node : next[order_[i]]) {
      if (decided_[node] == kOpen) continue;
      decided_[node] = kOpen;
      order_.push_back(node);
    }
  }
  decided_[root] = kRoot;
}

void CutSearch::Between(std::uint32_t a, std::uint32_t b) {
  Start(a);
  decided_[b] = kOther;
  Branch(1);
}

void CutSearch::Once(std::uint32_t a, std::uint32_t b) {
  Start(a);
  decided_[b] = kOther;
  Look();
}

void CutSearch::Everywhere() {
  std::uint32_t seen = 0;
  for (std::uint32_t root = 0; root < graph_.nodes() && !stopped_; ++root) {
    if (component_[root] < seen) continue;
    ++seen;
    Start(root);
    for (std::size_t i = 1; i < order_.size() && !stopped_; ++i) {
      decided_[order_[i]] = kOther;
      Branch(i + 1);
      decided_[order_[i]] = kRoot;
    }
  }
}

void CutSearch::Branch(std::size_t next) {
  if (stopped_ || !Look() || stopped_) return;
  while (next < order_.size() && decided_[order_[next]] != kOpen) ++next;
  if (next == order_.size()) return;
  for (const char side : {kRoot, kOther}) {
    decided_[order_[next]] = side;
    Branch(next + 1);
  }
  decided_[order_[next]] = kOpen;
}

// Whether some cut of at most the limit agrees with what is decided; shows the least one.
bool CutSearch::Look() {
  if (steps_ == 0) {
    complete_ = false;
    stopped_ = true;
    return false;
  }
  --steps_;
  std::vector<std::uint32_t> number(graph_.nodes(), kNone);
  std::uint32_t count = 2;
  for (const std::uint32_t node : order_) {
    number[node] = decided_[node] == kOpen ? count++ : static_cast<std::uint32_t>(decided_[node]);
  }
  Flow flow(count);
  for (const WeightedEdge& edge : graph_.edges) {
    const std::uint32_t a = number[edge.a], b = number[edge.b];
    if (a == b) continue;  // both elsewhere, or decided alike
    flow.AddArc(a, b, edge.weight);
    flow.AddArc(b, a, edge.weight);
  }
  const std::uint64_t weight = flow.Maximise(0, 1, limit_ + 1);
  if (weight > limit_) return false;
  const std::vector<char> reached = flow.Reachable(0);
  std::vector<char> side(graph_.nodes(), 0);
  for (const std::uint32_t node : order_) side[node] = !reached[number[node]];
  // Side 0 is that of the first node of the component.
  if (side[*std::ranges::min_element(order_)]) {
    for (const std::uint32_t node : order_) side[node] = !side[node];
  }
  visit_(side, weight);
  return true;
}

}  // namespace reissue::models::invariance
