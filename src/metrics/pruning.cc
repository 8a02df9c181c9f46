#include "reissue/metrics/pruning.h"

#include <algorithm>
#include <cmath>

namespace reissue::metrics {

double NormalUpperQuantile(double confidence) {
  double low = -40;
  double high = 40;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    const double above = std::erfc(middle / std::sqrt(2.0)) / 2;
    (above > confidence ? low : high) = middle;
  }
  return (low + high) / 2;
}

double ExpectedErrors(std::uint64_t cases, std::uint64_t errors, double confidence,
                      double quantile) {
  if (cases == 0) return 0;
  const double n = static_cast<double>(cases);
  if (errors >= cases) return n;
  if (errors == 0) return -n * std::expm1(std::log(confidence) / n);
  // Half an error more than were seen: the binomial is a staircase, the normal curve is not.
  const double seen = static_cast<double>(errors) + 0.5;
  const double z2 = quantile * quantile;
  const double spread = std::sqrt(std::max(0.0, z2 * (seen * (1 - seen / n) + z2 / 4)));
  return n * (seen + z2 / 2 + (quantile < 0 ? -spread : spread)) / (n + z2);
}

}  // namespace reissue::metrics
