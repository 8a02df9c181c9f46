#include "reissue/engine/promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace reissue::engine {
namespace {

using models::k::Distance;
using models::k::Score;
using models::k::Search;

std::vector<std::string> KeysOf(const std::string& model) {
  std::vector<std::string> keys = {"k",          "distinct", "entropy", "recursive", "alpha",
                                   "confidence", "t",        "beta",    "distance",  "score",
                                   "class",      "search",   "budget"};
  keys.push_back(model == "bcf" ? "targets" : "suppression");
  return keys;
}

// Reads values of one policy or certificate, remembering the file for error messages.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Error Wrong(const std::string& key, const io::Setting& setting, const std::string& expected) {
    Place place{file_, std::nullopt, std::nullopt, ""};
    if (setting.line > 0) place.line = setting.line;
    return InputError(std::move(place), fmt::format("`{}` must be {}", key, expected));
  }

  Result<double> Number(const std::string& key, const io::Setting& setting, double low, double high,
                        const std::string& expected) {
    if (setting.kind != io::Setting::Kind::kNumber || !(setting.number >= low) ||
        !(setting.number <= high)) {
      return Wrong(key, setting, expected);
    }
    return setting.number;
  }

  Result<std::uint64_t> Whole(const std::string& key, const io::Setting& setting,
                              std::uint64_t low) {
    constexpr double kMost = 4e9;  // more than any table has rows or values
    const std::string expected = fmt::format("a whole number from {} to {:.0f}", low, kMost);
    const double number =
        REISSUE_TRY(Number(key, setting, static_cast<double>(low), kMost, expected));
    if (!setting.integer) return Wrong(key, setting, expected);
    return static_cast<std::uint64_t>(number);
  }

  template <typename T>
  Result<T> OneOf(const std::string& key, const io::Setting& setting,
                  const std::vector<std::pair<std::string, T>>& words) {
    std::string expected = "one of";
    for (const auto& [word, value] : words) {
      if (setting.kind == io::Setting::Kind::kText && setting.text == word) return value;
      expected += fmt::format("{} \"{}\"", expected == "one of" ? "" : ",", word);
    }
    return Wrong(key, setting, expected);
  }

  Error Unknown(const std::string& model, const std::string& key, const io::Setting& setting) {
    Error error = Wrong(key, setting, "");
    error.message = fmt::format("model \"{}\" has no setting `{}`", model, key);
    if (key == "inconsistent" || key == "anonymity" || key == "linkability") {
      error.remedy = "It belongs to model = \"xy\".";
      return error;
    }
    if (model == "bcf" && key == "suppression") {
      error.remedy =
          "In a series nobody may be left out: readers rely on it that whoever is in a release is "
          "in every later one. Remove the key.";
      return error;
    }
    const std::vector<std::string> known = KeysOf(model);
    const std::string nearest = io::Nearest(key, known);
    error.remedy = nearest.empty() ? fmt::format("It knows {}.", fmt::join(known, ", "))
                                   : fmt::format("Did you mean `{}`?", nearest);
    return error;
  }

  Error UnknownModel(const io::Setting* model) {
    Place place{file_, std::nullopt, std::nullopt, ""};
    if (model != nullptr && model->line > 0) place.line = model->line;
    return InputError(
        std::move(place),
        fmt::format("the model \"{}\" is not known", model != nullptr ? model->text : ""),
        "This version knows model = \"k\" (one release), model = \"bcf\" (a table that only "
        "grows), model = \"xy\" (other columns of the same people), model = \"m-invariance\" (a "
        "table whose rows come and go) and model = \"j-similarity\" (one whose values change, "
        "too).");
  }

 private:
  std::string file_;
};

Status ReadRecursive(Reader& reader, const io::Setting& setting, Promise& promise) {
  models::k::Recursive recursive;
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
        return reader.Wrong("recursive." + key, part, "left out: only c and l belong there");
      }
    }
  }
  if (!has_c || !has_l) return reader.Wrong("recursive", setting, "a table like { c = 3, l = 2 }");
  promise.guarantee.recursive = recursive;
  return Ok();
}

