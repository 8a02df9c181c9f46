#include "reissue/models/xy/service/promise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace reissue::models::xy::service {
namespace {

using io::Setting;
using Kind = Setting::Kind;
using binding::Words;

const Words& KnownKeys() {
  static const Words keys = {"anonymity", "linkability", "inconsistent",
                             "class",     "score",       "search"};
  return keys;
}

const Words kGainNames = {"distortion", "discernibility", "class"};
constexpr Gain kGains[] = {Gain::kDistortion, Gain::kDiscernibility, Gain::kClass};  // the same

bool IsKey(const std::string& name) { return name == "key" || name.ends_with(".key"); }

class RequirementsReader : private binding::SettingsReader {
 public:
  RequirementsReader(const std::string& file, Promise& promise)
      : SettingsReader(file), promise_(promise) {}

  Status Read(const binding::Settings& settings) {
    bool scored = false;
    for (const auto& [key, setting] : settings) {
      if (key == "anonymity" || key == "linkability") {
        REISSUE_TRY(ReadRequirements(key, setting));
      } else if (key == "inconsistent") {
        REISSUE_TRY(ReadPairs(setting));
      } else if (key == "class") {
        if (setting.kind != Kind::kText) return Wrong(setting, "`class` must be a column's name");
        promise_.class_column = setting.text;
      } else if (key == "score") {
        REISSUE_TRY(ReadScore(setting));
        scored = true;
      } else if (key == "search") {
        REISSUE_TRY(ReadSearch(setting));
      } else if (key != "model") {
        return Unknown(setting, fmt::format("model \"xy\" has no setting `{}`", key), key,
                       KnownKeys());
      }
    }
    if (promise_.requirements.empty()) {
      return WrongFile("[guarantee] promises nothing",
                       "Add [[guarantee.anonymity]] with x, y and k, or [[guarantee.linkability]] "
                       "with x, y and confidence.");
    }
    if (!scored && !promise_.class_column.empty()) promise_.gain = Gain::kClass;
    if (promise_.gain == Gain::kClass && promise_.class_column.empty()) {
      return WrongFile("score = \"class\" needs the column to predict", "Add class = \"column\".");
    }
    return Ok();
  }

  Status ReadSearchOf(const binding::Settings& settings) {
    for (const auto& [key, setting] : settings) {
      if (key == "score") REISSUE_TRY(ReadScore(setting));
      if (key == "search") REISSUE_TRY(ReadSearch(setting));
      if (key == "score" || key == "search") continue;
      return Unknown(setting, fmt::format("model \"xy\" has no setting `{}`", key), key,
                     KnownKeys());
    }
    if (promise_.gain == Gain::kClass && promise_.class_column.empty()) {
      return WrongFile("score = \"class\" needs the column to predict", "Add class = \"column\".");
    }
    return Ok();
  }

 private:
  Status ReadScore(const Setting& setting) {
    const std::size_t which = REISSUE_TRY(OneOf("score", setting, kGainNames));
    promise_.gain = kGains[which];
    return Ok();
  }

  Status ReadSearch(const Setting& setting) {
    const std::size_t which = REISSUE_TRY(OneOf("search", setting, {"default", "paper"}));
    promise_.search = which == 1 ? Search::kPaper : Search::kDefault;
    return Ok();
  }

  Status ReadRequirements(const std::string& kind, const Setting& list) {
    if (list.kind != Kind::kList) {
      return Wrong(list, fmt::format("`{}` must be a list of tables", kind),
                   fmt::format("Write [[guarantee.{}]], with two brackets on each side.", kind));
    }
    for (const Setting& item : list.list) {
      AskedRequirement requirement = REISSUE_TRY(ReadRequirement(kind, item));
      promise_.requirements.push_back(std::move(requirement));
    }
    return Ok();
  }

