#pragma once
// What is promised of a reader's beliefs, from the definitions in docs/design/0007: no value of
// anybody is believed more than `max_belief`, or, where it was believed more before, more than
// before; no gain of knowledge (equation 8) is above `max_gain`, and with such a promise she is
// certain of nobody. Of whom she knew the value before nothing is promised. Sees nothing of the
// product.

#include <optional>
#include <vector>

#include "chain.h"

namespace oracle::similarity {

struct Promised {
  std::optional<double> max_belief, max_gain;
};

// How a publisher may get it wrong.
struct Mistake {
  bool true_values_only = false;
  bool certainty_is_no_gain = false;
};

// Somebody whose value she was told for certain, or had no doubt of.
bool KnownBefore(const Member& member, const std::vector<Member>& group);

// How much the worst belief or gain of a group is above what is allowed; 1 where she is certain
// against a promise of gain. Priors are those before the release.
double Beyond(const std::vector<Member>& group, const std::vector<Belief>& belief,
              const Promised& promised, const Mistake& mistake = {});

}  // namespace oracle::similarity
