#include "reissue/models/bcf/publisher/frame.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace reissue::models::bcf::internal {
namespace {

// The frame moves on after so many releases, once one is the best of the last so many; and to any
// after so many.
constexpr std::size_t kWindow = 8;
constexpr std::size_t kOldest = 4 * kWindow;
constexpr std::size_t kMostFences = 6;

// The share of the leaves that a row could be instead, over all columns and rows.
double Hidden(const Series& series, std::size_t i) {
  const Release& release = series.release(i);
  double hidden = 0;
  for (std::size_t cell = 0; cell < release.cells(); ++cell) {
    double of_row = 0;
    for (std::size_t j = 0; j < series.columns(); ++j) {
      const taxonomy::Taxonomy& tree = series.tree(j);
      if (tree.leaves() == 1) continue;
      of_row += static_cast<double>(tree.leaf_count(release.node(cell, j)) - 1) /
                static_cast<double>(tree.leaves() - 1);
    }
    hidden += of_row * static_cast<double>(release.rows_of_cell(cell));
  }
  return release.rows() == 0 ? 0 : hidden / static_cast<double>(release.rows());
}

k::internal::Fence FenceAt(const std::vector<taxonomy::Cut>& cuts,
                           const k::internal::Problem& problem) {
  k::internal::Fence fence(problem.places(), 0);
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    for (const NodeId node : cuts[j].Nodes()) {
      const k::internal::Spot at = problem.root(j) + node.raw();
      std::fill(fence.begin() + at, fence.begin() + problem.end(at), std::uint8_t{1});
    }
  }
  return fence;
}

// Whether none of the releases before it, as far as the window goes, tells more. The same cuts tell
// the same, whoever came since.
bool BestOfWindow(const Series& series, const std::vector<double>& hidden, std::size_t i) {
  for (std::size_t other = i + 1 - kWindow; other < i; ++other) {
    if (hidden[other] < hidden[i] && series.recoding(other).cuts != series.recoding(i).cuts) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::size_t FrameOf(const Series& earlier) {
  std::vector<double> hidden;
  for (std::size_t i = 0; i < earlier.size(); ++i) hidden.push_back(Hidden(earlier, i));
  std::size_t frame = 0;
  for (std::size_t i = kWindow; i < earlier.size(); ++i) {
    if (i - frame < kWindow || !earlier.recoding(i).global()) continue;
    if (i - frame >= kOldest || BestOfWindow(earlier, hidden, i)) frame = i;
  }
  return frame;
}

std::uint64_t LastingRows(std::uint64_t rows, std::uint64_t newcomers, std::uint64_t k) {
  if (newcomers == 0) return 0;
  // As many as are expected, less so many standard deviations, are k.
  constexpr double kDeviations = 1;
  const double root =
      (kDeviations + std::sqrt(kDeviations * kDeviations + 4 * static_cast<double>(k))) / 2;
  return static_cast<std::uint64_t>(
      std::ceil(root * root * static_cast<double>(rows) / static_cast<double>(newcomers)));
}

std::vector<k::internal::Fence> FencesOf(const Series& earlier, std::size_t frame,
                                         const k::internal::Problem& problem) {
  std::vector<k::internal::Fence> fences;
  for (std::size_t i = earlier.size(); i-- > frame && fences.size() < kMostFences;) {
    if (!earlier.recoding(i).global()) continue;
    k::internal::Fence fence = FenceAt(earlier.recoding(i).cuts, problem);
    // What stays within a later one is cheaper there.
    const bool known = std::ranges::any_of(fences, [&](const k::internal::Fence& later) {
      return std::ranges::equal(later, fence, std::less_equal<>());
    });
    if (!known) fences.push_back(std::move(fence));
  }
  return fences;
}

}  // namespace reissue::models::bcf::internal