  Result<AskedRequirement> ReadRequirement(const std::string& kind, const Setting& table) {
    AskedRequirement requirement;
    const bool anonymity = kind == "anonymity";
    if (!anonymity) requirement.kind = xy::Requirement::Kind::kLinkability;
    requirement.line = table.line;
    const std::string bound = anonymity ? "k" : "confidence";
    const Setting *y = nullptr, *limit = nullptr, *x = nullptr;
    for (const auto& [key, setting] : table.table) {
      if (key == "x") {
        x = &setting;
      } else if (key == "y") {
        y = &setting;
      } else if (key == bound) {
        limit = &setting;
      } else {
        return Unknown(setting, fmt::format("[[guarantee.{}]] has no setting `{}`", kind, key), key,
                       {"x", "y", bound});
      }
    }
    if (x == nullptr) return Missing(table, kind, "x");
    if (y == nullptr) return Missing(table, kind, "y");
    requirement.x = REISSUE_TRY(Names(*x, "x"));
    if (limit != nullptr) REISSUE_TRY(ReadLimit(bound, *limit, requirement));
    REISSUE_TRY(ReadY(*y, requirement));
    bool needs_limit = requirement.values.empty();
    for (const AskedRequirement::Value& value : requirement.values) needs_limit |= !value.own;
    if (limit == nullptr && needs_limit) return Missing(table, kind, bound);
    REISSUE_TRY(Disjoint(table, requirement));
    return requirement;
  }

  Error Missing(const Setting& table, const std::string& kind, const std::string& key) const {
    return Wrong(table, fmt::format("[[guarantee.{}]] needs `{}`", kind, key),
                 kind == "anonymity"
                     ? "For example x = [\"job\", \"prior.job\"], y = [\"key\"], k = 5."
                     : "For example x = [\"job\", \"prior.job\"], y = { test = [\"HIV\"] }, "
                       "confidence = 0.5.");
  }

  Status ReadLimit(const std::string& key, const Setting& setting, AskedRequirement& out) {
    if (key == "confidence") {
      out.confidence = REISSUE_TRY(Share(setting, "`confidence`"));
      return Ok();
    }
    out.k = REISSUE_TRY(Whole("k", setting, 1));
    return Ok();
  }

  Result<double> Share(const Setting& setting, const std::string& what) const {
    if (setting.kind != Kind::kNumber || !(setting.number > 0) || !(setting.number <= 1)) {
      return Wrong(setting, what + " must be a number above 0 and at most 1");
    }
    return setting.number;
  }

