#pragma once
// What a policy promises about a table whose rows come and go and whose values change (model
// `j-similarity`), against which reader, and how its releases are made. Plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/grouped/release.h"
#include "reissue/contract/promise.h"
#include "reissue/core/result.h"
#include "reissue/models/similarity/publisher/publish.h"

namespace reissue::models::similarity::service {

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

struct Promise : contract::Promise {
  similarity::Guarantee guarantee;
  similarity::Bounds bounds;
  // The reader: she decides the revised priors, and the bounds hold against her.
  inference::Estimator against = inference::Estimator::kExact;
  bool share_ties = false;  // bayes
  similarity::Cascade cascade = similarity::Cascade::kPrior;
  similarity::Algorithm algorithm = similarity::Algorithm::kReissue;
  similarity::Leftover leftover = similarity::Leftover::kSuppress;
  // [knowledge]
  KnowledgeSource prior, transition;
  std::uint32_t steps = 1;
  std::string compromised;  // a file; empty: nobody
  bool normalise = false;
};

// Errors: unknown keys (with the nearest known one), numbers out of range, neither beta nor t, an
// unknown estimator, algorithm, left-over rule (with those there are); of a policy also no
// identifier, no sensitive column, a column whose name the holder's copies or the files of
// knowledge need, an ordered distance without the order of one column. Paths are relative to the
// policy.
Result<contract::PromisePtr> ReadPromise(const contract::Asked& asked, const std::string& model);

// As policies write them; estimators: inference::NameOf.
std::string NameOf(similarity::Algorithm algorithm);
std::string NameOf(similarity::Leftover leftover);
std::string NameOf(similarity::Cascade cascade);

// Names of columns in holder's copies and in files of knowledge.
inline constexpr char kShownColumn[] = "shown";
inline constexpr char kProbabilityColumn[] = "probability";
inline constexpr char kReleaseColumn[] = "release";
inline constexpr char kConfidenceColumn[] = "confidence";
inline constexpr const char* kSimilarityColumns[] = {
    binding::kGroupColumn, kShownColumn, kProbabilityColumn, kReleaseColumn, kConfidenceColumn};

}  // namespace reissue::models::similarity::service
