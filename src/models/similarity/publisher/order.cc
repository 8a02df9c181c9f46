#include <algorithm>
#include <bit>
#include <numeric>

#include "reissue/models/similarity/publisher/place_tree.h"
#include "reissue/models/similarity/publisher/publish.h"

namespace reissue::models::similarity {
namespace {

// Distinct places, in the order of their first rows, and their rows.
struct DistinctPlaces {
  std::vector<double> place;
  std::vector<std::uint32_t> begin;  // into `rows`, one more than there are places
  std::vector<std::uint32_t> rows;   // place by place, ascending
};

std::uint64_t HashOf(std::span<const double> place) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (const double x : place) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

DistinctPlaces Distinguish(const Points& points) {
  constexpr std::uint32_t kFree = ~std::uint32_t{0};
  const std::size_t rows = points.rows(), columns = points.columns.size();
  const std::size_t mask = std::bit_ceil(2 * rows + 1) - 1;
  std::vector<std::uint32_t> slots(mask + 1, kFree), number(rows);
  DistinctPlaces distinct;
  std::vector<std::uint32_t> size;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<const double> place = points.of(row);
    std::size_t slot = HashOf(place) & mask;
    while (slots[slot] != kFree && !std::equal(place.begin(), place.end(),
                                               distinct.place.begin() + slots[slot] * columns)) {
      slot = (slot + 1) & mask;
    }
    if (slots[slot] == kFree) {
      slots[slot] = static_cast<std::uint32_t>(size.size());
      size.push_back(0);
      distinct.place.insert(distinct.place.end(), place.begin(), place.end());
    }
    number[row] = slots[slot];
    ++size[number[row]];
  }
  distinct.begin.assign(size.size() + 1, 0);
  std::partial_sum(size.begin(), size.end(), distinct.begin.begin() + 1);
  std::vector<std::uint32_t> next(distinct.begin.begin(), distinct.begin.end() - 1);
  distinct.rows.resize(rows);
  for (std::uint32_t row = 0; row < rows; ++row) distinct.rows[next[number[row]]++] = row;
  return distinct;
}

// Mean squared distance of each leaf of a tree to the rows, `rows[i]` of which are at leaf i. Where
// a join is the widest of a run of leaves, all on its left are that far from all on its right.
// O(leaves).
std::vector<double> MeanSquaresOfLeaves(const Column& column, const std::vector<double>& rows) {
  const std::size_t leaves = rows.size();
  const auto width = [&](std::size_t i) {
    return column.Distance(static_cast<double>(i), static_cast<double>(i + 1));
  };
  // Per join i: it is the widest among leaves from … to - 1; of equal ones the first is the wider.
  std::vector<std::size_t> from(leaves, 0), to(leaves, leaves), open;
  for (std::size_t i = 0; i + 1 < leaves; ++i) {
    while (!open.empty() && width(open.back()) < width(i)) {
      to[open.back()] = i + 1;
      open.pop_back();
    }
    from[i] = open.empty() ? 0 : open.back() + 1;
    open.push_back(i);
  }
  std::vector<double> before(leaves + 1, 0), change(leaves + 1, 0), mean(leaves, 0);
  std::partial_sum(rows.begin(), rows.end(), before.begin() + 1);
  for (std::size_t i = 0; i + 1 < leaves; ++i) {
    const double square = width(i) * width(i);
    const double left = before[i + 1] - before[from[i]], right = before[to[i]] - before[i + 1];
    change[from[i]] += square * right;
    change[i + 1] += square * (left - right);
    change[to[i]] -= square * left;
  }
  std::partial_sum(change.begin(), change.end() - 1, mean.begin());
  for (double& square : mean) square = std::max(0.0, square / before.back());
  return mean;
}

// Per place; without what is the same for all places.
std::vector<double> MeanSquares(const Points& points, const DistinctPlaces& distinct) {
  const std::size_t columns = points.columns.size(), places = distinct.begin.size() - 1;
  std::vector<double> mean(places, 0);
  const auto rows_of = [&](std::size_t i) {
    return static_cast<double>(distinct.begin[i + 1] - distinct.begin[i]);
  };
  for (std::size_t c = 0; c < columns; ++c) {
    const Column& column = points.columns[c];
    const auto at = [&](std::size_t i) { return distinct.place[i * columns + c]; };
    if (column.tree()) {
      std::vector<double> rows(1, 0);
      for (std::size_t i = 0; i < places; ++i) {
        const auto leaf = static_cast<std::size_t>(at(i));
        if (leaf >= rows.size()) rows.resize(leaf + 1, 0);
        rows[leaf] += rows_of(i);
      }
      const std::vector<double> of_leaf = MeanSquaresOfLeaves(column, rows);
      for (std::size_t i = 0; i < places; ++i) mean[i] += of_leaf[static_cast<std::size_t>(at(i))];
    } else {
      double sum = 0;
      for (std::size_t i = 0; i < places; ++i) sum += at(i) * rows_of(i);
      const double middle = sum / static_cast<double>(distinct.rows.size());
      for (std::size_t i = 0; i < places; ++i) {
        const double away = column.Distance(at(i), middle);
        mean[i] += away * away;
      }
    }
  }
  return mean;
}

// Skilling's transform (Programming the Hilbert curve, 2004): coordinates of `bits` bits become the
// index along the curve, its bits spread over the coordinates, the first one's the highest.
void ToCurve(std::span<std::uint32_t> x, std::uint32_t bits) {
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::uint32_t& coordinate : x) {
      if (coordinate & bit) {
        x[0] ^= below;
      } else {
        const std::uint32_t exchange = (x[0] ^ coordinate) & below;
        x[0] ^= exchange;
        coordinate ^= exchange;
      }
    }
  }
  for (std::size_t i = 1; i < x.size(); ++i) x[i] ^= x[i - 1];
  std::uint32_t gray = 0;
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1) {
    if (x.back() & bit) gray ^= bit - 1;
  }
  for (std::uint32_t& coordinate : x) coordinate ^= gray;
}

