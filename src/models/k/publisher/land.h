#pragma once
// The tuples of a table as growers see and move them: those of a box lie side by side, so that a
// box is counted by reading on. Internal to the publisher.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::internal {

// Tuples of one box.
struct Range {
  std::uint32_t begin = 0, end = 0;
  std::uint64_t rows = 0;
  std::uint32_t size() const { return end - begin; }
};

// Threads may work on ranges of their own. In which order the tuples of a range lie is left open.
class Land {
 public:
  explicit Land(const Problem& problem);

  const Problem& problem() const { return problem_; }
  Range all() const;
  // By where they lie.
  std::uint32_t tuple(std::uint32_t at) const { return tuples_[at]; }
  std::size_t ChildOf(Spot place, std::size_t column, std::uint32_t at) const {
    return problem_.child_of_leaf(place)[leaves_[at * width_ + column]];
  }
  double all_hidden() const { return all_hidden_; }  // by the roots of all columns
  std::uint32_t class_values() const { return class_values_; }

  // Rows per child of a place in some column.
  struct Lane {
    std::uint32_t column = 0;
    ChildOfLeaf child_of_leaf = {};
    std::uint64_t* rows_of_child = nullptr;
  };
  // Adds the rows of a range. O(tuples · lanes).
  void Count(const Range& range, std::span<const Lane> lanes) const;

  // Puts the tuples of each child together. In place. O(tuples · columns).
  std::vector<Range> Split(const Range& range, Spot place, std::size_t column);

 private:
  void Swap(std::uint32_t a, std::uint32_t b);

  const Problem& problem_;
  std::size_t width_;
  std::vector<std::uint32_t> leaves_;  // per tuple and column: ranks
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint32_t> tuples_;
  double all_hidden_ = 0;
  std::uint32_t class_values_ = 0;
};

}  // namespace reissue::models::k::internal
