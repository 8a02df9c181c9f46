#include "reissue/models/invariance/adversary/light_cuts.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace reissue::models::invariance {
namespace {

using graph::WeightedEdge;

// Arcs looked at for each step that is allowed.
constexpr std::uint64_t kArcsPerStep = 2'000;

// The nodes that some cut of at most the limit separates from the heaviest node of their component.
class Loose {
 public:
  Loose(const CutGraph& graph, std::uint64_t limit, std::uint64_t steps)
      : limit_(limit), left_(steps * kArcsPerStep), begin_(graph.nodes() + 1, 0) {
    for (const WeightedEdge& edge : graph.edges) {
      ++begin_[edge.a + 1];
      ++begin_[edge.b + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    to_.resize(begin_.back());
    mate_.resize(begin_.back());
    room_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (const WeightedEdge& edge : graph.edges) {
      const std::uint32_t there = next[edge.a]++, back = next[edge.b]++;
      to_[there] = edge.b;
      to_[back] = edge.a;
      mate_[there] = back;
      mate_[back] = there;
      room_[there] = room_[back] = edge.weight;
    }
    seen_.assign(graph.nodes(), 0);
    via_.assign(graph.nodes(), 0);
    loose_.assign(graph.nodes(), 1);
  }

  // 1 per loose node. Near the roots first, so that ways to what is tied are short.
  const std::vector<char>& Run(const std::vector<std::uint32_t>& roots) {
    std::vector<char> reached(seen_.size(), 0);
    for (const std::uint32_t root : roots) {
      loose_[root] = 0;
      reached[root] = 1;
      std::vector<std::uint32_t> order = {root};
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && Tied(order[i])) loose_[order[i]] = 0;
        for (std::uint32_t arc = begin_[order[i]]; arc < begin_[order[i] + 1]; ++arc) {
          if (std::exchange(reached[to_[arc]], 1)) continue;
          order.push_back(to_[arc]);
        }
      }
    }
    return loose_;
  }
  bool complete() const { return left_ > 0; }

 private:
  // Whether more than the limit can flow from the node to those that are not loose. Once the work
  // allowed is done everything counts as tied.
  bool Tied(std::uint32_t node) {
    std::uint64_t sent = 0;
    while (sent <= limit_ && left_ > 0) {
      const std::uint64_t more = Send(node, limit_ + 1 - sent);
      if (more == 0) break;
      sent += more;
    }
    for (; !touched_.empty(); touched_.pop_back())
      room_[touched_.back().first] = touched_.back().second;
    return left_ == 0 || sent > limit_;
  }

  // Along one shortest way.
  std::uint64_t Send(std::uint32_t source, std::uint64_t most) {
    ++stamp_;
    queue_ = {source};
    seen_[source] = stamp_;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::uint32_t at = queue_[i];
      for (std::uint32_t arc = begin_[at]; arc < begin_[at + 1] && left_ > 0; ++arc) {
        --left_;
        const std::uint32_t to = to_[arc];
        if (room_[arc] == 0 || seen_[to] == stamp_) continue;
        seen_[to] = stamp_;
        via_[to] = arc;
        if (!loose_[to]) return Push(source, to, most);
        queue_.push_back(to);
      }
    }
    return 0;
  }

  std::uint64_t Push(std::uint32_t source, std::uint32_t end, std::uint64_t most) {
    for (std::uint32_t at = end; at != source; at = to_[mate_[via_[at]]])
      most = std::min(most, room_[via_[at]]);
    for (std::uint32_t at = end; at != source; at = to_[mate_[via_[at]]]) {
      const std::uint32_t arc = via_[at];
      Touch(arc, room_[arc] - most);
      Touch(mate_[arc], room_[mate_[arc]] + most);
    }
    return most;
  }
  void Touch(std::uint32_t arc, std::uint64_t room) {
    touched_.emplace_back(arc, room_[arc]);
    room_[arc] = room;
  }

  std::uint64_t limit_, left_;
  std::vector<std::uint32_t> begin_, to_, mate_;
  std::vector<std::uint64_t> room_;
  std::vector<std::uint32_t> seen_, via_, queue_;
  std::vector<char> loose_;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> touched_;
  std::uint32_t stamp_ = 0;
};

// The node of largest degree of each component.
std::vector<std::uint32_t> Roots(const CutGraph& graph) {
  const std::vector<std::uint32_t> component = ComponentsOf(graph);
  const std::vector<std::uint64_t> degrees = Degrees(graph);
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < graph.nodes(); ++i) {
    if (component[i] == roots.size()) {
      roots.push_back(i);
    } else if (degrees[i] > degrees[roots[component[i]]]) {
      roots[component[i]] = i;
    }
  }
  return roots;
}

// Loose nodes that are connected without the others, which are node 0 here.
struct Block {
  std::vector<std::uint32_t> nodes;  // from node 1 on, of the whole graph
  std::vector<std::size_t> edges;    // of the whole graph
  CutGraph graph;
  std::vector<std::size_t> edge;  // per element of `edges`: of this graph
};

