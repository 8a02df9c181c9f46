#include <algorithm>
#include <cmath>

#include "reissue/taxonomy/draft.h"
#include "reissue/taxonomy/numbers.h"
#include "reissue/taxonomy/round.h"

namespace reissue::taxonomy {
namespace {

// Most of the numbers lie in a small part of the whole, at zero.
bool HasALongTail(std::span<const double> numbers) {
  constexpr double kMost = 0.9, kSmallPart = 0.2;
  const auto most = static_cast<std::size_t>(kMost * static_cast<double>(numbers.size() - 1));
  return numbers.front() >= 0 && numbers.back() > 0 && numbers[most] <= kSmallPart * numbers.back();
}

// 0, then 1, 2 and 5 times powers of ten from about the least number above zero on.
std::vector<double> GrowingBreakpoints(std::span<const double> numbers) {
  constexpr double kFewSmall = 0.05;
  constexpr int kMostDecades = 12;
  const auto above = std::upper_bound(numbers.begin(), numbers.end(), 0.0);
  const auto few =
      static_cast<std::ptrdiff_t>(kFewSmall * static_cast<double>(numbers.end() - above));
  int exponent = static_cast<int>(std::floor(std::log10(*(above + few))));
  const int last = static_cast<int>(std::floor(std::log10(numbers.back())));
  exponent = std::max(exponent, last - kMostDecades);
  std::vector<double> ends = {0};
  for (;; ++exponent) {
    for (const std::int64_t mantissa : {1, 2, 5}) {
      ends.push_back(RoundWidth{mantissa, exponent}.Times(1));
      if (ends.back() > numbers.back()) return ends;
    }
  }
}

}  // namespace

std::vector<double> RoundBreakpoints(std::span<const double> numbers) {
  const std::optional<RoundWidth> width = FinestWidth(numbers);
  if (!width) return {};
  constexpr double kTooFine = 1e-9;
  if (HasALongTail(numbers) && numbers.back() >= kTooFine) return GrowingBreakpoints(numbers);
  // From a multiple of four widths on, so that the ends of merged ranges are round as well; from
  // zero where that is near.
  std::int64_t first = width->RangeOf(numbers.front());
  const std::int64_t last = width->RangeOf(numbers.back()) + 1;
  first -= ((first % 4) + 4) % 4;
  if (first > 0 && first <= (last - first) / 2) first = 0;
  std::vector<double> ends;
  for (std::int64_t n = first; n <= last; ++n) ends.push_back(width->Times(n));
  return ends;
}

std::vector<HierarchyLine> LinesOfBreakpoints(std::span<const std::string> values,
                                              const std::vector<double>& breakpoints) {
  std::vector<std::pair<double, std::string>> numbers;
  std::vector<HierarchyLine> lines;
  for (const std::string& value : values) {
    const std::optional<double> number = ParseNumber(value);
    if (number) numbers.emplace_back(*number, value);
  }
  std::sort(numbers.begin(), numbers.end());
  const std::size_t ranges = breakpoints.size() - 1;
  for (const auto& [number, value] : numbers) {
    const auto above = std::upper_bound(breakpoints.begin(), breakpoints.end(), number);
    const auto range = static_cast<std::size_t>(above - breakpoints.begin()) - 1;
    HierarchyLine line = {lines.size() + 1, {value}};
    for (std::size_t width = 1; width < ranges; width *= 2) {
      const std::size_t first = range / width * width;
      line.labels.push_back(
          RangeLabel(breakpoints[first], breakpoints[std::min(first + width, ranges)]));
    }
    line.labels.emplace_back("*");
    lines.push_back(std::move(line));
  }
  for (const std::string& value : values) {
    if (!ParseNumber(value)) lines.push_back({lines.size() + 1, {value, "*"}});
  }
  return lines;
}

}  // namespace reissue::taxonomy
