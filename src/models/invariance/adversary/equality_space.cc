#include "reissue/models/invariance/adversary/equality_space.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "reissue/core/result.h"

namespace reissue::models::invariance {
namespace {

// More than this is as good as infinite: larger than any number of people.
constexpr std::uint64_t kTooMuch = std::uint64_t{1} << 60;

std::uint64_t Add(std::uint64_t sum, const Whole& times, std::uint64_t people) {
  const Whole exact = sum + times * people;
  return exact < kTooMuch ? exact.get_ui() : kTooMuch;
}

// The largest fraction of which all are whole multiples; positive.
Fraction CommonMeasure(const std::vector<Fraction>& fractions) {
  Whole numerator = 0, denominator = 1;
  for (const Fraction& f : fractions) {
    denominator = lcm(denominator, f.get_den());
  }
  for (const Fraction& f : fractions) {
    numerator = gcd(numerator, Whole(f.get_num() * (denominator / f.get_den())));
  }
  Fraction measure(numerator, denominator);
  measure.canonicalize();
  return measure;
}

}  // namespace

std::vector<std::size_t> Eliminate(FractionRows& rows, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> pivots;
  std::vector<std::size_t> filled;  // columns of the pivot row that are not 0
  Fraction product;
  for (std::size_t column = begin; column < end && pivots.size() < rows.size(); ++column) {
    std::size_t at = pivots.size();
    while (at < rows.size() && rows[at][column] == 0) ++at;
    if (at == rows.size()) continue;
    std::swap(rows[at], rows[pivots.size()]);
    std::vector<Fraction>& pivot = rows[pivots.size()];
    const Fraction scale = 1 / pivot[column];
    filled.clear();
    for (std::size_t c = 0; c < pivot.size(); ++c) {
      if (pivot[c] == 0) continue;
      filled.push_back(c);
      if (scale != 1) pivot[c] *= scale;
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == pivots.size() || rows[r][column] == 0) continue;
      const Fraction times = rows[r][column];
      for (const std::size_t c : filled) {
        product = times * pivot[c];
        rows[r][c] -= product;
      }
    }
    pivots.push_back(column);
  }
  return pivots;
}

void Merge(EqualitySpace& space) {
  const std::size_t old = space.coordinates.size();
  const std::size_t dimension = space.dimension();
  // A column divided by its first entry that is not 0 says which columns are multiples.
  std::map<std::vector<Fraction>, std::vector<std::pair<std::size_t, Fraction>>> classes;
  for (std::size_t c = 0; c < old; ++c) {
    std::vector<Fraction> direction(dimension);
    Fraction first = 0;
    for (std::size_t r = 0; r < dimension; ++r) {
      if (space.rows[r][c] == 0) continue;
      if (first == 0) first = space.rows[r][c];
      direction[r] = space.rows[r][c] / first;
    }
    if (first != 0) classes[std::move(direction)].emplace_back(c, first);
  }
  std::vector<std::pair<std::size_t, const std::vector<Fraction>*>> order;
  for (const auto& [direction, members] : classes) {
    order.emplace_back(members.front().first, &direction);
  }
  std::ranges::sort(order);
  std::vector<Origin> moved(old);
  std::vector<Coordinate> coordinates;
  FractionRows rows(dimension, std::vector<Fraction>(order.size()));
  for (const auto& [leader, direction] : order) {
    const auto& members = classes.at(*direction);
    std::vector<Fraction> entries;
    for (const auto& [column, first] : members) entries.push_back(first);
    Fraction measure = CommonMeasure(entries);
    if (sgn(entries.front()) < 0) measure = -measure;
    const std::size_t place = coordinates.size();
    Coordinate& merged = coordinates.emplace_back();
    for (const auto& [column, first] : members) {
      const Fraction factor = first / measure;
      REISSUE_CHECK(factor.get_den() == 1);
      moved[column] = {place, factor.get_num()};
      const Whole times = abs(factor.get_num());
      const Coordinate& was = space.coordinates[column];
      const bool turned = sgn(factor) < 0;
      merged.same = Add(merged.same, times, turned ? was.opposite : was.same);
      merged.opposite = Add(merged.opposite, times, turned ? was.same : was.opposite);
    }
    for (std::size_t r = 0; r < dimension; ++r) rows[r][place] = (*direction)[r] * measure;
  }
  for (Origin& origin : space.origins) {
    if (!origin.coordinate) continue;
    const Origin& next = moved[*origin.coordinate];
    origin.factor *= next.factor;
    origin.coordinate = next.coordinate;
  }
  space.coordinates = std::move(coordinates);
  space.rows = std::move(rows);
  space.pivots = Eliminate(space.rows, 0, space.coordinates.size());
  REISSUE_CHECK(space.pivots.size() == dimension);
}

