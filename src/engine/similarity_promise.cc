#include "reissue/engine/similarity_promise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reissue/engine/changing_columns.h"

namespace reissue::engine {
namespace {

namespace sim = models::similarity;
using SimilarityWords = std::vector<std::string>;
using SimilaritySettings = std::vector<std::pair<std::string, io::Setting>>;

const SimilarityWords kPromiseKeys = {"k",        "j",       "beta",       "t",
                                      "distance", "against", "max_belief", "max_gain",
                                      "ties",     "cascade", "algorithm",  "leftover"};
const SimilarityWords kKnowledgeKeys = {"prior", "transition", "steps", "compromised", "normalise"};
// In the order of their enums.
const SimilarityWords kEstimators = {"bayes", "sum", "exact", "omega", "scaling"};
const SimilarityWords kCascades = {"prior", "posterior"};
const SimilarityWords kAlgorithms = {"reissue", "bkaa", "js-reduce"};
const SimilarityWords kLeftovers = {"suppress", "relax", "counterfeit"};

class SimilarityReader {
 public:
  explicit SimilarityReader(const std::string& file) : file_(file) {}

  Result<SimilarityPromise> Read(const SimilaritySettings& guarantee,
                                 const SimilaritySettings& knowledge) {
    for (const auto& [key, setting] : guarantee) {
      if (key == "model") continue;
      if (std::find(kPromiseKeys.begin(), kPromiseKeys.end(), key) == kPromiseKeys.end()) {
        return Unknown("model \"j-similarity\" has no setting", key, setting, kPromiseKeys);
      }
      said_.push_back(key);
      REISSUE_TRY(ReadShape(key, setting));
      REISSUE_TRY(ReadReader(key, setting));
    }
    REISSUE_TRY(Complete());
    for (const auto& [key, setting] : knowledge) {
      if (std::find(kKnowledgeKeys.begin(), kKnowledgeKeys.end(), key) == kKnowledgeKeys.end()) {
        return Unknown("[knowledge] has no setting", key, setting, kKnowledgeKeys);
      }
      REISSUE_TRY(ReadKnowledge(key, setting));
    }
    return promise_;
  }

 private:
  bool Says(const char* key) const {
    return std::find(said_.begin(), said_.end(), key) != said_.end();
  }

  // What a group looks like.
  Status ReadShape(const std::string& key, const io::Setting& setting) {
    sim::Guarantee& guarantee = promise_.guarantee;
    if (key == "k") {
      guarantee.k = REISSUE_TRY(Count(key, setting, 1, 1e9));
    } else if (key == "j") {
      guarantee.j = REISSUE_TRY(Amount(key, setting, 0, 1, "a number from 0 to 1"));
    } else if (key == "beta") {
      guarantee.beta = REISSUE_TRY(Amount(key, setting, 1e-9, 1e12, "a number above 0"));
    } else if (key == "t") {
      guarantee.t = REISSUE_TRY(Amount(key, setting, 1e-9, 1, "a number above 0 and at most 1"));
    } else if (key == "distance") {
      const std::size_t which = REISSUE_TRY(Word(key, setting, {"equal", "ordered"}));
      guarantee.ordered = which == 1;
    } else if (key == "algorithm") {
      const std::size_t which = REISSUE_TRY(Word(key, setting, kAlgorithms));
      promise_.algorithm = static_cast<sim::Algorithm>(which);
    } else if (key == "leftover") {
      const std::size_t which = REISSUE_TRY(Word(key, setting, kLeftovers));
      promise_.leftover = static_cast<sim::Leftover>(which);
    }
    return Ok();
  }

  // Who reads it, and what she may believe.
  Status ReadReader(const std::string& key, const io::Setting& setting) {
    const char* share = "a number above 0 and at most 1";
    if (key == "against") {
      const std::size_t which = REISSUE_TRY(Word(key, setting, kEstimators));
      promise_.against = static_cast<inference::Estimator>(which);
    } else if (key == "max_belief") {
      promise_.max_belief = REISSUE_TRY(Amount(key, setting, 1e-9, 1, share));
    } else if (key == "max_gain") {
      promise_.max_gain = REISSUE_TRY(Amount(key, setting, 1e-9, 1, share));
    } else if (key == "ties") {
      const std::size_t which = REISSUE_TRY(Word(key, setting, {"one", "shared"}));
      promise_.share_ties = which == 1;
    } else if (key == "cascade") {
      const std::size_t which = REISSUE_TRY(Word(key, setting, kCascades));
      promise_.cascade = static_cast<sim::Cascade>(which);
    }
    return Ok();
  }

