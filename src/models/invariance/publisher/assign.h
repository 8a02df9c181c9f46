#pragma once
// Newcomers for whom there is no gap to fill are dealt out in layers, one row of each value of a
// signature: to buckets that exist where possible, else to new ones.

#include <cstdint>
#include <functional>
#include <vector>

#include "reissue/core/random.h"

namespace reissue::models::invariance::internal {

// A bucket as far as layers are concerned.
struct Target {
  std::vector<std::uint32_t> values;  // its signature, ascending
  std::uint64_t layers = 0;           // decided: rows per value that are added
  std::uint64_t least = 0;            // of them must stay
  // Counterfeits per value that newcomers replace as soon as there is a layer.
  std::vector<std::uint64_t> replaceable;
  bool fresh = false;  // made here
};

// `rest`: newcomers per value number, of all values ever published in the series. `allowed`:
// whether so many layers (> 0) may be added to an existing target. New targets are appended; values
// that they need and no newcomer has are drawn at random, so that they tell nothing of the others.
// Counterfeits used are as few as possible: m · λ - rows, if λ is the most frequent value's number
// of rows, where that is positive. Too few values to make up a signature of m are the caller's
// fault.
void Assign(std::vector<std::uint64_t> rest, std::uint64_t m, Random& random,
            const std::function<bool(std::size_t target, std::uint64_t layers)>& allowed,
            std::vector<Target>& targets);

}  // namespace reissue::models::invariance::internal
