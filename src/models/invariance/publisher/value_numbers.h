#pragma once
// Values as numbers without gaps, in ascending order.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance::internal {

class ValueNumbers {
 public:
  // All values first, then Finish, then the rest.
  void See(Value value) {
    if (value < kDirect) {
      if (value >= direct_.size()) direct_.resize(value + 1, kUnseen);
      if (direct_[value] != kUnseen) return;
      direct_[value] = 0;
    }
    values_.push_back(value);
  }
  void Finish() {
    std::ranges::sort(values_);
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    for (std::uint32_t i = 0; i < values_.size(); ++i) {
      if (values_[i] < kDirect) direct_[values_[i]] = i;
    }
  }
  std::size_t size() const { return values_.size(); }
  Value operator[](std::uint32_t number) const { return values_[number]; }
  std::uint32_t Of(Value value) const {
    if (value < kDirect) return direct_[value];
    return static_cast<std::uint32_t>(std::ranges::lower_bound(values_, value) - values_.begin());
  }

 private:
  static constexpr Value kDirect = 1u << 20;  // below: looked up, not searched
  static constexpr std::uint32_t kUnseen = 0xffffffffu;
  std::vector<Value> values_;
  std::vector<std::uint32_t> direct_;
};

}  // namespace reissue::models::invariance::internal
