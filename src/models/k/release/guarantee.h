#pragma once
// What model `k` promises about one release, and how one cell is measured against it. Every measure
// is a function of the cell's histogram of sensitive values alone (t and β also of the histogram of
// the whole release). All promises are anti-monotone: if every part of a cell keeps them, so does
// the cell (proofs in models/k/README.md). Plain values, thread-safe.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reissue::models::k {

struct Recursive {
  double c = 1;
  std::uint32_t l = 2;
};

enum class Distance { kEqual, kOrdered };  // ground distance of t-closeness

struct Guarantee {
  std::uint64_t k = 1;                     // rows in a cell
  std::optional<std::uint32_t> distinct;   // distinct ℓ-diversity
  std::optional<double> entropy;           // entropy ℓ-diversity: exp(entropy) ≥ ℓ
  std::optional<Recursive> recursive;      // r1 < c·(r_ℓ + … + r_m)
  std::optional<double> alpha;             // (α,k): no sensitive value above this share
  // Confidence bounding: threshold per sensitive code; values above 1 mean no bound. Empty: none.
  std::vector<double> confidence;
  std::optional<double> t;                 // t-closeness
  Distance distance = Distance::kEqual;
  // For kOrdered: rank of each sensitive code in the order of the values.
  std::vector<std::uint32_t> order;
  std::optional<double> beta;              // β-likeness: (p − q)/q ≤ β for every value with p > q

  // Whether anything beyond k looks at the sensitive values.
  bool NeedsSensitive() const {
    return distinct || entropy || recursive || alpha || !confidence.empty() || t || beta;
  }
  // Whether a cell is measured against the whole release.
  bool NeedsOverall() const { return t || beta; }
};

// Histogram entry of a cell: a sensitive code and its rows (> 0), codes ascending.
struct Bin {
  std::uint32_t code = 0;
  std::uint64_t rows = 0;
};

// Numbers of one cell.
struct Measures {
  std::uint64_t rows = 0;
  std::uint32_t distinct = 0;
  double entropy_l = 1;        // exp of the Shannon entropy: "effective number of values"
  double recursive_c = 0;      // smallest c that the cell would satisfy for the asked ℓ, exclusive
  double top_share = 1;        // share of the most frequent value
  std::uint32_t top_code = 0;
  double confidence_excess = 0;  // largest share − threshold over the values
  double distance = 0;         // earth mover's distance to the release
  double gain = 0;             // largest (p − q)/q, 0 where none
};

// Sensitive histogram of the whole release, by code.
using Overall = std::vector<std::uint64_t>;

// All numbers; O(values in the cell), for kOrdered O(values in the release).
Measures Measure(std::span<const Bin> cell, const Overall& overall, const Guarantee& guarantee);

// Whether a cell keeps the promise; cheaper than Measure. Real thresholds are compared with a
// tolerance of kTolerance in the reader's favour: never does a cell pass that exceeds it by more.
bool Keeps(std::span<const Bin> cell, const Overall& overall, const Guarantee& guarantee);
inline constexpr double kTolerance = 1e-9;

}  // namespace reissue::models::k
