#pragma once
// What two releases of a growing table leave possible, group by group. Everything the attacks of
// this model say about a pair is read off here. Holds numbers only, and refers to the series while
// its functions run; immutable once made.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf {

// Which way the numbers were found. Both are exact.
enum class Method {
  kEnvelope,  // closed forms over envelope classes: of global recodings, and of boxes of one tree
  kFlow,      // otherwise: maximum flows over comparable groups
};

// Why the later release cannot contain all rows of the earlier one: these rows of one sensitive
// value must lie in those cells of the later release, and there are fewer.
struct Contradiction {
  std::uint32_t value = 0;
  std::vector<std::uint32_t> earlier_cells;  // ascending
  std::vector<std::uint32_t> later_cells;    // ascending; all that are comparable with one of them
  std::uint64_t earlier_rows = 0;            // of this value
  std::uint64_t later_rows = 0;              // fewer
};

// `earlier` < `later` count from 0.
class Pair {
 public:
  // Envelope: O(cells · columns + groups) expected; nothing is enumerated pair by pair (of local
  // recodings comparable cells are). Flow:
  // comparable pairs of groups are listed; for each later group, and for each pair that newcomers
  // do not decide, one flow within its connected component is improved. `always_flow` is for tests.
  static Pair Solve(const Series& series, std::size_t earlier, std::size_t later,
                    bool always_flow = false);

  std::size_t earlier() const { return earlier_; }
  std::size_t later() const { return later_; }
  Method method() const { return method_; }

  // Empty where the two can be releases of one growing table. Where not, the numbers below mean
  // nothing. By value, then by the first earlier cell; flow: one per connected component.
  const std::vector<Contradiction>& contradictions() const { return contradictions_; }

  // The cells of the later release that are comparable with a cell of the earlier one.
  std::span<const std::uint32_t> ComparableCells(std::size_t earlier_cell) const {
    const std::uint32_t list = list_of_[earlier_cell];
    return {list_cells_.data() + list_begin_[list], list_begin_[list + 1] - list_begin_[list]};
  }

  // The most rows of one value that can be in both groups at once. The groups must be of the same
  // value and of comparable cells. O(1) expected.
  std::uint64_t Together(const Series& series, std::size_t earlier_group,
                         std::size_t later_group) const;
  // The sum of that over all values of two comparable cells: what is left for a target in both.
  // O(groups of the two cells).
  std::uint64_t TogetherInCells(const Series& series, std::size_t earlier_cell,
                                std::size_t later_cell) const;

  // The most rows of a later group that need not be in the earlier release.
  std::uint64_t Newcomers(std::size_t later_group) const { return newcomers_[later_group]; }
  // Rows of the group's value in its envelope class (flow: in its connected component): N1, N2.
  std::uint64_t ClassEarlier(std::size_t later_group) const { return class_earlier_[later_group]; }
  std::uint64_t ClassLater(std::size_t later_group) const { return class_later_[later_group]; }

 private:
  friend class FlowSolver;
  void SolveByClasses(const Series& series, std::vector<std::uint32_t> earlier_class_of,
                      const std::vector<std::uint32_t>& class_of, std::uint32_t classes);
  void SolveByFlow(const Series& series);

  std::size_t earlier_ = 0, later_ = 0;
  Method method_ = Method::kEnvelope;
  std::vector<Contradiction> contradictions_;
  // Earlier cells that are comparable with the same later cells share a list.
  std::vector<std::uint32_t> list_of_;
  std::vector<std::size_t> list_begin_;
  std::vector<std::uint32_t> list_cells_;
  std::vector<std::uint64_t> newcomers_, class_earlier_, class_later_;
  // Flow only: (earlier group, later group) → most rows in both.
  std::unordered_map<std::uint64_t, std::uint64_t> together_;
};

// Calls work(value, earlier group, later group) for each value that occurs in both cells.
template <typename Work>
void ForEachCommonValue(const Release& earlier, std::size_t earlier_cell, const Release& later,
                        std::size_t later_cell, Work&& work) {
  std::size_t a = earlier.first_group(earlier_cell);
  std::size_t b = later.first_group(later_cell);
  while (a < earlier.last_group(earlier_cell) && b < later.last_group(later_cell)) {
    if (earlier.value(a) < later.value(b)) {
      ++a;
    } else if (later.value(b) < earlier.value(a)) {
      ++b;
    } else {
      work(earlier.value(a), a, b);
      ++a;
      ++b;
    }
  }
}

}  // namespace reissue::models::bcf
