#pragma once
// Round numbers: ranges whose ends say little of the numbers in them. Pure functions.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace reissue::taxonomy {

// A width of mantissa · 10^exponent, so that multiples of it are written without rounding dirt.
struct RoundWidth {
  std::int64_t mantissa = 1;
  int exponent = 0;

  double Times(std::int64_t n) const;
  // n where the number lies in [n · width, (n + 1) · width).
  std::int64_t RangeOf(double number) const;
};

// 1, 2 or 5 times a power of ten: about sixteen ranges over the numbers, none of a single step of
// their finest decimal place. Nothing where they are all equal, or doubles cannot tell the ends of
// ranges apart.
std::optional<RoundWidth> FinestWidth(std::span<const double> numbers);

// Both ends rounded outward to multiples of the width.
std::pair<double, double> RoundedOutward(double low, double high, const RoundWidth& width);

}  // namespace reissue::taxonomy