std::uint64_t Interleave(std::span<const std::uint32_t> x, std::uint32_t bits) {
  std::uint64_t index = 0;
  for (std::uint32_t bit = bits; bit-- > 0;) {
    for (const std::uint32_t coordinate : x) index = index << 1 | (coordinate >> bit & 1);
  }
  return index;
}

}  // namespace

std::vector<std::uint32_t> NearestPointNext(const Points& points) {
  constexpr double kEquallyFar = 1 - 1e-9;
  std::vector<std::uint32_t> order;
  if (points.rows() == 0) return order;
  order.reserve(points.rows());
  const std::size_t columns = points.columns.size();
  const DistinctPlaces distinct = Distinguish(points);
  internal::PlaceTree left(points.columns, distinct.place);
  const std::vector<double> far = MeanSquares(points, distinct);
  const double farthest = *std::ranges::max_element(far);
  const auto start =
      std::ranges::find_if(far, [&](double mean) { return mean >= farthest * kEquallyFar; });
  std::optional<std::uint32_t> next = static_cast<std::uint32_t>(start - far.begin());
  while (next) {
    const std::uint32_t item = *next;
    order.insert(order.end(), distinct.rows.begin() + distinct.begin[item],
                 distinct.rows.begin() + distinct.begin[item + 1]);
    left.Remove(item);
    next = left.Nearest({distinct.place.data() + item * columns, columns}, item);
  }
  return order;
}

std::vector<std::uint32_t> HilbertOrder(const Points& points) {
  const std::size_t rows = points.rows();
  const std::size_t columns = std::min<std::size_t>(points.columns.size(), 64);
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  if (rows == 0) return order;
  Box all;
  for (std::size_t row = 0; row < rows; ++row) all.Add(points.of(row));
  const auto bits = static_cast<std::uint32_t>(std::min<std::size_t>(16, 64 / columns));
  const double largest = static_cast<double>((1u << bits) - 1);
  std::vector<std::uint64_t> index(rows);
  std::vector<std::uint32_t> x(columns);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<const double> place = points.of(row);
    for (std::size_t c = 0; c < columns; ++c) {
      const double range = all.high[c] - all.low[c];
      const double share = range > 0 ? (place[c] - all.low[c]) / range : 0;
      x[c] = static_cast<std::uint32_t>(share * largest + 0.5);
    }
    ToCurve(x, bits);
    index[row] = Interleave(x, bits);
  }
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return index[a] != index[b] ? index[a] < index[b] : a < b;
  });
  return order;
}

}  // namespace reissue::models::similarity
