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

using HeadCount = contract::Exposure::Number;

Json NumberOrNull(const std::optional<HeadCount>& number) {
  if (!number) return nullptr;
  return {{"lower", number->lower}, {"upper", number->upper}};
}

// "12", "up to 12", "3 to 12".
std::string HowMany(const HeadCount& number) {
  if (number.lower == number.upper) return Count(number.upper);
  return (number.lower == 0 ? "up" : Count(number.lower)) + " to " + Count(number.upper);
}

std::string SingledOut(const contract::Exposure& exposure) {
  const HeadCount& number = *exposure.singled_out;
  const bool one = number.upper == 1;
  if (exposure.combinations) {
    return (number.upper == 0 ? "no combination of what readers know leaves"
            : one             ? "1 combination of what readers know leaves"
                              : HowMany(number) + " combinations of what readers know leave") +
           std::string(" a single row of the release");
  }
  if (number.upper == 0) return "nobody is singled out";
  return HowMany(number) + (one ? " person is" : " people are") + " singled out";
}

std::string Certain(const contract::Exposure& exposure) {
  const HeadCount& number = *exposure.value_certain;
  const bool one = number.upper == 1;
  if (exposure.combinations) {
    return (number.upper == 0 ? "none makes" : HowMany(number) + (one ? " makes" : " make")) +
           std::string(" a sensitive value certain");
  }
  if (number.upper == 0) return "nobody's value is certain";
  return "the value of " + HowMany(number) + (one ? " person" : " people") + " is certain";
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

page::Grid PromiseGrid(const std::vector<contract::PromiseKept>& promises,
                       const std::vector<Meaning>& own) {
  page::Grid grid{
      "Asked and measured",
      {{"promise"}, {"what it is about"}, {"asked", true}, {"measured", true}, {"kept"}},
      {}};
  for (const contract::PromiseKept& promise : promises) {
    const Meaning meaning = MeaningOf(promise.name, own);
    const page::Tone tone = IsOpen(promise) ? page::Tone::kPlain
                            : promise.kept  ? page::Tone::kGood
                                            : page::Tone::kBad;
    grid.rows.push_back({{promise.name},
                         {meaning.words},
                         {meaning.limit + " " + Number(promise.asked)},
                         {MeasuredText(promise)},
                         {KeptText(promise, Style()), {}, tone}});
  }
  return grid;
}

page::Grid MeasureGrid(const std::vector<contract::PromiseKept>& measures) {
  page::Grid grid{"Not promised, measured all the same (worst group)",
                  {{"measure"}, {"what it is about"}, {"measured", true}},
                  {}};
  for (const contract::PromiseKept& measure : measures) {
    grid.rows.push_back(
        {{measure.name}, {MeaningOf(measure.name).words}, {Number(measure.measured)}});
  }
  return grid;
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

std::string AbsoluteWords(const contract::Exposure& exposure) {
  std::string words;
  if (exposure.singled_out) words = SingledOut(exposure);
  if (exposure.value_certain) words += (words.empty() ? "" : ", and ") + Certain(exposure);
  return words;
}

std::string ExposureWords(const contract::Exposure& exposure) {
  const std::string words = AbsoluteWords(exposure);
  return words.empty() ? "" : "Whatever was promised: " + words + ".";
}

std::string CertainAnyway(const contract::AuditReport& report) {
  if (!report.exposure.any()) return "";
  const std::string begin =
      report.satisfied ? "No promise is broken, and all the same " : "Whatever was promised: ";
  return Fill(begin + AbsoluteWords(report.exposure) + ".", 2);
}

Json ExposureObject(const contract::Exposure& exposure) {
  if (!exposure.singled_out && !exposure.value_certain) return nullptr;
  Json json;
  json["singled_out"] = NumberOrNull(exposure.singled_out);
  json["value_certain"] = NumberOrNull(exposure.value_certain);
  json["counted"] = exposure.combinations ? "combinations" : "people";
  return json;
}

bool NobodyIsExposed(const contract::AuditReport& report) {
  return report.exposed == 0 && !report.exposure.any() && report.published_identifiers.empty() &&
         report.published_dropped.empty();
}

}  // namespace reissue::cli
