#pragma once
// Newcomers for whom there is no gap, per value.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace reissue::models::invariance::internal {

class UnplacedNewcomers {
 public:
  UnplacedNewcomers(std::vector<std::uint64_t> count, std::uint64_t m)
      : count_(std::move(count)), m_(m) {
    total_ = std::accumulate(count_.begin(), count_.end(), std::uint64_t{0});
  }

  std::size_t values() const { return count_.size(); }
  std::uint64_t m() const { return m_; }
  std::uint64_t total() const { return total_; }
  std::uint64_t operator[](std::uint32_t value) const { return count_[value]; }
  std::uint64_t most() const { return count_.empty() ? 0 : *std::ranges::max_element(count_); }
  // Rows that it takes to publish them, in buckets of m values or more.
  std::uint64_t Need() const { return std::max(total_, m_ * most()); }

  void Take(std::uint32_t value, std::uint64_t people) {
    people = std::min(people, count_[value]);
    count_[value] -= people;
    total_ -= people;
  }
  void Give(std::uint32_t value) {
    ++count_[value];
    ++total_;
  }

  std::uint64_t MostOutside(const std::vector<std::uint32_t>& values) const {
    std::uint64_t most = 0;
    std::size_t next = 0;
    for (std::uint32_t value = 0; value < count_.size(); ++value) {
      if (next < values.size() && values[next] == value) {
        ++next;
      } else {
        most = std::max(most, count_[value]);
      }
    }
    return most;
  }
  // What Need is after so many layers of these values.
  std::uint64_t NeedAfter(const std::vector<std::uint32_t>& values, std::uint64_t most_outside,
                          std::uint64_t layers) const {
    std::uint64_t most = most_outside, total = total_;
    for (const std::uint32_t value : values) {
      const std::uint64_t taken = std::min(layers, count_[value]);
      total -= taken;
      most = std::max(most, count_[value] - taken);
    }
    return std::max(total, m_ * most);
  }

 private:
  std::vector<std::uint64_t> count_;
  std::uint64_t total_ = 0, m_;
};

}  // namespace reissue::models::invariance::internal
