#include "reissue/models/k/adversary/attack.h"

#include <algorithm>
#include <array>
#include <limits>

namespace reissue::models::k {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum Promise : std::uint8_t {
  kRows,
  kDistinct,
  kEntropy,
  kRecursive,
  kAlpha,
  kConfidence,
  kCloseness,
  kLikeness,
  kPromises,
};
constexpr std::array<const char*, kPromises> kNames = {
    "k", "distinct", "entropy", "recursive", "alpha", "confidence", "t", "beta"};

bool OnShares(Promise promise) { return promise >= kAlpha; }

// The guarantee reduced to one of its promises; nothing where it is not made.
std::optional<Guarantee> Only(const Guarantee& all, Promise promise) {
  Guarantee one;
  one.k = 0;
  one.distance = all.distance;
  one.order = all.order;
  switch (promise) {
    case kRows:
      one.k = all.k;
      return one;
    case kDistinct:
      one.distinct = all.distinct;
      break;
    case kEntropy:
      one.entropy = all.entropy;
      break;
    case kRecursive:
      one.recursive = all.recursive;
      break;
    case kAlpha:
      one.alpha = all.alpha;
      break;
    case kConfidence:
      one.confidence = all.confidence;
      break;
    case kCloseness:
      one.t = all.t;
      break;
    case kLikeness:
      one.beta = all.beta;
      break;
    case kPromises:
      break;
  }
  if (!one.NeedsSensitive()) return std::nullopt;
  return one;
}

// A finding before its cell is written out.
struct Breach {
  double factor = 0;
  Promise promise = kRows;
  std::uint64_t rows = 0;
  std::uint32_t distinct = 0;
  std::size_t first = 0;  // first entry of the cell in `cells`: also its place in key order
  std::optional<std::uint32_t> value;
  double measured = 0;
  double promised = 0;

  bool MoreSeriousThan(const Breach& other) const {
    if (factor != other.factor) return factor > other.factor;
    return std::tuple(promise, rows, first) < std::tuple(other.promise, other.rows, other.first);
  }
};

double Factor(double large, double small) {
  if (small > 0) return large / small;
  return large > 0 ? kInfinity : 1;
}

// One pass over the release, cell by cell.
class CellReader {
 public:
  CellReader(const PublishedCells& release, const Guarantee& guarantee)
      : release_(release),
        overall_(Count(release)),
        whole_(guarantee, overall_),
        measure_(guarantee.NeedsSensitive() || release.sensitive_values > 1) {
    for (std::uint8_t p = 0; p < kPromises; ++p) {
      const auto promise = static_cast<Promise>(p);
      if (auto one = Only(guarantee, promise))
        single_.emplace_back(promise, PromiseChecker(*one, overall_));
    }
  }

  Report Read(std::size_t limit) {
    std::size_t first = 0;
    while (first < release_.cells.size()) {
      const std::size_t end = EndOfCell(first);
      ReadCell(first, end);
      first = end;
    }
    report_.satisfied = report_.exposed == 0;
    for (std::size_t p = 0; p < kPromises; ++p) {
      if (broken_[p]) report_.broken.emplace_back(kNames[p]);
    }
    KeepWorst(limit);
    return std::move(report_);
  }

 private:
  static Overall Count(const PublishedCells& release) {
    Overall overall(std::max<std::uint32_t>(release.sensitive_values, 1), 0);
    for (std::size_t i = 0; i < release.cells.size(); ++i) {
      const std::uint32_t code = release.cells.key(CellId(i))[release.quasi];
      if (code >= overall.size()) overall.resize(code + 1, 0);
      overall[code] += release.cells.count(CellId(i));
    }
    return overall;
  }

  std::span<const std::uint32_t> Quasi(std::size_t entry) const {
    return release_.cells.key(CellId(entry)).first(release_.quasi);
  }

  std::size_t EndOfCell(std::size_t first) const {
    const auto quasi = Quasi(first);
    std::size_t end = first + 1;
    while (end < release_.cells.size() && std::ranges::equal(Quasi(end), quasi)) ++end;
    return end;
  }

  void ReadCell(std::size_t first, std::size_t end) {
    bins_.clear();
    for (std::size_t i = first; i < end; ++i) {
      const std::uint64_t rows = release_.cells.count(CellId(i));
      if (rows > 0) bins_.push_back({release_.cells.key(CellId(i))[release_.quasi], rows});
    }
    if (bins_.empty()) return;
    const Measures measures = whole_.Measure(bins_);
    Summarise(measures);
    if (whole_.Keeps(bins_)) return;
    report_.exposed += measures.rows;
    bool skewed = false;
    for (const auto& [promise, checker] : single_) {
      if (checker.Keeps(bins_)) continue;
      broken_[promise] = true;
      skewed |= OnShares(promise);
      breaches_.push_back(Describe(promise, measures, first));
    }
    if (skewed) report_.skew += measures.rows;
  }

