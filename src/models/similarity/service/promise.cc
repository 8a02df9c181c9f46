#include "reissue/models/similarity/service/promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "reissue/binding/grouped/table.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using binding::Words;

const Words kPromiseKeys = {"k",          "j",        "beta", "t",       "distance",  "against",
                            "max_belief", "max_gain", "ties", "cascade", "algorithm", "leftover"};
const Words kKnowledgeKeys = {"prior", "transition", "steps", "compromised", "normalise"};
// In the order of their enums.
const Words kEstimators = {"bayes", "sum", "exact", "omega", "scaling"};
const Words kCascades = {"prior", "posterior"};
const Words kAlgorithms = {"reissue", "bkaa", "js-reduce"};
const Words kLeftovers = {"suppress", "relax", "counterfeit"};

class SimilarityReader : private binding::SettingsReader {
 public:
  SimilarityReader(const std::string& file, Promise& promise)
      : SettingsReader(file), promise_(promise) {}

  Status Read(const binding::Settings& guarantee, const binding::Settings& knowledge) {
    for (const auto& [key, setting] : guarantee) {
      if (key == "model") continue;
      if (std::find(kPromiseKeys.begin(), kPromiseKeys.end(), key) == kPromiseKeys.end()) {
        return UnknownKey("model \"j-similarity\" has no setting", key, setting, kPromiseKeys);
      }
      said_.push_back(key);
      REISSUE_TRY(ReadShape(key, setting));
      REISSUE_TRY(ReadReader(key, setting));
    }
    REISSUE_TRY(Complete());
    for (const auto& [key, setting] : knowledge) {
      if (std::find(kKnowledgeKeys.begin(), kKnowledgeKeys.end(), key) == kKnowledgeKeys.end()) {
        return UnknownKey("[knowledge] has no setting", key, setting, kKnowledgeKeys);
      }
      REISSUE_TRY(ReadKnowledge(key, setting));
    }
    return Ok();
  }

 private:
  bool Says(const char* key) const {
    return std::find(said_.begin(), said_.end(), key) != said_.end();
  }

  // What a group looks like.
  Status ReadShape(const std::string& key, const io::Setting& setting) {
    sim::Guarantee& guarantee = promise_.guarantee;
    if (key == "k") {
      guarantee.k = REISSUE_TRY(Whole(key, setting, 1, 1e9));
    } else if (key == "j") {
      guarantee.j = REISSUE_TRY(Number(key, setting, 0, 1, "a number from 0 to 1"));
    } else if (key == "beta") {
      guarantee.beta = REISSUE_TRY(Number(key, setting, 1e-9, 1e12, "a number above 0"));
    } else if (key == "t") {
      guarantee.t = REISSUE_TRY(Number(key, setting, 1e-9, 1, "a number above 0 and at most 1"));
    } else if (key == "distance") {
      const std::size_t which = REISSUE_TRY(OneOf(key, setting, {"equal", "ordered"}));
      guarantee.ordered = which == 1;
    } else if (key == "algorithm") {
      const std::size_t which = REISSUE_TRY(OneOf(key, setting, kAlgorithms));
      promise_.algorithm = static_cast<sim::Algorithm>(which);
    } else if (key == "leftover") {
      const std::size_t which = REISSUE_TRY(OneOf(key, setting, kLeftovers));
      promise_.leftover = static_cast<sim::Leftover>(which);
    }
    return Ok();
  }

  // Who reads it, and what she may believe.
  Status ReadReader(const std::string& key, const io::Setting& setting) {
    const char* share = "a number above 0 and at most 1";
    if (key == "against") {
      const std::size_t which = REISSUE_TRY(OneOf(key, setting, kEstimators));
      promise_.against = static_cast<inference::Estimator>(which);
    } else if (key == "max_belief") {
      promise_.bounds.max_belief = REISSUE_TRY(Number(key, setting, 1e-9, 1, share));
    } else if (key == "max_gain") {
      promise_.bounds.max_gain = REISSUE_TRY(Number(key, setting, 1e-9, 1, share));
    } else if (key == "ties") {
      const std::size_t which = REISSUE_TRY(OneOf(key, setting, {"one", "shared"}));
      promise_.share_ties = which == 1;
    } else if (key == "cascade") {
      const std::size_t which = REISSUE_TRY(OneOf(key, setting, kCascades));
      promise_.cascade = static_cast<sim::Cascade>(which);
    }
    return Ok();
  }

