#pragma once
// Which arcs carry the same amount in every whole flow that meets all demands: nothing, or all they
// can. Internal to the adversary.

#include <cstdint>
#include <vector>

namespace reissue::models::invariance {

// Strongly connected components (Tarjan), without recursion; a number per node.
std::vector<std::uint32_t> StronglyConnected(const std::vector<std::vector<std::uint32_t>>& next);

class Network {
 public:
  explicit Network(std::size_t nodes) : supply_(nodes, 0) {}

  std::size_t AddArc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
  // What leaves the node on balance.
  void AddSupply(std::uint32_t node, std::int64_t amount) { supply_[node] += amount; }

  enum class Forced { kFree, kNothing, kAll };
  // Per arc; empty where no flow meets the demands. One maximum flow; arcs of which the ends are in
  // one strongly connected component of what is left can change.
  std::vector<Forced> Solve() const;

 private:
  struct Arc {
    std::uint32_t from, to;
    std::uint64_t capacity;
  };
  std::vector<std::int64_t> supply_;
  std::vector<Arc> arcs_;
};

}  // namespace reissue::models::invariance
