#include "reissue/taxonomy/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace reissue::taxonomy {

std::optional<double> ParseNumber(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string FormatNumber(double number) { return fmt::format("{}", number == 0 ? 0.0 : number); }

std::string RangeLabel(double low, double high) {
  return "[" + FormatNumber(low) + "," + FormatNumber(high) + ")";
}

}  // namespace reissue::taxonomy
