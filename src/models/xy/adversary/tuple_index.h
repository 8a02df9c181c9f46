#pragma once
// Numbers tuples of codes in the order of their first appearance.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace reissue::models::xy {

class TupleIndex {
 public:
  explicit TupleIndex(std::size_t width = 0) : width_(width), slots_(16, kEmpty) {}

  std::size_t size() const { return size_; }
  std::size_t width() const { return width_; }
  std::span<const std::uint32_t> key(std::size_t number) const {
    return {keys_.data() + number * width_, width_};
  }

  // The number of a tuple, a new one where it was not there. O(width) expected.
  std::uint32_t Add(std::span<const std::uint32_t> tuple) {
    std::size_t slot = Slot(tuple);
    if (slots_[slot] != kEmpty) return slots_[slot];
    if (2 * (size_ + 1) > slots_.size()) {
      Grow();
      slot = Slot(tuple);
    }
    keys_.insert(keys_.end(), tuple.begin(), tuple.end());
    slots_[slot] = static_cast<std::uint32_t>(size_);
    return static_cast<std::uint32_t>(size_++);
  }

  // Forgets everything. O(size), not of the largest size there ever was.
  void Clear() {
    if (4 * size_ > slots_.size()) {
      std::fill(slots_.begin(), slots_.end(), kEmpty);
    } else {
      // Last in, first out: a tuple is found behind those that were there before it.
      for (std::size_t i = size_; i-- > 0;) slots_[Slot(key(i))] = kEmpty;
    }
    keys_.clear();
    size_ = 0;
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffff;

  // The slot that holds the tuple, or the empty one where it belongs.
  std::size_t Slot(std::span<const std::uint32_t> tuple) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const std::uint32_t code : tuple) {
      hash = (hash ^ code) * 0xff51afd7ed558ccd;
      hash ^= hash >> 32;
    }
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != kEmpty && !std::ranges::equal(key(slots_[slot]), tuple)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }

  void Grow() {
    slots_.assign(slots_.size() * 2, kEmpty);
    for (std::size_t i = 0; i < size_; ++i) slots_[Slot(key(i))] = static_cast<std::uint32_t>(i);
  }

  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace reissue::models::xy
