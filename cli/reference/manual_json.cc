#include "cli/reference/manual.h"
#include "cli/render/json.h"

namespace reissue::cli {
namespace {

Json OptionJson(const ManualOption& option) {
  Json json;
  json["names"] = option.names;
  json["value"] = option.value.empty() ? Json(nullptr) : Json(option.value);
  json["required"] = option.required;
  json["many"] = option.many;
  json["description"] = option.description;
  return json;
}

Json VerbJson(const ManualVerb& verb) {
  Json json;
  json["verb"] = verb.path;
  json["summary"] = verb.summary;
  json["details"] = verb.details;
  json["usage"] = verb.Usage();
  json["arguments"] = Json::array();
  for (const ManualOption& argument : verb.arguments) {
    json["arguments"].push_back(OptionJson(argument));
  }
  json["options"] = Json::array();
  for (const ManualOption& option : verb.options) json["options"].push_back(OptionJson(option));
  json["examples"] = verb.examples;
  json["verbs"] = Json::array();
  for (const ManualVerb& child : verb.verbs) json["verbs"].push_back(VerbJson(child));
  return json;
}

}  // namespace

std::string ManualJson(const ManualVerb& root) { return JsonText(VerbJson(root)); }

}  // namespace reissue::cli