EqualitySpace Restrict(const EqualitySpace& space, const std::vector<bool>& zero) {
  const std::size_t columns = space.coordinates.size();
  // The columns that must be 0 come first: rows that have no pivot among them are 0 there.
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < columns; ++c) {
    if (zero[c]) order.push_back(c);
  }
  const std::size_t fixed = order.size();
  for (std::size_t c = 0; c < columns; ++c) {
    if (!zero[c]) order.push_back(c);
  }
  FractionRows rows;
  for (const std::vector<Fraction>& row : space.rows) {
    std::vector<Fraction>& copy = rows.emplace_back();
    for (const std::size_t c : order) copy.push_back(row[c]);
  }
  const std::size_t lost = Eliminate(rows, 0, fixed).size();
  EqualitySpace left;
  for (std::size_t r = lost; r < rows.size(); ++r) {
    left.rows.emplace_back(rows[r].begin() + static_cast<std::ptrdiff_t>(fixed), rows[r].end());
  }
  std::vector<std::optional<std::size_t>> place(columns);
  for (std::size_t i = fixed; i < columns; ++i) {
    place[order[i]] = i - fixed;
    left.coordinates.push_back(space.coordinates[order[i]]);
  }
  left.origins = space.origins;
  for (Origin& origin : left.origins) {
    if (origin.coordinate) origin.coordinate = place[*origin.coordinate];
  }
  left.pivots = Eliminate(left.rows, 0, left.coordinates.size());
  return left;
}

std::vector<EqualitySpace> Components(const EqualitySpace& space) {
  const std::size_t columns = space.coordinates.size();
  std::vector<std::size_t> parent(columns);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  auto find = [&parent](std::size_t x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  };
  for (std::size_t r = 0; r < space.dimension(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (space.rows[r][c] != 0) parent[find(c)] = find(space.pivots[r]);
    }
  }
  std::map<std::size_t, std::size_t> part_of_root;
  for (const std::size_t pivot : space.pivots) {
    part_of_root.emplace(find(pivot), part_of_root.size());
  }
  std::vector<EqualitySpace> parts(part_of_root.size());
  std::vector<std::optional<std::pair<std::size_t, std::size_t>>> place(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    const auto part = part_of_root.find(find(c));
    if (part == part_of_root.end()) continue;
    place[c] = {part->second, parts[part->second].coordinates.size()};
    parts[part->second].coordinates.push_back(space.coordinates[c]);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].origins.resize(space.origins.size());
    for (std::size_t o = 0; o < space.origins.size(); ++o) {
      const Origin& origin = space.origins[o];
      if (!origin.coordinate || !place[*origin.coordinate]) continue;
      if (place[*origin.coordinate]->first != i) continue;
      parts[i].origins[o] = {place[*origin.coordinate]->second, origin.factor};
    }
  }
  for (std::size_t r = 0; r < space.dimension(); ++r) {
    const auto [part, pivot] = *place[space.pivots[r]];
    std::vector<Fraction>& row =
        parts[part].rows.emplace_back(parts[part].coordinates.size(), Fraction(0));
    parts[part].pivots.push_back(pivot);
    for (std::size_t c = 0; c < columns; ++c) {
      if (space.rows[r][c] != 0) row[place[c]->second] = space.rows[r][c];
    }
  }
  return parts;
}

