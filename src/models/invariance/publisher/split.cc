#include "reissue/models/invariance/publisher/split.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "reissue/core/result.h"

namespace reissue::models::invariance {
namespace {

class Splitter {
 public:
  Splitter(std::span<const double> coordinates, std::size_t columns, std::span<const Value> values)
      : coordinates_(coordinates), columns_(columns), partition_(values.size()) {
    rows_.resize(values.size());
    std::iota(rows_.begin(), rows_.end(), 0);
    std::ranges::stable_sort(rows_, {}, [&](std::uint32_t row) { return values[row]; });
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i == 0 || values[rows_[i]] != values[rows_[i - 1]]) begins_.push_back(i);
    }
  }

  std::vector<std::uint32_t> Run() {
    if (rows_.empty()) return {};
    const std::size_t each = rows_.size() / begins_.size();
    for (std::size_t v = 0; v < begins_.size(); ++v) REISSUE_CHECK(begins_[v] == v * each);
    REISSUE_CHECK(each * begins_.size() == rows_.size());
    Halve(0, each);
    return std::move(partition_);
  }

 private:
  double At(std::uint32_t row, std::size_t column) const {
    return coordinates_[row * columns_ + column];
  }

  // Rows first … first + each - 1 of every value are one part.
  void Halve(std::size_t first, std::size_t each) {
    if (each == 1) {
      for (const std::size_t begin : begins_) partition_[rows_[begin + first]] = next_;
      ++next_;
      return;
    }
    const std::size_t low = each / 2;
    std::size_t best = 0, last = columns_;
    double narrowest = std::numeric_limits<double>::infinity();
    for (std::size_t column = 0; columns_ > 1 && column < columns_; ++column) {
      Arrange(first, each, column);
      last = column;
      const double width = Width(first, low) * static_cast<double>(low) +
                           Width(first + low, each - low) * static_cast<double>(each - low);
      if (width < narrowest) {
        narrowest = width;
        best = column;
      }
    }
    if (columns_ > 0 && best != last) Arrange(first, each, best);
    Halve(first, low);
    Halve(first + low, each - low);
  }

  // Within each value, the lower half by this column comes first. Ties go by row, so that the
  // answer depends on nothing else.
  void Arrange(std::size_t first, std::size_t each, std::size_t column) {
    keyed_.resize(each);
    for (const std::size_t begin : begins_) {
      const auto at = rows_.begin() + static_cast<std::ptrdiff_t>(begin + first);
      for (std::size_t i = 0; i < each; ++i) {
        const std::uint32_t row = at[static_cast<std::ptrdiff_t>(i)];
        keyed_[i] = {At(row, column), row};
      }
      std::ranges::nth_element(keyed_, keyed_.begin() + static_cast<std::ptrdiff_t>(each / 2));
      for (std::size_t i = 0; i < each; ++i) at[static_cast<std::ptrdiff_t>(i)] = keyed_[i].second;
    }
  }

  // The sum of the ranges of all columns.
  double Width(std::size_t first, std::size_t each) {
    lows_.assign(columns_, std::numeric_limits<double>::infinity());
    highs_.assign(columns_, -std::numeric_limits<double>::infinity());
    for (const std::size_t begin : begins_) {
      for (std::size_t i = begin + first; i < begin + first + each; ++i) {
        const double* row = &coordinates_[rows_[i] * columns_];
        for (std::size_t column = 0; column < columns_; ++column) {
          lows_[column] = std::min(lows_[column], row[column]);
          highs_[column] = std::max(highs_[column], row[column]);
        }
      }
    }
    double width = 0;
    for (std::size_t column = 0; column < columns_; ++column) {
      width += highs_[column] - lows_[column];
    }
    return width;
  }

  std::span<const double> coordinates_;
  std::size_t columns_;
  std::vector<std::uint32_t> rows_;  // by value
  std::vector<std::size_t> begins_;  // of each value in rows_
  std::vector<std::uint32_t> partition_;
  std::uint32_t next_ = 0;
  std::vector<std::pair<double, std::uint32_t>> keyed_;
  std::vector<double> lows_, highs_;
};

}  // namespace

std::vector<std::uint32_t> Split(std::span<const double> coordinates, std::size_t columns,
                                 std::span<const Value> values) {
  REISSUE_CHECK(coordinates.size() == columns * values.size());
  return Splitter(coordinates, columns, values).Run();
}

}  // namespace reissue::models::invariance
