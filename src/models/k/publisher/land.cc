#include "reissue/models/k/publisher/land.h"

#include <algorithm>
#include <numeric>

namespace reissue::models::k::internal {

Land::Land(const Problem& problem)
    : problem_(problem), width_(problem.columns()), tuples_(problem.tuples()) {
  std::iota(tuples_.begin(), tuples_.end(), 0);
  leaves_.reserve(problem.tuples() * width_);
  rows_.reserve(problem.tuples());
  for (std::size_t t = 0; t < problem.tuples(); ++t) {
    const auto leaves = problem.leaves(t);
    leaves_.insert(leaves_.end(), leaves.begin(), leaves.end());
    rows_.push_back(problem.rows(t));
    for (const Bin& bin : problem.classes(t)) class_values_ = std::max(class_values_, bin.code + 1);
  }
  for (std::size_t j = 0; j < width_; ++j) all_hidden_ += problem.hidden(problem.root(j));
}

Range Land::all() const { return {0, static_cast<std::uint32_t>(tuples_.size()), problem_.rows()}; }

void Land::Count(const Range& range, std::span<const Lane> lanes) const {
  const std::uint32_t* leaves = leaves_.data() + range.begin * width_;
  for (std::uint32_t at = range.begin; at < range.end; ++at, leaves += width_) {
    const std::uint64_t rows = rows_[at];
    for (const Lane& lane : lanes) {
      lane.rows_of_child[lane.child_of_leaf[leaves[lane.column]]] += rows;
    }
  }
}

std::vector<Range> Land::Split(const Range& range, Spot place, std::size_t column) {
  const ChildOfLeaf child_of_leaf = problem_.child_of_leaf(place);
  const auto child_at = [&](std::uint32_t at) {
    return child_of_leaf[leaves_[at * width_ + column]];
  };
  std::vector<Range> children(problem_.fan_out(place));
  for (std::uint32_t at = range.begin; at < range.end; ++at) {
    Range& child = children[child_at(at)];
    ++child.end;
    child.rows += rows_[at];
  }
  std::uint32_t begin = range.begin;
  for (Range& child : children) {
    child.begin = begin;
    begin += child.end;
    child.end = child.begin;
  }
  // `end` goes through what is in its place already; every exchange puts one more there.
  for (std::size_t c = 0; c < children.size(); ++c) {
    const std::uint32_t stop = c + 1 < children.size() ? children[c + 1].begin : range.end;
    while (children[c].end < stop) {
      const std::size_t to = child_at(children[c].end);
      if (to != c) Swap(children[c].end, children[to].end);
      ++children[to].end;
    }
  }
  return children;
}

void Land::Swap(std::uint32_t a, std::uint32_t b) {
  std::swap_ranges(leaves_.begin() + static_cast<std::ptrdiff_t>(a * width_),
                   leaves_.begin() + static_cast<std::ptrdiff_t>((a + 1) * width_),
                   leaves_.begin() + static_cast<std::ptrdiff_t>(b * width_));
  std::swap(rows_[a], rows_[b]);
  std::swap(tuples_[a], tuples_[b]);
}

}  // namespace reissue::models::k::internal