std::optional<WholeVector> FromPivots(const EqualitySpace& space, const WholeVector& at_pivots) {
  std::vector<Fraction> sums(space.coordinates.size());
  for (std::size_t r = 0; r < space.dimension(); ++r) {
    if (at_pivots[r] == 0) continue;
    for (std::size_t c = 0; c < sums.size(); ++c) {
      if (space.rows[r][c] != 0) sums[c] += space.rows[r][c] * at_pivots[r];
    }
  }
  WholeVector vector;
  for (const Fraction& sum : sums) {
    if (sum.get_den() != 1) return std::nullopt;
    vector.push_back(sum.get_num());
  }
  return vector;
}

// Columns are combined until the basis is [T 0] with T lower triangular; T⁻¹ · basis is then a
// basis of all whole vectors of the space.
std::vector<WholeVector> WholeBasis(const EqualitySpace& space) {
  const std::size_t dimension = space.dimension();
  std::vector<WholeVector> basis(dimension);
  bool already = true;
  for (std::size_t r = 0; r < dimension; ++r) {
    Whole denominator = 1;
    for (const Fraction& f : space.rows[r]) denominator = lcm(denominator, f.get_den());
    already = already && denominator == 1;
    for (const Fraction& f : space.rows[r]) {
      basis[r].push_back(f.get_num() * (denominator / f.get_den()));
    }
  }
  if (already) return basis;
  std::vector<WholeVector> triangle = basis;
  const std::size_t columns = space.coordinates.size();
  for (std::size_t r = 0; r < dimension; ++r) {
    // Euclid on row r, among the columns from r on.
    for (;;) {
      std::optional<std::size_t> least;
      std::size_t others = 0;
      for (std::size_t c = r; c < columns; ++c) {
        if (triangle[r][c] == 0) continue;
        ++others;
        if (!least || abs(triangle[r][c]) < abs(triangle[r][*least])) least = c;
      }
      REISSUE_CHECK(least.has_value());
      if (*least != r) {
        for (std::size_t k = r; k < dimension; ++k) std::swap(triangle[k][r], triangle[k][*least]);
      }
      if (others == 1) break;
      for (std::size_t c = r + 1; c < columns; ++c) {
        if (triangle[r][c] == 0) continue;
        const Whole times = triangle[r][c] / triangle[r][r];
        for (std::size_t k = r; k < dimension; ++k) triangle[k][c] -= times * triangle[k][r];
      }
    }
  }
  for (std::size_t r = 0; r < dimension; ++r) {
    for (std::size_t k = 0; k < r; ++k) {
      if (triangle[r][k] == 0) continue;
      for (std::size_t c = 0; c < columns; ++c) basis[r][c] -= triangle[r][k] * basis[k][c];
    }
    for (std::size_t c = 0; c < columns; ++c) {
      REISSUE_CHECK(basis[r][c] % triangle[r][r] == 0);
      basis[r][c] /= triangle[r][r];
    }
  }
  return basis;
}

Whole Cost(const EqualitySpace& space, const WholeVector& vector) {
  Whole sum = 0;
  for (std::size_t c = 0; c < vector.size(); ++c) {
    if (vector[c] != 0) sum += abs(vector[c]) * space.coordinates[c].cost();
  }
  return sum;
}

WholeVector Expand(const EqualitySpace& space, const WholeVector& vector) {
  WholeVector expanded;
  for (const Origin& origin : space.origins) {
    expanded.push_back(origin.coordinate ? Whole(origin.factor * vector[*origin.coordinate])
                                         : Whole(0));
  }
  return expanded;
}

void Shrink(EqualitySpace& space, std::uint64_t below) {
  for (;;) {
    Merge(space);
    std::vector<bool> zero;
    for (const Coordinate& coordinate : space.coordinates) {
      zero.push_back(coordinate.side() >= below);
    }
    if (std::ranges::find(zero, true) == zero.end()) return;
    space = Restrict(space, zero);
  }
}

}  // namespace reissue::models::invariance
