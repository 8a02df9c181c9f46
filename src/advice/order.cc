#include "reissue/advice/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "reissue/taxonomy/draft.h"

namespace reissue::advice {
namespace {

using Key = std::vector<std::string>;

bool IsDigitOfName(char c) { return '0' <= c && c <= '9'; }
bool IsLetterOfName(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

std::string MonthNumber(std::string word) {
  static const std::vector<std::string> kMonths = {"january",   "february", "march",    "april",
                                                   "may",       "june",     "july",     "august",
                                                   "september", "october",  "november", "december"};
  for (char& c : word) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  for (std::size_t m = 0; m < kMonths.size(); ++m) {
    if (word == kMonths[m] || (word.size() == 3 && kMonths[m].starts_with(word))) {
      return std::to_string(m + 1);
    }
  }
  return {};
}

// The name without its directory, cut into runs of digits, of letters, and the rest.
std::vector<std::string> Runs(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  std::vector<std::string> runs;
  int kind = -1;
  for (const char c : name) {
    const int own = IsDigitOfName(c) ? 0 : IsLetterOfName(c) ? 1 : 2;
    if (own != kind) runs.emplace_back();
    kind = own;
    runs.back() += c;
  }
  return runs;
}

// Numbers of equal length compare like their texts.
std::string AsNumber(const std::string& run) {
  constexpr std::size_t kDigits = 24;
  const std::size_t begin = std::min(run.find_first_not_of('0'), run.size() - 1);
  const std::string digits = run.substr(begin);
  return digits.size() < kDigits ? std::string(kDigits - digits.size(), '0') + digits : digits;
}

// What the names differ in, if that is nothing but numbers and months.
std::optional<std::vector<Key>> KeysOfNames(const std::vector<std::string>& paths) {
  std::vector<std::vector<std::string>> runs;
  for (const std::string& path : paths) runs.push_back(Runs(path));
  std::vector<Key> keys(paths.size());
  for (const auto& each : runs) {
    if (each.size() != runs[0].size()) return std::nullopt;
  }
  for (std::size_t r = 0; r < runs[0].size(); ++r) {
    const bool same = std::all_of(runs.begin(), runs.end(),
                                  [&](const auto& each) { return each[r] == runs[0][r]; });
    if (same) continue;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::string number =
          IsDigitOfName(runs[i][r][0]) ? runs[i][r] : MonthNumber(runs[i][r]);
      if (number.empty()) return std::nullopt;
      keys[i].push_back(AsNumber(number));
    }
  }
  return std::set<Key>(keys.begin(), keys.end()).size() == keys.size() ? std::optional(keys)
                                                                       : std::nullopt;
}

// The latest day or month in a column of dates, as a text that can be compared.
std::optional<std::string> Latest(const Column& column) {
  std::vector<bool> there(column.dictionary().size());
  for (const ValueId value : column.values()) there[value.index()] = true;
  std::vector<std::string> values;
  for (std::size_t v = 0; v < there.size(); ++v) {
    const std::string_view text = column.dictionary()[ValueId(v)];
    if (there[v] && !taxonomy::IsMissingMark(text)) values.emplace_back(text);
  }
  const auto draft = taxonomy::DraftHierarchy(values, taxonomy::DraftKind::kDates, "");
  if (!draft) return std::nullopt;
  std::string latest;
  for (const auto& line : draft->lines) latest = std::max(latest, line.labels[1]);
  return latest;
}

std::optional<std::vector<Key>> KeysOfColumn(const std::string& name,
                                             const std::vector<const Table*>& tables) {
  std::vector<Key> keys;
  for (const Table* table : tables) {
    const auto id = table->Find(name);
    const auto latest = id ? Latest((*table)[*id]) : std::nullopt;
    if (!latest) return std::nullopt;
    keys.push_back({*latest});
  }
  return std::set<Key>(keys.begin(), keys.end()).size() == keys.size() ? std::optional(keys)
                                                                       : std::nullopt;
}

std::vector<std::size_t> Sorted(const std::vector<Key>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return order;
}

}  // namespace

TableOrder OrderTables(const std::vector<std::string>& paths,
                       const std::vector<const Table*>& tables) {
  const auto names = KeysOfNames(paths);
  if (names && paths.size() > 1) return {Sorted(*names), "by the numbers or months in their names"};
  for (const Column& column : tables[0]->columns()) {
    if (paths.size() < 2) break;
    const auto keys = KeysOfColumn(column.name(), tables);
    if (keys)
      return {Sorted(*keys), fmt::format("by the latest date in column \"{}\"", column.name())};
  }
  std::vector<std::size_t> order(paths.size());
  std::iota(order.begin(), order.end(), 0);
  return {order, "as they were given"};
}

}  // namespace reissue::advice
