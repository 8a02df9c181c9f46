#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "reissue/taxonomy/draft_kinds.h"

namespace reissue::taxonomy::internal {

bool IsDigit(char c) { return '0' <= c && c <= '9'; }
bool IsCapital(char c) { return 'A' <= c && c <= 'Z'; }
std::size_t LeadingDigits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), IsDigit) -
                                  text.begin());
}

namespace {

// The chapters of the two classifications, each from its first category on.
struct Chapter {
  std::string_view from, label;
};
constexpr std::array<Chapter, 19> kChapters9 = {{{"001", "001-139 infections"},
                                                 {"140", "140-239 neoplasms"},
                                                 {"240", "240-279 endocrine"},
                                                 {"280", "280-289 blood"},
                                                 {"290", "290-319 mental"},
                                                 {"320", "320-389 nerves and senses"},
                                                 {"390", "390-459 circulation"},
                                                 {"460", "460-519 respiration"},
                                                 {"520", "520-579 digestion"},
                                                 {"580", "580-629 genitals and urine"},
                                                 {"630", "630-679 pregnancy"},
                                                 {"680", "680-709 skin"},
                                                 {"710", "710-739 muscles and bones"},
                                                 {"740", "740-759 congenital"},
                                                 {"760", "760-779 around birth"},
                                                 {"780", "780-799 symptoms"},
                                                 {"800", "800-999 injuries"},
                                                 {"E", "E external causes"},
                                                 {"V", "V other contacts"}}};
constexpr std::array<Chapter, 22> kChapters10 = {{{"A00", "A00-B99 infections"},
                                                  {"C00", "C00-D49 neoplasms"},
                                                  {"D50", "D50-D89 blood"},
                                                  {"E00", "E00-E90 endocrine"},
                                                  {"F00", "F00-F99 mental"},
                                                  {"G00", "G00-G99 nerves"},
                                                  {"H00", "H00-H59 eye"},
                                                  {"H60", "H60-H95 ear"},
                                                  {"I00", "I00-I99 circulation"},
                                                  {"J00", "J00-J99 respiration"},
                                                  {"K00", "K00-K95 digestion"},
                                                  {"L00", "L00-L99 skin"},
                                                  {"M00", "M00-M99 muscles and bones"},
                                                  {"N00", "N00-N99 genitals and urine"},
                                                  {"O00", "O00-O9A pregnancy"},
                                                  {"P00", "P00-P96 around birth"},
                                                  {"Q00", "Q00-Q99 congenital"},
                                                  {"R00", "R00-R99 symptoms"},
                                                  {"S00", "S00-T98 injuries"},
                                                  {"U00", "U00-U99 special"},
                                                  {"V00", "V00-Y99 external causes"},
                                                  {"Z00", "Z00-Z99 other contacts"}}};

template <typename Chapters>
std::string ChapterOf(const Chapters& chapters, std::string_view category) {
  auto chapter = chapters.begin();
  for (auto it = chapters.begin(); it != chapters.end() && it->from <= category; ++it) chapter = it;
  return std::string(chapter->label);
}

// The category of a code of ICD-9 (`250` of `250.83`, `008` of `8`, `V57`, `E812`), or nothing.
// Zeros in front may have been lost.
std::string Category9(std::string_view code) {
  const std::size_t dot = std::min(code.find('.'), code.size());
  const std::string_view head = code.substr(0, dot);
  const std::string_view tail = dot < code.size() ? code.substr(dot + 1) : std::string_view("0");
  if (tail.empty() || tail.size() > 2 || LeadingDigits(tail) != tail.size()) return {};
  if (head.empty() || head.size() > 4) return {};
  if (head[0] == 'V' || head[0] == 'E') {
    const std::size_t digits = LeadingDigits(head.substr(1));
    const bool whole = digits + 1 == head.size() && digits == (head[0] == 'V' ? 2U : 3U);
    return whole ? std::string(head) : std::string();
  }
  if (head.size() > 3 || LeadingDigits(head) != head.size()) return {};
  const std::string category = std::string(3 - head.size(), '0') + std::string(head);
  return category == "000" ? std::string() : category;
}

// The same of codes that are written without a point: `250` of `25083`, `V45` of `V4501`.
std::string Category9WithoutPoint(std::string_view code) {
  const bool letter = !code.empty() && (code[0] == 'V' || code[0] == 'E');
  const std::size_t category = letter && code[0] == 'E' ? 4 : 3;
  const std::string_view digits = letter ? code.substr(1) : code;
  const bool whole = LeadingDigits(digits) == digits.size() && code.size() >= category &&
                     code.size() <= category + 2;
  return whole ? std::string(code.substr(0, category)) : std::string();
}

// `E11` of `E11.9` or `E119`, or nothing.
std::string Category10(std::string_view code) {
  if (code.size() < 3 || code.size() > 8 || !IsCapital(code[0]) || !IsDigit(code[1])) return {};
  const auto letter_or_digit = [](char c) { return IsDigit(c) || IsCapital(c); };
  if (!letter_or_digit(code[2])) return {};
  std::string_view tail = code.substr(3);
  if (tail.starts_with('.')) {
    tail.remove_prefix(1);
    if (tail.empty()) return {};
  }
  if (tail.size() > 4 || !std::all_of(tail.begin(), tail.end(), letter_or_digit)) return {};
  return std::string(code.substr(0, 3));
}

template <typename Chapters>
DraftLines DraftOf(std::span<const std::string> values, const std::vector<std::string>& categories,
                   const Chapters& chapters) {
  std::map<std::string, std::size_t> members;
  for (const std::string& category : categories) ++members[category];
  std::vector<HierarchyLine> lines;
  for (std::size_t i = 0; i < values.size(); ++i) {
    HierarchyLine line = {0, {values[i]}};
    if (members[categories[i]] > 1) line.labels.push_back(categories[i] + "*");
    line.labels.push_back(ChapterOf(chapters, categories[i]));
    line.labels.emplace_back("*");
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

DraftLines DraftDiagnoses(std::span<const std::string> values, bool named) {
  std::vector<std::string> nine, bare, ten;
  bool point = false, letter = false;
  for (const std::string& value : values) {
    std::string category = Category9(value);
    if (!category.empty()) nine.push_back(std::move(category));
    category = Category9WithoutPoint(value);
    if (!category.empty()) bare.push_back(std::move(category));
    category = Category10(value);
    if (!category.empty()) ten.push_back(std::move(category));
    point = point || value.find('.') != std::string::npos;
    letter = letter || value.front() == 'V' || value.front() == 'E';
  }
  if (values.empty()) return std::nullopt;
  if (ten.size() == values.size() && (named || point)) return DraftOf(values, ten, kChapters10);
  if (nine.size() == values.size() && (named || letter)) return DraftOf(values, nine, kChapters9);
  if (bare.size() == values.size() && named && !point) return DraftOf(values, bare, kChapters9);
  return std::nullopt;
}

DraftLines DraftPostcodes(std::span<const std::string> values) {
  std::vector<HierarchyLine> lines;
  for (const std::string& value : values) {
    const std::size_t letters = static_cast<std::size_t>(
        std::find_if_not(value.begin(), value.end(), IsCapital) - value.begin());
    const std::size_t blank = value.find(' ');
    if (letters < 1 || letters > 2 || blank == std::string::npos || blank < letters + 1 ||
        blank > 4 || value.size() != blank + 4 || !IsDigit(value[letters]) ||
        !IsDigit(value[blank + 1]) || !IsCapital(value[blank + 2]) ||
        !IsCapital(value[blank + 3])) {
      return std::nullopt;
    }
    lines.push_back({0,
                     {value, value.substr(0, blank + 2) + "*", value.substr(0, blank) + " *",
                      value.substr(0, letters) + "*", "*"}});
  }
  return lines;
}

}  // namespace reissue::taxonomy::internal
