#include "reissue/io/policy_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace reissue::io {
namespace {

// A key such as a.b.c makes one table per part, which the library takes apart by recursion.
constexpr std::size_t kMostDots = 200;

Place At(const std::string& file, std::uint64_t line) { return {file, line, std::nullopt, ""}; }

Status CheckDepth(std::string_view text, const std::string& file) {
  std::uint64_t line = 1;
  std::size_t dots = 0;
  for (const char c : text) {
    if (c == '.') {
      if (++dots > kMostDots) {
        return InputError(At(file, line), fmt::format("more than {} dots in one key", kMostDots),
                          "nest tables less deeply; a long row of dots in a text or comment counts "
                          "too, so shorten it");
      }
    } else if (c == ',' || c == '\n' || c == '=' || c == '{') {
      dots = 0;
      line += c == '\n';
    }
  }
  return Ok();
}

Result<Setting> Convert(const toml::node& node, std::uint64_t line, const std::string& file);

Result<Setting> ConvertTable(const toml::table& table, std::uint64_t line,
                             const std::string& file) {
  struct Entry {
    const toml::key* key;
    const toml::node* value;
  };
  std::vector<Entry> entries;
  for (auto&& [key, value] : table) entries.push_back({&key, &value});
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    const auto place = [](const Entry& entry) {
      const toml::source_position begin = entry.key->source().begin;
      return std::tuple(begin.line, begin.column, entry.key->str());
    };
    return place(a) < place(b);
  });
  Setting setting;
  setting.kind = Setting::Kind::kTable;
  setting.line = line;
  for (const Entry& entry : entries) {
    Setting value = REISSUE_TRY(Convert(*entry.value, entry.key->source().begin.line, file));
    setting.table.emplace_back(std::string(entry.key->str()), std::move(value));
  }
  return setting;
}

Result<Setting> ConvertList(const toml::array& array, std::uint64_t line, const std::string& file) {
  Setting setting;
  setting.kind = Setting::Kind::kList;
  setting.line = line;
  for (const toml::node& item : array) {
    setting.list.push_back(REISSUE_TRY(Convert(item, item.source().begin.line, file)));
  }
  return setting;
}

Result<Setting> Convert(const toml::node& node, std::uint64_t line, const std::string& file) {
  Setting setting;
  setting.line = line;
  if (const auto* table = node.as_table()) return ConvertTable(*table, line, file);
  if (const auto* array = node.as_array()) return ConvertList(*array, line, file);
  if (const auto* text = node.as_string()) {
    setting.kind = Setting::Kind::kText;
    setting.text = text->get();
  } else if (const auto* flag = node.as_boolean()) {
    setting.kind = Setting::Kind::kFlag;
    setting.flag = flag->get();
  } else if (const auto* integer = node.as_integer()) {
    setting.number = static_cast<double>(integer->get());
    setting.integer = true;
  } else if (const auto* number = node.as_floating_point()) {
    if (!std::isfinite(number->get())) {
      return InputError(At(file, line), "a number that is not finite", "write a plain number");
    }
    setting.number = number->get();
  } else {
    return InputError(At(file, line), "a date or time, which no key takes",
                      "put it in quotes if it is meant as text");
  }
  return setting;
}

}  // namespace

Result<Setting> ParseToml(std::string_view text, const std::string& file) {
  REISSUE_TRY(CheckDepth(text, file));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return InputError(At(file, error.source().begin.line),
                      fmt::format("not valid TOML: {}", error.description()),
                      "correct the line: texts stand in quotes, a key occurs once, and a table "
                      "`{ … }` stays on one line");
  }
  return ConvertTable(parsed.table(), 1, file);
}

}  // namespace reissue::io
