#pragma once
// A reader with background knowledge, step by step from sections 4.2 to 4.4 of Amiri et al.
// (Transactions on Data Privacy 12, 2019): every sequence of values and every assignment is looked
// at. Sees nothing of the product.

#include <map>
#include <vector>

#include "worlds.h"

namespace oracle::similarity {

using Belief = std::vector<double>;  // over all values

// P(next | last values), the oldest first.
struct Known {
  int values = 0, steps = 1;
  std::vector<Belief> prior;  // per kind
  std::map<std::vector<int>, Belief> after;

  // What is not said of a context is said of the context without its oldest value; else uniform.
  double Next(std::vector<int> context, int value) const;
};

// Equations 3 and 4, over all sequences of the last values. As many steps as there are posteriors,
// at most `steps`.
Belief RevisedPrior(const Known& known, const std::vector<Belief>& seen);

enum class Way { kBayes, kSum, kExact, kOmega };

struct Said {
  int value = 0;
  double confidence = 1;
};

// A person of a group: prior before what is said of this release, what is said, the value shown.
struct Member {
  Belief prior;
  std::vector<Said> said;
  int value = 0;
};

// Equation 5, one statement after the other; those of certainty change nothing.
Belief Cascaded(const Belief& prior, const std::vector<Said>& said);

// Everything she may come to believe of the members: one answer, or, where best assignments tie,
// one per choice. Empty: no assignment is possible, or an estimate is not defined.
struct Views {
  std::vector<std::vector<Belief>> choices;
  std::vector<Belief> shared;  // bayes: all choices together
};
// All n! assignments; of more than 7 people the exact ones by roots of unity.
Views ViewsOf(const std::vector<Member>& members, Way way, bool posterior_cascade);

// The largest difference of two beliefs; 2 where they are about other values.
inline double Away(const Belief& a, const Belief& b) {
  return a.size() == b.size() ? inference::LargestDifference({a}, {b}) : 2;
}

}  // namespace oracle::similarity
