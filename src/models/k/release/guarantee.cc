#include "reissue/models/k/release/guarantee.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace reissue::models::k {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::uint64_t RowsOf(std::span<const Bin> cell) {
  std::uint64_t rows = 0;
  for (const Bin& bin : cell) rows += bin.rows;
  return rows;
}

double EffectiveValues(std::span<const Bin> cell, std::uint64_t rows) {
  const auto n = static_cast<double>(rows);
  double sum = 0;
  for (const Bin& bin : cell) {
    const auto r = static_cast<double>(bin.rows);
    sum += r * std::log(r);
  }
  return std::exp(std::log(n) - sum / n);
}

// The two sides of the recursive promise: r1 and r_l + … + r_m.
struct Ranked {
  std::uint64_t top = 0;
  std::uint64_t tail = 0;
};

Ranked RankedRows(std::span<const Bin> cell, std::uint32_t l) {
  std::vector<std::uint64_t> rows;
  rows.reserve(cell.size());
  for (const Bin& bin : cell) rows.push_back(bin.rows);
  Ranked ranked;
  if (rows.empty()) return ranked;
  const std::size_t before = std::max<std::uint32_t>(l, 1) - 1;
  if (before < rows.size()) {
    std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(before), rows.end(),
                     std::greater<>());
    ranked.tail = std::accumulate(rows.begin() + static_cast<std::ptrdiff_t>(before), rows.end(),
                                  std::uint64_t{0});
  }
  ranked.top = *std::max_element(rows.begin(), rows.end());
  return ranked;
}

bool KeepsRecursive(std::span<const Bin> cell, const Recursive& promise) {
  const Ranked ranked = RankedRows(cell, promise.l);
  return promise.c * static_cast<double>(ranked.tail) - static_cast<double>(ranked.top) >
         kTolerance;
}

double RecursiveC(std::span<const Bin> cell, std::uint32_t l) {
  const Ranked ranked = RankedRows(cell, l);
  if (ranked.tail == 0) return kInfinity;
  return static_cast<double>(ranked.top) / static_cast<double>(ranked.tail);
}

bool Bounded(double threshold) { return threshold <= 1; }

bool KeepsConfidence(std::span<const Bin> cell, std::uint64_t rows,
                     const std::vector<double>& thresholds) {
  const auto n = static_cast<double>(rows);
  return std::all_of(cell.begin(), cell.end(), [&](const Bin& bin) {
    return bin.code >= thresholds.size() || !Bounded(thresholds[bin.code]) ||
           static_cast<double>(bin.rows) / n <= thresholds[bin.code] + kTolerance;
  });
}

double ConfidenceExcess(std::span<const Bin> cell, std::uint64_t rows,
                        const std::vector<double>& thresholds) {
  const auto n = static_cast<double>(rows);
  double excess = -kInfinity;
  auto bin = cell.begin();
  for (std::uint32_t code = 0; code < thresholds.size(); ++code) {
    while (bin != cell.end() && bin->code < code) ++bin;
    if (!Bounded(thresholds[code])) continue;
    const bool here = bin != cell.end() && bin->code == code;
    excess = std::max(excess, (here ? static_cast<double>(bin->rows) / n : 0) - thresholds[code]);
  }
  return excess == -kInfinity ? 0 : excess;
}

}  // namespace

PromiseChecker::PromiseChecker(const Guarantee& guarantee, const Overall& overall)
    : guarantee_(guarantee) {
  const auto all =
      static_cast<double>(std::accumulate(overall.begin(), overall.end(), std::uint64_t{0}));
  share_.reserve(overall.size());
  for (const std::uint64_t rows : overall) {
    share_.push_back(all > 0 ? static_cast<double>(rows) / all : 0);
  }
  if (guarantee_.distance != Distance::kOrdered) return;

  const auto rank = [&](std::uint32_t code) {
    return code < guarantee_.order.size() ? guarantee_.order[code] : code;
  };
  std::vector<std::uint32_t> occurring;
  for (std::uint32_t code = 0; code < overall.size(); ++code) {
    if (overall[code] > 0) occurring.push_back(code);
  }
  std::sort(occurring.begin(), occurring.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(rank(a), a) < std::pair(rank(b), b);
  });
  position_.assign(overall.size(), 0);
  std::uint64_t below = 0;
  for (std::uint32_t place = 0; place < occurring.size(); ++place) {
    position_[occurring[place]] = place;
    below += overall[occurring[place]];
    cumulative_.push_back(static_cast<double>(below) / all);
  }
}

