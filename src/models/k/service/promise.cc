#include "reissue/models/k/service/promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace reissue::models::k::service {
namespace {

using binding::SettingsReader;
using binding::Words;

// In the order of their enums.
const Words kScores = {"discernibility", "distortion", "loss", "class"};
const Words kSearches = {"default", "greedy", "paper", "optimal"};

Words KeysWith(const std::vector<OwnSetting>& own) {
  Words keys = {"k",          "distinct", "entropy", "recursive", "alpha",
                "confidence", "t",        "beta",    "distance",  "score",
                "class",      "search",   "budget",  "recoding",  "suppression"};
  for (const OwnSetting& each : own) keys.push_back(each.key);
  return keys;
}

Error UnknownKey(const SettingsReader& reader, const Promise& promise, const std::string& key,
                 const io::Setting& setting, const Words& known) {
  const std::string message = fmt::format("model \"{}\" has no setting `{}`", promise.model, key);
  if (key == "inconsistent" || key == "anonymity" || key == "linkability") {
    return reader.Wrong(setting, message, "It belongs to model = \"xy\".");
  }
  return reader.Unknown(setting, message, key, known);
}

Status ReadRecursive(const SettingsReader& reader, const io::Setting& setting, Promise& promise) {
  Recursive recursive;
  bool has_c = false;
  bool has_l = false;
  if (setting.kind == io::Setting::Kind::kTable) {
    for (const auto& [key, part] : setting.table) {
      if (key == "c") {
        recursive.c =
            REISSUE_TRY(reader.Number("recursive.c", part, 1e-9, 1e12, "a number above 0"));
        has_c = true;
      } else if (key == "l") {
        recursive.l = static_cast<std::uint32_t>(REISSUE_TRY(reader.Whole("recursive.l", part, 1)));
        has_l = true;
      } else {
        return reader.Expected("recursive." + key, part, "left out: only c and l belong there");
      }
    }
  }
  if (!has_c || !has_l)
    return reader.Expected("recursive", setting, "a table like { c = 3, l = 2 }");
  promise.guarantee.recursive = recursive;
  return Ok();
}

Status ReadConfidence(const SettingsReader& reader, const io::Setting& setting, Promise& promise) {
  const std::string expected =
      "a number above 0 and at most 1, or a table of such numbers by value";
  if (setting.kind == io::Setting::Kind::kTable) {
    for (const auto& [value, part] : setting.table) {
      const double bound =
          REISSUE_TRY(reader.Number("confidence." + value, part, 1e-12, 1, expected));
      if (value == "*") {
        promise.confidence = bound;
      } else {
        promise.confidence_of.emplace_back(value, bound);
      }
    }
    return Ok();
  }
  promise.confidence = REISSUE_TRY(reader.Number("confidence", setting, 1e-12, 1, expected));
  return Ok();
}

Status ReadSensitivePromise(const SettingsReader& reader, const std::string& key,
                            const io::Setting& setting, Promise& promise) {
  Guarantee& guarantee = promise.guarantee;
  if (key == "distinct") {
    guarantee.distinct = static_cast<std::uint32_t>(REISSUE_TRY(reader.Whole(key, setting, 1)));
  } else if (key == "entropy") {
    guarantee.entropy = REISSUE_TRY(reader.Number(key, setting, 1, 1e9, "a number of at least 1"));
  } else if (key == "recursive") {
    return ReadRecursive(reader, setting, promise);
  } else if (key == "alpha") {
    guarantee.alpha =
        REISSUE_TRY(reader.Number(key, setting, 1e-12, 1, "a number above 0 and at most 1"));
  } else if (key == "confidence") {
    return ReadConfidence(reader, setting, promise);
  } else if (key == "t") {
    guarantee.t = REISSUE_TRY(reader.Number(key, setting, 0, 1, "a number from 0 to 1"));
  } else {
    guarantee.beta = REISSUE_TRY(reader.Number(key, setting, 0, 1e12, "a number of at least 0"));
  }
  return Ok();
}

Status ReadSearchSetting(const SettingsReader& reader, const std::string& key,
                         const io::Setting& setting, Promise& promise) {
  if (key == "score") {
    const std::size_t which = REISSUE_TRY(reader.OneOf(key, setting, kScores));
    promise.score = static_cast<Score>(which);
  } else if (key == "search") {
    const std::size_t which = REISSUE_TRY(reader.OneOf(key, setting, kSearches));
    promise.search = static_cast<Search>(which);
  } else if (key == "recoding") {
    promise.local = REISSUE_TRY(reader.OneOf(key, setting, {"global", "local"})) == 1;
  } else if (key == "budget") {
    promise.budget_seconds =
        REISSUE_TRY(reader.Number(key, setting, 0, 86400, "a number of seconds"));
  } else if (key == "suppression" && setting.integer && setting.number >= 1) {
    promise.suppression_rows = REISSUE_TRY(reader.Whole(key, setting, 0));
  } else if (key == "suppression") {
    promise.suppression_share = REISSUE_TRY(
        reader.Number(key, setting, 0, 1, "a share of the rows (0 to 1) or a number of rows"));
  } else if (key == "class") {
    if (setting.kind != io::Setting::Kind::kText) {
      return reader.Expected(key, setting, "the name of a column");
    }
    promise.class_column = setting.text;
  }
  return Ok();
}

Status ReadSetting(const SettingsReader& reader, const std::string& key, const io::Setting& setting,
                   bool has_sensitive, Promise& promise) {
  if (key == "k") {
    promise.guarantee.k = REISSUE_TRY(reader.Whole(key, setting, 1));
    return Ok();
  }
  if (key == "distance") {
    const std::size_t which = REISSUE_TRY(reader.OneOf(key, setting, {"equal", "ordered"}));
    promise.guarantee.distance = which == 1 ? Distance::kOrdered : Distance::kEqual;
    return Ok();
  }
  if (key == "score" || key == "search" || key == "budget" || key == "class" || key == "recoding" ||
      key == "suppression") {
    return ReadSearchSetting(reader, key, setting, promise);
  }
  if (has_sensitive) return ReadSensitivePromise(reader, key, setting, promise);
  return reader.Wrong(
      setting,
      fmt::format("`{}` promises something about sensitive values, and no column is sensitive",
                  key),
      "Give a column role = \"sensitive\", or remove the promise.");
}

// What a policy's columns must be for the promise.
Status FitColumns(const io::Policy& policy, const Promise& promise) {
  if (policy.WithRole(io::Role::kSensitive).size() > 1 && !promise.confidence_of.empty()) {
    return InputError(
        {policy.file, policy.Get("confidence")->line, std::nullopt, ""},
        "confidence by value needs one sensitive column; the policy has several, which "
        "act as one composite value",
        "Give one number for all values, or keep one column sensitive.");
  }
  if (promise.guarantee.t && promise.guarantee.distance == Distance::kOrdered &&
      !promise.order.known()) {
    return InputError(
        {policy.file, policy.guarantee_line, std::nullopt, ""},
        "distance = \"ordered\" needs one sensitive column whose values have an order",
        "Give that column order = [...] from the lowest to the highest, or type = "
        "\"numeric\".");
  }
  return binding::CheckClassColumn(policy, promise.class_column);
}

}  // namespace

