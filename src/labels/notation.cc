#include "reissue/labels/notation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace reissue::labels {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Whole numbers up to here are told apart by a double.
constexpr double kLargest = 9007199254740992.0;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<double> PlainNumber(std::string_view text) {
  text = Trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (text.empty() || !(IsDigit(text.back()) || text.back() == '.')) return std::nullopt;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (problem != std::errc() || stop != end || !(std::abs(number) <= kLargest)) return std::nullopt;
  return number;
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Two ends with one of the separators between. A minus may also be a sign.
template <typename End>
std::optional<std::pair<End, End>> TwoEnds(std::string_view text,
                                           std::initializer_list<std::string_view> separators,
                                           std::optional<End> (*read)(std::string_view)) {
  for (const std::string_view separator : separators) {
    for (std::size_t at = text.find(separator, 1); at != std::string_view::npos;
         at = text.find(separator, at + 1)) {
      const auto low = read(text.substr(0, at));
      const auto high = read(text.substr(at + separator.size()));
      if (low && high) return std::pair(*low, *high);
    }
  }
  return std::nullopt;
}

struct Bracketed {
  std::string_view inner;
  bool with_low = true, with_high = true;
};
std::optional<Bracketed> InBrackets(std::string_view text) {
  if (text.size() < 3) return std::nullopt;
  const char open = text.front(), close = text.back();
  if ((open != '[' && open != '(' && open != ']') || (close != ']' && close != ')' && close != '['))
    return std::nullopt;
  return Bracketed{text.substr(1, text.size() - 2), open == '[', close == ']'};
}

NumberReading Compared(std::string_view text) {
  NumberReading reading{Sureness::kRange, {}};
  Piece& piece = reading.piece;
  bool above = true, with = true;
  if (TakePrefix(text, ">=") || TakePrefix(text, "≥")) {
  } else if (TakePrefix(text, "<=") || TakePrefix(text, "≤")) {
    above = false;
  } else if (TakePrefix(text, ">")) {
    with = false;
  } else if (TakePrefix(text, "<")) {
    above = with = false;
  } else if (text.ends_with("+")) {
    text.remove_suffix(1);
  } else {
    return {};
  }
  const auto number = PlainNumber(text);
  if (!number) return {};
  if (above) {
    piece = {*number, kInfinity, with, false};
  } else {
    piece = {-kInfinity, *number, false, with};
  }
  return reading;
}

std::optional<int> Digits(std::string_view text, std::size_t least, std::size_t most) {
  if (text.size() < least || text.size() > most) return std::nullopt;
  int number = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

double DayNumber(std::chrono::year_month_day day) {
  return static_cast<double>(std::chrono::sys_days(day).time_since_epoch().count());
}

std::optional<DateReading> OneDate(std::string_view text) {
  using std::chrono::day, std::chrono::month, std::chrono::year;
  text = Trimmed(text);
  std::array<std::string_view, 3> fields;
  std::size_t count = 0;
  const char separator = text.find('.') != std::string_view::npos   ? '.'
                         : text.find('/') != std::string_view::npos ? '/'
                                                                    : '-';
  for (std::size_t from = 0; from <= text.size();) {
    if (count == 3) return std::nullopt;
    const std::size_t at = std::min(text.find(separator, from), text.size());
    fields[count++] = text.substr(from, at - from);
    from = at + 1;
  }
  if (separator == '.') {
    if (count == 1) return std::nullopt;
    std::reverse(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(count));
  }
  const auto y = Digits(fields[0], 4, 4);
  if (!y || *y < 1000) return std::nullopt;
  if (count == 1) {
    return DateReading{DayNumber(year(*y) / 1 / 1), DayNumber(year(*y) / 12 / 31), false};
  }
  const std::size_t least = separator == '-' ? 2 : 1;
  const auto m = Digits(fields[1], least, 2);
  if (!m || *m < 1 || *m > 12) return std::nullopt;
  const auto year_month = year(*y) / month(static_cast<unsigned>(*m));
  if (count == 2) {
    return DateReading{DayNumber(year_month / 1), DayNumber(year_month / std::chrono::last), true};
  }
  const auto d = Digits(fields[2], least, 2);
  if (!d || *d < 1) return std::nullopt;
  const auto date = year_month / day(static_cast<unsigned>(*d));
  if (!date.ok()) return std::nullopt;
  return DateReading{DayNumber(date), DayNumber(date), true};
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

NumberReading ReadNumber(std::string_view text) {
  text = Trimmed(text);
  if (text.empty()) return {};
  if (const auto number = PlainNumber(text)) {
    return {Sureness::kPlain, {*number, *number, true, true}};
  }
  const auto range = [](std::pair<double, double> ends, bool with_low, bool with_high,
                        Sureness sureness) -> NumberReading {
    const bool one = ends.first == ends.second && with_low && with_high;
    if (ends.first > ends.second || (ends.first == ends.second && !one)) return {};
    return {sureness, {ends.first, ends.second, with_low, with_high}};
  };
  if (const auto bracketed = InBrackets(text)) {
    const auto ends =
        TwoEnds<double>(bracketed->inner, {",", ";", "..", "–", " to ", "-"}, PlainNumber);
    if (!ends) return {};
    return range(*ends, bracketed->with_low, bracketed->with_high, Sureness::kRange);
  }
  const NumberReading compared = Compared(text);
  if (compared.sureness != Sureness::kNone) return compared;
  if (const auto ends = TwoEnds<double>(text, {"..", " to "}, PlainNumber)) {
    return range(*ends, true, true, Sureness::kRange);
  }
  if (const auto ends = TwoEnds<double>(text, {"–", "-"}, PlainNumber)) {
    return range(*ends, true, true, Sureness::kBare);
  }
  return {};
}

bool HasLeadingZero(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool begins = i == 0 || (!IsDigit(text[i - 1]) && text[i - 1] != '.');
    if (begins && text[i] == '0' && IsDigit(text[i + 1])) return true;
  }
  return false;
}

std::optional<DateReading> ReadDates(std::string_view text) {
  text = Trimmed(text);
  if (const auto one = OneDate(text)) return one;
  std::optional<std::pair<DateReading, DateReading>> ends;
  bool with_low = true, with_high = true;
  if (const auto bracketed = InBrackets(text)) {
    ends = TwoEnds<DateReading>(bracketed->inner, {",", ";", "..", "–", " to ", " - "}, OneDate);
    with_low = bracketed->with_low;
    with_high = bracketed->with_high;
  } else {
    ends = TwoEnds<DateReading>(text, {"..", " to ", "–", " - "}, OneDate);
  }
  if (!ends) return std::nullopt;
  const DateReading both{with_low ? ends->first.first : ends->first.last + 1,
                         with_high ? ends->second.last : ends->second.first - 1,
                         ends->first.fine || ends->second.fine};
  if (both.first > both.last) return std::nullopt;
  return both;
}

std::vector<std::string_view> Parts(std::string_view text) {
  text = Trimmed(text);
  std::string_view separators = "|";
  if (text.size() > 2 && text.front() == '{' && text.back() == '}') {
    text = text.substr(1, text.size() - 2);
    separators = text.find('|') != std::string_view::npos   ? "|"
                 : text.find(';') != std::string_view::npos ? ";"
                                                            : ",";
  } else if (text.find('|') == std::string_view::npos) {
    return {text};
  }
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t at = std::min(text.find_first_of(separators, from), text.size());
    const std::string_view part = Trimmed(text.substr(from, at - from));
    if (!part.empty()) parts.push_back(part);
    from = at + 1;
  }
  if (parts.empty()) parts.push_back(text);
  return parts;
}

std::optional<Mask> ReadMask(std::string_view text) {
  const std::size_t first = text.find_first_not_of('*');
  const std::size_t last = text.find_last_not_of('*');
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view known = text.substr(first, last + 1 - first);
  if (known.find('*') != std::string_view::npos) return std::nullopt;
  const bool front = first > 0, back = last + 1 < text.size();
  if (front == back) return std::nullopt;
  return Mask{known, back};
}

bool IsStar(std::string_view text) {
  return !text.empty() && text.find_first_not_of('*') == std::string_view::npos;
}

Missing MissingKind(std::string_view text) {
  if (text.empty() || text == "?" || text == "N/A" || text == "#N/A" || text == "NaN" ||
      text == "nan" || text == "NULL" || text == "null" || text == "<NA>") {
    return Missing::kAlways;
  }
  if (text == "NA") return Missing::kUnlessCodes;
  if (text == "na" || text == "None" || text == "none" || text == "." || text == "-") {
    return Missing::kAmongNumbers;
  }
  return Missing::kNo;
}

}  // namespace reissue::labels
