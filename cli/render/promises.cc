#include "cli/render/promises.h"

#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using KindOfNumber = contract::PromiseKept::Number;

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

// How it is known, where there is no number.
std::string ProofOf(const contract::PromiseKept& promise) {
  return promise.basis == contract::Basis::kRule ? "by rule" : "audited";
}

bool IsOpen(const contract::PromiseKept& promise) {
  return promise.basis == contract::Basis::kOpen && promise.number == KindOfNumber::kNone;
}

std::string MeasuredText(const contract::PromiseKept& promise) {
  switch (promise.number) {
    case KindOfNumber::kExact:
      return Number(promise.measured);
    case KindOfNumber::kAtLeast:
      return "at least " + Number(promise.measured);
    case KindOfNumber::kNone:
      break;
  }
  return IsOpen(promise) ? "" : ProofOf(promise);
}

std::string KeptText(const contract::PromiseKept& promise, const Style& style) {
  if (IsOpen(promise)) return "open";
  return promise.kept ? style.Good("yes") : style.Bad("NO");
}

}  // namespace

std::string PromiseTable(const std::vector<contract::PromiseKept>& promises, const Style& style,
                         const std::vector<Meaning>& own) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.Add({"promise", "meaning", "asked", "measured", "kept"});
  for (const contract::PromiseKept& promise : promises) {
    const Meaning meaning = MeaningOf(promise.name, own);
    table.Add({promise.name, meaning.words, meaning.limit + " " + Number(promise.asked),
               MeasuredText(promise), KeptText(promise, style)});
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
    const bool none = promise.number == KindOfNumber::kNone;
    json["measured"] = none ? Json(nullptr) : JsonNumber(promise.measured);
    if (promise.number == KindOfNumber::kAtLeast) json["at_least"] = true;
    json["kept"] = IsOpen(promise) ? Json(nullptr) : Json(promise.kept);
    if (none && !IsOpen(promise)) json["proof"] = ProofOf(promise);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace reissue::cli