  void Summarise(const Measures& m) {
    Report& r = report_;
    const bool none_yet = r.cells == 0;
    r.rows += m.rows;
    ++r.cells;
    r.smallest = none_yet ? m.rows : std::min(r.smallest, m.rows);
    if (m.rows < whole_.guarantee().k) r.identity += m.rows;
    if (release_.sensitive_values > 1 && m.distinct == 1) r.homogeneity += m.rows;
    if (m.rows == 1) ++r.singled_out;
    if (m.distinct == 1) r.value_certain += m.rows;
    if (!measure_) return;
    r.distinct = none_yet ? m.distinct : std::min(r.distinct, m.distinct);
    r.entropy_l = none_yet ? m.entropy_l : std::min(r.entropy_l, m.entropy_l);
    r.recursive_c = none_yet ? m.recursive_c : std::max(r.recursive_c, m.recursive_c);
    r.top_share = none_yet ? m.top_share : std::max(r.top_share, m.top_share);
    r.distance = none_yet ? m.distance : std::max(r.distance, m.distance);
    r.gain = none_yet ? m.gain : std::max(r.gain, m.gain);
    r.confidence_excess =
        none_yet ? m.confidence_excess : std::max(r.confidence_excess, m.confidence_excess);
  }

  Breach Describe(Promise promise, const Measures& m, std::size_t first) const {
    const Guarantee& g = whole_.guarantee();
    Breach breach;
    breach.promise = promise;
    breach.rows = m.rows;
    breach.distinct = m.distinct;
    breach.first = first;
    const auto at_least = [&](double measured, double promised) {
      breach.measured = measured;
      breach.promised = promised;
      breach.factor = Factor(promised, measured);
    };
    const auto at_most = [&](double measured, double promised) {
      breach.measured = measured;
      breach.promised = promised;
      breach.factor = Factor(measured, promised);
    };
    switch (promise) {
      case kRows:
        at_least(static_cast<double>(m.rows), static_cast<double>(g.k));
        break;
      case kDistinct:
        at_least(m.distinct, *g.distinct);
        break;
      case kEntropy:
        at_least(m.entropy_l, *g.entropy);
        break;
      case kRecursive:
        at_most(m.recursive_c, g.recursive->c);
        break;
      case kAlpha:
        at_most(m.top_share, *g.alpha);
        break;
      case kConfidence:
        DescribeConfidence(m, breach);
        break;
      case kCloseness:
        at_most(m.distance, *g.t);
        break;
      case kLikeness:
        DescribeGain(m, breach);
        break;
      case kPromises:
        break;
    }
    const bool top =
        promise == kAlpha || promise == kRecursive || promise == kEntropy || promise == kDistinct;
    if (top) breach.value = m.top_code;
    return breach;
  }

  void DescribeConfidence(const Measures& m, Breach& breach) const {
    const std::vector<double>& thresholds = whole_.guarantee().confidence;
    double excess = -kInfinity;
    for (const Bin& bin : bins_) {
      if (bin.code >= thresholds.size() || thresholds[bin.code] > 1) continue;
      const double share = static_cast<double>(bin.rows) / static_cast<double>(m.rows);
      if (share - thresholds[bin.code] <= excess) continue;
      excess = share - thresholds[bin.code];
      breach.value = bin.code;
      breach.measured = share;
      breach.promised = thresholds[bin.code];
      breach.factor = Factor(share, breach.promised);
    }
  }

  void DescribeGain(const Measures& m, Breach& breach) const {
    double most = -1;
    for (const Bin& bin : bins_) {
      const double gain = whole_.GainOf(std::span(&bin, 1), m.rows);
      if (gain <= most) continue;
      most = gain;
      breach.value = bin.code;
    }
    breach.measured = m.gain;
    breach.promised = *whole_.guarantee().beta;
    breach.factor = Factor(breach.measured, breach.promised);
  }

  void KeepWorst(std::size_t limit) {
    const std::size_t keep = std::min(limit, breaches_.size());
    std::partial_sort(breaches_.begin(), breaches_.begin() + static_cast<std::ptrdiff_t>(keep),
                      breaches_.end(),
                      [](const Breach& a, const Breach& b) { return a.MoreSeriousThan(b); });
    for (std::size_t i = 0; i < keep; ++i) {
      const Breach& breach = breaches_[i];
      const auto quasi = Quasi(breach.first);
      report_.worst.push_back({.promise = kNames[breach.promise],
                               .quasi = {quasi.begin(), quasi.end()},
                               .rows = breach.rows,
                               .distinct = breach.distinct,
                               .value = breach.value,
                               .measured = breach.measured,
                               .promised = breach.promised});
    }
  }

  const PublishedCells& release_;
  Overall overall_;
  PromiseChecker whole_;
  std::vector<std::pair<Promise, PromiseChecker>> single_;
  bool measure_;
  std::vector<Bin> bins_;
  std::vector<Breach> breaches_;
  std::array<bool, kPromises> broken_{};
  Report report_;
};

}  // namespace

Report Attack(const PublishedCells& release, const Guarantee& guarantee, std::size_t limit) {
  return CellReader(release, guarantee).Read(limit);
}

}  // namespace reissue::models::k
