// What can be on one arc, over all maximum flows: paths from its one end back to its other.

#include <algorithm>
#include <utility>

#include "reissue/graph/flow.h"

namespace reissue::graph {

Flow::OpenArcs::OpenArcs(std::size_t nodes, std::vector<Node> node_of_half)
    : node_of_(std::move(node_of_half)), begin_(nodes + 1, 0), open_(nodes, 0) {
  for (const Node node : node_of_) ++begin_[node + 1];
  for (std::size_t node = 0; node < nodes; ++node) begin_[node + 1] += begin_[node];
  halves_.resize(node_of_.size());
  place_.resize(node_of_.size());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t half = 0; half < node_of_.size(); ++half) {
    place_[half] = next[node_of_[half]]++;
    halves_[place_[half]] = half;
  }
}

void Flow::OpenArcs::Set(std::uint32_t half, bool open) {
  const Node node = node_of_[half];
  const std::size_t edge = begin_[node] + open_[node];
  if ((place_[half] < edge) == open) return;
  const std::size_t to = open ? edge : edge - 1;
  const std::uint32_t other = halves_[to];
  std::swap(halves_[to], halves_[place_[half]]);
  std::swap(place_[half], place_[other]);
  open_[node] += open ? 1 : std::uint32_t(-1);
}

void Flow::SetResidual(std::uint32_t half, Amount amount) {
  residual_[half] = amount;
  // Nothing goes round through an arc from part to part.
  const bool open = amount > 0 && part_[to_[half]] == part_[to_[half ^ 1]];
  arriving_.Set(half, open);
  departing_.Set(half, open);
}

void Flow::PrepareRerouting() {
  FindParts();
  std::vector<Node> from(to_.size());
  for (std::size_t half = 0; half < to_.size(); ++half) from[half] = to_[half ^ 1];
  arriving_ = OpenArcs(leaving_.size(), to_);
  departing_ = OpenArcs(leaving_.size(), std::move(from));
  for (std::uint32_t half = 0; half < to_.size(); ++half) SetResidual(half, residual_[half]);
  reached_.assign(leaving_.size(), 0);
  via_.resize(leaving_.size());
  searches_ = 0;
}

Flow::Amount Flow::Reroute(std::uint32_t half, Amount limit) {
  if (part_.empty()) PrepareRerouting();
  const Amount spare = residual_[half];
  const Amount back = residual_[half ^ 1];
  limit = std::min(limit, spare);
  if (to_[half] == to_[half ^ 1] || part_[to_[half]] != part_[to_[half ^ 1]]) return 0;
  SetResidual(half, 0);
  SetResidual(half ^ 1, 0);
  Amount sent = 0;
  while (sent < limit && FindPath(to_[half], to_[half ^ 1])) {
    Amount most = limit - sent;
    for (const std::uint32_t step : path_) most = std::min(most, residual_[step]);
    for (const std::uint32_t step : path_) {
      SetResidual(step, residual_[step] - most);
      SetResidual(step ^ 1, residual_[step ^ 1] + most);
    }
    sent += most;
  }
  SetResidual(half, spare - sent);
  SetResidual(half ^ 1, back + sent);
  return sent;
}

// A shortest path, into `path_`, in no order. The end with less to look at goes on.
bool Flow::FindPath(Node source, Node sink) {
  ++searches_;
  for (const bool ahead : {false, true}) {
    fronts_[ahead] = Front{};
    Enter(ahead ? source : sink, 0, ahead);
  }
  while (!fronts_[0].nodes.empty() && !fronts_[1].nodes.empty()) {
    if (!Widen(fronts_[1].work <= fronts_[0].work)) continue;
    // The half arc between the two is in the path; from it to both ends.
    const std::uint32_t between = path_[0];
    for (Node at = to_[between ^ 1]; at != source; at = to_[path_.back() ^ 1]) {
      path_.push_back(via_[at]);
    }
    for (Node at = to_[between]; at != sink; at = to_[path_.back()]) path_.push_back(via_[at]);
    return true;
  }
  return false;
}

// One step on from all nodes of a front; true when it meets the other one, `path_` is then where.
bool Flow::Widen(bool ahead) {
  const std::vector<Node> nodes = std::exchange(fronts_[ahead], Front{}).nodes;
  for (const Node node : nodes) {
    for (const std::uint32_t half : ahead ? departing_.of(node) : arriving_.of(node)) {
      const Node next = to_[ahead ? half : half ^ 1];
      if (reached_[next] == 2 * searches_ + !ahead) {
        path_.assign(1, half);
        return true;
      }
      if (reached_[next] != 2 * searches_ + ahead) Enter(next, half, ahead);
    }
  }
  return false;
}

void Flow::Enter(Node node, std::uint32_t half, bool ahead) {
  reached_[node] = 2 * searches_ + ahead;
  via_[node] = half;
  fronts_[ahead].nodes.push_back(node);
  fronts_[ahead].work += (ahead ? departing_.of(node) : arriving_.of(node)).size();
}

// Tarjan's way, with a stack of its own: paths can be as long as the graph is large.
void Flow::FindParts() {
  part_.assign(leaving_.size(), kNowhere);
  next_.assign(leaving_.size(), 0);
  std::vector<std::uint32_t> visit(leaving_.size(), 0);  // from 1, in order
  std::vector<std::uint32_t> least(leaving_.size(), 0);  // the first visit that can be reached
  std::vector<Node> way, open;                           // open: visited, of no part yet
  std::uint32_t visits = 0;
  std::uint32_t parts = 0;
  const auto enter = [&](Node node) {
    visit[node] = least[node] = ++visits;
    way.push_back(node);
    open.push_back(node);
  };
  // The next node on the way from one; nodes that were visited only count.
  const auto advance = [&](Node at) {
    for (std::uint32_t& next = next_[at]; next < leaving_[at].size(); ++next) {
      const std::uint32_t half = leaving_[at][next];
      const Node to = to_[half];
      if (residual_[half] == 0 || part_[to] != kNowhere) continue;
      if (visit[to] == 0) return enter(to);
      least[at] = std::min(least[at], least[to]);
    }
    way.pop_back();
    if (least[at] != visit[at]) return;
    for (Node member = kNowhere; member != at; open.pop_back()) part_[member = open.back()] = parts;
    ++parts;
  };
  for (Node start = 0; start < leaving_.size(); ++start) {
    if (visit[start] == 0) enter(start);
    while (!way.empty()) advance(way.back());
  }
}

}  // namespace reissue::graph