Status ReadConfidence(Reader& reader, const io::Setting& setting, Promise& promise) {
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

Status ReadSensitivePromise(Reader& reader, const std::string& key, const io::Setting& setting,
                            Promise& promise) {
  models::k::Guarantee& guarantee = promise.guarantee;
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

Status ReadSearch(Reader& reader, const std::string& key, const io::Setting& setting,
                  Promise& promise) {
  if (key == "score") {
    promise.score = REISSUE_TRY(reader.OneOf<Score>(key, setting,
                                                    {{"discernibility", Score::kDiscernibility},
                                                     {"distortion", Score::kDistortion},
                                                     {"loss", Score::kLoss},
                                                     {"class", Score::kClass}}));
  } else if (key == "search") {
    promise.search = REISSUE_TRY(reader.OneOf<Search>(key, setting,
                                                      {{"default", Search::kDefault},
                                                       {"greedy", Search::kGreedy},
                                                       {"paper", Search::kPaper},
                                                       {"optimal", Search::kOptimal}}));
  } else if (key == "budget") {
    promise.budget_seconds =
        REISSUE_TRY(reader.Number(key, setting, 0, 86400, "a number of seconds"));
  } else if (key == "class") {
    if (setting.kind != io::Setting::Kind::kText) {
      return reader.Wrong(key, setting, "the name of a column");
    }
    promise.class_column = setting.text;
  } else if (setting.integer && setting.number >= 1) {
    promise.suppression_rows = REISSUE_TRY(reader.Whole(key, setting, 0));
  } else {
    promise.suppression_share = REISSUE_TRY(
        reader.Number(key, setting, 0, 1, "a share of the rows (0 to 1) or a number of rows"));
  }
  return Ok();
}

Result<std::string> ReadModel(Reader& reader, const Settings& settings) {
  const io::Setting* model = nullptr;
  for (const auto& [key, setting] : settings) {
    if (key == "model") model = &setting;
  }
  for (const char* known : {"k", "bcf", "xy", "m-invariance", "j-similarity"}) {
    if (model != nullptr && model->text == known) return model->text;
  }
  return reader.UnknownModel(model);
}

}  // namespace

Result<Promise> ReadPromise(const Settings& settings, const std::string& file, bool has_sensitive,
                            const Settings& knowledge) {
  Promise promise;
  Reader reader(file);
  promise.model = REISSUE_TRY(ReadModel(reader, settings));
  if (promise.model == "xy") {
    promise.linked = REISSUE_TRY(ReadLinkedPromise(settings, file));
    promise.class_column = promise.linked->class_column;
    return promise;
  }
  if (promise.model == "m-invariance") {
    promise.invariance = REISSUE_TRY(ReadInvariancePromise(settings, file));
    return promise;
  }
  if (promise.model == "j-similarity") {
    promise.similarity = REISSUE_TRY(ReadSimilarityPromise(settings, knowledge, file));
    return promise;
  }
  const std::vector<std::string> known = KeysOf(promise.model);
  bool says_k = false;
  for (const auto& [key, setting] : settings) {
    if (key == "model") continue;
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return reader.Unknown(promise.model, key, setting);
    }
    if (key == "k") {
      promise.guarantee.k = REISSUE_TRY(reader.Whole(key, setting, 1));
      says_k = true;
    } else if (key == "targets") {
      promise.targets = REISSUE_TRY(
          reader.OneOf<Targets>(key, setting, {{"any", Targets::kAny}, {"real", Targets::kReal}}));
    } else if (key == "distance") {
      promise.guarantee.distance = REISSUE_TRY(reader.OneOf<Distance>(
          key, setting, {{"equal", Distance::kEqual}, {"ordered", Distance::kOrdered}}));
    } else if (key == "score" || key == "search" || key == "budget" || key == "class" ||
               key == "suppression") {
      REISSUE_TRY(ReadSearch(reader, key, setting, promise));
    } else {
      if (!has_sensitive) {
        Error error = reader.Wrong(key, setting, "");
        error.message = fmt::format(
            "`{}` promises something about sensitive values, and no column "
            "is sensitive",
            key);
        error.remedy = "Give a column role = \"sensitive\", or remove the promise.";
        return error;
      }
      REISSUE_TRY(ReadSensitivePromise(reader, key, setting, promise));
    }
  }
  const bool promises_more =
      promise.guarantee.NeedsSensitive() || promise.confidence || !promise.confidence_of.empty();
  if (!says_k && !promises_more) {
    return InputError({file, std::nullopt, std::nullopt, ""}, "[guarantee] promises nothing",
                      "Add k = 5, for example.");
  }
  if (promise.score == Score::kClass && promise.class_column.empty()) {
    return InputError({file, std::nullopt, std::nullopt, ""},
                      "score = \"class\" needs the column to predict", "Add class = \"column\".");
  }
  return promise;
}

