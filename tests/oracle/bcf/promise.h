#pragma once
// The promises of a series, checked on the histogram of what is left to a target, by their
// definitions. For tests only.

#include <optional>
#include <set>
#include <string>

#include "generators.h"
#include "reissue/core/random.h"
#include "reissue/models/k/release/guarantee.h"

namespace oracle::bcf {

struct Promise {
  long k = 1;
  std::optional<long> distinct;
  std::optional<double> entropy;
  std::optional<double> recursive;  // c; ℓ is 2
  std::optional<double> alpha;
  std::optional<double> confidence;  // of value "s"
  std::optional<double> t, beta;     // against the newest release
};

Promise DrawPromise(reissue::Random& random);
reissue::models::k::Guarantee ToGuarantee(const Promise& promise);

// Names of the promises that a histogram with somebody in it breaks. `overall`: all rows of the
// newest release.
std::set<std::string> Broken(const Promise& promise, const ByValue& left, const ByValue& overall);

}  // namespace oracle::bcf
