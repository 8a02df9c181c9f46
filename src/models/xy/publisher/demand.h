#pragma once
// What one requirement asks, in parts that can be measured one by one: sensitive values of
// different columns are separate demands. And how bad a measured x is. Internal to the publisher.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "reissue/models/xy/adversary/attack.h"
#include "reissue/models/xy/release/linked.h"

namespace reissue::models::xy::internal {

struct Demand {
  std::size_t requirement = 0;
  bool anonymity = true;
  std::uint64_t k = 1;
  double confidence = 1;
  std::vector<Attribute> x, y;
  std::vector<std::size_t> y_keys;  // ascending, distinct
  // Linkability of single values: the one column of `y`, and the threshold of each code.
  struct Limit {
    std::uint32_t code;
    double threshold;
  };
  std::vector<Limit> limits;
  bool by_value() const { return !limits.empty(); }

  std::vector<std::uint32_t> XOf(std::size_t table) const;
  std::vector<std::uint32_t> YOf(std::size_t table) const;
  bool HasKey(std::size_t table) const { return std::ranges::count(y_keys, table) > 0; }
  bool HasYOf(std::size_t table) const { return HasKey(table) || !YOf(table).empty(); }
  // The threshold of a single value; nothing where the code is not sensitive.
  std::optional<double> LimitOf(std::uint32_t code) const;
};

std::vector<Demand> DemandsOf(const Requirement& requirement, std::size_t index);

inline double ShareOf(Wide part, Wide whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

inline std::uint64_t Saturated(Wide value) {
  return static_cast<std::uint64_t>(
      std::min<Wide>(value, std::numeric_limits<std::uint64_t>::max()));
}

// The worst of some combinations on X.
struct Measure {
  bool any = false;     // false: none of them occurs in the join
  bool broken = false;  // one of them breaks the demand
  std::uint64_t distinct = std::numeric_limits<std::uint64_t>::max();
  double share = 0;

  void Worsen(const Measure& other) {
    any = any || other.any;
    broken = broken || other.broken;
    distinct = std::min(distinct, other.distinct);
    share = std::max(share, other.share);
  }
};

}  // namespace reissue::models::xy::internal
