#pragma once
// Which cells of a file overlap a given combination of labels: they have an atom in common with it
// in every column. Refers to the file and the columns, which must outlive it; any number of threads
// may ask.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/survey/published.h"

namespace reissue::survey {

// Per column and label: the labels that overlap it.
class OverlapTable {
 public:
  explicit OverlapTable(const Columns& columns);
  std::span<const std::uint32_t> of(std::size_t column, std::uint32_t label) const {
    return overlaps_[column][label];
  }
  // Columns in the order in which they tell most apart.
  const std::vector<std::size_t>& order() const { return order_; }

 private:
  std::vector<std::vector<std::vector<std::uint32_t>>> overlaps_;
  std::vector<std::size_t> order_;
};

class Meeting {
 public:
  Meeting(const Published& file, const OverlapTable& overlaps);

  // Appends the cells that overlap `key`, and takes what it costs from `steps`. False: there were
  // not enough of them, and some cells may be missing.
  bool Find(std::span<const std::uint32_t> key, std::uint64_t& steps,
            std::vector<std::uint32_t>& found) const;

 private:
  bool Walk(std::span<const std::uint32_t> key, std::size_t depth, std::size_t first,
            std::size_t last, std::uint64_t& steps, std::vector<std::uint32_t>& found) const;
  std::uint32_t Label(std::size_t place, std::size_t depth) const {
    return sorted_[place * width_ + depth];
  }

  const OverlapTable& overlaps_;
  std::size_t width_;
  std::vector<std::uint32_t> cells_;   // in the order of their labels, columns in `order`
  std::vector<std::uint32_t> sorted_;  // their labels in that order
};

}  // namespace reissue::survey
