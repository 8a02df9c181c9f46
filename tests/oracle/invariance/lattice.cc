#include "lattice.h"

#include <cstdlib>

namespace oracle::invariance {
namespace {

void Subtract(Vector& from, const Vector& row, long times) {
  for (std::size_t c = 0; c < from.size(); ++c) {
    from[c] -= times * row[c];
    if (std::labs(from[c]) > (1L << 45)) std::abort();  // no longer tiny
  }
}

std::size_t BeginOf(const Vector& row) {
  std::size_t c = 0;
  while (c < row.size() && row[c] == 0) ++c;
  return c;
}

long CostOf(const Vector& x, const Vector& cost) {
  long sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += cost[c] * std::labs(x[c]);
  return sum;
}

class Search {
 public:
  Search(const Matrix& echelon, const Vector& cost, long limit,
         const std::function<long(const Vector&, long)>& visit)
      : rows_(echelon), cost_(cost), limit_(limit), visit_(visit) {
    for (const Vector& row : rows_) begin_.push_back(BeginOf(row));
    begin_.push_back(cost.size());
  }

  void Run() {
    Vector zero(cost_.size());
    Row(0, zero, 0, true);
  }

 private:
  // Columns before the beginning of row `i` are settled and cost `spent`.
  void Row(std::size_t i, const Vector& x, long spent, bool zero) {
    if (i == rows_.size()) {
      if (!zero) limit_ = visit_(x, spent);
      return;
    }
    const std::size_t begin = begin_[i];
    for (long size = 0; spent + size * cost_[begin] <= limit_; ++size) {
      Entry(i, x, spent, zero, size);
      if (size > 0) Entry(i, x, spent, zero, -size);
    }
  }

  // Adds the multiple of row `i` that makes the entry where it begins `entry`, if there is one.
  void Entry(std::size_t i, const Vector& x, long spent, bool zero, long entry) {
    const std::size_t begin = begin_[i];
    const long step = rows_[i][begin];
    if ((entry - x[begin]) % step != 0) return;
    const long times = (entry - x[begin]) / step;
    Vector next = x;
    Subtract(next, rows_[i], -times);
    for (std::size_t c = begin; c < begin_[i + 1]; ++c) spent += cost_[c] * std::labs(next[c]);
    if (spent <= limit_) Row(i + 1, next, spent, zero && times == 0);
  }

  const Matrix& rows_;
  const Vector& cost_;
  long limit_;
  const std::function<long(const Vector&, long)>& visit_;
  std::vector<std::size_t> begin_;
};

}  // namespace

Matrix Transposed(const Matrix& rows, std::size_t columns) {
  Matrix turned(columns, Vector(rows.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) turned[c][r] = rows[r][c];
  }
  return turned;
}

Matrix Echelon(Matrix rows) {
  std::size_t done = 0;
  const std::size_t columns = rows.empty() ? 0 : rows[0].size();
  for (std::size_t c = 0; c < columns && done < rows.size(); ++c) {
    // Euclid down the column until one row is left that is not zero there.
    for (;;) {
      std::size_t least = rows.size();
      std::size_t others = 0;
      for (std::size_t r = done; r < rows.size(); ++r) {
        if (rows[r][c] == 0) continue;
        ++others;
        if (least == rows.size() || std::labs(rows[r][c]) < std::labs(rows[least][c])) least = r;
      }
      if (others == 0) break;
      std::swap(rows[done], rows[least]);
      for (std::size_t r = done + 1; r < rows.size(); ++r) {
        Subtract(rows[r], rows[done], rows[r][c] / rows[done][c]);
      }
      if (others == 1) {
        for (std::size_t r = 0; r < done; ++r) {
          Subtract(rows[r], rows[done], rows[r][c] / rows[done][c]);
        }
        ++done;
        break;
      }
    }
  }
  rows.resize(done);
  return rows;
}

Matrix LeftKernel(const Matrix& rows, std::size_t columns) {
  Matrix wide;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    wide.push_back(rows[r]);
    wide.back().resize(columns + rows.size());
    wide.back()[columns + r] = 1;
  }
  Matrix kernel;
  for (const Vector& row : Echelon(std::move(wide))) {
    if (BeginOf(row) >= columns) kernel.emplace_back(row.begin() + long(columns), row.end());
  }
  return kernel;
}

Matrix RightKernel(const Matrix& rows, std::size_t columns) {
  return LeftKernel(Transposed(rows, columns), rows.size());
}

Matrix Saturated(const Matrix& rows, std::size_t columns) {
  return Echelon(RightKernel(RightKernel(rows, columns), columns));
}

void ForEachShort(const Matrix& echelon, const Vector& cost, long limit,
                  const std::function<long(const Vector& x, long cost)>& visit) {
  Search(echelon, cost, limit, visit).Run();
}

long Shortest(const Matrix& echelon, const Vector& cost) {
  if (echelon.empty()) return 0;
  long best = CostOf(echelon[0], cost);
  for (const Vector& row : echelon) best = std::min(best, CostOf(row, cost));
  ForEachShort(echelon, cost, best - 1, [&](const Vector&, long found) {
    best = found;
    return found - 1;
  });
  return best;
}

}  // namespace oracle::invariance