Status ReadSearch(const binding::Settings& instead, const std::string& file, Promise& promise) {
  const SettingsReader reader(file);
  for (const auto& [key, setting] : instead) {
    REISSUE_TRY(ReadSearchSetting(reader, key, setting, promise));
  }
  return Ok();
}

std::string NameOf(Score score) { return kScores[static_cast<std::size_t>(score)]; }

Status ReadGuarantee(const contract::Asked& asked, const std::vector<OwnSetting>& own,
                     Promise& promise) {
  if (asked.policy != nullptr) REISSUE_TRY(binding::CheckHierarchies(*asked.policy));
  const SettingsReader reader(asked.file);
  const Words known = KeysWith(own);
  promise.order = asked.columns.order;
  bool says_k = false;
  for (const auto& [key, setting] : asked.guarantee) {
    if (key == "model") continue;
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return UnknownKey(reader, promise, key, setting, known);
    }
    says_k |= key == "k";
    const auto mine = std::ranges::find(own, key, &OwnSetting::key);
    REISSUE_TRY(mine != own.end()
                    ? mine->read(reader, setting)
                    : ReadSetting(reader, key, setting, !asked.columns.sensitive.empty(), promise));
  }
  const bool promises_more =
      promise.guarantee.NeedsSensitive() || promise.confidence || !promise.confidence_of.empty();
  if (!says_k && !promises_more) {
    return reader.WrongFile("[guarantee] promises nothing", "Add k = 5, for example.");
  }
  if (promise.score == Score::kClass && promise.class_column.empty()) {
    return reader.WrongFile("score = \"class\" needs the column to predict",
                            "Add class = \"column\".");
  }
  return asked.policy != nullptr ? FitColumns(*asked.policy, promise) : Ok();
}

