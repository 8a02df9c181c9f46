#pragma once
// A series of releases of a table in which rows come and go and values change: who was in which
// group when, with which value, and of which kind a reader takes each person to be.

#include <cstdint>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/models/similarity/release/knowledge.h"

namespace reissue::models::similarity {

struct Row {
  Person person = 0;
  std::uint32_t group = 0;  // kSuppressed: not in the release
  Value value = 0;
  std::uint32_t kind = 0;  // index into Knowledge::prior; counts when the person is first seen
};
inline constexpr std::uint32_t kSuppressed = 0xffffffffu;

// Groups are 0 … groups - 1, none empty; a person is in at most one row.
struct Snapshot {
  std::uint32_t groups = 0;
  std::vector<Row> rows;
};

// What is promised of every group of a release.
struct Guarantee {
  std::uint64_t k = 2;
  double j = 1;            // Jensen-Shannon divergence, in bits, of the members' revised priors
  double beta = 0, t = 0;  // 0: not asked for. At least one is asked for in the paper
  bool ordered = false;    // t: values are ordered, distance by rank; else all alike
};

// Shape of a group or, the worst of each, of a release.
struct Shape {
  std::uint64_t k = 0;
  double j = 0, beta = 0, t = 0;
  bool Keeps(const Guarantee& guarantee) const;
};

// H(mean) - mean of H, base 2 (equation 6 with equal weights).
double Divergence(const std::vector<const Distribution*>& beliefs);
// The largest (q - p) / p over values of a group's shares q against the table's shares p.
double BetaLikeness(const std::vector<std::uint64_t>& group, const std::vector<std::uint64_t>& all);
// Earth mover's distance of the shares: half the sum of differences, or, ordered, the sum of
// cumulated ones along the values that occur in the table, divided by their number - 1. As in model
// `k`, what does not occur is unknown to a reader and moves nothing.
double Closeness(const std::vector<std::uint64_t>& group, const std::vector<std::uint64_t>& all,
                 bool ordered);

Status Validate(const Snapshot& snapshot, std::uint32_t persons, const Knowledge& knowledge);

}  // namespace reissue::models::similarity
