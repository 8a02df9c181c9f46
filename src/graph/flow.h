#pragma once
// Maximum flow with whole numbers (Dinic), and the flow on one arc at its largest or smallest over
// all maximum flows. Models ask it how many rows of one release can be rows of another.
// One object belongs to one thread.

#include <cstdint>
#include <limits>
#include <vector>

namespace reissue::graph {

class Flow {
 public:
  using Amount = std::uint64_t;
  using Node = std::uint32_t;
  using Arc = std::uint32_t;
  static constexpr Amount kNoLimit = std::numeric_limits<Amount>::max();

  explicit Flow(std::size_t nodes) : leaving_(nodes) {}

  // The sum of the capacities of all arcs must fit into an Amount.
  Arc AddArc(Node from, Node to, Amount capacity);

  // Sends as much more as possible (at most `limit`) from source to sink; returns how much more.
  // O(nodes² · arcs), in practice close to the number of arcs.
  Amount Maximise(Node source, Node sink, Amount limit = kNoLimit);

  // What now flows along an arc.
  Amount on(Arc arc) const { return residual_[2 * std::size_t{arc} + 1]; }

  // Reroutes, without changing what leaves or reaches any node on balance, so that as much more
  // (less) as possible, at most `limit`, flows along the arc; returns how much more (less). After a
  // call with source and sink of a maximum flow the flow is still maximum, so calls can follow one
  // another in any order and each answer is over all maximum flows. One Maximise each.
  Amount RaiseArc(Arc arc, Amount limit = kNoLimit);
  Amount LowerArc(Arc arc, Amount limit = kNoLimit);

  // The nodes that something more could still be sent to; after Maximise the source's side of a
  // smallest cut.
  std::vector<char> Reachable(Node source) const;

 private:
  bool Layer(Node source, Node sink);
  Amount Augment(Node source, Node sink, Amount limit);

  // Arc a is the half arcs 2a (forward) and 2a + 1 (back); `residual_` is what each can still take.
  std::vector<std::vector<std::uint32_t>> leaving_;
  std::vector<Node> to_;
  std::vector<Amount> residual_;
  std::vector<std::uint32_t> layer_, next_;
};

}  // namespace reissue::graph
