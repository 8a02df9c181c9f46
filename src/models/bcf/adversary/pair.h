#pragma once
// What two releases of a growing table leave possible, group by group. Everything the attacks of
// this model say about a pair is read off here. Holds numbers only, and refers to the series while
// its functions run; immutable once made.

#include <algorithm>
#include <cstdint>
#include <memory>
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

// Which cells of two releases are comparable. It follows from the cells alone, so all pairs of
// releases that have these cells can share it. Holds numbers only; immutable once made.
struct CellComparison {
  // Cells of both releases fall into classes: each cell of the one is comparable with all cells of
  // the other in its class, and with no others. Otherwise each earlier cell is a class by itself.
  bool classes = true;
  // Per earlier cell its class; the later cells that are comparable with those of each class,
  // ascending: [later_begin[c], later_begin[c + 1]).
  std::vector<std::uint32_t> class_of_earlier;
  std::vector<std::size_t> later_begin;
  std::vector<std::uint32_t> later_cells;
  // The earlier cells of each class, likewise, and per later cell its class. Of classes only.
  std::vector<std::size_t> earlier_begin;
  std::vector<std::uint32_t> earlier_cells, class_of_later;

  // O(cells · columns) of global recodings, as below of others. `always_flow`: no classes.
  static CellComparison Of(const Series& series, std::size_t earlier, std::size_t later,
                           bool always_flow = false);

  std::span<const std::uint32_t> Earlier(std::size_t number) const {
    return {earlier_cells.data() + earlier_begin[number],
            earlier_begin[number + 1] - earlier_begin[number]};
  }
  std::span<const std::uint32_t> Later(std::size_t number) const {
    return {later_cells.data() + later_begin[number],
            later_begin[number + 1] - later_begin[number]};
  }
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
  // The same where the cells were compared. Classes: O(groups).
  static Pair Solve(const Series& series, std::size_t earlier, std::size_t later,
                    std::shared_ptr<const CellComparison> cells);

  std::size_t earlier() const { return earlier_; }
  std::size_t later() const { return later_; }
  Method method() const { return method_; }

  // Empty where the two can be releases of one growing table. Where not, the numbers below mean
  // nothing. By value, then by the first earlier cell; flow: one per connected component.
  const std::vector<Contradiction>& contradictions() const { return contradictions_; }

  // The cells of the later release that are comparable with a cell of the earlier one.
  std::span<const std::uint32_t> ComparableCells(std::size_t earlier_cell) const {
    return cells_->Later(cells_->class_of_earlier[earlier_cell]);
  }

  // The most rows of one value that can be in both groups at once. The groups must be of the same
  // value and of comparable cells. O(1) expected.
  std::uint64_t Together(const Series& series, std::size_t earlier_group,
                         std::size_t later_group) const {
    if (method_ == Method::kFlow) return TogetherByFlow(earlier_group, later_group);
    return std::min(series.release(earlier_).rows_of_group(earlier_group),
                    series.release(later_).rows_of_group(later_group));
  }
  // The sum of that over all values of two comparable cells: what is left for a target in both.
  // O(groups of the two cells).
  std::uint64_t TogetherInCells(const Series& series, std::size_t earlier_cell,
                                std::size_t later_cell) const;

  // The most rows of a later group that need not be in the earlier release.
  std::uint64_t Newcomers(std::size_t later_group) const { return newcomers_[later_group]; }
  // Rows of the group's value in its envelope class (flow: in its connected component): N1, N2.
  struct ClassRows {
    std::uint64_t earlier = 0, later = 0;
  };
  // Classes: O(cells of the class · log groups).
  ClassRows RowsOfClass(const Series& series, std::size_t later_group) const;

 private:
  friend class FlowSolver;
  std::uint64_t TogetherByFlow(std::size_t earlier_group, std::size_t later_group) const;
  void SolveByClasses(const Series& series);
  void SolveByFlow(const Series& series);

  std::size_t earlier_ = 0, later_ = 0;
  Method method_ = Method::kEnvelope;
  std::vector<Contradiction> contradictions_;
  std::shared_ptr<const CellComparison> cells_;
  std::vector<std::uint64_t> newcomers_;
  // Flow only: rows of the connected component of each later group.
  std::vector<ClassRows> component_rows_;
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
