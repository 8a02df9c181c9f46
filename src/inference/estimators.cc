#include "reissue/inference/estimators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "reissue/core/random.h"
#include "reissue/inference/assignment.h"
#include "reissue/inference/exact.h"

namespace reissue::inference {
namespace {

constexpr std::array<std::pair<Estimator, std::string_view>, 5> kNames = {
    {{Estimator::kBayes, "bayes"},
     {Estimator::kSum, "sum"},
     {Estimator::kExact, "exact"},
     {Estimator::kOmega, "omega"},
     {Estimator::kScaling, "scaling"}}};

// Whoever cannot have any value of the group has all alike.
BeliefGroup Possible(BeliefGroup group) {
  const std::size_t values = group.values();
  for (std::size_t v = 0; v < group.people; ++v) {
    const auto begin = group.prior.begin() + static_cast<std::ptrdiff_t>(v * values);
    const auto end = begin + static_cast<std::ptrdiff_t>(values);
    if (std::none_of(begin, end, [](double p) { return p > 0; })) {
      std::fill(begin, end, 1.0 / static_cast<double>(values));
    }
  }
  return group;
}

void Normalise(std::vector<double>& belief, std::size_t values) {
  for (std::size_t at = 0; at < belief.size(); at += values) {
    const double sum = std::accumulate(&belief[at], &belief[at] + values, 0.0);
    for (std::size_t s = 0; s < values; ++s) belief[at + s] /= sum;
  }
}

std::vector<double> Frequencies(const BeliefGroup& group) {
  std::vector<double> belief;
  belief.reserve(group.people * group.values());
  for (std::size_t v = 0; v < group.people; ++v) {
    for (const std::uint32_t rows : group.rows) {
      belief.push_back(static_cast<double>(rows) / static_cast<double>(group.people));
    }
  }
  return belief;
}

// Normalised sums over all assignments (JS-reduce), by linearity.
std::vector<double> Sum(const BeliefGroup& group) {
  const std::size_t n = group.people, values = group.values();
  if (n == 1) return Frequencies(group);
  std::vector<double> of_person(n, 0), of_value(values, 0);  // A_v and B_s
  double all = 0;
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t s = 0; s < values; ++s) {
      const double p = group.prior[v * values + s];
      of_person[v] += group.rows[s] * p;
      of_value[s] += p;
    }
    all += of_person[v];
  }
  const auto others = static_cast<double>(n - 1);
  std::vector<double> belief(n * values);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t s = 0; s < values; ++s) {
      const double p = group.prior[v * values + s];
      const double weight = others * p + (all - of_person[v]) - (of_value[s] - p);
      belief[v * values + s] = std::max(0.0, group.rows[s] * weight / (others * all));
    }
  }
  return belief;
}

std::vector<double> Omega(const BeliefGroup& group) {
  const std::size_t values = group.values();
  std::vector<double> of_value(values, 0);
  for (std::size_t i = 0; i < group.prior.size(); ++i) of_value[i % values] += group.prior[i];
  std::vector<double> belief(group.prior.size());
  for (std::size_t i = 0; i < belief.size(); ++i) {
    const std::size_t s = i % values;
    belief[i] = group.prior[i] > 0 ? group.rows[s] * group.prior[i] / of_value[s] : 0;
  }
  Normalise(belief, values);
  return belief;
}

// Rows and columns in turn, until the columns sum to the rows of each value. Where zeros of the
// prior leave no such matrix, what the last round gave is the answer.
std::vector<double> Scaling(const BeliefGroup& group) {
  constexpr int kRounds = 1000;
  constexpr double kClose = 1e-13;
  const std::size_t values = group.values();
  std::vector<double> belief = group.prior;
  Normalise(belief, values);
  std::vector<double> of_value(values), factor(values);
  for (int round = 0; round < kRounds; ++round) {
    std::fill(of_value.begin(), of_value.end(), 0.0);
    for (std::size_t i = 0; i < belief.size(); i += values) {
      for (std::size_t s = 0; s < values; ++s) of_value[s] += belief[i + s];
    }
    double furthest = 0;
    for (std::size_t s = 0; s < values; ++s) {
      furthest = std::max(furthest, std::abs(of_value[s] / group.rows[s] - 1));
      factor[s] = of_value[s] > 0 ? group.rows[s] / of_value[s] : 1;
    }
    if (furthest < kClose) break;
    for (std::size_t i = 0; i < belief.size(); i += values) {
      for (std::size_t s = 0; s < values; ++s) belief[i + s] *= factor[s];
    }
    Normalise(belief, values);
  }
  return belief;
}

// Pairs that some best assignment may have, or that all of them have.
std::vector<double> BoundOfShare(const internal::Assigned& best, std::size_t values,
                                 EstimateOptions::Bound bound) {
  std::vector<double> share(best.tight.begin(), best.tight.end());
  if (bound == EstimateOptions::Bound::kMost) return share;
  for (std::size_t at = 0; at < share.size(); at += values) {
    const auto begin = share.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(values);
    if (std::count(begin, end, 1.0) > 1) std::fill(begin, end, 0.0);
  }
  return share;
}

