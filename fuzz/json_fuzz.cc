// Any bytes as JSON of a stranger: read or refused, never a crash. What is accepted is text in
// UTF-8, and written again it reads the same.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "reissue/contract/schema.h"
#include "reissue/core/result.h"

namespace {

using reissue::contract::Member;

// Reads everything as what it is, and once as what it is not.
void Walk(const Member& member) {
  const nlohmann::ordered_json& json = member.json();
  if (json.is_object()) {
    for (const auto& [name, inner] : member.Members()) {
      REISSUE_CHECK(member.Has(name));
      Walk(inner);
    }
  } else if (json.is_array()) {
    for (const Member& inner : member.List()) Walk(inner);
  } else if (json.is_number()) {
    (void)member.Number();
  } else if (json.is_string()) {
    (void)member.Text();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const reissue::Error no_json = reissue::InputError("no JSON");
  const auto read = reissue::contract::ParseStrict(text, "a.json", no_json);
  if (!read) {
    REISSUE_CHECK(!read.error().message.empty());
    REISSUE_CHECK(read.error().code == reissue::ErrorCode::kInput);
    return 0;
  }
  const auto again = reissue::contract::ParseStrict(read->dump(), "again.json", no_json);
  REISSUE_CHECK(again.has_value() && *again == *read && again->dump() == read->dump());
  const Member whole(*read, "a.json");
  Walk(whole);
  REISSUE_CHECK(whole.status().has_value());
  (void)whole["promise"].Whole<std::uint32_t>();
  REISSUE_CHECK(read->is_object() || !whole.status().has_value());
  return 0;
}
