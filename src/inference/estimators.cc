#include "reissue/inference/estimators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "reissue/core/random.h"
#include "reissue/inference/assignment.h"
#include "reissue/inference/exact.h"
#include "reissue/inference/scaling.h"
#include "reissue/inference/support.h"

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

// What the best assignments give, per person and value, of a mass of 1.
struct BestShares {
  std::vector<double> belief;       // one of them, or all alike
  std::vector<double> least, most;  // over the choices, where there was one and it is asked for
};

BestShares SharesOf(const BeliefGroup& group, const EstimateOptions& options) {
  std::vector<std::uint32_t> order(group.people);
  std::iota(order.begin(), order.end(), 0);
  Random random = Random::Seeded(options.seed);
  random.Shuffle(order);
  const internal::Assigned best = internal::BestAssignment(group, order);
  const std::size_t values = group.values();
  BestShares shares;
  if (options.share_ties) {
    BeliefGroup tight = group;
    for (std::size_t i = 0; i < tight.prior.size(); ++i) tight.prior[i] = best.tight[i] ? 1 : 0;
    if (auto shared = internal::ExactBelief(tight, options.exact_states)) {
      shares.belief = *std::move(shared);
      return shares;
    }
  }
  shares.belief.assign(group.people * values, 0);
  for (std::size_t v = 0; v < group.people; ++v) shares.belief[v * values + best.value_of[v]] = 1;
  if (!options.all_choices) return shares;
  const std::vector<char> usable = internal::UsablePairs(best.tight, best.value_of, values);
  shares.least = shares.belief;
  shares.most.assign(usable.begin(), usable.end());
  for (std::size_t v = 0; v < group.people; ++v) {
    const auto begin = usable.begin() + static_cast<std::ptrdiff_t>(v * values);
    if (std::count(begin, begin + static_cast<std::ptrdiff_t>(values), 1) > 1) {
      shares.least[v * values + best.value_of[v]] = 0;
    }
  }
  return shares;
}

// The weights of statements, and of all of them together.
double AddHints(const BeliefGroup& group, std::span<const Hint> hints,
                std::vector<double>& belief) {
  const std::size_t values = group.values();
  const auto n = static_cast<double>(group.people);
  double all = 0;
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
  return all;
}

// Equations 1 and 2 without enumerating n! assignments.
Posterior Bayes(const BeliefGroup& group, std::span<const Hint> hints,
                const EstimateOptions& options) {
  int sign = 0;  // lgamma would write it where all threads do
  const double chosen =
      std::exp(-::lgamma_r(static_cast<double>(group.people) + 1, &sign));  // 1 / n!
  std::vector<double> weight = Frequencies(group);
  const double all = 1 + chosen + AddHints(group, hints, weight);
  BestShares shares;
  if (chosen > 0) {
    shares = SharesOf(group, options);
  } else {
    shares.belief.assign(weight.size(), 0);
  }
  const auto with = [&](std::vector<double> share) {
    for (std::size_t i = 0; i < share.size(); ++i) share[i] = (weight[i] + chosen * share[i]) / all;
    return share;
  };
  return {.belief = with(std::move(shares.belief)),
          .least = with(std::move(shares.least)),
          .most = with(std::move(shares.most)),
          .by = Estimator::kBayes};
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
      return Bayes(group, hints, options);
    case Estimator::kSum:
      return {.belief = Sum(group), .by = estimator};
    case Estimator::kOmega:
      return {.belief = Omega(group), .by = estimator};
    case Estimator::kExact:
      if (auto belief = internal::ExactBelief(group, options.exact_states, options.enough)) {
        const bool stopped = belief->empty();
        return {.belief = *std::move(belief), .by = estimator, .stopped = stopped};
      }
      break;
    case Estimator::kScaling:
      break;
  }
  internal::Scaled scaled = internal::Scale(group);
  return {
      .belief = std::move(scaled.belief), .by = Estimator::kScaling, .converged = scaled.converged};
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
