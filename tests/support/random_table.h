#pragma once
// Random tables for the tests: numbers and taxonomies, few or many distinct places, beliefs that
// are alike or not.

#include <algorithm>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/models/similarity/publisher/publish.h"

namespace reissue::models::similarity {

// A random tree over leaves first … end - 1: joins[i] for the neighbours i and i + 1.
inline void GrowTree(Random& random, std::size_t first, std::size_t end,
                     std::vector<std::uint32_t>& joins) {
  if (end - first < 2) return;
  const std::size_t middle = first + 1 + random.Below(end - first - 1);
  joins[middle - 1] = static_cast<std::uint32_t>(end - first);
  GrowTree(random, first, middle, joins);
  GrowTree(random, middle, end, joins);
}

struct RandomShape {
  std::size_t rows = 40;
  std::size_t numbers = 2, trees = 1;
  std::uint64_t places = 10;  // distinct places per column
  std::uint32_t values = 4;
  std::size_t beliefs = 3;
};

inline Points RandomPoints(Random& random, const RandomShape& shape) {
  Points points;
  for (std::size_t c = 0; c < shape.numbers; ++c) {
    points.columns.push_back(Column::Number(0, static_cast<double>(shape.places - 1)));
  }
  for (std::size_t c = 0; c < shape.trees; ++c) {
    std::vector<std::uint32_t> joins(shape.places - 1);
    GrowTree(random, 0, shape.places, joins);
    points.columns.push_back(Column::Tree(std::move(joins)));
  }
  for (std::size_t i = 0; i < shape.rows * points.columns.size(); ++i) {
    points.place.push_back(static_cast<double>(random.Below(shape.places)));
  }
  Standardise(points);
  return points;
}

inline Distribution RandomBelief(Random& random, std::uint32_t values) {
  Distribution belief(values);
  double sum = 0;
  for (double& p : belief) {
    p = random.Below(4) == 0 ? 0 : 0.05 + random.Unit() * random.Unit();
    sum += p;
  }
  if (sum == 0) belief[0] = sum = 1;
  for (double& p : belief) p /= sum;
  return belief;
}

inline Table RandomTable(Random& random, const RandomShape& shape) {
  Table table;
  table.points = RandomPoints(random, shape);
  table.values = shape.values;
  for (std::size_t i = 0; i < shape.beliefs; ++i) {
    table.beliefs.push_back(RandomBelief(random, shape.values));
  }
  for (std::size_t row = 0; row < shape.rows; ++row) {
    // Values of which the first are the most frequent.
    table.value.push_back(
        static_cast<Value>(std::min(random.Below(shape.values), random.Below(shape.values))));
    table.belief.push_back(static_cast<std::uint32_t>(random.Below(shape.beliefs)));
  }
  return table;
}

}  // namespace reissue::models::similarity
