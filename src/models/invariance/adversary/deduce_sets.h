#pragma once
// Sets of values, each kept once and named by a number. Internal to the adversary.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

using SetId = std::uint32_t;

class Sets {
 public:
  SetId Of(std::vector<Value> values) {
    const auto [at, added] = ids_.emplace(std::move(values), static_cast<SetId>(sets_.size()));
    if (added) sets_.push_back(&at->first);
    return at->second;
  }
  const std::vector<Value>& operator[](SetId id) const { return *sets_[id]; }
  std::size_t size() const { return sets_.size(); }
  bool Has(SetId id, Value value) const { return std::ranges::binary_search(*sets_[id], value); }

  SetId Intersect(SetId a, SetId b) {
    if (a == b) return a;
    const auto key = std::minmax(a, b);
    const auto known = common_.find(key);
    if (known != common_.end()) return known->second;
    std::vector<Value> common;
    std::ranges::set_intersection(*sets_[a], *sets_[b], std::back_inserter(common));
    return common_[key] = Of(std::move(common));
  }
  SetId Without(SetId id, Value value) {
    std::vector<Value> left = *sets_[id];
    std::erase(left, value);
    return Of(std::move(left));
  }

 private:
  std::map<std::vector<Value>, SetId> ids_;
  std::vector<const std::vector<Value>*> sets_;
  std::map<std::pair<SetId, SetId>, SetId> common_;
};

}  // namespace reissue::models::invariance
