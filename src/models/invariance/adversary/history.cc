#include "reissue/models/invariance/adversary/history.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "reissue/models/invariance/adversary/history_graph.h"
#include "reissue/models/invariance/adversary/light_cuts.h"

namespace reissue::models::invariance {
namespace {

// The nodes of each component with at least two, and its edges with nodes numbered from 0.
struct Piece {
  std::vector<std::uint32_t> nodes;
  std::vector<graph::WeightedEdge> edges;
};
std::vector<Piece> PartsOf(const CutGraph& graph) {
  const std::vector<std::uint32_t> component = ComponentsOf(graph);
  std::vector<Piece> parts(graph.nodes());
  std::vector<std::uint32_t> number(graph.nodes());
  for (std::uint32_t i = 0; i < graph.nodes(); ++i) {
    number[i] = static_cast<std::uint32_t>(parts[component[i]].nodes.size());
    parts[component[i]].nodes.push_back(i);
  }
  for (const graph::WeightedEdge& edge : graph.edges)
    parts[component[edge.a]].edges.push_back({number[edge.a], number[edge.b], edge.weight});
  std::erase_if(parts, [](const Piece& part) { return part.nodes.size() < 2; });
  return parts;
}

// Of the components with at least two nodes.
std::optional<std::uint64_t> LeastCutOf(const CutGraph& graph) {
  std::optional<std::uint64_t> least;
  for (const Piece& part : PartsOf(graph)) {
    const std::uint64_t cut = graph::MinimumCut(part.nodes.size(), part.edges).weight;
    least = std::min(cut, least.value_or(cut));
  }
  return least;
}

// What remains once everything is one that no equality of at most `limit` standings tells apart.
HistoryGraph Simplify(const HistoryGraph& graph, std::uint64_t limit,
                      std::vector<std::uint32_t>& node) {
  Contraction small = Contract(graph.stays, limit + 1);
  node = std::move(small.node);
  if (graph.returns.empty()) return {{}, std::move(small.graph), {}};
  return Merge(graph, node, small.graph.nodes());
}

}  // namespace

std::optional<std::uint64_t> LeastCut(const History& history) {
  return LeastCutOf(GraphOf(history).stays);
}

bool Holds(const History& history, std::uint64_t /*values*/, std::uint64_t e,
           const EqualityLimits& limits) {
  if (e <= 1) return true;
  const std::uint64_t limit = 2 * (e - 1);
  std::vector<std::uint32_t> node;
  const HistoryGraph graph = Simplify(GraphOf(history), limit, node);
  if (graph.stays.edges.empty() && graph.returns.empty()) return true;
  const std::vector<std::uint64_t> degrees = Degrees(graph.stays);
  if (graph.returns.empty()) {
    for (std::uint32_t i = 0; i < graph.stays.nodes(); ++i) {
      if (degrees[i] > 0 && degrees[i] <= limit && graph.stays.balance[i] == 0) return false;
    }
    const std::optional<std::uint64_t> cut = LeastCutOf(graph.stays);
    if (!cut || *cut > limit) return true;
    // Lighter than any set that is not balanced.
    if (*cut < BalanceStep(graph.stays)) return false;
  }
  const EqualitySearch search = FindEquality(graph, limit, limits.nodes);
  return search.complete && !search.potentials;
}

Compromised CompromisedStays(const History& history, std::uint64_t /*values*/, std::uint64_t e,
                             const EqualityLimits& limits) {
  Compromised result;
  if (e <= 1) return result;
  const std::uint64_t limit = 2 * (e - 1);
  const HistoryGraph whole = GraphOf(history);
  std::vector<std::uint32_t> node;
  const HistoryGraph graph = Simplify(whole, limit, node);
  const std::uint64_t step = BalanceStep(graph.stays);
  if (!history.returns.empty() || (step != 0 && limit >= 2 * step)) {
    result.complete = false;  // single cuts are not all that there may be
    if (!graph.returns.empty()) return result;
  }
  // Whoever stands on a side of an equality does so in one that is a balanced cut.
  const LightCuts cuts = FindLightCuts(graph.stays, limit, limits.nodes);
  result.complete &= cuts.complete;
  auto nodes_of = [](const graph::WeightedEdge& edge) { return std::pair(edge.a, edge.b); };
  for (std::size_t i = 0; i < history.stays.size(); ++i) {
    const Stay& stay = history.stays[i];
    auto at = [&](Moment moment) {
      return node[std::ranges::lower_bound(whole.moments, moment) - whole.moments.begin()];
    };
    const auto ends = std::minmax({at(stay.came), at(stay.left)});
    if (ends.first == ends.second || stay.people == 0) continue;
    const auto edge = std::ranges::lower_bound(graph.stays.edges, std::pair(ends), {}, nodes_of);
    if (cuts.crossed[edge - graph.stays.edges.begin()]) result.stays.push_back(i);
  }
  return result;
}

std::vector<std::pair<Moment, Moment>> Mergeable(const History& history, std::uint64_t e,
                                                 std::uint64_t slack) {
  History finished;
  for (const Stay& stay : history.stays) {
    if (stay.left != kStillThere) finished.stays.push_back(stay);
  }
  const HistoryGraph graph = GraphOf(finished);
  const std::uint64_t heavy = 2 * std::max<std::uint64_t>(e, 1) - 1 + slack;
  const std::vector<std::uint32_t> classes = HeavyClasses(graph.stays, heavy);
  std::vector<Moment> leader(graph.moments.size(), kStillThere);
  std::vector<std::pair<Moment, Moment>> merged;
  // Node 0 has no edges here, so it is alone.
  for (std::size_t i = 1; i < graph.moments.size(); ++i) {
    Moment& first = leader[classes[i]];
    if (first == kStillThere) {
      first = graph.moments[i];
    } else {
      merged.emplace_back(graph.moments[i], first);
    }
  }
  return merged;
}

}  // namespace reissue::models::invariance
