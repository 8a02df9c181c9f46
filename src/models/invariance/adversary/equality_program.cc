#include "reissue/models/invariance/adversary/equality_program.h"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "reissue/core/fragile.h"

namespace reissue::models::invariance {
namespace {

// Further from a whole number than this is not whole.
constexpr double kWhole = 1e-6;
// Sums of the bounds are exact to less than this.
constexpr double kSlack = 1e-5;
// Coefficients above this would not be exact.
constexpr double kLargest = 1e9;
constexpr int kDeepest = 300;
// A program of up to so many lines times columns is a node; a larger one is several.
constexpr std::size_t kCheap = 20'000;

// Coordinate c is column 2c less column 2c + 1. A row per coordinate that is no pivot says what it
// is made of.
class Program {
 public:
  Program(const EqualitySpace& space, std::size_t coordinate, std::uint64_t below,
          std::uint64_t& nodes)
      : space_(space), coordinate_(coordinate), below_(below), nodes_(nodes) {
    Load();
  }

  LeastVector Solve() {
    LeastVector result;
    result.lower = exact_ ? Visit(1, 0) : 1;
    result.found = std::move(found_);
    result.lower = std::min(result.lower, below_);
    return result;
  }

 private:
  void Load() {
    const std::size_t columns = space_.coordinates.size();
    std::vector<bool> is_pivot(columns, false);
    for (const std::size_t pivot : space_.pivots) is_pivot[pivot] = true;
    std::vector<int> starts = {0}, indices;
    std::vector<double> elements;
    auto add = [&](std::size_t c, const Whole& coefficient) {
      const double x = coefficient.get_d();
      exact_ = exact_ && std::abs(x) <= kLargest;
      indices.insert(indices.end(), {static_cast<int>(2 * c), static_cast<int>(2 * c + 1)});
      elements.insert(elements.end(), {x, -x});
    };
    for (std::size_t c = 0; c < columns; ++c) {
      if (is_pivot[c]) continue;
      Whole denominator = 1;
      for (const std::vector<Fraction>& row : space_.rows) {
        denominator = lcm(denominator, row[c].get_den());
      }
      add(c, denominator);
      for (std::size_t r = 0; r < space_.dimension(); ++r) {
        const Fraction& f = space_.rows[r][c];
        if (f != 0) add(space_.pivots[r], Whole(-f.get_num() * (denominator / f.get_den())));
      }
      starts.push_back(static_cast<int>(indices.size()));
    }
    const std::size_t lines = starts.size() - 1;
    const std::uint64_t size = lines * columns / kCheap;
    price_ = 1 + size * size;
    std::vector<double> lower(2 * columns, 0), upper(2 * columns), costs(2 * columns);
    for (std::size_t c = 0; c < columns; ++c) {
      // Neither side may have `below` people or more.
      const auto most = static_cast<double>(
          (below_ - 1) / std::max<std::uint64_t>(1, space_.coordinates[c].side()));
      upper[2 * c] = upper[2 * c + 1] = most;
      costs[2 * c] = costs[2 * c + 1] = static_cast<double>(space_.coordinates[c].cost());
    }
    lower[2 * coordinate_] = 1;
    upper[2 * coordinate_] = std::max(1.0, upper[2 * coordinate_]);
    upper[2 * coordinate_ + 1] = 0;
    CoinPackedMatrix matrix(false, static_cast<int>(2 * columns), static_cast<int>(lines),
                            static_cast<int>(elements.size()), elements.data(), indices.data(),
                            starts.data(), nullptr);
    matrix.reverseOrdering();
    matrix.setDimensions(static_cast<int>(lines), static_cast<int>(2 * columns));
    const std::vector<double> zeros(lines, 0);
    solver_.setLogLevel(0);
    solver_.loadProblem(matrix, lower.data(), upper.data(), costs.data(), zeros.data(),
                        zeros.data());
    solver_.setPrimalTolerance(1e-8);
    solver_.setDualTolerance(1e-8);
    solver_.scaling(0);
    solver_.setPerturbation(100);
  }

  // Σ cost · x is at least this for all x within the bounds of the columns: with the multipliers of
  // the rows, which are all = 0, every column is looked at by itself.
  double BoundFrom(const double* multipliers, double cost_factor) const {
    const CoinPackedMatrix& matrix = *solver_.matrix();
    const double* elements = matrix.getElements();
    const int* indices = matrix.getIndices();
    double sum = 0;
    for (int c = 0; c < solver_.numberColumns(); ++c) {
      double reduced = cost_factor * solver_.objective()[c];
      const CoinBigIndex begin = matrix.getVectorStarts()[c];
      for (CoinBigIndex i = begin; i < begin + matrix.getVectorLengths()[c]; ++i) {
        reduced -= multipliers[indices[i]] * elements[i];
      }
      const double x = reduced > 0 ? solver_.columnLower()[c] : solver_.columnUpper()[c];
      if (x != 0) sum += reduced * x;
    }
    return sum;
  }