  Status Complete() const {
    if (!Says("k")) {
      return WrongFile("model \"j-similarity\" needs `k`: how many rows a group has",
                       "Add k = 3, for example.");
    }
    if (!Says("j")) {
      return WrongFile(
          "model \"j-similarity\" needs `j`: how far apart what the reader believes "
          "of the people of a group may be",
          "Add j = 0.6, for example: a Jensen-Shannon divergence of at most 0.6 bits.");
    }
    if (!Says("beta") && !Says("t")) {
      return WrongFile(
          "model \"j-similarity\" needs `beta` or `t`: how far the values of a group "
          "may be from those of the table",
          "Add beta = 5 (no value is more than 1 + 5 times as frequent in a group as "
          "in the table) or t = 0.5, or both.");
    }
    if (promise_.guarantee.ordered && !Says("t")) {
      return WrongFile("distance = \"ordered\" is about `t`, which the policy does not set",
                       "Add t = 0.5, for example, or remove `distance`.");
    }
    if (promise_.share_ties && promise_.against != inference::Estimator::kBayes) {
      return WrongFile("ties = \"shared\" is for against = \"bayes\" only",
                       "Remove `ties`: the other readers have no ties.");
    }
    if (promise_.cascade == sim::Cascade::kPosterior &&
        promise_.against != inference::Estimator::kBayes) {
      return WrongFile("cascade = \"posterior\" is for against = \"bayes\" only",
                       "Remove `cascade`: the other readers mix what they were told into the "
                       "prior.");
    }
    return Ok();
  }

  Status ReadKnowledge(const std::string& key, const io::Setting& setting) {
    if (key == "prior" || key == "transition") {
      KnowledgeSource& source = key == "prior" ? promise_.prior : promise_.transition;
      source = REISSUE_TRY(Source(key, setting));
    } else if (key == "steps") {
      promise_.steps =
          static_cast<std::uint32_t>(REISSUE_TRY(Whole(key, setting, 1, similarity::kMostSteps)));
    } else if (key == "compromised") {
      if (setting.kind != io::Setting::Kind::kText || setting.text.empty()) {
        return Wrong(setting, "`compromised` must be the name of a file",
                     "It has the columns identifier, sensitive value, release and confidence.");
      }
      promise_.compromised = io::Beside(file(), setting.text);
    } else {
      if (setting.kind != io::Setting::Kind::kFlag) {
        return Wrong(setting, "`normalise` must be true or false");
      }
      promise_.normalise = setting.flag;
    }
    return Ok();
  }

  Result<KnowledgeSource> Source(const std::string& key, const io::Setting& setting) const {
    if (setting.kind != io::Setting::Kind::kText || setting.text.empty()) {
      return Wrong(setting, fmt::format("`{}` must be \"{}\", \"{}\" or the name of a file", key,
                                        io::kUniformBeliefs, io::kLearnedBeliefs));
    }
    KnowledgeSource source;
    if (setting.text == io::kUniformBeliefs) return source;
    if (setting.text == io::kLearnedBeliefs) {
      source.kind = KnowledgeSource::Kind::kLearned;
      return source;
    }
    source.kind = KnowledgeSource::Kind::kFile;
    source.file = io::Beside(file(), setting.text);
    return source;
  }

  Error UnknownKey(const char* what, const std::string& key, const io::Setting& setting,
                   const Words& known) const {
    const std::string message = fmt::format("{} `{}`", what, key);
    const bool here = &known == &kPromiseKeys;
    const Words& other = here ? kKnowledgeKeys : kPromiseKeys;
    if (std::find(other.begin(), other.end(), key) == other.end()) {
      return Unknown(setting, message, key, known);
    }
    return Wrong(setting, message,
                 fmt::format("It belongs into [{}].", here ? "knowledge" : "guarantee"));
  }

  Words said_;
  Promise& promise_;
};

// What a policy's columns must be for the promise.
Status FitColumns(const io::Policy& policy, const binding::ValueOrder& order,
                  const Promise& promise) {
  REISSUE_TRY(binding::CheckGroupedColumns(policy, promise.model, kSimilarityColumns,
                                           "holder's copies and files of knowledge"));
  if (!promise.guarantee.ordered || order.known()) return Ok();
  return InputError({policy.file, policy.guarantee_line, std::nullopt, ""},
                    "distance = \"ordered\" needs one sensitive column whose values have an order",
                    "Give that column order = [...] from the lowest to the highest, or type = "
                    "\"numeric\".");
}

}  // namespace

std::string NameOf(sim::Algorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)];
}
std::string NameOf(sim::Leftover leftover) {
  return kLeftovers[static_cast<std::size_t>(leftover)];
}
std::string NameOf(sim::Cascade cascade) { return kCascades[static_cast<std::size_t>(cascade)]; }

Result<contract::PromisePtr> ReadPromise(const contract::Asked& asked, const std::string& model) {
  auto promise = std::make_shared<Promise>();
  promise->model = model;
  REISSUE_TRY(SimilarityReader(asked.file, *promise).Read(asked.guarantee, asked.knowledge));
  if (asked.policy != nullptr) {
    REISSUE_TRY(FitColumns(*asked.policy, asked.columns.order, *promise));
  }
  return contract::PromisePtr(std::move(promise));
}

}  // namespace reissue::models::similarity::service
