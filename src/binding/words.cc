#include "reissue/binding/words.h"

#include <fmt/format.h>

namespace reissue::binding {

std::string Where(const LabelledCell& cell) {
  std::string text;
  for (const auto& [column, label] : cell) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", column, label);
  }
  return text;
}

std::string People(std::uint64_t rows) {
  return rows == 1 ? "1 person" : fmt::format("{} people", rows);
}

std::string Rows(std::uint64_t rows) { return rows == 1 ? "1 row" : fmt::format("{} rows", rows); }

std::string Listed(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

}  // namespace reissue::binding
