#pragma once
// Layers for which the right newcomers are missing, made possible by moving other layers: where two
// signatures differ in one value, v in one and u in the other, a layer of the first that becomes
// one of the second uses a u and gives a v back.

#include <cstdint>
#include <functional>
#include <vector>

#include "reissue/models/invariance/publisher/unplaced_newcomers.h"

namespace reissue::models::invariance::internal {

struct Target;

class Exchange {
 public:
  using Allowed = std::function<bool(std::size_t target, std::uint64_t layers)>;
  Exchange(std::size_t values, const Allowed& allowed, std::vector<Target>& targets);

  // Adds layers, moving others, as long as that costs no counterfeit more than the rest needs
  // anyway.
  void Run(UnplacedNewcomers& rest);

 private:
  struct Move {
    std::size_t from, to;  // targets
    std::uint32_t uses, gives;
  };
  bool Free(std::size_t target, std::uint64_t layers) const;
  bool AddLayer(UnplacedNewcomers& rest);
  bool TryLayer(std::size_t target, UnplacedNewcomers& rest);
  // Turns somebody of the rest into somebody with this value. `made` gets the moves, also on
  // failure.
  bool Obtain(std::uint32_t value, UnplacedNewcomers& rest, std::vector<Move>& made);

  const Allowed& allowed_;
  std::vector<Target>& targets_;
  std::vector<std::vector<Move>> giving_;  // per value: the moves that give it
};

}  // namespace reissue::models::invariance::internal
