#pragma once
// What each release says that the ones before do not imply (docs/design/0009).
//
// Let every cell of release p lie in one cell of a later release i, and meet no other cell of it.
// Whoever was in p has her cell of i from the one of p, in every world. So release i tells of those
// alone who came after p: of each group, the rows that it has more than its cells in p. The latest
// such p counts; where there is none, release i tells of everybody.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf {

// Holds numbers only; immutable once made.
class History {
 public:
  explicit History(const Series& series);
  // The same where `earlier` is of the same releases without the last one.
  History(const Series& series, const History& earlier);
  // Every release tells of everybody: to compare with.
  static History Whole(const Series& series);

  std::size_t size() const { return told_.size(); }
  // Every release tells of everybody.
  bool whole() const;

  // The release tells of this birth and later ones. Those before it have their cells from release
  // first_birth − 1.
  std::size_t first_birth(std::size_t release) const { return told_[release]->first_birth; }
  // Of a group, the rows of these births.
  std::uint64_t rows(std::size_t release, std::size_t group) const {
    return told_[release]->rows[group];
  }
  // Some birth is told of by both. `earlier` < `later`.
  bool Linked(std::size_t earlier, std::size_t later) const {
    return first_birth(later) <= earlier;
  }
  // The releases that tell of a birth, ascending; the first is its own.
  std::span<const std::uint32_t> releases(std::size_t birth) const { return telling_[birth]; }

  // Births before this one are not touched by what the last release tells, whatever it is: none of
  // them is told of by a release that tells of this one or a later one.
  std::size_t FirstUnsettled() const;

  // Of cells (or groups) in all releases from the birth on, those in the releases that tell of it.
  template <typename Number>
  std::vector<Number> Select(std::size_t birth, std::span<const Number> all) const {
    std::vector<Number> selected;
    for (const std::uint32_t i : releases(birth)) selected.push_back(all[i - birth]);
    return selected;
  }
  // The cells in all releases from the birth on.
  std::vector<std::uint32_t> Expand(std::size_t birth, std::span<const std::uint32_t> cells) const;

  // Calls work(cell of release first_birth − 1, the cell of the release that it lies in).
  template <typename Work>
  void ForEachCarried(std::size_t release, Work&& work) const {
    const std::vector<std::uint32_t>& cells = told_[release]->cell_after;
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) work(cell, cells[cell]);
  }

 private:
  struct Told {
    std::size_t first_birth = 0;
    std::vector<std::uint64_t> rows;        // per group
    std::vector<std::uint32_t> cell_after;  // per cell of release first_birth − 1
  };

  History() = default;
  void Add(const Series& series, std::size_t release, bool whole);

  std::vector<std::shared_ptr<const Told>> told_;    // per release
  std::vector<std::vector<std::uint32_t>> telling_;  // per birth
};

}  // namespace reissue::models::bcf
