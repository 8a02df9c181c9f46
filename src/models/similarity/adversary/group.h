#pragma once
// What a reader makes of one group by itself, and whether that is more than was promised.
// Reader::See asks for every group of a release; a publisher asks before there is one. Pure
// functions of what she has: who is in the group, which values it shows how often, her priors and
// what she was told. Whose value is whose changes nothing.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reissue/inference/estimators.h"
#include "reissue/models/similarity/release/knowledge.h"

namespace reissue::models::similarity {

// What becomes of statements below certainty: they change the prior (section 4.4.1), or, with the
// estimator `bayes`, the weights of assignments (4.4.2; other estimators use the prior).
enum class Cascade { kPrior, kPosterior };

struct ReaderOptions {
  inference::Estimator estimator = inference::Estimator::kExact;
  Cascade cascade = Cascade::kPrior;
  inference::EstimateOptions estimate;
};

// Whether statements below certainty go into the weights of assignments.
bool InWeights(const ReaderOptions& options);

// Prior: from Reader::Before. Statements: about this person and release.
struct Suspect {
  Value value = 0;  // as shown; which of the group's values stands with whom does not matter
  const Distribution* prior = nullptr;
  std::span<const Statement> statements;
};

struct GroupBeliefs {
  std::vector<Distribution> posterior;  // per suspect, over all values
  // Where she may choose among best assignments (kBayes) and all choices are asked for: the least
  // and the most of each belief over them. Otherwise empty.
  std::vector<Distribution> least, most;
  std::vector<char> certain;  // who is stated as certain, and taken out
  bool approximated = false;  // kExact left it to kScaling
  bool settled = true;        // false: her priors exclude what the group shows
};
GroupBeliefs Consider(std::span<const Suspect> group, std::uint32_t values,
                      const ReaderOptions& options, std::uint64_t seed);

// What is promised of her beliefs in any value of anybody, true or not, after a release. A bound on
// true values alone would tell that whatever is believed more is false. People of whom she knew the
// value before stand outside: those stated as certain, and those whose prior says so.
struct Bounds {
  // The largest belief. Where she believed more before the release, she may believe as much after
  // it, and no more.
  std::optional<double> max_belief;
  // The largest gain of knowledge (equation 8). The share of a value in its group is no gain, so a
  // group of one value would have none: to be certain of somebody's value breaks every such bound.
  std::optional<double> max_gain;

  bool any() const { return max_belief || max_gain; }
};
inline constexpr double kBeliefTolerance = 1e-9;  // of rounding; that much below 1 is certain

// Of groups that were judged together. `belief` and `gain` are the largest that count: they are at
// most what is allowed, and nobody is certain, if and only if the bounds are kept.
struct Judgement {
  double belief = 0;  // without what she believed more before, and as much
  double gain = 0;
  std::uint64_t beyond = 0;     // people of whom some belief or gain is more than allowed
  std::uint64_t certain = 0;    // people of whose value she is certain now
  std::uint64_t unsettled = 0;  // groups that were not judged: there is nothing to believe

  void Add(const Judgement& other);
  bool KeepsBelief(const Bounds& bounds) const;
  bool KeepsGain(const Bounds& bounds) const;
};

struct GroupJudgement {
  Judgement judged;
  std::vector<double> excess;  // per suspect: of the worst belief or gain above what is allowed
};
GroupJudgement Judge(std::span<const Suspect> group, const GroupBeliefs& found,
                     const Bounds& bounds);

// Whether the excess of anybody would be above the tolerance; quicker than to consider and judge
// where it is, above all where it is that of the last suspects.
bool Exceeds(std::span<const Suspect> group, std::uint32_t values, const ReaderOptions& options,
             std::uint64_t seed, const Bounds& bounds, double tolerance);

}  // namespace reissue::models::similarity
