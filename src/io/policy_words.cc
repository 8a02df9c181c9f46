#include "reissue/io/policy_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace reissue::io {

std::string_view KindName(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kNumber:
      return "a number";
    case Setting::Kind::kText:
      return "text";
    case Setting::Kind::kFlag:
      return "true or false";
    case Setting::Kind::kList:
      return "a list";
    case Setting::Kind::kTable:
      return "a table";
  }
  return "";
}

std::string Suggest(std::string_view word, const std::vector<std::string>& known,
                    std::string_view list_name) {
  const std::string nearest = Nearest(word, known);
  return fmt::format("{}{}: {}", nearest.empty() ? "" : "did you mean \"" + nearest + "\"? ",
                     list_name, fmt::join(known, ", "));
}

Error PolicyWords::At(const Setting& setting, std::string message, std::string remedy,
                      std::string column) const {
  return InputError({file_, setting.line, std::nullopt, std::move(column)}, std::move(message),
                    std::move(remedy));
}
Error PolicyWords::AtColumn(const PolicyColumn& column, std::string message,
                            std::string remedy) const {
  return InputError({file_, column.line, std::nullopt, column.name}, std::move(message),
                    std::move(remedy));
}
Error PolicyWords::Whole(std::string message, std::string remedy) const {
  return InputError({file_, std::nullopt, std::nullopt, ""}, std::move(message), std::move(remedy));
}

Status PolicyWords::Expect(const Setting& setting, Setting::Kind kind, std::string_view what,
                           const std::string& column) const {
  if (setting.kind == kind) return Ok();
  return At(
      setting, fmt::format("{} must be {}, not {}", what, KindName(kind), KindName(setting.kind)),
      kind == Setting::Kind::kText ? "put it in quotes" : "see docs/formats/policy.md for examples",
      column);
}

Result<std::vector<std::string>> PolicyWords::Texts(const Setting& setting, std::string_view what,
                                                    const std::string& column) const {
  REISSUE_TRY(Expect(setting, Setting::Kind::kList, what, column));
  std::vector<std::string> texts;
  for (const Setting& item : setting.list) {
    REISSUE_TRY(Expect(item, Setting::Kind::kText, fmt::format("every item of {}", what), column));
    if (std::find(texts.begin(), texts.end(), item.text) != texts.end()) {
      return At(item, fmt::format("\"{}\" stands twice in {}", item.text, what), "name each once",
                column);
    }
    texts.push_back(item.text);
  }
  return texts;
}

}  // namespace reissue::io
