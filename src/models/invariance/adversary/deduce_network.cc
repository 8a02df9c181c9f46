#include "reissue/models/invariance/adversary/deduce_network.h"

#include <algorithm>

#include "reissue/graph/flow.h"

namespace reissue::models::invariance {

std::vector<std::uint32_t> StronglyConnected(const std::vector<std::vector<std::uint32_t>>& next) {
  constexpr std::uint32_t kNew = static_cast<std::uint32_t>(-1);
  const std::size_t nodes = next.size();
  std::vector<std::uint32_t> index(nodes, kNew), low(nodes, 0), component(nodes, kNew),
      at(nodes, 0);
  std::vector<std::uint32_t> stack, path;
  std::uint32_t clock = 0, found = 0;
  for (std::uint32_t start = 0; start < nodes; ++start) {
    if (index[start] != kNew) continue;
    path.push_back(start);
    while (!path.empty()) {
      const std::uint32_t node = path.back();
      if (index[node] == kNew) {
        index[node] = low[node] = clock++;
        stack.push_back(node);
      }
      if (at[node] < next[node].size()) {
        const std::uint32_t to = next[node][at[node]++];
        if (index[to] == kNew) {
          path.push_back(to);
        } else if (component[to] == kNew) {
          low[node] = std::min(low[node], index[to]);
        }
        continue;
      }
      if (low[node] == index[node]) {
        std::uint32_t member = kNew;
        do {
          member = stack.back();
          stack.pop_back();
          component[member] = found;
        } while (member != node);
        ++found;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[node]);
    }
  }
  return component;
}

std::size_t Network::AddArc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
  arcs_.push_back({from, to, capacity});
  return arcs_.size() - 1;
}

std::vector<Network::Forced> Network::Solve() const {
  const std::size_t nodes = supply_.size();
  const auto source = static_cast<std::uint32_t>(nodes), sink = source + 1;
  graph::Flow flow(nodes + 2);
  std::vector<graph::Flow::Arc> in_flow;
  for (const Arc& arc : arcs_) in_flow.push_back(flow.AddArc(arc.from, arc.to, arc.capacity));
  std::uint64_t given = 0, taken = 0;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const auto amount = static_cast<std::uint64_t>(std::abs(supply_[n]));
    if (supply_[n] > 0) flow.AddArc(source, n, amount);
    if (supply_[n] < 0) flow.AddArc(n, sink, amount);
    (supply_[n] > 0 ? given : taken) += amount;
  }
  if (given != taken || flow.Maximise(source, sink) != given) return {};
  std::vector<std::vector<std::uint32_t>> next(nodes);
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    const std::uint64_t amount = flow.on(in_flow[a]);
    if (amount < arcs_[a].capacity) next[arcs_[a].from].push_back(arcs_[a].to);
    if (amount > 0) next[arcs_[a].to].push_back(arcs_[a].from);
  }
  const std::vector<std::uint32_t> component = StronglyConnected(next);
  std::vector<Forced> forced;
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    const bool free = component[arcs_[a].from] == component[arcs_[a].to];
    const bool all = flow.on(in_flow[a]) > 0;
    forced.push_back(free ? Forced::kFree : all ? Forced::kAll : Forced::kNothing);
  }
  return forced;
}

}  // namespace reissue::models::invariance
