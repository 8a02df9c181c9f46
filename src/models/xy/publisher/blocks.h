#pragma once
// The rows of T1 grouped by their labels on some columns, on the way down. Rows that agree on all
// that matters are one atom. Owned by one thread; a plain value. Internal to the publisher.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/xy/publisher/places.h"

namespace reissue::models::xy::internal {

class Blocks {
 public:
  struct Choice {
    std::vector<std::uint32_t> grouped;  // blocks agree on these columns
    std::vector<std::uint32_t> carried;  // atoms are told apart by these, blocks are not
    std::vector<std::uint32_t> y;        // numbered together; atoms of a block are sorted by it
    // Per code of the first column of `y` the one that it counts as; empty: each as itself.
    std::vector<std::uint32_t> y_counts_as;
  };
  Blocks() = default;
  Blocks(const Source& source, const Places& places, const Choice& choice);

  // ---- columns that are generalised: those grouped by, then those carried
  std::size_t moving() const { return moving_.size(); }
  std::size_t grouped() const { return grouped_; }  // how many of the moving ones
  std::uint32_t column(std::size_t m) const { return moving_[m]; }
  // The others that were chosen, and their code for an atom.
  std::span<const std::uint32_t> fixed() const { return fixed_; }
  std::uint32_t fixed_code(std::size_t atom, std::size_t f) const {
    return fixed_codes_[atom * fixed_.size() + f];
  }

  // ---- atoms
  std::size_t atoms() const { return rows_.size(); }
  std::uint64_t rows(std::size_t atom) const { return rows_[atom]; }
  std::uint32_t y(std::size_t atom) const { return y_[atom]; }
  std::uint32_t rank(std::size_t atom, std::size_t m) const {
    return ranks_[atom * moving_.size() + m];
  }
  std::size_t y_values() const { return y_codes_.size(); }
  const std::vector<std::uint32_t>& y_codes(std::size_t y) const { return y_codes_[y]; }

  // ---- blocks
  std::size_t size() const { return begin_.size(); }
  std::span<const std::uint32_t> atoms(std::size_t block) const {
    return {order_.data() + begin_[block], end_[block] - begin_[block]};
  }
  Spot place(std::size_t block, std::size_t m) const { return places_[block * grouped_ + m]; }

  // Splits a block by the children of its place on a column it is grouped by. Gives the block of
  // each child, kNone where it has no rows; the first one that has rows keeps the number.
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
  std::span<const std::uint32_t> Split(std::size_t block, std::size_t m, const Places& places);

 private:
  void Collect(const Source& source, const Choice& choice);
  void Group(const Places& places, std::size_t fixed_grouped);

  std::vector<std::uint32_t> moving_, fixed_;
  std::size_t grouped_ = 0;
  std::vector<std::uint32_t> ranks_, fixed_codes_, y_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::vector<std::uint32_t>> y_codes_;
  std::vector<std::uint32_t> order_, begin_, end_;
  std::vector<Spot> places_;
  std::vector<std::uint32_t> sorted_, starts_, parts_;  // scratch
};

}  // namespace reissue::models::xy::internal
