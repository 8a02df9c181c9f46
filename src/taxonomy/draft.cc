#include "reissue/taxonomy/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "reissue/taxonomy/draft_kinds.h"
#include "reissue/taxonomy/numbers.h"
#include "reissue/taxonomy/round.h"

namespace reissue::taxonomy {
namespace {

using Values = std::vector<std::string>;

Error InColumn(const std::string& column, std::string message, std::string remedy) {
  return InputError({"", std::nullopt, std::nullopt, column}, std::move(message),
                    std::move(remedy));
}

// ---- ranges

struct Numbered {
  double number = 0;
  std::int64_t range = 0;  // it lies in [range · width, (range + 1) · width)
  std::string text;
};

// Rounds down also below zero.
std::int64_t Halve(std::int64_t n) { return (n - (n & 1)) / 2; }

std::optional<std::vector<HierarchyLine>> DraftRanges(const Values& values) {
  std::vector<Numbered> numbers;
  for (const std::string& value : values) {
    const std::optional<double> number = ParseNumber(value);
    if (!number) return std::nullopt;
    numbers.push_back({*number, 0, value});
  }
  std::sort(numbers.begin(), numbers.end(), [](const Numbered& a, const Numbered& b) {
    return a.number != b.number ? a.number < b.number : a.text < b.text;
  });
  std::vector<double> plain;
  for (const Numbered& entry : numbers) plain.push_back(entry.number);
  const std::optional<RoundWidth> finest = FinestWidth(plain);
  if (!finest) return std::nullopt;
  RoundWidth width = *finest;
  std::vector<HierarchyLine> lines;
  for (Numbered& entry : numbers) {
    entry.range = width.RangeOf(entry.number);
    lines.push_back({lines.size() + 1, {entry.text}});
  }
  // Ranges begin at multiples of their width; those that meet at zero never merge.
  while (numbers.back().range != numbers.front().range) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t range = numbers[i].range;
      lines[i].labels.push_back(RangeLabel(width.Times(range), width.Times(range + 1)));
    }
    if (numbers.front().range == -1 && numbers.back().range == 0) break;
    for (Numbered& entry : numbers) entry.range = Halve(entry.range);
    width.mantissa *= 2;
  }
  for (HierarchyLine& line : lines) line.labels.push_back("*");
  return lines;
}

// ---- prefixes and flat

// Where the characters of UTF-8 text end.
std::vector<std::size_t> CharacterEnds(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= text.size(); ++i) {
    const bool inside = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
    if (!inside) ends.push_back(i);
  }
  return ends;
}

