#include "cli/render/error.h"

#include <string_view>

#include "cli/render/json.h"

namespace reissue::cli {
namespace {

const char* CodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kInput:
      return "input";
    case ErrorCode::kPromise:
      return "promise";
    case ErrorCode::kMachine:
      return "machine";
  }
  return "machine";
}

// Remedies come from many hands: a capital first, a full stop last.
std::string Sentence(std::string text) {
  if (text.empty()) return text;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (std::string_view(".?!:").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

Json OrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

std::string ToText(const Error& error, const Style& style) {
  Error told = error;
  told.remedy = Sentence(told.remedy);
  return style.Bad("reissue:") + " " + Printable(told.ToString()) + "\n";
}

Json JsonError(const Error& error) {
  const Place place = error.place.value_or(Place{});
  Json json;
  json["code"] = CodeName(error.code);
  json["message"] = error.message;
  json["file"] = OrNull(place.file);
  json["line"] = place.line ? Json(*place.line) : Json(nullptr);
  if (place.byte) json["byte"] = *place.byte;
  json["column"] = OrNull(place.column);
  json["remedy"] = OrNull(Sentence(error.remedy));
  return json;
}

std::string ToJson(const Error& error) {
  Json json;
  json["error"] = JsonError(error);
  return JsonText(json);
}

}  // namespace reissue::cli
