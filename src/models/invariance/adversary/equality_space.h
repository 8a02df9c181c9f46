#pragma once
// The vectors that weights of groups can make of the people, exactly: a space of rational vectors,
// of which the whole ones are the equalities. Internal to the adversary.

#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace reissue::models::invariance {

using Fraction = mpq_class;
using Whole = mpz_class;

// Rows of fractions, all of the same length.
using FractionRows = std::vector<std::vector<Fraction>>;

// Brings rows to reduced echelon form on the columns begin … end (columns elsewhere are carried
// along); returns the pivot column of each of the first rows, the others are 0 there.
// O(rows² · columns) operations.
std::vector<std::size_t> Eliminate(FractionRows& rows, std::size_t begin, std::size_t end);

// A coordinate stands for people whose entries are fixed multiples of it: whole exactly where it is
// whole.
struct Coordinate {
  std::uint64_t same = 0;      // entries of people on its side, for a coordinate of 1
  std::uint64_t opposite = 0;  // on the other side
  std::uint64_t cost() const { return same + opposite; }
  std::uint64_t side() const { return same > opposite ? same : opposite; }
};

// Where a column of the beginning is found: `factor` times the coordinate.
struct Origin {
  std::optional<std::size_t> coordinate;  // none: 0 in all vectors
  Whole factor = 1;
};

struct EqualitySpace {
  std::vector<Coordinate> coordinates;
  std::vector<Origin> origins;      // per column of the beginning
  FractionRows rows;                // a basis in reduced echelon form; per coordinate
  std::vector<std::size_t> pivots;  // per row

  std::size_t dimension() const { return rows.size(); }
};

// Vectors as integer coefficients of coordinates; sizes count the people of one side.
using WholeVector = std::vector<Whole>;

// Coordinates that are 0 or multiples of others become one.
void Merge(EqualitySpace& space);
// The vectors that are 0 at the named coordinates.
EqualitySpace Restrict(const EqualitySpace& space, const std::vector<bool>& zero);
// The space as a sum of spaces without common coordinates: their least vectors are its least.
std::vector<EqualitySpace> Components(const EqualitySpace& space);
// The vector with these values at the pivots, if it is whole.
std::optional<WholeVector> FromPivots(const EqualitySpace& space, const WholeVector& at_pivots);
// A basis of all whole vectors.
std::vector<WholeVector> WholeBasis(const EqualitySpace& space);
// Σ cost · |entry|: twice the number of people of one side.
Whole Cost(const EqualitySpace& space, const WholeVector& vector);
// Per column of the beginning.
WholeVector Expand(const EqualitySpace& space, const WholeVector& vector);

// Leaves out whoever stands for too many people to be in an equality of fewer than `below`.
void Shrink(EqualitySpace& space, std::uint64_t below);

}  // namespace reissue::models::invariance
