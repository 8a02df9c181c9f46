#pragma once
// What a reader knows before she sees a release: how likely each value is for people of a kind, how
// values follow one another, and single people's values with some confidence. Plain values; see
// docs/design/0005.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "reissue/core/result.h"

namespace reissue::models::similarity {

using Person = std::uint32_t;
using Value = std::uint32_t;
using Distribution = std::vector<double>;  // one probability per value; they sum to 1

// The work grows with (number of values)^(steps + 1).
inline constexpr std::uint32_t kMostSteps = 6;

// P(next value | last values), for 1 … steps last values, the oldest first. What is not said of a
// context of several values is taken from the same context without its oldest value; what is not
// said of one value is uniform.
struct Transition {
  std::uint32_t steps = 1;
  std::map<std::vector<Value>, Distribution> after;  // contexts of 1 … steps values

  // Null: uniform.
  const Distribution* After(std::span<const Value> context) const;
};

struct Knowledge {
  std::uint32_t values = 0;
  std::vector<Distribution> prior;  // per kind of people
  Transition transition;
};

// An error (kInput) where a distribution has another length, a negative entry, or does not sum to 1
// within 1e-6; and where there are no steps, or more than kMostSteps.
Status Validate(const Knowledge& knowledge);

// Somebody's value in a release (from 0), known with some confidence; 1: for certain.
struct Statement {
  Person person = 0;
  Value value = 0;
  std::uint32_t release = 0;
  double confidence = 1;
};

}  // namespace reissue::models::similarity
