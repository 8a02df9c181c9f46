#include <algorithm>
#include <cmath>
#include <limits>

#include "reissue/models/similarity/release/points.h"

namespace reissue::models::similarity {
namespace {

constexpr double kEquallyNear = 1e-12;

double ToGroup(std::span<const Column> columns, std::span<const double> place, const Box& box) {
  double squares = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double away =
        columns[c].tree()
            ? columns[c].Penalty(std::min(place[c], box.low[c]), std::max(place[c], box.high[c]))
            : columns[c].Distance(place[c], (box.low[c] + box.high[c]) / 2);
    squares += away * away;
  }
  return squares;
}

}  // namespace

double RecordLinkage(const Points& points, std::span<const std::uint32_t> group, ThreadPool& pool) {
  const std::vector<Box> boxes = BoxesOf(points, group);
  std::vector<double> linked(group.size(), 0);
  pool.Run(group.size(), [&](std::size_t row) {
    if (group[row] == kSuppressed) return;
    double nearest = std::numeric_limits<double>::infinity();
    std::vector<double> away(boxes.size(), nearest);
    for (std::size_t g = 0; g < boxes.size(); ++g) {
      if (boxes[g].rows == 0) continue;
      away[g] = ToGroup(points.columns, points.of(row), boxes[g]);
      nearest = std::min(nearest, away[g]);
    }
    if (away[group[row]] > nearest + kEquallyNear) return;
    const auto ties = std::ranges::count_if(
        away, [&](double distance) { return distance <= nearest + kEquallyNear; });
    linked[row] = 1 / static_cast<double>(boxes[group[row]].rows) / static_cast<double>(ties);
  });
  double sum = 0;
  for (const double chance : linked) sum += chance;
  return sum;
}

}  // namespace reissue::models::similarity
