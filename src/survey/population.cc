#include "reissue/survey/population.h"

#include <algorithm>
#include <cmath>

namespace reissue::survey {
namespace {

struct Totals {
  double rows = 0, groups = 0, singles = 0;
};
Totals Add(const Sizes& sizes) {
  Totals totals;
  for (const auto& [size, groups] : sizes) {
    totals.rows += static_cast<double>(size) * static_cast<double>(groups);
    totals.groups += static_cast<double>(groups);
    if (size == 1) totals.singles = static_cast<double>(groups);
  }
  return totals;
}

// The log-likelihood without what does not depend on the parameters. 0 < alpha < 1, theta > 0.
double PitmanLikelihood(const Sizes& sizes, const Totals& totals, double alpha, double theta) {
  double sum = (totals.groups - 1) * std::log(alpha) +
               std::lgamma(theta / alpha + totals.groups) - std::lgamma(theta / alpha + 1) -
               std::lgamma(theta + totals.rows) + std::lgamma(theta + 1);
  for (const auto& [size, groups] : sizes) {
    sum += static_cast<double>(groups) *
           (std::lgamma(static_cast<double>(size) - alpha) - std::lgamma(1 - alpha));
  }
  return sum;
}

// The greatest value of a function with one peak.
template <typename Function>
double Peak(double low, double high, Function&& function) {
  constexpr double kGolden = 0.6180339887498949;
  double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
  double at_a = function(a), at_b = function(b);
  for (int i = 0; i < 60; ++i) {
    if (at_a < at_b) {
      low = a;
      a = b;
      at_a = at_b;
      b = low + kGolden * (high - low);
      at_b = function(b);
    } else {
      high = b;
      b = a;
      at_b = at_a;
      a = high - kGolden * (high - low);
      at_a = function(a);
    }
  }
  return (low + high) / 2;
}

}  // namespace

std::optional<double> PitmanUniques(const Sizes& sizes, double population) {
  const Totals totals = Add(sizes);
  if (totals.groups < 2 || totals.singles == 0 || totals.singles == totals.rows) {
    return std::nullopt;
  }
  const double most = std::log(totals.rows) + 10;
  const auto best_theta = [&](double alpha) {
    return std::exp(Peak(-10, most, [&](double theta) {
      return PitmanLikelihood(sizes, totals, alpha, std::exp(theta));
    }));
  };
  const double alpha = Peak(1e-6, 1 - 1e-6, [&](double a) {
    return PitmanLikelihood(sizes, totals, a, best_theta(a));
  });
  const double theta = best_theta(alpha);
  // N · Π (θ + α + i − 1) / (θ + i) for i from 1 to N − 1.
  const double uniques =
      population * std::exp(std::lgamma(theta + alpha + population - 1) -
                            std::lgamma(theta + alpha) - std::lgamma(theta + population) +
                            std::lgamma(theta + 1));
  if (!std::isfinite(uniques)) return std::nullopt;
  return std::min(uniques, population);
}

double ZayatzUniques(const Sizes& sizes, double population) {
  const Totals totals = Add(sizes);
  if (totals.singles == 0) return 0;
  const double fraction = totals.rows / population;
  if (fraction >= 1) return totals.singles;
  // Of a group of `size` people one is in the sample: hypergeometric.
  const auto choose = [](double from, double of) {
    return std::lgamma(from + 1) - std::lgamma(of + 1) - std::lgamma(from - of + 1);
  };
  double one = 0;
  for (const auto& [size, groups] : sizes) {
    const auto people = static_cast<double>(size);
    if (population - people < totals.rows - 1) continue;
    one += static_cast<double>(groups) *
           std::exp(std::log(people) + choose(population - people, totals.rows - 1) -
                    choose(population, totals.rows));
  }
  const double share = totals.singles * fraction / one;
  return std::min(share, 1.0) * totals.singles / fraction;
}

PopulationEstimate EstimateUniques(const Sizes& sizes, double population) {
  const Totals totals = Add(sizes);
  const double fraction = std::min(totals.rows / population, 1.0);
  PopulationEstimate estimate;
  std::optional<double> uniques;
  if (fraction <= 0.1) uniques = PitmanUniques(sizes, population);
  estimate.estimator = uniques ? "Pitman" : "Zayatz";
  estimate.uniques = uniques ? *uniques : ZayatzUniques(sizes, population);
  estimate.sample_uniques = std::min(estimate.uniques * fraction, totals.singles);
  return estimate;
}

double FoundInPopulation(std::uint64_t rows, double fraction) {
  if (rows == 0) return 0;
  if (fraction >= 1) return 1 / static_cast<double>(rows);
  const auto f = static_cast<double>(rows);
  // ∫ (p/(1 − (1 − p)t))^f t^(f − 1) dt from 0 to 1. With s = p·t/(1 − (1 − p)t), which also runs
  // from 0 to 1, it is ∫ s^(f − 1) · p/(p + (1 − p)s) ds; with s = u^(1/f) the weight is even.
  constexpr int kSteps = 400;  // Simpson's rule
  const auto at = [&](double u) {
    const double s = std::pow(u, 1 / f);
    return fraction / (fraction + (1 - fraction) * s) / f;
  };
  // Steep near 0: u = w^4 smooths it.
  const auto smooth = [&](double w) { return w == 0 ? 0 : 4 * w * w * w * at(w * w * w * w); };
  double sum = smooth(0) + smooth(1);
  for (int i = 1; i < kSteps; ++i) {
    sum += (i % 2 == 1 ? 4 : 2) * smooth(static_cast<double>(i) / kSteps);
  }
  return sum / (3.0 * kSteps);
}

}  // namespace reissue::survey