  bool ProvenImpossible() const {
    std::unique_ptr<double[]> ray(solver_.infeasibilityRay());
    if (!ray) return false;
    double largest = 0;
    const int lines = solver_.numberRows();
    for (int r = 0; r < lines; ++r) largest = std::max(largest, std::abs(ray[r]));
    if (largest == 0) return false;
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> multipliers(static_cast<std::size_t>(lines));
      for (int r = 0; r < lines; ++r) {
        multipliers[static_cast<std::size_t>(r)] = sign * ray[r] / largest;
      }
      if (BoundFrom(multipliers.data(), 0) > kSlack) return true;
    }
    return false;
  }

  double At(std::size_t c) const {
    return solver_.primalColumnSolution()[2 * c] - solver_.primalColumnSolution()[2 * c + 1];
  }

  // The point rounded at the pivots, if that is whole, small, and still not 0 at the coordinate.
  void TakeRounded() {
    WholeVector pivots;
    for (const std::size_t pivot : space_.pivots) pivots.emplace_back(std::round(At(pivot)));
    std::optional<WholeVector> vector = FromPivots(space_, pivots);
    if (!vector || (*vector)[coordinate_] == 0) return;
    const Whole size = Cost(space_, *vector) / 2;
    if (size >= below_) return;
    below_ = size.get_ui();
    found_ = std::move(vector);
  }

  std::optional<std::size_t> MostFractional() const {
    std::optional<std::size_t> most;
    double distance = kWhole;
    for (std::size_t c = 0; c < space_.coordinates.size(); ++c) {
      const double d = std::abs(At(c) - std::round(At(c)));
      if (d > distance) {
        most = c;
        distance = d;
      }
    }
    return most;
  }

  // What is proven of the sizes in the box at hand; `known` is what its parent proves.
  std::uint64_t Visit(std::uint64_t known, int depth) {
    if (known >= below_) return known;
    if (depth > 0 && nodes_ == 0) return known;
    nodes_ -= std::min(nodes_, price_);
    if (depth > kDeepest) return known;
    solver_.dual();
    if (solver_.isProvenPrimalInfeasible()) return ProvenImpossible() ? below_ : known;
    if (!solver_.isProvenOptimal()) return known;
    const double bound = BoundFrom(solver_.dualRowSolution(), 1);
    if (bound > kSlack) {
      known = std::max(known, static_cast<std::uint64_t>(std::ceil((bound - kSlack) / 2)));
    }
    TakeRounded();
    if (known >= below_) return known;
    const std::optional<std::size_t> branch = MostFractional();
    // A whole point is taken above, unless rounding deceives.
    if (!branch) return known;
    return Branch(*branch, known, depth);
  }

  std::uint64_t Branch(std::size_t c, std::uint64_t known, int depth) {
    const double floor = std::floor(At(c)), ceil = std::ceil(At(c));
    const bool up_first = At(c) - floor > 0.5;
    const int plus = static_cast<int>(2 * c), minus = plus + 1;
    const double plus_low = solver_.columnLower()[plus], plus_high = solver_.columnUpper()[plus];
    const double minus_low = solver_.columnLower()[minus],
                 minus_high = solver_.columnUpper()[minus];
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const bool up : {up_first, !up_first}) {
      // The value is plus - minus, and one of them is 0.
      if (up) {
        solver_.setColumnBounds(plus, std::max(plus_low, ceil), plus_high);
        solver_.setColumnBounds(minus, minus_low, std::min(minus_high, std::max(0.0, -ceil)));
      } else {
        solver_.setColumnBounds(plus, plus_low, std::min(plus_high, std::max(0.0, floor)));
        solver_.setColumnBounds(minus, std::max(minus_low, -floor), minus_high);
      }
      const bool empty = solver_.columnLower()[plus] > solver_.columnUpper()[plus] ||
                         solver_.columnLower()[minus] > solver_.columnUpper()[minus];
      least = std::min(least, empty ? below_ : Visit(known, depth + 1));
      solver_.setColumnBounds(plus, plus_low, plus_high);
      solver_.setColumnBounds(minus, minus_low, minus_high);
    }
    return std::max(known, least);
  }

  const EqualitySpace& space_;
  std::size_t coordinate_;
  std::uint64_t below_;
  std::uint64_t& nodes_;
  std::uint64_t price_ = 1;  // of a node, in nodes
  bool exact_ = true;
  std::optional<WholeVector> found_;
  Fragile<ClpSimplex> owned_ = MakeFragile<ClpSimplex>();
  ClpSimplex& solver_ = *owned_;
};

}  // namespace

LeastVector LeastWith(const EqualitySpace& space, std::size_t coordinate, std::uint64_t below,
                      std::uint64_t& nodes) {
  return Program(space, coordinate, below, nodes).Solve();
}

}  // namespace reissue::models::invariance
