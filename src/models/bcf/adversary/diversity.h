#pragma once
// How diverse the sensitive values are that an attack on a pair of releases leaves to a target:
// promises beyond k hold for what is left after exclusion, not only for what was published
// (section 7.2 of the paper). Sees published cells only.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/models/bcf/adversary/attack.h"
#include "reissue/models/bcf/adversary/pair.h"
#include "reissue/models/bcf/release/series.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::models::bcf {

// A promise that what is left to some target breaks.
struct DiversityBreach {
  AttackKind kind = AttackKind::kForward;
  std::string promise;                 // by the names of models/k; never "k"
  std::uint32_t cell = 0;              // of the attacked release
  std::optional<std::uint32_t> other;  // F, C: the target's cell in the other release
  k::Measures left;                    // of what is left
  double measured = 0, promised = 0;   // "confidence": by how much a share exceeds its bound, and 0
};

struct Diversity {
  std::uint64_t targets = 0;
  // Each number the worst over all targets; of no meaning without targets.
  k::Measures worst;
  std::vector<double> largest_share;  // by sensitive code: among what is left to some target
  // One per attack and broken promise: the worst target, the first cell of equals. F, C, B.
  std::vector<DiversityBreach> broken;
};

// t and β compare what is left with all rows of the later release. Empty where the pair contradicts
// itself. O(comparable pairs of cells · groups).
Diversity MeasureDiversity(const Series& series, const Pair& pair, const k::Guarantee& guarantee);

}  // namespace reissue::models::bcf