  Status Complete() const {
    const Place whole{file_, std::nullopt, std::nullopt, ""};
    if (!Says("k")) {
      return InputError(whole, "model \"j-similarity\" needs `k`: how many rows a group has",
                        "Add k = 3, for example.");
    }
    if (!Says("j")) {
      return InputError(
          whole,
          "model \"j-similarity\" needs `j`: how far apart what the reader believes "
          "of the people of a group may be",
          "Add j = 0.6, for example: a Jensen-Shannon divergence of at most 0.6 bits.");
    }
    if (!Says("beta") && !Says("t")) {
      return InputError(whole,
                        "model \"j-similarity\" needs `beta` or `t`: how far the values of a group "
                        "may be from those of the table",
                        "Add beta = 5 (no value is more than 1 + 5 times as frequent in a group as "
                        "in the table) or t = 0.5, or both.");
    }
    if (promise_.guarantee.ordered && !Says("t")) {
      return InputError(whole, "distance = \"ordered\" is about `t`, which the policy does not set",
                        "Add t = 0.5, for example, or remove `distance`.");
    }
    if (promise_.share_ties && promise_.against != inference::Estimator::kBayes) {
      return InputError(whole, "ties = \"shared\" is for against = \"bayes\" only",
                        "Remove `ties`: the other readers have no ties.");
    }
    if (promise_.cascade == sim::Cascade::kPosterior &&
        promise_.against != inference::Estimator::kBayes) {
      return InputError(whole, "cascade = \"posterior\" is for against = \"bayes\" only",
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
      promise_.steps = static_cast<std::uint32_t>(REISSUE_TRY(Count(key, setting, 1, 6)));
    } else if (key == "compromised") {
      if (setting.kind != io::Setting::Kind::kText || setting.text.empty()) {
        return Wrong(setting, "`compromised` must be the name of a file",
                     "It has the columns identifier, sensitive value, release and confidence.");
      }
      promise_.compromised = io::Beside(file_, setting.text);
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
    source.file = io::Beside(file_, setting.text);
    return source;
  }

  Error Wrong(const io::Setting& setting, std::string message, std::string remedy = {}) const {
    Place place{file_, std::nullopt, std::nullopt, ""};
    if (setting.line > 0) place.line = setting.line;
    return InputError(std::move(place), std::move(message), std::move(remedy));
  }

  Error Unknown(const char* what, const std::string& key, const io::Setting& setting,
                const SimilarityWords& known) const {
    const std::string nearest = io::Nearest(key, known);
    std::string remedy = nearest.empty() ? fmt::format("It knows {}.", fmt::join(known, ", "))
                                         : fmt::format("Did you mean `{}`?", nearest);
    const bool here = &known == &kPromiseKeys;
    const SimilarityWords& other = here ? kKnowledgeKeys : kPromiseKeys;
    if (std::find(other.begin(), other.end(), key) != other.end()) {
      remedy = fmt::format("It belongs into [{}].", here ? "knowledge" : "guarantee");
    }
    return Wrong(setting, fmt::format("{} `{}`", what, key), std::move(remedy));
  }

  Result<double> Amount(const std::string& key, const io::Setting& setting, double low, double high,
                        const char* expected) const {
    if (setting.kind != io::Setting::Kind::kNumber || !(setting.number >= low) ||
        !(setting.number <= high)) {
      return Wrong(setting, fmt::format("`{}` must be {}", key, expected));
    }
    return setting.number;
  }

  Result<std::uint64_t> Count(const std::string& key, const io::Setting& setting, double low,
                              double high) const {
    const std::string expected = fmt::format("a whole number from {:.0f} to {:.0f}", low, high);
    const double number = REISSUE_TRY(Amount(key, setting, low, high, expected.c_str()));
    if (!setting.integer) return Wrong(setting, fmt::format("`{}` must be {}", key, expected));
    return static_cast<std::uint64_t>(number);
  }

  Result<std::size_t> Word(const std::string& key, const io::Setting& setting,
                           const SimilarityWords& words) const {
    const auto at = std::find(words.begin(), words.end(), setting.text);
    if (setting.kind == io::Setting::Kind::kText && at != words.end()) {
      return static_cast<std::size_t>(at - words.begin());
    }
    return Wrong(setting,
                 fmt::format("`{}` must be one of \"{}\"", key, fmt::join(words, "\", \"")));
  }

  const std::string& file_;
  SimilarityWords said_;
  SimilarityPromise promise_;
};

}  // namespace

std::string NameOf(sim::Algorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)];
}
std::string NameOf(sim::Leftover leftover) {
  return kLeftovers[static_cast<std::size_t>(leftover)];
}
std::string NameOf(sim::Cascade cascade) { return kCascades[static_cast<std::size_t>(cascade)]; }

Result<SimilarityPromise> ReadSimilarityPromise(const SimilaritySettings& guarantee,
                                                const SimilaritySettings& knowledge,
                                                const std::string& file) {
  return SimilarityReader(file).Read(guarantee, knowledge);
}

Status CheckSimilarityColumns(const io::Policy& policy, const SimilarityPromise& promise) {
  REISSUE_TRY(CheckChangingColumns(policy, "j-similarity", kSimilarityColumns,
                                   "holder's copies and files of knowledge"));
  const auto sensitive = policy.WithRole(io::Role::kSensitive);
  if (promise.guarantee.ordered &&
      (sensitive.size() > 1 || (sensitive[0]->order.empty() && !sensitive[0]->numeric))) {
    return InputError(
        {policy.file, policy.guarantee_line, std::nullopt, ""},
        "distance = \"ordered\" needs one sensitive column whose values have an order",
        "Give that column order = [...] from the lowest to the highest, or type = "
        "\"numeric\".");
  }
  return Ok();
}

}  // namespace reissue::engine
