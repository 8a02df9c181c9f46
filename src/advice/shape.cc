#include "reissue/advice/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reissue/taxonomy/draft.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::advice {
namespace {

using Records = std::vector<io::Record>;

// Fields of most records, and how many records have so many.
std::pair<std::size_t, std::size_t> Width(const Records& records) {
  std::map<std::size_t, std::size_t> widths;
  for (const io::Record& record : records) ++widths[record.fields.size()];
  std::pair<std::size_t, std::size_t> most = {0, 0};
  for (const auto& [width, count] : widths) {
    if (count >= most.second) most = {width, count};
  }
  return most;
}

std::string_view Bare(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The separator that makes wide records which are all alike.
std::pair<char, Records> BestSeparator(std::string_view text) {
  std::pair<char, Records> best = {',', {}};
  constexpr double kAlike = 8;  // how much more that counts than width
  double most = -1;
  for (const char separator : {',', ';', '\t'}) {
    Result<Records> records = io::ReadRecords(text, "", separator);
    if (!records) continue;
    const auto [width, count] = Width(*records);
    const double worth =
        static_cast<double>(width - 1) *
        std::pow(static_cast<double>(count) / static_cast<double>(records->size()), kAlike);
    if (records->empty() || worth <= most) continue;
    most = worth;
    best = {separator, *std::move(records)};
  }
  return best;
}

bool BlanksBehindSeparators(const Records& records) {
  std::size_t blanks = 0, fields = 0;
  for (const io::Record& record : records) {
    for (std::size_t i = 1; i < record.fields.size(); ++i) {
      ++fields;
      blanks += record.fields[i].starts_with(' ') ? 1 : 0;
    }
  }
  return fields > 0 && blanks * 10 >= fields * 9;
}

// Digits, a comma, digits.
bool HasDecimalComma(std::string_view field) {
  if (field.starts_with('-') || field.starts_with('+')) field.remove_prefix(1);
  const std::size_t comma = field.find(',');
  if (comma == 0 || comma == std::string_view::npos || comma + 1 == field.size()) return false;
  const auto digits = [](std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return digits(field.substr(0, comma)) && digits(field.substr(comma + 1));
}

// The first record has data: a number or a mark for missing ones, a text twice, or mostly what
// stands below it, too.
bool HasNoHeader(const Records& records) {
  const std::vector<std::string>& first = records.front().fields;
  std::set<std::string_view> seen;
  std::size_t again = 0;
  for (std::size_t c = 0; c < first.size(); ++c) {
    const std::string_view field = Bare(first[c]);
    if (taxonomy::ParseNumber(field) || HasDecimalComma(field) ||
        (!field.empty() && taxonomy::IsMissingMark(field))) {
      return true;
    }
    if (!field.empty() && !seen.insert(field).second) return true;
    again += std::any_of(records.begin() + 1, records.end(),
                         [&](const io::Record& record) { return Bare(record.fields[c]) == field; });
  }
  return again * 2 > first.size();
}

// Numbers, and some of them have a decimal comma.
bool AreNumbersWithCommas(const Records& records, std::size_t first, std::size_t column) {
  bool some = false;
  for (std::size_t r = first; r < records.size(); ++r) {
    const std::string_view field = Bare(records[r].fields[column]);
    if (field.empty() || taxonomy::IsMissingMark(field)) continue;
    const bool comma = HasDecimalComma(field);
    if (!comma && (!taxonomy::ParseNumber(field) || field.find('.') != std::string_view::npos)) {
      return false;
    }
    some = some || comma;
  }
  return some;
}

}  // namespace

Shape GuessShape(std::string_view beginning) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  Shape shape;
  if (beginning.starts_with(kByteOrderMark)) beginning.remove_prefix(kByteOrderMark.size());
  const std::size_t end = beginning.rfind('\n');
  if (end != std::string_view::npos) beginning = beginning.substr(0, end + 1);
  // A word for Excel, which the reader takes for itself.
  if (beginning.starts_with("sep=")) beginning.remove_prefix(beginning.find('\n') + 1);

  auto [separator, records] = BestSeparator(beginning);
  if (records.empty()) return shape;
  const std::size_t width = Width(records).first;
  for (const std::string_view prefix : {"|", "#", "%", "//"}) {
    if (records.front().fields.size() == width || !records.front().fields[0].starts_with(prefix)) {
      continue;
    }
    shape.csv.comment_prefix = prefix;
    shape.reasons.push_back(fmt::format("lines that begin with {} are comments", prefix));
  }
  std::erase_if(records, [&](const io::Record& record) { return record.fields.size() != width; });
  shape.csv.separator = separator;
  if (separator != ',') {
    shape.reasons.push_back(
        fmt::format("fields are separated by {}", separator == ';' ? "semicolons" : "tabs"));
  }
  shape.csv.trim = BlanksBehindSeparators(records);
  if (shape.csv.trim) shape.reasons.emplace_back("blanks stand around fields");
  if (records.size() > 1 && HasNoHeader(records)) {
    shape.csv.header = false;
    for (std::size_t c = 0; c < width; ++c) shape.csv.columns.push_back(fmt::format("c{}", c + 1));
    shape.reasons.push_back(
        fmt::format("the first line looks like data, so there is no header: the columns are called "
                    "c1 to c{}",
                    width));
  }
  if (separator == ',') return shape;
  for (std::size_t c = 0; c < width; ++c) {
    if (!AreNumbersWithCommas(records, shape.csv.header ? 1 : 0, c)) continue;
    shape.csv.decimal_comma.emplace_back(shape.csv.header ? std::string(Bare(records[0].fields[c]))
                                                          : shape.csv.columns[c]);
  }
  if (!shape.csv.decimal_comma.empty()) {
    shape.reasons.emplace_back("numbers have a decimal comma: labels have a point instead");
  }
  return shape;
}

}  // namespace reissue::advice