Result<Promise> PromiseOf(const io::Policy& policy) {
  const auto sensitive = policy.WithRole(io::Role::kSensitive);
  Promise promise =
      REISSUE_TRY(ReadPromise(policy.guarantee, policy.file, !sensitive.empty(), policy.knowledge));
  if (promise.invariance) REISSUE_TRY(CheckInvarianceColumns(policy));
  if (promise.similarity) REISSUE_TRY(CheckSimilarityColumns(policy, *promise.similarity));
  if (!promise.similarity && policy.knowledge_line > 0) {
    return InputError(
        {policy.file, policy.knowledge_line, std::nullopt, ""},
        fmt::format("model \"{}\" is not about what readers know beforehand", promise.model),
        "Remove [knowledge], or choose model = \"j-similarity\".");
  }
  if (sensitive.size() > 1 && !promise.confidence_of.empty()) {
    return InputError(
        {policy.file, policy.Get("confidence")->line, std::nullopt, ""},
        "confidence by value needs one sensitive column; the policy has several, which "
        "act as one composite value",
        "Give one number for all values, or keep one column sensitive.");
  }
  if (sensitive.size() == 1) {
    promise.order = sensitive[0]->order;
    promise.numeric_order = sensitive[0]->order.empty() && sensitive[0]->numeric;
  }
  if (promise.guarantee.t && promise.guarantee.distance == Distance::kOrdered &&
      promise.order.empty() && !promise.numeric_order) {
    return InputError(
        {policy.file, policy.guarantee_line, std::nullopt, ""},
        "distance = \"ordered\" needs one sensitive column whose values have an order",
        "Give that column order = [...] from the lowest to the highest, or type = "
        "\"numeric\".");
  }
  if (!promise.class_column.empty()) {
    const io::PolicyColumn* column = policy.Find(promise.class_column);
    if (column == nullptr || column->role == io::Role::kDrop ||
        column->role == io::Role::kIdentifier) {
      return InputError({policy.file, policy.Get("class")->line, std::nullopt, ""},
                        fmt::format("the class column \"{}\" is not a column of the policy that is "
                                    "kept",
                                    promise.class_column),
                        "Name a column with role \"publish\" or \"sensitive\".");
    }
  }
  return promise;
}

Status BoundValuesOccur(const Promise& promise, const Dictionary& sensitive,
                        const std::string& file) {
  for (const auto& [value, bound] : promise.confidence_of) {
    if (sensitive.Find(value)) continue;
    return InputError(
        {file, std::nullopt, std::nullopt, "confidence"},
        fmt::format("a bound is set for \"{}\", which the table does not have", value),
        "Correct the name (capitals count), or remove the bound if the value does not "
        "occur.");
  }
  return Ok();
}

Result<models::k::Guarantee> Resolve(const Promise& promise, const Dictionary& sensitive) {
  models::k::Guarantee guarantee = promise.guarantee;
  if (promise.confidence || !promise.confidence_of.empty()) {
    const double everywhere = promise.confidence.value_or(std::numeric_limits<double>::infinity());
    guarantee.confidence.assign(sensitive.size(), everywhere);
    for (const auto& [value, bound] : promise.confidence_of) {
      if (const auto code = sensitive.Find(value)) guarantee.confidence[code->index()] = bound;
    }
  }
  if (!guarantee.t || guarantee.distance != Distance::kOrdered) return guarantee;
  guarantee.order.assign(sensitive.size(), 0);
  if (!promise.numeric_order) {
    for (std::size_t code = 0; code < sensitive.size(); ++code) {
      const auto at =
          std::find(promise.order.begin(), promise.order.end(), sensitive[ValueId(code)]);
      if (at == promise.order.end()) {
        return InputError("a sensitive value of the table is missing in the declared order",
                          "distance = \"ordered\" needs `order = [...]` with every value of the "
                          "sensitive column, or type = \"numeric\".");
      }
      guarantee.order[code] = static_cast<std::uint32_t>(at - promise.order.begin());
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

}  // namespace reissue::engine
