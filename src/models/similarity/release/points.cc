#include "reissue/models/similarity/release/points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reissue/core/result.h"

namespace reissue::models::similarity {
namespace {

// Of so many leaves all pairs are known beforehand: 32 KB a column.
constexpr std::size_t kFewLeaves = 64;

}  // namespace

Column Column::Number(double least, double largest) {
  Column column;
  column.inverse_ = largest > least ? 1 / (largest - least) : 0;
  column.scale_ = column.inverse_;
  return column;
}

Column Column::Tree(std::vector<std::uint32_t> joins) {
  Column column;
  column.tree_ = true;
  column.steps_ = joins.size();
  const auto leaves = static_cast<double>(joins.size() + 1);
  for (const std::uint32_t join : joins) column.widest_.push_back(join / leaves);
  std::vector<double>& widest = column.widest_;
  for (std::size_t step = 1; 2 * step <= joins.size(); step *= 2) {
    const std::size_t half = widest.size() - joins.size();
    for (std::size_t i = 0; i < joins.size(); ++i) {
      const std::size_t next = std::min(i + step, joins.size() - 1);
      widest.push_back(std::max(widest[half + i], widest[half + next]));
    }
  }
  if (joins.size() < kFewLeaves) column.FillBetween();
  return column;
}

void Column::FillBetween() {
  const std::size_t count = steps_ + 1;
  std::vector<double> between;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      between.push_back(
          LeavesBetween(static_cast<double>(std::min(a, b)), static_cast<double>(std::max(a, b))));
    }
  }
  between_ = std::move(between);
}

void Column::SetScale(double deviation) {
  if (!tree_) scale_ = deviation > 0 ? 1 / deviation : 0;
}

void Standardise(Points& points) {
  const std::size_t columns = points.columns.size(), rows = points.rows();
  if (rows == 0) return;
  for (std::size_t c = 0; c < columns; ++c) {
    if (points.columns[c].tree()) continue;
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += points.of(row)[c];
    const double mean = sum / static_cast<double>(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const double away = points.of(row)[c] - mean;
      squares += away * away;
    }
    points.columns[c].SetScale(std::sqrt(squares / static_cast<double>(rows)));
  }
}

std::vector<Box> BoxesOf(const Points& points, std::span<const std::uint32_t> group) {
  std::vector<Box> boxes;
  for (std::size_t row = 0; row < group.size(); ++row) {
    if (group[row] == kSuppressed) continue;
    if (group[row] >= boxes.size()) boxes.resize(group[row] + std::size_t{1});
    boxes[group[row]].Add(points.of(row));
  }
  return boxes;
}

void Box::Add(std::span<const double> place) {
  if (rows++ == 0) {
    low.assign(place.begin(), place.end());
    high = low;
    return;
  }
  for (std::size_t c = 0; c < place.size(); ++c) {
    low[c] = std::min(low[c], place[c]);
    high[c] = std::max(high[c], place[c]);
  }
}

void Box::Join(const Box& other) {
  if (other.rows == 0) return;
  if (rows == 0) {
    *this = other;
    return;
  }
  rows += other.rows;
  for (std::size_t c = 0; c < low.size(); ++c) {
    low[c] = std::min(low[c], other.low[c]);
    high[c] = std::max(high[c], other.high[c]);
  }
}

double Box::Penalty(std::span<const Column> columns) const {
  if (columns.empty() || rows == 0) return 0;
  double sum = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) sum += columns[c].Penalty(low[c], high[c]);
  return sum / static_cast<double>(columns.size());
}

double CertaintyPenalty(const Points& points, std::span<const std::uint32_t> group) {
  REISSUE_CHECK(points.columns.empty() || group.size() == points.rows());
  double sum = 0;
  for (const Box& box : BoxesOf(points, group)) {
    sum += static_cast<double>(box.rows) * box.Penalty(points.columns);
  }
  return sum + static_cast<double>(std::ranges::count(group, kSuppressed));
}

}  // namespace reissue::models::similarity
