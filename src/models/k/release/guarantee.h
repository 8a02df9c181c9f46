#pragma once
// What model `k` promises about one release, and how one cell is measured against it. Every measure
// is a function of the cell's histogram of sensitive values alone (t and β also of the histogram of
// the whole release). All promises are anti-monotone: if every part of a cell keeps them, so does
// the cell (proofs in models/k/README.md). Plain values, thread-safe.

#include <algorithm>
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
  std::uint64_t k = 1;                    // rows in a cell
  std::optional<std::uint32_t> distinct;  // distinct ℓ-diversity
  std::optional<double> entropy;          // entropy ℓ-diversity: exp(entropy) ≥ ℓ
  std::optional<Recursive> recursive;     // r1 < c·(r_ℓ + … + r_m)
  std::optional<double> alpha;            // (α,k): no sensitive value above this share
  // Confidence bounding: threshold per sensitive code; values above 1 mean no bound. Empty: none.
  std::vector<double> confidence;
  std::optional<double> t;  // t-closeness
  Distance distance = Distance::kEqual;
  // For kOrdered: rank of each sensitive code in the order of the values.
  std::vector<std::uint32_t> order;
  std::optional<double> beta;  // β-likeness: (p − q)/q ≤ β for every value with p > q

  // Whether anything beyond k looks at the sensitive values.
  bool NeedsSensitive() const {
    return distinct || entropy || recursive || alpha || !confidence.empty() || t || beta;
  }
  // Whether a cell is measured against the whole release.
  bool NeedsOverall() const { return t || beta; }
  // What looks at one cell by itself.
  Guarantee WithoutOverall() const {
    Guarantee rest = *this;
    rest.t.reset();
    rest.beta.reset();
    return rest;
  }
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
  double entropy_l = 1;    // exp of the Shannon entropy: "effective number of values"
  double recursive_c = 0;  // smallest c that the cell would satisfy for the asked ℓ, exclusive
  double top_share = 1;    // share of the most frequent value
  std::uint32_t top_code = 0;
  double confidence_excess = 0;  // largest share − threshold over the values
  double distance = 0;           // earth mover's distance to the release
  double gain = 0;               // largest (p − q)/q, 0 where none

  // Takes the worse of each number.
  void Worsen(const Measures& other) {
    rows = std::min(rows, other.rows);
    distinct = std::min(distinct, other.distinct);
    entropy_l = std::min(entropy_l, other.entropy_l);
    recursive_c = std::max(recursive_c, other.recursive_c);
    top_share = std::max(top_share, other.top_share);
    confidence_excess = std::max(confidence_excess, other.confidence_excess);
    distance = std::max(distance, other.distance);
    gain = std::max(gain, other.gain);
  }
};

// Sensitive histogram of the whole release, by code.
using Overall = std::vector<std::uint64_t>;

// All numbers; O(values in the cell log values), with `confidence` or kOrdered O(values in the
// release). recursive_c is taken for ℓ = 2 where no recursive promise is made, and is infinite
// where the cell has fewer than ℓ values. confidence_excess runs over all codes with a bound (share
// 0 where the cell has none) and is 0 where no code has one. gain is infinite for a value that the
// release as a whole does not have. An empty cell has the default values of Measures.
//
// The earth mover's distance is ½·Σ|p − q| for kEqual. For kOrdered it is Σ|P_i − Q_i| / (m − 1)
// with the cumulative shares P, Q along the m values that occur in the release, in their order:
// what does not occur is unknown to a reader and moves nothing.
Measures Measure(std::span<const Bin> cell, const Overall& overall, const Guarantee& guarantee);

// Whether a cell keeps the promise; cheaper than Measure. Real thresholds are compared with a
// tolerance of kTolerance in the reader's favour: never does a cell pass that exceeds it by more.
// The strict r1 < c·(r_ℓ + … + r_m) must hold by more than the tolerance.
bool Keeps(std::span<const Bin> cell, const Overall& overall, const Guarantee& guarantee);
inline constexpr double kTolerance = 1e-9;

// Keeps for many cells of one release: what depends on the release alone is worked out once. Keeps
// what it needs of both arguments; any number of threads may ask one checker.
class PromiseChecker {
 public:
  PromiseChecker(const Guarantee& guarantee, const Overall& overall);

  const Guarantee& guarantee() const { return guarantee_; }
  // Same answer as the function Keeps. O(values in the cell log values), for kOrdered O(values in
  // the release).
  bool Keeps(std::span<const Bin> cell) const;
  // Same numbers as the function Measure.
  Measures Measure(std::span<const Bin> cell) const;
  // As Keeps, for everything but k: `rows` is the sum of the bins.
  bool KeepsSensitive(std::span<const Bin> cell, std::uint64_t rows) const;
  // Distance and gain of a cell of `rows` rows, as in Measures.
  double DistanceOf(std::span<const Bin> cell, std::uint64_t rows) const;
  double GainOf(std::span<const Bin> cell, std::uint64_t rows) const;

 private:
  double OrderedDistance(std::span<const Bin> cell, std::uint64_t rows) const;

  Guarantee guarantee_;
  std::vector<double> share_;            // of each code in the release
  std::vector<std::uint32_t> position_;  // kOrdered: place of a code among those that occur
  std::vector<double> cumulative_;       // kOrdered: Q_i by place
};

}  // namespace reissue::models::k
