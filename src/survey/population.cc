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
  double sum = (totals.groups - 1) * std::log(alpha) + std::lgamma(theta / alpha + totals.groups) -
               std::lgamma(theta / alpha + 1) - std::lgamma(theta + totals.rows) +
               std::lgamma(theta + 1);
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

std::optional<Pitman> FitPitman(const Sizes& sizes) {
  const Totals totals = Add(sizes);
  if (totals.groups < 2 || totals.singles == totals.rows) return std::nullopt;
  const double most = std::log(totals.rows) + 10;
  const auto best_theta = [&](double alpha) {
    return std::exp(Peak(-10, most, [&](double theta) {
      return PitmanLikelihood(sizes, totals, alpha, std::exp(theta));
    }));
  };
  const double alpha = Peak(
      1e-6, 1 - 1e-6, [&](double a) { return PitmanLikelihood(sizes, totals, a, best_theta(a)); });
  return Pitman{alpha, best_theta(alpha), totals.rows};
}

double PitmanUniques(const Pitman& fit, double population) {
  // N · Π (θ + α + i − 1) / (θ + i) for i from 1 to N − 1.
  const double log_share = std::lgamma(fit.theta + fit.alpha + population - 1) -
                           std::lgamma(fit.theta + fit.alpha) -
                           std::lgamma(fit.theta + population) + std::lgamma(fit.theta + 1);
  return std::min(population * std::exp(log_share), population);
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

double FoundInPopulation(const Pitman& fit, std::uint64_t rows, double population) {
  const auto f = static_cast<double>(rows);
  const double others = population - fit.rows;  // who are not in the sample
  if (others <= 0) return 1 / f;
  const double a = f - fit.alpha, b = fit.theta + fit.rows - f + fit.alpha;
  // P(x of the others look like them), from one x to the next.
  double chance = std::exp(std::lgamma(b + others) + std::lgamma(a + b) - std::lgamma(b) -
                           std::lgamma(a + b + others));
  const double mean = others * a / (a + b);
  if (chance < 1e-280) return 1 / (f + mean);  // so many that they hardly vary
  double sum = 0, seen = 0;
  for (double x = 0; x <= others && seen < 1 - 1e-9 && x < 1e6; ++x) {
    sum += chance / (f + x);
    seen += chance;
    chance *= (others - x) / (x + 1) * (a + x) / (b + others - x - 1);
  }
  return sum;
}

PopulationEstimate EstimatePopulation(const Sizes& sizes, double population) {
  const Totals totals = Add(sizes);
  const double fraction = std::min(totals.rows / population, 1.0);
  const std::optional<Pitman> fit = FitPitman(sizes);
  PopulationEstimate estimate;
  estimate.estimator = "Zayatz";
  estimate.uniques = ZayatzUniques(sizes, population);
  if (fit && totals.singles > 0) {
    const double uniques = PitmanUniques(*fit, population);
    if (fraction <= 0.1 || uniques <= estimate.uniques) {
      estimate.estimator = "Pitman";
      estimate.uniques = uniques;
    }
  }
  estimate.sample_uniques = std::min(estimate.uniques * fraction, totals.singles);
  double sum = 0;
  for (const auto& [size, groups] : sizes) {
    const double chance =
        fit ? FoundInPopulation(*fit, size, population) : 1 / static_cast<double>(size);
    estimate.highest = std::max(estimate.highest, chance);
    sum += chance * static_cast<double>(size) * static_cast<double>(groups);
  }
  estimate.average = sum / totals.rows;
  return estimate;
}

}  // namespace reissue::survey
