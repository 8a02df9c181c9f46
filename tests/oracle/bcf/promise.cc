#include "promise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace oracle::bcf {
namespace {

constexpr double kTolerance = 1e-9;

// Positive numbers, largest first.
std::vector<double> Ranked(const ByValue& left) {
  std::vector<double> rows;
  for (const auto& [value, size] : left) {
    if (size > 0) rows.push_back(static_cast<double>(size));
  }
  std::sort(rows.begin(), rows.end(), std::greater<>());
  return rows;
}

double Share(const ByValue& sizes, const std::string& value) {
  const auto found = sizes.find(value);
  if (found == sizes.end()) return 0;
  return static_cast<double>(found->second) / static_cast<double>(Total(sizes));
}

// exp of the Shannon entropy.
double EffectiveValues(const ByValue& left) {
  double entropy = 0;
  for (const auto& [value, size] : left) {
    const double share = Share(left, value);
    if (share > 0) entropy -= share * std::log(share);
  }
  return std::exp(entropy);
}

double HalfOfAbsoluteDifferences(const ByValue& left, const ByValue& overall) {
  std::set<std::string> values;
  for (const auto& [value, size] : left) values.insert(value);
  for (const auto& [value, size] : overall) values.insert(value);
  double sum = 0;
  for (const std::string& value : values)
    sum += std::abs(Share(left, value) - Share(overall, value));
  return sum / 2;
}

bool LikenessKept(const ByValue& left, const ByValue& overall, double beta) {
  return std::all_of(left.begin(), left.end(), [&](const auto& entry) {
    const double p = Share(left, entry.first), q = Share(overall, entry.first);
    return p <= q || (q > 0 && (p - q) / q <= beta + kTolerance);
  });
}

}  // namespace

Promise DrawPromise(reissue::Random& random) {
  Promise promise;
  promise.k = 1 + static_cast<long>(random.Below(3));
  switch (random.Below(10)) {
    case 0:
      promise.distinct = 2;
      break;
    case 1:
      promise.entropy = 1.5;
      break;
    case 2:
      promise.recursive = 2;
      break;
    case 3:
      promise.alpha = 0.6;
      break;
    case 4:
      promise.confidence = 0.5;
      break;
    case 5:
      promise.t = 0.3;
      break;
    case 6:
      promise.beta = 0.7;
      break;
    case 7:
      promise.distinct = 2;
      promise.alpha = 0.7;
      promise.t = 0.4;
      break;
    default:
      break;
  }
  return promise;
}

reissue::models::k::Guarantee ToGuarantee(const Promise& promise) {
  reissue::models::k::Guarantee guarantee;
  guarantee.k = static_cast<std::uint64_t>(promise.k);
  if (promise.distinct) guarantee.distinct = static_cast<std::uint32_t>(*promise.distinct);
  guarantee.entropy = promise.entropy;
  if (promise.recursive) guarantee.recursive = {*promise.recursive, 2};
  guarantee.alpha = promise.alpha;
  if (promise.confidence) guarantee.confidence = {*promise.confidence};
  guarantee.t = promise.t;
  guarantee.beta = promise.beta;
  return guarantee;
}

std::set<std::string> Broken(const Promise& promise, const ByValue& left, const ByValue& overall) {
  std::set<std::string> broken;
  const auto require = [&](const char* name, bool kept) {
    if (!kept) broken.insert(name);
  };
  const std::vector<double> rows = Ranked(left);
  double tail = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) tail += rows[i];
  const double top_share = rows[0] / (rows[0] + tail);
  require("k", Total(left) >= promise.k);
  if (promise.distinct) require("distinct", static_cast<long>(rows.size()) >= *promise.distinct);
  if (promise.entropy) require("entropy", EffectiveValues(left) >= *promise.entropy - kTolerance);
  if (promise.recursive) require("recursive", rows[0] < *promise.recursive * tail - kTolerance);
  if (promise.alpha) require("alpha", top_share <= *promise.alpha + kTolerance);
  if (promise.confidence) {
    require("confidence", Share(left, "s") <= *promise.confidence + kTolerance);
  }
  if (promise.t) {
    require("t", HalfOfAbsoluteDifferences(left, overall) <= *promise.t + kTolerance);
  }
  if (promise.beta) require("beta", LikenessKept(left, overall, *promise.beta));
  return broken;
}

}  // namespace oracle::bcf