Status BoundValuesOccur(const Promise& promise, const Dictionary& sensitive,
                        const io::Policy& policy) {
  const io::Setting* const bounds = policy.Get("confidence");
  const Place place{policy.file, bounds == nullptr ? std::nullopt : std::optional(bounds->line),
                    std::nullopt, "confidence"};
  for (const auto& [value, bound] : promise.confidence_of) {
    if (sensitive.Find(value)) continue;
    return InputError(
        place, fmt::format("a bound is set for \"{}\", which the table does not have", value),
        "Correct the name (capitals count), or remove the bound if the value does not "
        "occur.");
  }
  return Ok();
}

Result<Guarantee> Resolve(const Promise& promise, const Dictionary& sensitive) {
  Guarantee guarantee = promise.guarantee;
  if (promise.confidence || !promise.confidence_of.empty()) {
    const double everywhere = promise.confidence.value_or(std::numeric_limits<double>::infinity());
    guarantee.confidence.assign(sensitive.size(), everywhere);
    for (const auto& [value, bound] : promise.confidence_of) {
      if (const auto code = sensitive.Find(value)) guarantee.confidence[code->index()] = bound;
    }
  }
  if (!guarantee.t || guarantee.distance != Distance::kOrdered) return guarantee;
  guarantee.order.assign(sensitive.size(), 0);
  if (!promise.order.numeric) {
    for (std::size_t code = 0; code < sensitive.size(); ++code) {
      const auto at = std::find(promise.order.texts.begin(), promise.order.texts.end(),
                                sensitive[ValueId(code)]);
      if (at == promise.order.texts.end()) {
        return InputError("a sensitive value of the table is missing in the declared order",
                          "distance = \"ordered\" needs `order = [...]` with every value of the "
                          "sensitive column, or type = \"numeric\".");
      }
      guarantee.order[code] = static_cast<std::uint32_t>(at - promise.order.texts.begin());
    }
    return guarantee;
  }
  std::vector<double> numbers(sensitive.size());
  for (std::size_t code = 0; code < sensitive.size(); ++code) {
    const std::string_view text = sensitive[ValueId(code)];
    const auto [end, status] =
        std::from_chars(text.data(), text.data() + text.size(), numbers[code]);
    if (status != std::errc() || end != text.data() + text.size() ||
        !std::isfinite(numbers[code])) {
      return InputError(
          "a value of the numeric sensitive column is not a number",
          "Correct the value, or declare `order = [...]` instead of type = \"numeric\".");
    }
  }
  std::vector<std::uint32_t> by_number(sensitive.size());
  std::iota(by_number.begin(), by_number.end(), 0);
  std::stable_sort(by_number.begin(), by_number.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; });
  for (std::size_t rank = 0; rank < by_number.size(); ++rank) {
    guarantee.order[by_number[rank]] = static_cast<std::uint32_t>(rank);
  }
  return guarantee;
}

}  // namespace reissue::models::k::service