std::vector<Block> BlocksOf(const CutGraph& graph, const std::vector<char>& loose) {
  CutGraph inside{{}, graph.balance};
  for (const WeightedEdge& edge : graph.edges) {
    if (loose[edge.a] && loose[edge.b]) inside.edges.push_back(edge);
  }
  const std::vector<std::uint32_t> component = ComponentsOf(inside);
  std::vector<std::uint32_t> block_of(graph.nodes(), 0), number(graph.nodes(), 0);
  std::vector<char> known(graph.nodes(), 0);
  std::vector<Block> blocks;
  for (std::uint32_t i = 0; i < graph.nodes(); ++i) {
    if (!loose[i]) continue;
    if (!known[component[i]]) {
      known[component[i]] = 1;
      block_of[component[i]] = static_cast<std::uint32_t>(blocks.size());
      blocks.emplace_back().graph.balance = {0};
    }
    Block& block = blocks[block_of[component[i]]];
    block.nodes.push_back(i);
    number[i] = static_cast<std::uint32_t>(block.nodes.size());
    block.graph.balance.push_back(graph.balance[i]);
    block.graph.balance[0] -= graph.balance[i];
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const WeightedEdge& edge = graph.edges[e];
    if (!loose[edge.a] && !loose[edge.b]) continue;
    Block& block = blocks[block_of[component[loose[edge.a] ? edge.a : edge.b]]];
    block.edges.push_back(e);
    block.graph.edges.push_back(
        {loose[edge.a] ? number[edge.a] : 0, loose[edge.b] ? number[edge.b] : 0, edge.weight});
  }
  for (Block& block : blocks) {
    const std::vector<WeightedEdge> before = block.graph.edges;
    Tidy(block.graph.edges);
    for (const WeightedEdge& edge : before) {
      const auto ends = std::minmax(edge.a, edge.b);
      block.edge.push_back(static_cast<std::size_t>(
          std::ranges::lower_bound(block.graph.edges, std::pair(ends.first, ends.second), {},
                                   [](const WeightedEdge& w) { return std::pair(w.a, w.b); }) -
          block.graph.edges.begin()));
    }
  }
  return blocks;
}

struct BlockCuts {
  std::vector<char> crossed;
  std::optional<std::pair<std::uint64_t, std::vector<char>>> least;
  bool complete = true;
};

// Every edge in turn: is there a balanced cut that crosses it? Then the lightest of all.
BlockCuts SearchAll(const CutGraph& graph, std::uint64_t limit, std::uint64_t& steps) {
  BlockCuts cuts{std::vector<char>(graph.edges.size(), 0), std::nullopt, true};
  auto take = [&](const std::vector<char>& side, std::uint64_t weight) {
    if (BalanceOf(graph, side) != 0) return false;
    for (std::size_t j = 0; j < cuts.crossed.size(); ++j)
      cuts.crossed[j] |= side[graph.edges[j].a] != side[graph.edges[j].b];
    if (!cuts.least || weight < cuts.least->first) cuts.least = {weight, side};
    return true;
  };
  auto finish = [&](const CutSearch& search) {
    steps = search.steps_left();
    cuts.complete &= search.complete();
  };
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    if (cuts.crossed[i]) continue;
    CutSearch search(graph, limit, steps, [&](const std::vector<char>& side, std::uint64_t weight) {
      if (take(side, weight)) search.Stop();
    });
    search.Between(graph.edges[i].a, graph.edges[i].b);
    finish(search);
  }
  if (!cuts.least || cuts.least->first <= 1) return cuts;
  CutSearch lightest(graph, cuts.least->first - 1, steps,
                     [&](const std::vector<char>& side, std::uint64_t weight) {
                       if (take(side, weight)) lightest.Lower(weight - 1);
                     });
  lightest.Everywhere();
  finish(lightest);
  return cuts;
}

// For blocks in which every cut of at most the limit is balanced.
BlockCuts SearchClasses(const CutGraph& graph, std::uint64_t limit) {
  const std::vector<std::uint32_t> classes = HeavyClasses(graph, limit + 1);
  const std::uint32_t count = *std::ranges::max_element(classes) + 1;
  BlockCuts cuts{std::vector<char>(graph.edges.size(), 0), std::nullopt, true};
  if (count < 2) return cuts;
  for (std::size_t j = 0; j < cuts.crossed.size(); ++j)
    cuts.crossed[j] = classes[graph.edges[j].a] != classes[graph.edges[j].b];
  const CutGraph small = Merge(graph, classes, count);
  const graph::MinCut cut = graph::MinimumCut(count, small.edges);
  std::vector<char> side(graph.nodes());
  for (std::uint32_t i = 0; i < graph.nodes(); ++i)
    side[i] = cut.side[classes[i]] != cut.side[classes[0]];
  cuts.least = {cut.weight, std::move(side)};
  return cuts;
}

}  // namespace

LightCuts FindLightCuts(const CutGraph& graph, std::uint64_t limit, std::uint64_t steps) {
  LightCuts result{std::vector<char>(graph.edges.size(), 0), std::nullopt, true};
  const std::uint64_t step = BalanceStep(graph);
  const bool all_balanced = step == 0 || limit < step;
  if (!all_balanced && graph.nodes() > kSearchedNodes) {
    // Too many cuts that are not balanced.
    result.complete = false;
    limit = step - 1;
  }
  if (step != 0 && limit >= 2 * step) result.complete = false;
  if (limit == 0) return result;
  Loose loose(graph, limit, steps);
  const std::vector<Block> blocks = BlocksOf(graph, loose.Run(Roots(graph)));
  result.complete &= loose.complete();
  for (const Block& block : blocks) {
    const BlockCuts cuts = block.graph.nodes() <= kSearchedNodes
                               ? SearchAll(block.graph, limit, steps)
                               : SearchClasses(block.graph, limit);
    result.complete &= cuts.complete;
    for (std::size_t i = 0; i < block.edges.size(); ++i)
      result.crossed[block.edges[i]] |= cuts.crossed[block.edge[i]];
    if (!cuts.least || (result.least && result.least->first <= cuts.least->first)) continue;
    std::vector<std::uint32_t> side;
    for (std::size_t i = 0; i < block.nodes.size(); ++i) {
      if (cuts.least->second[i + 1]) side.push_back(block.nodes[i]);
    }
    result.least = {cuts.least->first, std::move(side)};
  }
  return result;
}

}  // namespace reissue::models::invariance