// A shorter code stands with the longer ones that begin with it: 250 and 250.01 below 250***.
std::vector<HierarchyLine> DraftPrefixes(const Values& values) {
  std::size_t longest = 0;
  for (const std::string& value : values) {
    longest = std::max(longest, CharacterEnds(value).size());
  }
  std::vector<HierarchyLine> lines;
  for (const std::string& value : values) {
    const std::vector<std::size_t> ends = CharacterEnds(value);
    HierarchyLine line = {lines.size() + 1, {value}};
    for (std::size_t kept = longest; kept-- > 1;) {
      const std::size_t shown = std::min(kept, ends.size());
      line.labels.push_back(value.substr(0, ends[shown - 1]) + std::string(longest - shown, '*'));
    }
    line.labels.push_back("*");
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<HierarchyLine> DraftFlat(const Values& values) {
  std::vector<HierarchyLine> lines;
  for (const std::string& value : values) lines.push_back({lines.size() + 1, {value, "*"}});
  return lines;
}

// ---- choice

using internal::DraftLines;
using internal::IsDigit;

bool IsCodeCharacter(char c) {
  return IsDigit(c) || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '-' || c == '.' ||
         c == ' ';
}

DraftKind Choose(const Values& values) {
  constexpr std::size_t kShortestCode = 3, kLongestCode = 20, kDigitsOfCode = 5;
  bool numbers = true, digits = true, codes = true, one_length = true, leading_zero = false;
  for (const std::string& value : values) {
    numbers = numbers && ParseNumber(value).has_value();
    digits = digits && std::all_of(value.begin(), value.end(), IsDigit);
    codes = codes && std::all_of(value.begin(), value.end(), IsCodeCharacter) &&
            std::any_of(value.begin(), value.end(), IsDigit);
    one_length = one_length && value.size() == values.front().size();
    leading_zero = leading_zero || (value.size() > 1 && value[0] == '0' && IsDigit(value[1]));
  }
  const std::size_t length = values.front().size();
  const bool sized = one_length && kShortestCode <= length && length <= kLongestCode;
  if (digits && sized && (leading_zero || length >= kDigitsOfCode)) return DraftKind::kPrefixes;
  if (numbers) return DraftKind::kRanges;
  if (internal::DraftPostcodes(values)) return DraftKind::kPrefixes;
  return codes && sized ? DraftKind::kPrefixes : DraftKind::kFlat;
}

bool NamedLikeDiagnoses(std::string_view column) {
  std::string lower;
  for (const char c : column) lower += 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  if (lower.starts_with("num") || lower.starts_with("count")) return false;  // of diagnoses
  return lower.find("diag") != std::string::npos || lower.find("icd") != std::string::npos ||
         lower.starts_with("dx");
}

// Nothing where the values are not of the kind, or a label would stand for two things.
DraftLines LinesOf(const Values& values, DraftKind kind, const std::string& column) {
  DraftLines lines;
  switch (kind) {
    case DraftKind::kRanges:
      lines = DraftRanges(values);
      break;
    case DraftKind::kDates:
      lines = internal::DraftDates(values);
      break;
    case DraftKind::kBands:
      lines = internal::DraftBands(values);
      break;
    case DraftKind::kDiagnoses:
      lines = internal::DraftDiagnoses(values, NamedLikeDiagnoses(column));
      break;
    case DraftKind::kPrefixes:
      lines = internal::DraftPostcodes(values);
      if (!lines) lines = DraftPrefixes(values);
      break;
    case DraftKind::kAuto:
    case DraftKind::kFlat:
      lines = DraftFlat(values);
      break;
  }
  return lines && FromHierarchy(*lines, column).has_value() ? std::move(lines) : std::nullopt;
}

Result<Draft> DraftOfKind(const Values& values, DraftKind kind, const std::string& column) {
  std::vector<DraftKind> kinds = {kind};
  if (kind == DraftKind::kAuto) {
    kinds = {DraftKind::kDates, DraftKind::kBands, DraftKind::kDiagnoses, Choose(values),
             DraftKind::kFlat};
  }
  for (const DraftKind tried : kinds) {
    DraftLines lines = LinesOf(values, tried, column);
    if (lines) return Draft{tried, *std::move(lines)};
  }
  return InColumn(column,
                  kind == DraftKind::kRanges
                      ? "no round ranges fit: the values are not all numbers, are all equal, or "
                        "lie too close together for their size"
                      : fmt::format("the values are not {}: not all of them are written so",
                                    kind == DraftKind::kPrefixes ? "codes" : DraftKindName(kind)),
                  "draft `auto` or `flat`, or write `breakpoints` in the policy");
}

Status CheckValues(const Values& values, DraftKind kind, const std::string& column) {
  if (values.empty()) {
    return InColumn(column, "the column has no values to draft a hierarchy from",
                    "use a table that has rows");
  }
  if (values.front().empty()) {  // they are sorted
    return InColumn(column, "a value is empty, and a hierarchy cannot name it",
                    "set `missing = \"drop-row\"` in [table], or fill the empty values");
  }
  const bool star = std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    return value == "*" || (kind == DraftKind::kPrefixes && value.find('*') != std::string::npos);
  });
  if (star) {
    return InColumn(
        column, "a value is or contains `*`, which stands for anything in a hierarchy",
        kind == DraftKind::kPrefixes
            ? "draft a flat hierarchy; a value that is `*` alone must be left out (`missing = "
              "\"drop-row\"` with `missing_markers = [\"*\"]` in [table] of a policy) or renamed"
            : "if it means missing, leave its rows out: `missing = \"drop-row\"` and "
              "`missing_markers = [\"*\"]` in [table] of a policy, which --policy names; else "
              "rename the value in the table");
  }
  return Ok();
}

}  // namespace

std::string_view DraftKindName(DraftKind kind) {
  switch (kind) {
    case DraftKind::kAuto:
      return "auto";
    case DraftKind::kRanges:
      return "ranges";
    case DraftKind::kPrefixes:
      return "prefixes";
    case DraftKind::kFlat:
      return "flat";
    case DraftKind::kDates:
      return "dates";
    case DraftKind::kBands:
      return "bands";
    case DraftKind::kDiagnoses:
      return "diagnoses";
  }
  return "";
}

bool IsMissingMark(std::string_view text) {
  static constexpr std::array<std::string_view, 16> kMarks = {
      "",     "?",    "NA",  "N/A", "n/a",  "na", "#N/A", "NULL",
      "Null", "null", "NaN", "nan", "<NA>", ".",  "-",    "--"};
  return std::find(kMarks.begin(), kMarks.end(), text) != kMarks.end();
}

Result<Draft> DraftHierarchy(std::span<const std::string> values, DraftKind kind,
                             const std::string& column) {
  Values distinct(values.begin(), values.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  REISSUE_TRY(CheckValues(distinct, kind, column));
  Values marks;
  std::erase_if(distinct, [&](const std::string& value) {
    if (IsMissingMark(value)) marks.push_back(value);
    return IsMissingMark(value);
  });
  Draft draft = distinct.empty() ? Draft{DraftKind::kFlat, {}}
                                 : REISSUE_TRY(DraftOfKind(distinct, kind, column));
  for (const std::string& mark : marks) draft.lines.push_back({0, {mark, "*"}});
  draft.marks = !marks.empty();
  for (std::size_t i = 0; i < draft.lines.size(); ++i) draft.lines[i].line = i + 1;
  return draft;
}

}  // namespace reissue::taxonomy