// The share of best assignments that give a person a value: all of them, or one of them.
std::vector<double> BestShare(const BeliefGroup& group, const EstimateOptions& options) {
  std::vector<std::uint32_t> order(group.people);
  std::iota(order.begin(), order.end(), 0);
  Random random = Random::Seeded(options.seed);
  random.Shuffle(order);
  const internal::Assigned best = internal::BestAssignment(group, order);
  const std::size_t values = group.values();
  if (options.bound != EstimateOptions::Bound::kNone) {
    return BoundOfShare(best, values, options.bound);
  }
  if (options.share_ties) {
    BeliefGroup tight = group;
    for (std::size_t i = 0; i < tight.prior.size(); ++i) tight.prior[i] = best.tight[i] ? 1 : 0;
    if (auto shared = internal::ExactBelief(tight, options.exact_states)) return *std::move(shared);
  }
  std::vector<double> share(group.people * values, 0);
  for (std::size_t v = 0; v < group.people; ++v) share[v * values + best.value_of[v]] = 1;
  return share;
}

// Equations 1 and 2 without enumerating n! assignments.
std::vector<double> Bayes(const BeliefGroup& group, std::span<const Hint> hints,
                          const EstimateOptions& options) {
  const std::size_t values = group.values();
  const auto n = static_cast<double>(group.people);
  const double chosen = std::exp(-std::lgamma(n + 1));  // 1 / n!
  double all = 1 + chosen;
  std::vector<double> belief = Frequencies(group);
  if (chosen > 0) {
    const std::vector<double> share = BestShare(group, options);
    for (std::size_t i = 0; i < belief.size(); ++i) belief[i] += chosen * share[i];
  }
  for (const Hint& hint : hints) {
    all += hint.confidence * group.rows[hint.value] / n;
    for (std::size_t v = 0; v < group.people; ++v) {
      if (v == hint.person) {
        belief[v * values + hint.value] += hint.confidence * group.rows[hint.value] / n;
        continue;
      }
      for (std::size_t s = 0; s < values; ++s) {
        const double other = group.rows[hint.value] - (s == hint.value ? 1.0 : 0.0);
        belief[v * values + s] += hint.confidence * group.rows[s] * other / (n * (n - 1));
      }
    }
  }
  for (double& b : belief) b /= all;
  return belief;
}

}  // namespace

std::string_view NameOf(Estimator estimator) {
  return std::ranges::find(kNames, estimator, &decltype(kNames)::value_type::first)->second;
}

std::optional<Estimator> EstimatorOf(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &decltype(kNames)::value_type::second);
  if (found == kNames.end()) return std::nullopt;
  return found->first;
}

std::vector<Hint> HintsThatCount(const BeliefGroup& group, std::span<const Hint> stated) {
  std::map<std::size_t, std::vector<Hint>> of_person;
  for (const Hint& hint : stated) of_person[hint.person].push_back(hint);
  std::vector<Hint> counting;
  for (const auto& [person, hints] : of_person) {
    const double* prior = &group.prior[person * group.values()];
    const bool below = std::ranges::any_of(
        hints, [&](const Hint& hint) { return hint.confidence < prior[hint.value]; });
    if (!below) {
      std::ranges::copy_if(hints, std::back_inserter(counting),
                           [&](const Hint& hint) { return hint.confidence > prior[hint.value]; });
      continue;
    }
    double left = 1, open = 0;
    std::vector<char> said(group.values(), 0);
    for (const Hint& hint : hints) {
      left -= hint.confidence;
      said[hint.value] = 1;
    }
    for (std::size_t s = 0; s < group.values(); ++s) open += said[s] ? 0 : prior[s];
    for (std::size_t s = 0; s < group.values() && left > 0; ++s) {
      if (said[s]) continue;
      const auto unsaid = static_cast<double>(std::ranges::count(said, 0));
      const double confidence = left * (open > 0 ? prior[s] / open : 1 / unsaid);
      if (confidence > prior[s]) counting.push_back({person, s, confidence});
    }
  }
  return counting;
}

Posterior Estimate(const BeliefGroup& given, Estimator estimator, std::span<const Hint> hints,
                   const EstimateOptions& options) {
  const BeliefGroup group = Possible(given);
  switch (estimator) {
    case Estimator::kBayes:
      return {Bayes(group, hints, options), estimator};
    case Estimator::kSum:
      return {Sum(group), estimator};
    case Estimator::kOmega:
      return {Omega(group), estimator};
    case Estimator::kExact:
      if (auto belief = internal::ExactBelief(group, options.exact_states)) {
        return {*std::move(belief), estimator};
      }
      break;
    case Estimator::kScaling:
      break;
  }
  return {Scaling(group), Estimator::kScaling};
}

void MixHint(std::span<double> distribution, std::size_t value, double confidence) {
  for (double& p : distribution) p *= 1 - confidence;
  distribution[value] += confidence;
}

double Gain(double belief, std::uint32_t rows, std::size_t people) {
  const double frequency = static_cast<double>(rows) / static_cast<double>(people);
  return rows == people ? std::abs(1 - belief) : std::abs(belief - frequency) / (1 - frequency);
}

}  // namespace reissue::inference
