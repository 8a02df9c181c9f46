#pragma once
// What a reader with prior beliefs infers from one group of a release: who has which value? Several
// estimators, from the literature and exact; derivations in docs/design/0005. Pure functions of
// their arguments.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace reissue::inference {

// A group: people × values, row-major, of prior beliefs (>= 0), and how many rows each value has.
// The rows sum to the number of people. A person to whom every value of the group is impossible
// (all priors 0) is taken to have all of them alike, with 1/values each.
struct BeliefGroup {
  std::size_t people = 0;
  std::vector<std::uint32_t> rows;  // per value; all > 0
  std::vector<double> prior;        // people * rows.size()
  std::size_t values() const { return rows.size(); }
};

// Confidence that a person has a value, beyond what the prior says; below 1.
struct Hint {
  std::size_t person = 0;
  std::size_t value = 0;
  double confidence = 0;
};

// What is left of statements about people of the group where only knowledge beyond the prior counts
// (Definition 6 and Example 4 of the paper). A statement above the prior counts as it is, one equal
// to it says nothing. Where a person has one below it, that person's statements tell what the value
// is not: they are dropped, and the rest of the probability counts for the values of which nothing
// was said, in proportion to the prior.
std::vector<Hint> HintsThatCount(const BeliefGroup& group, std::span<const Hint> stated);

enum class Estimator { kBayes, kSum, kExact, kOmega, kScaling };
std::string_view NameOf(Estimator estimator);
std::optional<Estimator> EstimatorOf(std::string_view name);

struct EstimateOptions {
  std::uint64_t seed = 0;                  // kBayes: which of several best assignments
  bool share_ties = false;                 // kBayes: all of them share the mass, where they are few
  bool all_choices = false;                // kBayes: `least` and `most` are asked for
  std::uint64_t exact_states = 1'000'000;  // kExact: beyond, kScaling answers
  // kExact: is told each person's beliefs as soon as they are known, the last person's first. True:
  // that is enough, and there is no answer.
  std::function<bool(std::size_t person, std::span<const double> belief)> enough = nullptr;
};

struct Posterior {
  std::vector<double> belief;  // people * values, each person's sum is 1
  // kBayes, where one of several best assignments was chosen: for each person and value by itself
  // what the choice among them gives at the least and at the most. Otherwise empty.
  std::vector<double> least = {}, most = {};
  // Who answered: kScaling where kExact would take too long, or no assignment is possible.
  Estimator by = Estimator::kExact;
  bool stopped = false;  // EstimateOptions::enough: there is no belief here
  // False: there is no such belief (kScaling and kExact: the prior excludes every assignment), and
  // what stands here is as good as any.
  bool converged = true;
};

// Hints are used by kBayes (posterior-based cascading); other estimators want them in the prior
// (MixHint).
Posterior Estimate(const BeliefGroup& group, Estimator estimator, std::span<const Hint> hints,
                   const EstimateOptions& options = {});

// Prior-based cascading, equation 5: confidence + (1 - confidence) · prior for the value; the other
// values (1 - confidence) · prior. `distribution` sums to 1 before and after.
void MixHint(std::span<double> distribution, std::size_t value, double confidence);

// Equation 8: how far a belief in a value is from the share of the value in the group, compared
// with how far the share is from certainty. Where everybody has the value, how far she is from
// knowing.
double Gain(double belief, std::uint32_t rows, std::size_t people);

}  // namespace reissue::inference
