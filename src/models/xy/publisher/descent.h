#pragma once
// One descent: from everything at the root, the best-ranked specialisation that keeps all promises,
// until none is left (Algorithm 1 of the paper). Internal to the publisher.

#include <optional>
#include <span>
#include <vector>

#include "reissue/core/progress.h"
#include "reissue/models/xy/publisher/demand_keeper.h"
#include "reissue/models/xy/publisher/places.h"
#include "reissue/models/xy/publisher/squares.h"

namespace reissue::models::xy::internal {

enum class Ranking {
  kPaper,   // InfoGain / (PrivLoss + 1)
  kGain,    // InfoGain
  kSaving,  // what the step takes off the cost of the release
};

// How the next step is chosen.
struct Order {
  Ranking ranking = Ranking::kPaper;
  std::optional<std::uint32_t> first;  // the places of this column come before all others
  std::optional<std::uint64_t> seed;   // scores are multiplied by chance, from 0 to 2
};

// T1 with everything at the root, and who keeps it; every descent begins with a copy, and takes
// the first steps.
struct Start {
  View view;
  std::span<const Requirement> requirements;
  Gain gain;
  Places places;
  std::vector<DemandKeeper> keepers;
  // Requirements with a generalised column in Y: the adversary is asked about every step.
  std::vector<std::size_t> asked;
  std::optional<Squares> squares;  // discernibility only
  std::vector<Spot> steps;         // to something that keeps all promises, where the root does not
};

struct Descended {
  Outcome outcome;
  double cost = 0;
};

// The worst of a requirement when T1 is published like this, by the adversary.
Measure Ask(const View& view, const Requirement& requirement, const Outcome& outcome);

// Per generalised column the places of its cut, by rank.
std::vector<std::vector<Spot>> RootCuts(const Places& places);
// A place of the cuts makes way for its children.
void Replace(Spot place, const Places& places, std::vector<std::vector<Spot>>& cuts);
// T1 cut like this.
Outcome OutcomeOf(const Source& source, const Places& places,
                  const std::vector<std::vector<Spot>>& cuts);

// The result is maximal: no single further specialisation keeps all promises. Ties go to the first
// column, then to the first place.
Descended Descend(const Start& start, const Order& order, Progress& progress);

}  // namespace reissue::models::xy::internal