  Result<Words> Names(const Setting& setting, const std::string& what) const {
    Words names;
    bool texts = setting.kind == Kind::kList;
    for (const Setting& item : setting.list) {
      texts &= item.kind == Kind::kText && !item.text.empty();
      names.push_back(item.text);
    }
    if (!texts || names.empty()) {
      return Wrong(setting,
                   fmt::format("`{}` must be a list of at least one name of a column", what),
                   "A name alone is a column of the release itself, prior.NAME one of the first "
                   "earlier release.");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) ==
          names.begin() + static_cast<std::ptrdiff_t>(i)) {
        continue;
      }
      return Wrong(setting.list[i], fmt::format("\"{}\" stands twice in `{}`", names[i], what),
                   "Name each column once.");
    }
    return names;
  }

  Status ReadY(const Setting& setting, AskedRequirement& out) {
    if (setting.kind == Kind::kTable && !out.anonymity()) return ReadValues(setting, out);
    out.y = REISSUE_TRY(Names(setting, "y"));
    for (const std::string& name : out.y) {
      if (out.anonymity() || !IsKey(name)) continue;
      return Wrong(setting, fmt::format("\"{}\" counts rows, which linkability does not", name),
                   "Name the sensitive columns, or values of them.");
    }
    return Ok();
  }

  // y = { test = ["HIV"], job = { Banker = 0.2 } }
  Status ReadValues(const Setting& table, AskedRequirement& out) {
    for (const auto& [column, values] : table.table) {
      if (values.kind == Kind::kTable) {
        for (const auto& [value, threshold] : values.table) {
          const double share = REISSUE_TRY(Share(threshold, fmt::format("y.{}.{}", column, value)));
          out.values.push_back({column, value, share, true});
        }
        continue;
      }
      const bool one = values.kind == Kind::kText;
      if (!one && values.kind != Kind::kList) {
        return Wrong(
            values, fmt::format("y.{} must be a list of values, or a table of thresholds", column));
      }
      const std::vector<Setting> list = one ? std::vector<Setting>{values} : values.list;
      for (const Setting& value : list) {
        if (value.kind != Kind::kText) {
          return Wrong(value, fmt::format("the values of y.{} must be texts", column),
                       "Put them in quotes.");
        }
        out.values.push_back({column, value.text, out.confidence, false});
      }
    }
    if (out.values.empty()) {
      return Wrong(table, "`y` names no value",
                   "For example y = { test = [\"HIV\"] }, or y = [\"test\"] for every value.");
    }
    for (std::size_t i = 0; i < out.values.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (out.values[i].column != out.values[j].column ||
            out.values[i].value != out.values[j].value) {
          continue;
        }
        return Wrong(table, fmt::format("\"{}\" of \"{}\" stands twice in `y`", out.values[i].value,
                                        out.values[i].column));
      }
    }
    return Ok();
  }

  Status Disjoint(const Setting& table, const AskedRequirement& requirement) const {
    // Single values may be of a column in x: they count where the release shows them as they are.
    const Words& y = requirement.y;
    for (const std::string& name : requirement.x) {
      if (std::find(y.begin(), y.end(), name) == y.end()) continue;
      return Wrong(table, fmt::format("\"{}\" stands in x and in y", name),
                   "x is what readers know, y what they must not learn: keep it in one of them.");
    }
    return Ok();
  }

  Status ReadPairs(const Setting& list) {
    for (const Setting& item : list.list) {
      bool pair = item.kind == Kind::kTable && item.table.size() == 2;
      for (const auto& [column, label] : item.table) pair &= label.kind == Kind::kText;
      if (!pair) {
        return Wrong(item, "[[inconsistent]] needs two columns, each with a label",
                     "For example sex = \"Male\" and \"prior.condition\" = \"Pregnant\"; further "
                     "pairs each get an [[inconsistent]] of their own.");
      }
      promise_.inconsistent.push_back({{item.table[0].first, item.table[0].second.text},
                                       {item.table[1].first, item.table[1].second.text},
                                       item.line});
    }
    return Ok();
  }

  Promise& promise_;
};

}  // namespace

Result<contract::PromisePtr> ReadPromise(const contract::Asked& asked, const std::string& model) {
  auto promise = std::make_shared<Promise>();
  promise->model = model;
  if (asked.policy != nullptr) REISSUE_TRY(binding::CheckHierarchies(*asked.policy));
  REISSUE_TRY(RequirementsReader(asked.file, *promise).Read(asked.guarantee));
  if (asked.policy != nullptr) {
    REISSUE_TRY(binding::CheckClassColumn(*asked.policy, promise->class_column));
  }
  return contract::PromisePtr(std::move(promise));
}

Status ReadSearch(const binding::Settings& instead, const std::string& file, Promise& promise) {
  return RequirementsReader(file, promise).ReadSearchOf(instead);
}

std::string DescribeRequirement(const AskedRequirement& requirement) {
  Words y = requirement.y;
  for (const AskedRequirement::Value& value : requirement.values) {
    y.push_back(fmt::format("{} = {}", value.column, value.value));
  }
  return fmt::format("{} of {{{}}} to {{{}}}",
                     requirement.anonymity() ? "anonymity" : "linkability",
                     fmt::join(requirement.x, ", "), fmt::join(y, ", "));
}

std::string GainName(Gain gain) {
  return kGainNames[static_cast<std::size_t>(std::ranges::find(kGains, gain) - kGains)];
}

}  // namespace reissue::models::xy::service
