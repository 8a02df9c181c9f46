#pragma once
// What cells of several releases have in common: the people who can be in all of them. Grows cell
// by cell, like a stack. Used by one thread; the series must outlive it.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/models/bcf/release/series.h"
#include "reissue/taxonomy/regions.h"

namespace reissue::models::bcf {

// Of nodes of a tree that lie on one path the lowest is what they have in common. Of regions it is
// an intersection, which may be empty although any two of them meet.
class Overlap {
 public:
  explicit Overlap(const Series& series);

  // Of one cell.
  void Start(std::span<const std::uint32_t> key);
  // The cell has something in common with all cells so far together. O(columns), of sets times
  // their atoms / 64.
  bool Fits(std::span<const std::uint32_t> key) const;
  bool Fits(std::size_t column, NodeId node) const;
  // It must fit.
  void Push(std::span<const std::uint32_t> key);
  void Pop() { --size_; }

  std::size_t size() const { return size_; }
  // The lowest nodes. Of columns with regions: nothing of meaning.
  std::span<const std::uint32_t> nodes() const {
    return {nodes_.data() + (size_ - 1) * width_, width_};
  }

 private:
  using Common = taxonomy::Regions::Common;
  void Reserve();

  const Series* series_;
  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> nodes_;  // per cell and column
  std::vector<Common> common_;        // likewise; none where all columns have trees
};

}  // namespace reissue::models::bcf
