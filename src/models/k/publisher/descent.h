#pragma once
// One descent: from where a partition stands, the best-ranked specialisation that keeps the
// promise, until none is left (Algorithm 1 of the paper for one table). Internal to the publisher.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/models/k/publisher/condition.h"
#include "reissue/models/k/publisher/front.h"
#include "reissue/models/k/publisher/partition.h"
#include "reissue/models/k/publisher/trail.h"

namespace reissue::models::k::internal {

enum class Ranking {
  kGain,   // what the step takes off the cost
  kPaper,  // the paper's score
};

struct DescentOptions {
  Ranking ranking = Ranking::kGain;
  // Every score is multiplied by a random factor between 1 − noise and 1 + noise; `random` may be
  // null where noise is 0.
  double noise = 0;
  Random* random = nullptr;
  // Where there is one, each step must also keep its condition; a place that does not is closed.
  ConditionCheck* check = nullptr;
  // Places (1) that are left alone; empty: none.
  std::span<const std::uint8_t> avoid;
  // The places that were specialised, in order; null where nobody wants to know.
  std::vector<Spot>* steps = nullptr;
  // With suppression: is offered what lies on the way, which may be the best for those who allow
  // fewer rows to be left out; null where nobody wants to know.
  Front* seen = nullptr;
};

// The partition ends maximal: no single further specialisation keeps the promise (nor, where its
// condition is anti-monotone, what the check asks for). With suppression,
// a descent by gain also stops where the best step would raise the cost. Ties go to the first
// place.
void Descend(Partition& partition, const DescentOptions& options);
// The same of a trail, by gain and without a check.
void Descend(Trail& trail, const DescentOptions& options);

}  // namespace reissue::models::k::internal
