#pragma once
// Maximum flow with whole numbers (Dinic), and the flow on one arc at its largest or smallest over
// all maximum flows. Models ask it how many rows of one release can be rows of another.
// One object belongs to one thread.

#include <cstdint>
#include <limits>
#include <span>
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
  // another in any order and each answer is over all maximum flows. The first call after Maximise
  // takes O(nodes + arcs); the others look around their arc, from both of its ends at once, until
  // one end has no way left.
  Amount RaiseArc(Arc arc, Amount limit = kNoLimit) { return Reroute(2 * arc, limit); }
  Amount LowerArc(Arc arc, Amount limit = kNoLimit) { return Reroute(2 * arc + 1, limit); }

  // The nodes that something more could still be sent to; after Maximise the source's side of a
  // smallest cut.
  std::vector<char> Reachable(Node source) const;

 private:
  bool Layer(Node source, Node sink);
  Amount Augment(Node source, Node sink, Amount limit);
  Amount Reroute(std::uint32_t half, Amount limit);
  void PrepareRerouting();
  void FindParts();
  void SetResidual(std::uint32_t half, Amount amount);
  bool FindPath(Node source, Node sink);
  bool Widen(bool ahead);
  void Enter(Node node, std::uint32_t half, bool ahead);

  static constexpr std::uint32_t kNowhere = static_cast<std::uint32_t>(-1);

  // Arc a is the half arcs 2a (forward) and 2a + 1 (back); `residual_` is what each can still take.
  std::vector<std::vector<std::uint32_t>> leaving_;
  std::vector<Node> to_;
  std::vector<Amount> residual_;
  std::vector<std::uint32_t> layer_, next_;

  // For rerouting: the strongly connected parts of what can still be sent; empty when not known.
  // Rerouting goes round cycles, which lie within a part, and crosses the edge of no set that has
  // no way out: the parts stay what they are, and arcs from part to part carry the same in all
  // maximum flows.
  std::vector<std::uint32_t> part_;

  // Per node the half arcs within its part that can take something, of all that leave it or of all
  // that arrive: a node with very many arcs is no burden while few of them are open.
  class OpenArcs {
   public:
    OpenArcs() = default;
    OpenArcs(std::size_t nodes, std::vector<Node> node_of_half);
    void Set(std::uint32_t half, bool open);
    std::span<const std::uint32_t> of(Node node) const {
      return {halves_.data() + begin_[node], open_[node]};
    }

   private:
    std::vector<Node> node_of_;
    std::vector<std::size_t> begin_, place_;
    std::vector<std::uint32_t> halves_, open_;  // open ones first
  };
  OpenArcs departing_, arriving_;

  // A search from both ends: who reached a node in which search, through which half arc, and the
  // nodes that each end reached last, with the number of half arcs there are to look at.
  struct Front {
    std::vector<Node> nodes;
    std::size_t work = 0;
  };
  Front fronts_[2];
  std::vector<std::uint64_t> reached_;
  std::vector<std::uint32_t> via_, path_;
  std::uint64_t searches_ = 0;
};

}  // namespace reissue::graph
