#pragma once
// What a policy promises about a table whose rows come and go and whose values change (model
// `j-similarity`), against which reader, and how its releases are made. Plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/models/similarity/publisher/publish.h"

namespace reissue::engine {

// Where a part of the reader's knowledge comes from.
struct KnowledgeSource {
  enum class Kind {
    kUniform,  // she knows nothing
    kLearned,  // she knows the frequencies of the holder's tables up to the release in question
    kFile,
  };
  Kind kind = Kind::kUniform;
  std::string file;  // as resolved
};

struct SimilarityPromise {
  models::similarity::Guarantee guarantee;
  std::optional<double> max_belief, max_gain;
  // The reader: she decides the revised priors, and max_belief and max_gain hold against her.
  inference::Estimator against = inference::Estimator::kExact;
  bool share_ties = false;  // bayes
  models::similarity::Cascade cascade = models::similarity::Cascade::kPrior;
  models::similarity::Algorithm algorithm = models::similarity::Algorithm::kReissue;
  models::similarity::Leftover leftover = models::similarity::Leftover::kSuppress;
  // [knowledge]
  KnowledgeSource prior, transition;
  std::uint32_t steps = 1;
  std::string compromised;  // a file; empty: nobody
  bool normalise = false;
};

// Reads [guarantee] and [knowledge] of a policy; `file` is for error messages. Errors: unknown keys
// (with the nearest known one), numbers out of range, neither beta nor t, an unknown estimator,
// algorithm, left-over rule (with those there are). Paths are relative to `file`.
Result<SimilarityPromise> ReadSimilarityPromise(
    const std::vector<std::pair<std::string, io::Setting>>& guarantee,
    const std::vector<std::pair<std::string, io::Setting>>& knowledge, const std::string& file);

// Errors: no identifier, no sensitive column, a column whose name the holder's copies or the files
// of knowledge need, an ordered distance without the order of one column.
Status CheckSimilarityColumns(const io::Policy& policy, const SimilarityPromise& promise);

// As policies write them; estimators: inference::NameOf.
std::string NameOf(models::similarity::Algorithm algorithm);
std::string NameOf(models::similarity::Leftover leftover);
std::string NameOf(models::similarity::Cascade cascade);

// Names of columns in holder's copies and in files of knowledge.
inline constexpr char kShownColumn[] = "shown";
inline constexpr char kProbabilityColumn[] = "probability";
inline constexpr char kReleaseColumn[] = "release";
inline constexpr char kConfidenceColumn[] = "confidence";
inline constexpr const char* kSimilarityColumns[] = {"group", kShownColumn, kProbabilityColumn,
                                                     kReleaseColumn, kConfidenceColumn};

}  // namespace reissue::engine
