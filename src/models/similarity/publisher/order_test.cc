#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "random_table.h"
#include "reissue/models/similarity/publisher/place_tree.h"

namespace reissue::models::similarity {
namespace {

double SquaresBetween(const Points& points, std::size_t a, std::size_t b) {
  double squares = 0;
  for (std::size_t c = 0; c < points.columns.size(); ++c) {
    const double away = points.columns[c].Distance(points.of(a)[c], points.of(b)[c]);
    squares += away * away;
  }
  return squares;
}

// The definition, word by word; O(rows²).
std::vector<std::uint32_t> SlowNearestPointNext(const Points& points) {
  const auto rows = static_cast<std::uint32_t>(points.rows());
  std::vector<std::uint32_t> order;
  if (rows == 0) return order;
  std::vector<double> far(rows, 0);
  for (std::uint32_t a = 0; a < rows; ++a) {
    for (std::uint32_t b = 0; b < rows; ++b) far[a] += SquaresBetween(points, a, b) / rows;
  }
  const double farthest = *std::ranges::max_element(far);
  std::uint32_t at = 0;
  while (far[at] < farthest * (1 - 1e-10)) ++at;
  std::vector<char> taken(rows, 0);
  while (true) {
    order.push_back(at);
    taken[at] = 1;
    double nearest = std::numeric_limits<double>::infinity();
    std::uint32_t next = rows;
    for (std::uint32_t row = 0; row < rows; ++row) {
      if (!taken[row] && SquaresBetween(points, at, row) < nearest) {
        nearest = SquaresBetween(points, at, row);
        next = row;
      }
    }
    if (next == rows) return order;
    at = next;
  }
}

TEST(Order, NearestPointNextIsTheDefinition) {
  Random random = Random::Seeded(1);
  for (int round = 0; round < 400; ++round) {
    const RandomShape shape{.rows = 1 + random.Below(120),
                            .numbers = random.Below(4),
                            .trees = random.Below(3),
                            .places = 2 + random.Below(round % 2 ? 5 : 200)};
    if (shape.numbers + shape.trees == 0) continue;
    const Points points = RandomPoints(random, shape);
    ASSERT_EQ(NearestPointNext(points), SlowNearestPointNext(points)) << round;
  }
}

TEST(Order, ByHand) {
  // 0 and 10 are equally far from the middle; the smaller row number begins.
  Points points{.columns = {Column::Number(0, 10)}, .place = {4, 10, 0, 5, 4, 6}};
  Standardise(points);
  EXPECT_EQ(NearestPointNext(points), (std::vector<std::uint32_t>{1, 5, 3, 0, 4, 2}));
  EXPECT_TRUE(NearestPointNext({}).empty());
  EXPECT_TRUE(HilbertOrder({}).empty());
}

TEST(Order, NearestFewAreTheNearest) {
  Random random = Random::Seeded(2);
  const Points points = RandomPoints(random, {.rows = 500, .numbers = 2, .trees = 1, .places = 12});
  internal::PlaceTree tree(points.columns, points.place);
  std::vector<char> removed(points.rows(), 0);
  std::vector<internal::PlaceTree::Found> found;
  for (int round = 0; round < 300; ++round) {
    const std::size_t row = random.Below(points.rows());
    tree.Nearest(points.of(row), 7, found);
    std::vector<internal::PlaceTree::Found> expected;
    for (std::uint32_t other = 0; other < points.rows(); ++other) {
      if (!removed[other]) expected.push_back({SquaresBetween(points, row, other), other});
    }
    std::ranges::sort(expected);
    expected.resize(std::min<std::size_t>(7, expected.size()));
    ASSERT_TRUE(found == expected);
    const std::size_t gone = random.Below(points.rows());
    if (!removed[gone]) tree.Remove(static_cast<std::uint32_t>(gone));
    removed[gone] = 1;
  }
}

// With many columns a search would look at everybody.
TEST(Order, ASearchEndsAfterItsWork) {
  Random random = Random::Seeded(3);
  const Points points =
      RandomPoints(random, {.rows = 4000, .numbers = 20, .trees = 20, .places = 12});
  internal::PlaceTree tree(points.columns, points.place, 0);
  int nearest = 0;
  double found = 0, least = 0;
  for (std::uint32_t row = 0; row < 100; ++row) {
    tree.Remove(row);
    const auto near = tree.Nearest(points.of(row), row);
    ASSERT_TRUE(near && *near > row);
    std::vector<double> squares;
    for (std::size_t other = row + 1; other < points.rows(); ++other) {
      squares.push_back(SquaresBetween(points, row, other));
    }
    const double best = std::ranges::min(squares);
    nearest += SquaresBetween(points, row, *near) == best;
    found += SquaresBetween(points, row, *near);
    least += best;
  }
  EXPECT_LT(nearest, 100);
  EXPECT_LT(found, 1.5 * least);
}

// On a full grid, whoever follows on the curve is a neighbour.
void ExpectNeighbours(std::size_t columns, std::size_t side) {
  std::size_t rows = 1;
  for (std::size_t c = 0; c < columns; ++c) rows *= side;
  Points points;
  points.columns.assign(columns, Column::Number(0, static_cast<double>(side - 1)));
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0, rest = row; c < columns; ++c, rest /= side) {
      points.place.push_back(static_cast<double>(rest % side));
    }
  }
  const std::vector<std::uint32_t> order = HilbertOrder(points);
  ASSERT_EQ(order.size(), rows);
  for (std::size_t i = 1; i < rows; ++i) {
    double steps = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      steps += std::abs(points.of(order[i])[c] - points.of(order[i - 1])[c]);
    }
    ASSERT_EQ(steps, 1) << columns << " columns, step " << i;
  }
}

TEST(Order, HilbertCurveGoesFromNeighbourToNeighbour) {
  ExpectNeighbours(1, 16);
  ExpectNeighbours(2, 16);
  ExpectNeighbours(3, 8);
  ExpectNeighbours(4, 4);
}

TEST(Order, HilbertOrderHasEveryRowOnceAndEqualPlacesTogether) {
  Random random = Random::Seeded(3);
  const Points points = RandomPoints(random, {.rows = 300, .numbers = 3, .trees = 2, .places = 3});
  std::vector<std::uint32_t> order = HilbertOrder(points);
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (SquaresBetween(points, order[i - 1], order[i]) == 0) {
      EXPECT_LT(order[i - 1], order[i]);
    }
  }
  std::ranges::sort(order);
  std::vector<std::uint32_t> all(points.rows());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(order, all);
}

}  // namespace
}  // namespace reissue::models::similarity
