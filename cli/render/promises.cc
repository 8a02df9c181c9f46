#include "cli/render/promises.h"

#include <string_view>

#include "cli/render/text.h"

namespace reissue::cli {
namespace {

struct Meaning {
  std::string_view name;
  std::string_view words;
  std::string_view limit;  // "at least", "at most", "below"
};

constexpr Meaning kMeanings[] = {
    {"k", "people in the smallest group that looks alike", "at least"},
    {"distinct", "different sensitive values in a group", "at least"},
    {"entropy", "effective number of sensitive values in a group", "at least"},
    {"recursive", "most frequent value against the rare ones, as a ratio", "below"},
    {"alpha", "largest share of one sensitive value in a group", "at most"},
    {"confidence", "certainty of inferring any other value", "at most"},
    {"m", "values that are possible for everybody", "at least"},
    {"e", "people on a side that is shown to equal another", "at least"},
    {"j", "how far a reader's beliefs in a group's people differ, in bits", "at most"},
    {"max_belief", "a reader's belief in somebody's true value", "at most"},
    {"max_gain", "what a reader gains about anybody (equation 8)", "at most"},
    {"t", "distance of a group's values from the whole release", "at most"},
    {"beta", "gain in likelihood of a value against the whole release", "at most"},
};

Meaning MeaningOf(const std::string& name, bool series = false) {
  if (series && name == "k") {
    return {name, "rows that readers of all releases cannot exclude", "at least"};
  }
  for (const Meaning& meaning : kMeanings) {
    if (meaning.name == name) return meaning;
  }
  if (name.starts_with("confidence in "))
    return {name, "certainty of inferring this value", "at most"};
  return {name, "", ""};
}

using Align = TextTable::Align;

}  // namespace

std::string PromiseTable(const std::vector<engine::PromiseKept>& promises, const Style& style,
                         bool series) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.Add({"promise", "meaning", "asked", "measured", "kept"});
  for (const engine::PromiseKept& promise : promises) {
    const Meaning meaning = MeaningOf(promise.name, series);
    table.Add({promise.name, std::string(meaning.words),
               std::string(meaning.limit) + " " + Number(promise.asked), Number(promise.measured),
               promise.kept ? style.Good("yes") : style.Bad("NO")});
  }
  return table.ToString();
}

std::string MeasureTable(const std::vector<engine::PromiseKept>& measures) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight});
  for (const engine::PromiseKept& measure : measures) {
    table.Add({measure.name, std::string(MeaningOf(measure.name).words), Number(measure.measured)});
  }
  return table.ToString();
}

Json PromisesJson(const std::vector<engine::PromiseKept>& promises) {
  Json list = Json::array();
  for (const engine::PromiseKept& promise : promises) {
    Json json;
    json["promise"] = promise.name;
    json["asked"] = JsonNumber(promise.asked);
    json["measured"] = JsonNumber(promise.measured);
    json["kept"] = promise.kept;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace reissue::cli
