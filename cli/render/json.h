#pragma once
// JSON with keys in the order in which they are added, two spaces deep, without NaN or infinities.

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "reissue/binding/words.h"
#include "reissue/core/result.h"

namespace reissue::cli {

using Json = nlohmann::ordered_json;

// Whole numbers without a fraction; null for what is no number.
inline Json JsonNumber(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 9e15) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

// Labels by column.
inline Json CellJson(const binding::LabelledCell& cell) {
  Json json = Json::object();
  for (const auto& [column, label] : cell) json[column] = label;
  return json;
}

// The members of an error, without the envelope.
Json JsonError(const Error& error);

// Ends in a line feed. Bytes that are not UTF-8 are replaced.
inline std::string JsonText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reissue::cli
