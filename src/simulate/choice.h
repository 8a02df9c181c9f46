#pragma once
// Draws numbers below n with given weights, in constant time, from alias tables made of integers
// only: the same seed draws the same numbers on every machine. One table holds a weighted choice
// for each of several contexts (a row of a conditional probability table). Immutable once built,
// shared freely; the Random belongs to the caller's thread.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/core/random.h"

namespace reissue::simulate {

using Weight = std::uint32_t;

class Choice {
 public:
  // `weights` holds `outcomes` weights per context, contexts one after the other. Every context has
  // a sum between 1 and 2^31 − 1. O(weights).
  Choice(std::span<const Weight> weights, std::size_t outcomes);

  std::size_t contexts() const { return slots_.size() / outcomes_; }
  std::size_t outcomes() const { return outcomes_; }

  // One outcome of one context. Uses one word of `random`; shares are exact to 2^−32. O(1).
  std::uint32_t Draw(Random& random, std::size_t context = 0) const {
    const std::uint64_t word = random.Next();
    const auto column = static_cast<std::uint32_t>(((word >> 32) * outcomes_) >> 32);
    const Slot& slot = slots_[context * outcomes_ + column];
    return static_cast<std::uint32_t>(word) < slot.threshold ? column : slot.alias;
  }

 private:
  struct Slot {
    std::uint32_t threshold = 0;
    std::uint32_t alias = 0;
  };
  void Build(std::span<const Weight> weights, std::span<Slot> slots);

  std::size_t outcomes_;
  std::vector<Slot> slots_;
};

}  // namespace reissue::simulate
