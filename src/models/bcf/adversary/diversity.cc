#include "reissue/models/bcf/adversary/diversity.h"

#include <algorithm>
#include <utility>

namespace reissue::models::bcf {
namespace {

using k::Bin;
using k::Guarantee;
using k::Measures;

struct Promise {
  std::string name;
  Guarantee alone;
};

// Every promise but k, each by itself.
std::vector<Promise> Split(const Guarantee& guarantee) {
  std::vector<Promise> promises;
  const auto add = [&](const char* name, bool made, auto&& set) {
    if (!made) return;
    Guarantee alone;
    alone.distance = guarantee.distance;
    alone.order = guarantee.order;
    set(alone);
    promises.push_back({name, std::move(alone)});
  };
  const Guarantee& g = guarantee;
  add("distinct", g.distinct.has_value(), [&](Guarantee& one) { one.distinct = g.distinct; });
  add("entropy", g.entropy.has_value(), [&](Guarantee& one) { one.entropy = g.entropy; });
  add("recursive", g.recursive.has_value(), [&](Guarantee& one) { one.recursive = g.recursive; });
  add("alpha", g.alpha.has_value(), [&](Guarantee& one) { one.alpha = g.alpha; });
  add("confidence", !g.confidence.empty(), [&](Guarantee& one) { one.confidence = g.confidence; });
  add("t", g.t.has_value(), [&](Guarantee& one) { one.t = g.t; });
  add("beta", g.beta.has_value(), [&](Guarantee& one) { one.beta = g.beta; });
  return promises;
}

// What is measured and what is promised; `sign` is 1 where more is worse.
struct Number {
  double measured, promised;
  int sign;
};

Number NumberOf(const std::string& promise, const Measures& left, const Guarantee& guarantee) {
  if (promise == "distinct") {
    return {static_cast<double>(left.distinct), static_cast<double>(*guarantee.distinct), -1};
  }
  if (promise == "entropy") return {left.entropy_l, *guarantee.entropy, -1};
  if (promise == "recursive") return {left.recursive_c, guarantee.recursive->c, 1};
  if (promise == "alpha") return {left.top_share, *guarantee.alpha, 1};
  if (promise == "confidence") return {left.confidence_excess, 0, 1};
  if (promise == "t") return {left.distance, *guarantee.t, 1};
  return {left.gain, *guarantee.beta, 1};
}

k::Overall Count(const Release& release, std::size_t values) {
  k::Overall overall(values, 0);
  for (std::size_t group = 0; group < release.groups(); ++group) {
    overall[release.value(group)] += release.rows_of_group(group);
  }
  return overall;
}

// Looks at what one attack leaves, target by target.
class Attacked {
 public:
  Attacked(AttackKind kind, const Release& newest, const Guarantee& guarantee, Diversity& result)
      : kind_(kind),
        guarantee_(guarantee),
        whole_(guarantee, Count(newest, result.largest_share.size())),
        result_(result) {
    for (Promise& promise : Split(guarantee)) {
      k::PromiseChecker checker(promise.alone, Count(newest, result.largest_share.size()));
      single_.push_back({std::move(promise.name), std::move(checker), std::nullopt});
    }
  }

  void Look(std::span<const Bin> left, std::uint32_t cell, std::optional<std::uint32_t> other) {
    if (left.empty()) return;
    const Measures measures = whole_.Measure(left);
    Summarise(measures, left);
    for (Single& single : single_) {
      if (single.checker.Keeps(left)) continue;
      const Number number = NumberOf(single.name, measures, guarantee_);
      if (single.worst && number.sign * number.measured <= number.sign * single.worst->measured) {
        continue;
      }
      single.worst = DiversityBreach{kind_,    single.name,     cell,           other,
                                     measures, number.measured, number.promised};
    }
  }

  void Finish() {
    for (Single& single : single_) {
      if (single.worst) result_.broken.push_back(*std::move(single.worst));
    }
  }

 private:
  struct Single {
    std::string name;
    k::PromiseChecker checker;
    std::optional<DiversityBreach> worst;
  };

  void Summarise(const Measures& m, std::span<const Bin> left) {
    Measures& worst = result_.worst;
    if (result_.targets++ == 0) {
      worst = m;
    } else {
      worst.Worsen(m);
    }
    for (const Bin& bin : left) {
      double& share = result_.largest_share[bin.code];
      share = std::max(share, static_cast<double>(bin.rows) / static_cast<double>(m.rows));
    }
  }

  AttackKind kind_;
  const Guarantee& guarantee_;
  k::PromiseChecker whole_;
  std::vector<Single> single_;
  Diversity& result_;
};

std::size_t ValuesIn(const Release& release) {
  std::size_t values = 0;
  for (std::size_t group = 0; group < release.groups(); ++group) {
    values = std::max<std::size_t>(values, release.value(group) + 1);
  }
  return values;
}

}  // namespace

Diversity MeasureDiversity(const Series& series, const Pair& pair, const Guarantee& guarantee) {
  Diversity result;
  if (!pair.contradictions().empty()) return result;
  const Release& before = series.release(pair.earlier());
  const Release& after = series.release(pair.later());
  result.largest_share.assign(
      std::max({ValuesIn(before), ValuesIn(after), guarantee.confidence.size()}), 0);
  Attacked forward(AttackKind::kForward, after, guarantee, result);
  Attacked cross(AttackKind::kCross, after, guarantee, result);
  Attacked backward(AttackKind::kBackward, after, guarantee, result);
  std::vector<Bin> left;
  for (std::uint32_t cell = 0; cell < before.cells(); ++cell) {
    for (const std::uint32_t other : pair.ComparableCells(cell)) {
      left.clear();
      ForEachCommonValue(before, cell, after, other,
                         [&](std::uint32_t value, std::size_t a, std::size_t b) {
                           const std::uint64_t rows = pair.Together(series, a, b);
                           if (rows > 0) left.push_back({value, rows});
                         });
      forward.Look(left, cell, other);
      cross.Look(left, other, cell);
    }
  }
  for (std::uint32_t cell = 0; cell < after.cells(); ++cell) {
    left.clear();
    for (std::size_t group = after.first_group(cell); group < after.last_group(cell); ++group) {
      if (pair.Newcomers(group) > 0) left.push_back({after.value(group), pair.Newcomers(group)});
    }
    backward.Look(left, cell, std::nullopt);
  }
  for (Attacked* attack : {&forward, &cross, &backward}) attack->Finish();
  return result;
}

}  // namespace reissue::models::bcf
