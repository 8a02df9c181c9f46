#pragma once
// Whole vectors that are sums of given ones, and the short ones among them. Slow and plain.

#include <functional>
#include <vector>

namespace oracle::invariance {

using Vector = std::vector<long>;
using Matrix = std::vector<Vector>;  // rows

Matrix Transposed(const Matrix& rows, std::size_t columns);

// The same lattice: every row begins further right than the one above it; no row is zero.
Matrix Echelon(Matrix rows);

// All whole w with w·rows = 0. `columns` is the length of a row.
Matrix LeftKernel(const Matrix& rows, std::size_t columns);
// All whole x with rows·x = 0.
Matrix RightKernel(const Matrix& rows, std::size_t columns);

// All whole vectors of the space that the rows span.
Matrix Saturated(const Matrix& rows, std::size_t columns);

// Calls `visit` with every vector x ≠ 0 of the lattice with Σ cost·|x| ≤ limit, and its cost. What
// it returns is the limit from then on. `echelon` as Echelon makes it. Complete: the entry where a
// row begins is settled by that row and those above it, so each such entry is tried with all values
// within the limit.
void ForEachShort(const Matrix& echelon, const Vector& cost, long limit,
                  const std::function<long(const Vector& x, long cost)>& visit);

// The least Σ cost·|x| of x ≠ 0 in the lattice; 0 if there is no such x.
long Shortest(const Matrix& echelon, const Vector& cost);

}  // namespace oracle::invariance
