#pragma once
// How a label of a foreign file may be read, by itself. Which reading counts the whole column
// decides (column.h).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reissue::labels {

std::string_view Trimmed(std::string_view text);

// A piece of the line of numbers; ends may be infinite, which are never part of it.
struct Piece {
  double low = 0, high = 0;
  bool with_low = true, with_high = true;
};

// How sure it is that a text means numbers.
enum class Sureness {
  kNone,   // it does not
  kBare,   // `20-29`: a range, or a code
  kPlain,  // `29`: a number, or a code
  kRange,  // `[20,29]`, `>=60`, `60+`
};
struct NumberReading {
  Sureness sureness = Sureness::kNone;
  Piece piece;
};
// `51`, `-3.5`; `[51-53]`, `[51,53)`, `(50;53]`, `51-53`, `51–53`, `51..53`, `51 to 53`; `>=60`,
// `>60`, `<20`, `<=20`, `≥60`, `≤20`, `60+`. A range whose ends are the wrong way round is none.
NumberReading ReadNumber(std::string_view text);
// A number with zeros in front, as codes have them.
bool HasLeadingZero(std::string_view text);

// Days since 1970-01-01, both ends included: `2019-03-07`, `2019-03`, `2019`, also with `/`,
// `07.03.2019`, and ranges of these in brackets, or with `..` or ` to ` between. `fine`: it names a
// day or a month.
struct DateReading {
  double first = 0, last = 0;
  bool fine = false;
};
std::optional<DateReading> ReadDates(std::string_view text);

// `{a, b}`, `a|b`: the parts; a text without such a notation is its only part.
std::vector<std::string_view> Parts(std::string_view text);

// `130**`: "130", and that the open end is behind; `**853`: "853", in front.
struct Mask {
  std::string_view known;
  bool behind = true;
};
std::optional<Mask> ReadMask(std::string_view text);

// `*`, `***`.
bool IsStar(std::string_view text);
// A text for a value that is not there. `?` and nothing are always that, `NA` only where the other
// texts are no codes like it, `None` only among numbers.
enum class Missing { kNo, kAlways, kUnlessCodes, kAmongNumbers };
Missing MissingKind(std::string_view text);

}  // namespace reissue::labels
