#include "reissue/taxonomy/round.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "reissue/taxonomy/numbers.h"

namespace reissue::taxonomy {
namespace {

// The smallest of 1, 2, 5, 10, 20, 50, … (times any power of ten) that is at least `least`.
RoundWidth WidthOfAtLeast(double least) {
  RoundWidth width = {1, static_cast<int>(std::floor(std::log10(least)))};
  for (const std::int64_t mantissa : {1, 2, 5, 10}) {
    width.mantissa = mantissa;
    if (width.Times(1) >= least) break;
  }
  return width;
}

// Decimal places of a number; numbers written with an exponent count as whole or as fine.
int Decimals(double number) {
  const std::string text = FormatNumber(std::abs(number));
  const std::size_t e = text.find('e');
  const std::size_t dot = text.find('.');
  const std::size_t digits_end = e == std::string::npos ? text.size() : e;
  const int fraction = dot == std::string::npos ? 0 : static_cast<int>(digits_end - dot - 1);
  const int shift = e == std::string::npos ? 0 : std::atoi(text.c_str() + e + 1);
  return std::max(0, fraction - shift);
}

}  // namespace

double RoundWidth::Times(std::int64_t n) const {
  const double multiple = static_cast<double>(n * mantissa);
  return exponent < 0 ? multiple / std::pow(10.0, -exponent) : multiple * std::pow(10.0, exponent);
}

std::int64_t RoundWidth::RangeOf(double number) const {
  auto range = static_cast<std::int64_t>(std::floor(number / Times(1)));
  while (Times(range) > number) --range;
  while (Times(range + 1) <= number) ++range;
  return range;
}

std::optional<RoundWidth> FinestWidth(std::span<const double> numbers) {
  constexpr double kRanges = 16, kLargestIndex = 1e15;
  constexpr int kLargestExponent = 290;
  if (numbers.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(numbers);
  const double span = high - low;
  if (!std::isfinite(span) || span <= 0) return std::nullopt;
  int decimals = 0;
  for (const double number : numbers) decimals = std::max(decimals, Decimals(number));
  if (decimals > kLargestExponent) return std::nullopt;
  const double least = std::max(span / kRanges, 2 * std::pow(10.0, -decimals));
  const RoundWidth width = WidthOfAtLeast(least);
  const double largest = std::max(std::abs(low), std::abs(high));
  if (std::abs(width.exponent) > kLargestExponent || largest / width.Times(1) > kLargestIndex) {
    return std::nullopt;
  }
  return width;
}

std::pair<double, double> RoundedOutward(double low, double high, const RoundWidth& width) {
  const std::int64_t last = width.RangeOf(high);
  return {width.Times(width.RangeOf(low)),
          width.Times(width.Times(last) == high ? last : last + 1)};
}

}  // namespace reissue::taxonomy
