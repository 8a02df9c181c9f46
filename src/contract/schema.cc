#include "reissue/contract/schema.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace reissue::contract {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kGetAgain[] = "Get it again from whoever published the release, or from the vault.";

// Nesting that nothing of ours has is not even parsed. Brackets in strings are labels of ranges.
bool TooDeep(std::string_view text) {
  constexpr int kDeepest = 32;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      if (c == '\\') ++i;
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kDeepest) return true;
  }
  return false;
}

// Looks at the names of members while they are parsed: the parser itself would keep the last of
// two, and another program perhaps the first.
class NamesOnce {
 public:
  void See(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event != Json::parse_event_t::key) return;
    Object& object = open_.back();
    object.now = parsed.get<std::string>();
    if (object.names.insert(object.now).second || twice_) return;
    twice_ = open_.front().now;
    for (std::size_t i = 1; i < open_.size(); ++i) *twice_ += "." + open_[i].now;
  }
  // The way to a member that stands twice, if one does.
  const std::optional<std::string>& twice() const { return twice_; }

 private:
  struct Object {
    std::set<std::string> names;
    std::string now;
  };
  std::vector<Object> open_;
  std::optional<std::string> twice_;
};

}  // namespace

Result<Json> ParseStrict(std::string_view text, const std::string& file, const Error& no_json) {
  const Place place{file, std::nullopt, std::nullopt, ""};
  if (TooDeep(text)) return no_json;
  NamesOnce names;
  try {
    Json json = Json::parse(text, [&](int, Json::parse_event_t event, Json& parsed) {
      names.See(event, parsed);
      return true;
    });
    if (!names.twice()) return json;
    return InputError(place, fmt::format("{} stands there twice", *names.twice()), kGetAgain);
  } catch (const Json::out_of_range&) {
    return InputError(place, "a number in it is too large", kGetAgain);
  } catch (const Json::exception&) {
    return no_json;
  }
}

Member::Member(const Json& json, const std::string& file)
    : Member(&json, "", std::make_shared<Reading>(Reading{file, Ok()})) {}

Member::Member(const Json* json, std::string path, std::shared_ptr<Reading> reading)
    : json_(json), path_(std::move(path)), reading_(std::move(reading)) {}

Status Member::status() const { return reading_->status; }

void Member::Fail(const std::string& message) const {
  if (!reading_->status) return;
  reading_->status =
      InputError({reading_->file, std::nullopt, std::nullopt, ""}, message, kGetAgain);
}

void Member::Misfit(const std::string& expected) const {
  Fail(fmt::format("{}: {} was expected", path_.empty() ? "the whole" : path_, expected));
}

std::string Member::PathTo(const std::string& name) const {
  return path_.empty() ? name : path_ + "." + name;
}

const Json& Member::json() const {
  static const Json kNothing;
  return json_ != nullptr ? *json_ : kNothing;
}

bool Member::Has(const std::string& name) const {
  return json_ != nullptr && json_->is_object() && json_->contains(name);
}

Member Member::operator[](const std::string& name) const {
  if (Has(name)) return Member(&json_->at(name), PathTo(name), reading_);
  if (json_ != nullptr && !json_->is_object()) Misfit("an object");
  if (json_ != nullptr) Fail(PathTo(name) + " is missing");
  return Member(nullptr, PathTo(name), reading_);
}

bool Member::IsNull() const { return json_ != nullptr && json_->is_null(); }

std::string Member::Text() const {
  if (json_ == nullptr) return {};
  if (json_->is_string()) return json_->get<std::string>();
  Misfit("a text");
  return {};
}

bool Member::Flag() const {
  if (json_ == nullptr) return false;
  if (json_->is_boolean()) return json_->get<bool>();
  Misfit("true or false");
  return false;
}

double Member::Number() const {
  if (json_ == nullptr) return 0;
  if (json_->is_number() && std::isfinite(json_->get<double>())) return json_->get<double>();
  Misfit("a number");
  return 0;
}

std::uint64_t Member::WholeUpTo(std::uint64_t most) const {
  if (json_ == nullptr) return 0;
  if (json_->is_number_unsigned() && json_->get<std::uint64_t>() <= most) {
    return json_->get<std::uint64_t>();
  }
  Misfit(fmt::format("a whole number from 0 to {}", most));
  return 0;
}

std::vector<Member> Member::List(std::size_t least) const {
  std::vector<Member> list;
  if (json_ == nullptr) return list;
  if (!json_->is_array()) {
    Misfit("a list");
    return list;
  }
  if (json_->size() < least) {
    Misfit(least == 1 ? "a list that is not empty" : fmt::format("a list of at least {}", least));
  }
  for (const Json& entry : *json_) {
    list.push_back(Member(&entry, fmt::format("{}[{}]", path_, list.size()), reading_));
  }
  return list;
}

std::vector<std::string> Member::Texts(std::size_t least) const {
  std::vector<std::string> texts;
  for (const Member& entry : List(least)) texts.push_back(entry.Text());
  return texts;
}

std::vector<std::pair<std::string, Member>> Member::Members() const {
  std::vector<std::pair<std::string, Member>> members;
  if (json_ == nullptr) return members;
  if (!json_->is_object()) {
    Misfit("an object");
    return members;
  }
  for (const auto& [name, value] : json_->items()) {
    members.emplace_back(name, Member(&value, PathTo(name), reading_));
  }
  return members;
}

}  // namespace reissue::contract
