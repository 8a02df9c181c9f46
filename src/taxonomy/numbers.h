#pragma once
// Numbers as columns, breakpoints and labels write them. Plain functions, independent of the
// locale.

#include <optional>
#include <string>
#include <string_view>

namespace reissue::taxonomy {

// A finite decimal number that fills the whole text (`17`, `-2.5`, `+3`, `1e6`), or nothing: no
// blanks around it, no `inf`, no hexadecimal digits.
std::optional<double> ParseNumber(std::string_view text);

// The shortest decimal text that reads back as the same number; `0` for minus zero.
std::string FormatNumber(double number);

// `[low,high)`, the label of a range.
std::string RangeLabel(double low, double high);

}  // namespace reissue::taxonomy
