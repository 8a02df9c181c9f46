#pragma once
// How many errors a leaf of a decision tree must be expected to make on new cases, judged from the
// errors it made on its training cases (error-based pruning of C4.5). Pure functions.

#include <cstdint>

namespace reissue::metrics {

// The number of standard deviations that a normal variable exceeds with probability `confidence`.
// 0 < confidence < 1. Accurate to about 1e-12.
double NormalUpperQuantile(double confidence);

// cases · U, where U is C4.5's upper limit, at `confidence`, of the error rate of a leaf that made
// `errors` errors on `cases` cases: exact for no errors, cases · (1 − confidence^(1/cases));
// else the normal approximation with continuity correction. errors ≤ cases; 0 for no cases.
// `quantile` = NormalUpperQuantile(confidence).
double ExpectedErrors(std::uint64_t cases, std::uint64_t errors, double confidence,
                      double quantile);

}  // namespace reissue::metrics
