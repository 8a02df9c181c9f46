#include "reissue/models/invariance/adversary/equality_lattice.h"

#include <fplll.h>

#include <mutex>

#include "reissue/core/result.h"

namespace reissue::models::invariance {
namespace {

// The library has settings and random numbers of its own that threads would share.
std::mutex library;

constexpr int kBlock = 20;
constexpr std::size_t kBlockReduced = 60;  // larger ones are reduced pairwise only

// Columns: the two sides of each coordinate, as often as they count.
fplll::ZZ_mat<mpz_t> Scaled(const EqualitySpace& space, const std::vector<WholeVector>& basis) {
  const int columns = static_cast<int>(2 * space.coordinates.size());
  fplll::ZZ_mat<mpz_t> matrix(static_cast<int>(basis.size()), columns);
  for (std::size_t r = 0; r < basis.size(); ++r) {
    for (std::size_t c = 0; c < space.coordinates.size(); ++c) {
      const Whole same = basis[r][c] * space.coordinates[c].same;
      const Whole opposite = basis[r][c] * space.coordinates[c].opposite;
      const int row = static_cast<int>(r), column = static_cast<int>(2 * c);
      mpz_set(matrix[row][column].get_data(), same.get_mpz_t());
      mpz_set(matrix[row][column + 1].get_data(), opposite.get_mpz_t());
    }
  }
  return matrix;
}

std::vector<WholeVector> Unscaled(const EqualitySpace& space, fplll::ZZ_mat<mpz_t>& matrix) {
  std::vector<WholeVector> basis;
  for (int r = 0; r < matrix.get_rows(); ++r) {
    WholeVector& vector = basis.emplace_back();
    for (std::size_t c = 0; c < space.coordinates.size(); ++c) {
      const Coordinate& coordinate = space.coordinates[c];
      const bool same = coordinate.same > 0;
      const int column = static_cast<int>(2 * c + (same ? 0 : 1));
      vector.emplace_back(Whole(matrix[r][column].get_data()) /
                          (same ? coordinate.same : coordinate.opposite));
    }
  }
  return basis;
}

bool Reduce(fplll::ZZ_mat<mpz_t>& matrix, bool blocks) {
  if (fplll::lll_reduction(matrix) != fplll::RED_SUCCESS) return false;
  if (blocks && matrix.get_rows() > 2) {
    const int size = std::min(kBlock, matrix.get_rows());
    fplll::bkz_reduction(matrix, size, fplll::BKZ_AUTO_ABORT);
  }
  return true;
}

}  // namespace

WholeVector ShortVector(const EqualitySpace& space) {
  REISSUE_CHECK(space.dimension() > 0);
  std::vector<WholeVector> basis = WholeBasis(space);
  if (basis.size() > 1) {
    const std::lock_guard lock(library);
    fplll::ZZ_mat<mpz_t> matrix = Scaled(space, basis);
    if (Reduce(matrix, basis.size() <= kBlockReduced)) basis = Unscaled(space, matrix);
  }
  WholeVector best = basis.front();
  Whole least = Cost(space, best);
  auto consider = [&](const WholeVector& vector) {
    Whole cost = Cost(space, vector);
    if (cost >= least || cost == 0) return;
    least = cost;
    best = vector;
  };
  for (std::size_t i = 0; i < basis.size(); ++i) {
    consider(basis[i]);
    for (std::size_t j = 0; j < i; ++j) {
      WholeVector sum = basis[i], difference = basis[i];
      for (std::size_t c = 0; c < sum.size(); ++c) {
        sum[c] += basis[j][c];
        difference[c] -= basis[j][c];
      }
      consider(sum);
      consider(difference);
    }
  }
  return best;
}

std::uint64_t LengthBound(const EqualitySpace& space) {
  const std::lock_guard lock(library);
  const std::vector<WholeVector> basis = WholeBasis(space);
  fplll::ZZ_mat<mpz_t> matrix = Scaled(space, basis);
  if (!Reduce(matrix, true)) return 1;
  std::vector<fplll::Z_NR<mpz_t>> coefficients;
  if (fplll::shortest_vector(matrix, coefficients, fplll::SVPM_PROVED) != 0) return 1;
  Whole squares = 0;
  for (int c = 0; c < matrix.get_cols(); ++c) {
    Whole entry = 0;
    for (int r = 0; r < matrix.get_rows(); ++r) {
      entry += Whole(coefficients[static_cast<std::size_t>(r)].get_data()) *
               Whole(matrix[r][c].get_data());
    }
    squares += entry * entry;
  }
  // The least e with 2e² >= squares.
  Whole e = sqrt(Whole(squares / 2));
  while (2 * e * e < squares) ++e;
  return e.fits_ulong_p() ? std::max<std::uint64_t>(1, e.get_ui()) : 1;
}

}  // namespace reissue::models::invariance
