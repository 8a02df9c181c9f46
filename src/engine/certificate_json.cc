#include "reissue/engine/certificate_json.h"

namespace reissue::engine {

using Json = nlohmann::ordered_json;

Json ToJson(const io::Setting& setting) {
  switch (setting.kind) {
    case io::Setting::Kind::kNumber:
      if (setting.integer) return static_cast<std::int64_t>(setting.number);
      return setting.number;
    case io::Setting::Kind::kText:
      return setting.text;
    case io::Setting::Kind::kFlag:
      return setting.flag;
    case io::Setting::Kind::kList: {
      Json list = Json::array();
      for (const io::Setting& item : setting.list) list.push_back(ToJson(item));
      return list;
    }
    case io::Setting::Kind::kTable:
      break;
  }
  Json table = Json::object();
  for (const auto& [key, value] : setting.table) table[key] = ToJson(value);
  return table;
}

io::Setting FromJson(const Json& json) {
  io::Setting setting;
  if (json.is_number()) {
    setting.number = json.get<double>();
    setting.integer = json.is_number_integer();
  } else if (json.is_string()) {
    setting.kind = io::Setting::Kind::kText;
    setting.text = json.get<std::string>();
  } else if (json.is_boolean()) {
    setting.kind = io::Setting::Kind::kFlag;
    setting.flag = json.get<bool>();
  } else if (json.is_array()) {
    setting.kind = io::Setting::Kind::kList;
    for (const Json& item : json) setting.list.push_back(FromJson(item));
  } else {
    setting.kind = io::Setting::Kind::kTable;
    if (json.is_object()) {
      for (const auto& [key, value] : json.items())
        setting.table.emplace_back(key, FromJson(value));
    }
  }
  return setting;
}

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

nlohmann::ordered_json SimilarityJson(const SimilarityFacts& facts) {
  Json json = {{"against", facts.against}, {"knowledge", Json::object()}};
  for (const SimilarityFacts::Source& source : facts.knowledge) {
    Json& part = json["knowledge"][source.part] = {{"source", source.source}};
    if (!source.digest.empty()) part["digest"] = source.digest;
  }
  json["knowledge"]["steps"] = facts.steps;
  json["knowledge"]["compromised"] = facts.compromised;
  if (facts.relaxed) {
    json["relaxed"] = {{"k", facts.relaxed->k},
                       {"j", facts.relaxed->j},
                       {"beta", facts.relaxed->beta},
                       {"t", facts.relaxed->t}};
  }
  return json;
}

SimilarityFacts ReadSimilarity(const nlohmann::ordered_json& json) {
  SimilarityFacts facts;
  facts.against = json.at("against").get<std::string>();
  if (!json.contains("relaxed")) return facts;
  const auto& relaxed = json.at("relaxed");
  facts.relaxed.emplace();
  facts.relaxed->k = relaxed.at("k").get<std::uint64_t>();
  facts.relaxed->j = relaxed.at("j").get<double>();
  facts.relaxed->beta = relaxed.at("beta").get<double>();
  facts.relaxed->t = relaxed.at("t").get<double>();
  return facts;
}

}  // namespace reissue::engine
