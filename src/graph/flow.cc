#include "reissue/graph/flow.h"

#include <algorithm>

namespace reissue::graph {

Flow::Arc Flow::AddArc(Node from, Node to, Amount capacity) {
  const auto half = static_cast<std::uint32_t>(to_.size());
  part_.clear();
  leaving_[from].push_back(half);
  leaving_[to].push_back(half + 1);
  to_.insert(to_.end(), {to, from});
  residual_.insert(residual_.end(), {capacity, 0});
  return half / 2;
}

bool Flow::Layer(Node source, Node sink) {
  layer_.assign(leaving_.size(), kNowhere);
  layer_[source] = 0;
  std::vector<Node> queue = {source};
  for (std::size_t i = 0; i < queue.size() && layer_[sink] == kNowhere; ++i) {
    for (const std::uint32_t half : leaving_[queue[i]]) {
      if (residual_[half] == 0 || layer_[to_[half]] != kNowhere) continue;
      layer_[to_[half]] = layer_[queue[i]] + 1;
      queue.push_back(to_[half]);
    }
  }
  return layer_[sink] != kNowhere;
}

Flow::Amount Flow::Augment(Node source, Node sink, Amount limit) {
  next_.assign(leaving_.size(), 0);
  std::vector<std::uint32_t> path;
  Amount sent = 0;
  Node at = source;
  while (sent < limit) {
    if (at == sink) {
      Amount most = limit - sent;
      for (const std::uint32_t half : path) most = std::min(most, residual_[half]);
      for (const std::uint32_t half : path) {
        residual_[half] -= most;
        residual_[half ^ 1] += most;
      }
      sent += most;
      path.clear();
      at = source;
      continue;
    }
    std::uint32_t& next = next_[at];
    while (next < leaving_[at].size()) {
      const std::uint32_t half = leaving_[at][next];
      if (residual_[half] > 0 && layer_[to_[half]] == layer_[at] + 1) break;
      ++next;
    }
    if (next < leaving_[at].size()) {
      path.push_back(leaving_[at][next]);
      at = to_[path.back()];
      continue;
    }
    if (at == source) break;
    at = to_[path.back() ^ 1];
    path.pop_back();
    ++next_[at];
  }
  return sent;
}

Flow::Amount Flow::Maximise(Node source, Node sink, Amount limit) {
  Amount sent = 0;
  if (source == sink) return sent;
  part_.clear();
  while (sent < limit && Layer(source, sink)) sent += Augment(source, sink, limit - sent);
  return sent;
}

std::vector<char> Flow::Reachable(Node source) const {
  std::vector<char> reached(leaving_.size(), 0);
  std::vector<Node> stack = {source};
  reached[source] = 1;
  while (!stack.empty()) {
    const Node at = stack.back();
    stack.pop_back();
    for (const std::uint32_t half : leaving_[at]) {
      if (residual_[half] == 0 || reached[to_[half]]) continue;
      reached[to_[half]] = 1;
      stack.push_back(to_[half]);
    }
  }
  return reached;
}

}  // namespace reissue::graph
