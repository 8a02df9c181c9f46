#pragma once
// What one requirement asks, in parts that can be measured one by one: sensitive values of
// different columns are separate demands, and so are values of one column that lie on one path. And
// how bad a measured x is. Internal to the publisher.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
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
  // Linkability of single values: the one column of `y` with its tree (null: plain codes), and the
  // threshold of each code. No label lies at or below two of them.
  struct Limit {
    std::uint32_t code;
    double threshold;
  };
  std::vector<Limit> limits;
  const taxonomy::Taxonomy* tree = nullptr;
  bool by_value() const { return !limits.empty(); }

  std::vector<std::uint32_t> XOf(std::size_t table) const;
  std::vector<std::uint32_t> YOf(std::size_t table) const;
  bool HasKey(std::size_t table) const { return std::ranges::count(y_keys, table) > 0; }
  bool HasYOf(std::size_t table) const { return HasKey(table) || !YOf(table).empty(); }
  // How a code of the column of `y` counts: as the limit's code that it lies at or below, kNoLimit
  // where there is none; as itself where there are no limits.
  static constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t CountsAs(std::uint32_t code) const;
  // The threshold of a limit's code; negative for all others.
  double LimitOf(std::uint32_t code) const;
};

// `tree` gives the tree of a column, or null.
using TreeOfColumn = std::function<const taxonomy::Taxonomy*(const Attribute&)>;
std::vector<Demand> DemandsOf(const Requirement& requirement, std::size_t index,
                              const TreeOfColumn& tree);

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
