#pragma once
// Priors scaled until both margins fit: everybody has one value, every value has its rows.

#include <vector>

#include "reissue/inference/estimators.h"

namespace reissue::inference::internal {

struct Scaled {
  std::vector<double> belief;  // people * values
  // The margins fit, up to 1e-10 in all. Not so only where zeros of the prior leave no assignment
  // (then the belief is what a few rounds gave), or numbers are beyond what doubles can hold.
  bool converged = true;
};

// Everybody has a value that is not impossible. Rows and columns in turn, which is enough where
// beliefs are moderate; then Newton's method. O(people · values²) per step.
Scaled Scale(const BeliefGroup& group);

}  // namespace reissue::inference::internal
