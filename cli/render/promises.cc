#include "cli/render/promises.h"

#include "cli/render/text.h"

namespace reissue::cli {
namespace {

const Meaning kMeanings[] = {
    {"k", "people in the smallest group that looks alike", "at least"},
    {"distinct", "different sensitive values in a group", "at least"},
    {"entropy", "effective number of sensitive values in a group", "at least"},
    {"recursive", "most frequent value against the rare ones, as a ratio", "below"},
    {"alpha", "largest share of one sensitive value in a group", "at most"},
    {"confidence", "certainty of inferring any other value", "at most"},
    {"t", "distance of a group's values from the whole release", "at most"},
    {"beta", "gain in likelihood of a value against the whole release", "at most"},
};

Meaning MeaningOf(const std::string& name, const std::vector<Meaning>& own = {}) {
  for (const Meaning& meaning : own) {
    if (meaning.name == name) return meaning;
  }
  for (const Meaning& meaning : kMeanings) {
    if (meaning.name == name) return meaning;
  }
  if (name.starts_with("confidence in "))
    return {name, "certainty of inferring this value", "at most"};
  return {name, "", ""};
}

}  // namespace

std::string PromiseTable(const std::vector<contract::PromiseKept>& promises, const Style& style,
                         const std::vector<Meaning>& own) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.Add({"promise", "meaning", "asked", "measured", "kept"});
  for (const contract::PromiseKept& promise : promises) {
    const Meaning meaning = MeaningOf(promise.name, own);
    table.Add({promise.name, meaning.words, meaning.limit + " " + Number(promise.asked),
               promise.by_rule ? "by rule" : Number(promise.measured),
               promise.kept ? style.Good("yes") : style.Bad("NO")});
  }
  return table.ToString();
}

std::string MeasureTable(const std::vector<contract::PromiseKept>& measures) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight});
  for (const contract::PromiseKept& measure : measures) {
    table.Add({measure.name, MeaningOf(measure.name).words, Number(measure.measured)});
  }
  return table.ToString();
}

Json PromisesJson(const std::vector<contract::PromiseKept>& promises) {
  Json list = Json::array();
  for (const contract::PromiseKept& promise : promises) {
    Json json;
    json["promise"] = promise.name;
    json["asked"] = JsonNumber(promise.asked);
    json["measured"] = promise.by_rule ? Json(nullptr) : JsonNumber(promise.measured);
    json["kept"] = promise.kept;
    if (promise.by_rule) json["proof"] = "by rule";
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace reissue::cli