double PromiseChecker::OrderedDistance(std::span<const Bin> cell, std::uint64_t rows) const {
  if (cumulative_.size() < 2) return 0;
  std::vector<std::uint64_t> at(cumulative_.size(), 0);
  for (const Bin& bin : cell) {
    if (bin.code < share_.size() && share_[bin.code] > 0) at[position_[bin.code]] += bin.rows;
  }
  double sum = 0;
  std::uint64_t below = 0;
  for (std::size_t place = 0; place + 1 < at.size(); ++place) {
    below += at[place];
    sum += std::abs(static_cast<double>(below) / static_cast<double>(rows) - cumulative_[place]);
  }
  return sum / static_cast<double>(at.size() - 1);
}

double PromiseChecker::DistanceOf(std::span<const Bin> cell, std::uint64_t rows) const {
  if (rows == 0) return 0;
  if (guarantee_.distance == Distance::kOrdered) return OrderedDistance(cell, rows);
  double sum = 0;  // what is above the release equals what is below it
  for (const Bin& bin : cell) {
    const double q = bin.code < share_.size() ? share_[bin.code] : 0;
    sum += std::max(0.0, static_cast<double>(bin.rows) / static_cast<double>(rows) - q);
  }
  return sum;
}

double PromiseChecker::GainOf(std::span<const Bin> cell, std::uint64_t rows) const {
  double gain = 0;
  for (const Bin& bin : cell) {
    const double q = bin.code < share_.size() ? share_[bin.code] : 0;
    if (q == 0) return kInfinity;
    const double p = static_cast<double>(bin.rows) / static_cast<double>(rows);
    gain = std::max(gain, (p - q) / q);
  }
  return gain;
}

bool PromiseChecker::Keeps(std::span<const Bin> cell) const {
  const std::uint64_t rows = RowsOf(cell);
  return rows >= guarantee_.k && (rows == 0 || KeepsSensitive(cell, rows));
}

bool PromiseChecker::KeepsSensitive(std::span<const Bin> cell, std::uint64_t rows) const {
  const Guarantee& g = guarantee_;
  if (g.distinct && cell.size() < *g.distinct) return false;
  if (g.alpha) {
    std::uint64_t top = 0;
    for (const Bin& bin : cell) top = std::max(top, bin.rows);
    const double share = static_cast<double>(top) / static_cast<double>(rows);
    if (share > *g.alpha + kTolerance) return false;
  }
  if (!g.confidence.empty() && !KeepsConfidence(cell, rows, g.confidence)) return false;
  if (g.recursive && !KeepsRecursive(cell, *g.recursive)) return false;
  if (g.beta && GainOf(cell, rows) > *g.beta + kTolerance) return false;
  if (g.t && DistanceOf(cell, rows) > *g.t + kTolerance) return false;
  return !g.entropy || EffectiveValues(cell, rows) >= *g.entropy - kTolerance;
}

Measures Measure(std::span<const Bin> cell, const Overall& overall, const Guarantee& guarantee) {
  return PromiseChecker(guarantee, overall).Measure(cell);
}

Measures PromiseChecker::Measure(std::span<const Bin> cell) const {
  Measures m;
  m.rows = RowsOf(cell);
  if (m.rows == 0) return m;
  m.distinct = static_cast<std::uint32_t>(cell.size());
  m.entropy_l = EffectiveValues(cell, m.rows);
  m.recursive_c = RecursiveC(cell, guarantee_.recursive ? guarantee_.recursive->l : 2);
  const auto top = std::max_element(cell.begin(), cell.end(),
                                    [](const Bin& a, const Bin& b) { return a.rows < b.rows; });
  m.top_share = static_cast<double>(top->rows) / static_cast<double>(m.rows);
  m.top_code = top->code;
  m.confidence_excess = ConfidenceExcess(cell, m.rows, guarantee_.confidence);
  m.distance = DistanceOf(cell, m.rows);
  m.gain = GainOf(cell, m.rows);
  return m;
}

bool Keeps(std::span<const Bin> cell, const Overall& overall, const Guarantee& guarantee) {
  return PromiseChecker(guarantee, overall).Keeps(cell);
}

}  // namespace reissue::models::k
