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

std::string RangesFromDataWords(const std::vector<std::string>& columns) {
  return fmt::format(
      "the ranges of {} are found from the data: their ends are numbers of the table, the least "
      "and the greatest among them. If that is telling, write ranges = \"round\" or a taxonomy "
      "for {} into the policy.",
      Listed(columns), columns.size() == 1 ? "it" : "them");
}

std::string QuotedNames(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 60;
  std::vector<std::string> quoted;
  for (const std::string& name : names) {
    if (quoted.size() == kShown) {
      quoted.push_back(fmt::format("{} more", names.size() - kShown));
      break;
    }
    quoted.push_back("\"" + name + "\"");
  }
  return Listed(quoted);
}

}  // namespace reissue::binding
