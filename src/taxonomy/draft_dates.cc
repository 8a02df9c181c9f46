#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "reissue/taxonomy/draft_kinds.h"

namespace reissue::taxonomy::internal {
namespace {

// A date as it is written: up to three parts and what stands between them. Parts are numbers, or
// the first three letters of an English month.
struct WrittenDate {
  std::array<int, 3> part = {0, 0, 0};
  std::array<std::size_t, 3> digits = {0, 0, 0};  // 0: a month by its name
  std::size_t parts = 0;
  char between = 0;
  bool time = false;
};

constexpr std::size_t kYearDigits = 4;
constexpr int kFirstYear = 1800, kLastYear = 2199, kMonths = 12, kDays = 31;

int MonthByName(std::string_view text) {
  static constexpr std::array<std::string_view, kMonths> kNames = {
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
  std::string lower;
  for (const char c : text.substr(0, 3)) lower += static_cast<char>(c | 0x20);
  const auto found = std::find(kNames.begin(), kNames.end(), lower);
  return found == kNames.end() ? 0 : static_cast<int>(found - kNames.begin()) + 1;
}

bool IsTime(std::string_view text) {
  return LeadingDigits(text) > 0 && std::all_of(text.begin(), text.end(), [](char c) {
           return IsDigit(c) || c == ':' || c == '.' || c == 'Z' || c == '+' || c == '-';
         });
}

int NumberOf(std::string_view digits) {
  int number = 0;
  for (const char c : digits) number = number * 10 + (c - '0');
  return number;
}

// Appends the part that `text` begins with, and takes it away.
bool TakePart(std::string_view& text, WrittenDate& date) {
  const std::size_t digits = LeadingDigits(text);
  if (digits > kYearDigits) return false;
  std::size_t length = digits;
  int number = NumberOf(text.substr(0, digits));
  if (digits == 0) {
    if (text.size() < 3 || (number = MonthByName(text)) == 0) return false;
    length = 3;
  }
  date.part[date.parts] = number;
  date.digits[date.parts++] = digits;
  text.remove_prefix(length);
  return true;
}

std::optional<WrittenDate> ReadDate(std::string_view text) {
  WrittenDate date;
  if (LeadingDigits(text) == 8) {  // 20190314
    date = {{NumberOf(text.substr(0, 4)), NumberOf(text.substr(4, 2)), NumberOf(text.substr(6, 2))},
            {4, 2, 2},
            3,
            'd',
            false};
    text.remove_prefix(8);
  } else {
    if (!TakePart(text, date)) return std::nullopt;
    while (date.parts < 3 && !text.empty()) {
      if (date.parts == 2 && (text[0] == ' ' || text[0] == 'T')) break;
      if (text[0] != '-' && text[0] != '/' && text[0] != '.') return std::nullopt;
      if (date.between != 0 && text[0] != date.between) return std::nullopt;
      date.between = text[0];
      text.remove_prefix(1);
      if (!TakePart(text, date)) return std::nullopt;
    }
  }
  if (!text.empty()) {
    if (date.parts < 3 || (text[0] != ' ' && text[0] != 'T') || !IsTime(text.substr(1))) {
      return std::nullopt;
    }
    date.time = true;
  }
  return date.parts >= 2 ? std::optional(date) : std::nullopt;
}

// Which part is what; `day` is 3 where there is none.
struct DateOrder {
  std::size_t year = 0, month = 1, day = 3;
};

bool Fits(const std::vector<WrittenDate>& dates, const DateOrder& order) {
  return std::all_of(dates.begin(), dates.end(), [&](const WrittenDate& date) {
    const int year = date.part[order.year], month = date.part[order.month];
    if (date.digits[order.year] != kYearDigits || year < kFirstYear || year > kLastYear) {
      return false;
    }
    if (month < 1 || month > kMonths || date.digits[order.month] > 2) return false;
    if (order.day == 3) return true;
    const int day = date.part[order.day];
    return day >= 1 && day <= kDays && (date.digits[order.day] == 1 || date.digits[order.day] == 2);
  });
}

// Of several orders that fit all values, the first: month before day only with slashes.
std::optional<DateOrder> OrderOf(const std::vector<WrittenDate>& dates) {
  const WrittenDate& first = dates.front();
  for (const WrittenDate& date : dates) {
    if (date.parts != first.parts || date.between != first.between) return std::nullopt;
  }
  std::vector<DateOrder> orders;
  if (first.parts == 2) {
    orders = {{0, 1, 3}, {1, 0, 3}};
  } else if (first.between == '/') {
    orders = {{0, 1, 2}, {2, 0, 1}, {2, 1, 0}};
  } else {
    orders = {{0, 1, 2}, {2, 1, 0}, {2, 0, 1}};
  }
  for (const DateOrder& order : orders) {
    if (Fits(dates, order)) return order;
  }
  return std::nullopt;
}

}  // namespace

DraftLines DraftDates(std::span<const std::string> values) {
  constexpr std::size_t kManyYears = 8;
  std::vector<WrittenDate> dates;
  for (const std::string& value : values) {
    const std::optional<WrittenDate> date = ReadDate(value);
    if (!date) return std::nullopt;
    dates.push_back(*date);
  }
  if (dates.empty()) return std::nullopt;
  const std::optional<DateOrder> order = OrderOf(dates);
  if (!order) return std::nullopt;
  std::set<int> years;
  for (const WrittenDate& date : dates) years.insert(date.part[order->year]);
  std::vector<HierarchyLine> lines;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int year = dates[i].part[order->year], month = dates[i].part[order->month];
    HierarchyLine line = {0, {values[i]}};
    if (order->day < 3) {
      line.labels.push_back(fmt::format("{}-{:02}-{:02}", year, month, dates[i].part[order->day]));
    }
    line.labels.push_back(fmt::format("{}-{:02}", year, month));
    line.labels.push_back(fmt::format("{}", year));
    if (years.size() > kManyYears) {
      line.labels.push_back(fmt::format("[{},{})", year / 10 * 10, year / 10 * 10 + 10));
    }
    line.labels.emplace_back("*");
    lines.push_back(std::move(line));
  }
  // By day or month, so that the file reads like a calendar.
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.labels[1] < b.labels[1]; });
  return lines;
}

}  // namespace reissue::taxonomy::internal
