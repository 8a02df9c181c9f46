#pragma once
// Attacks published files as their readers could, and says what they find.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/context.h"
#include "reissue/engine/invariance_report.h"
#include "reissue/engine/linked.h"
#include "reissue/engine/linked_report.h"
#include "reissue/engine/load.h"
#include "reissue/engine/promise.h"
#include "reissue/engine/series_report.h"
#include "reissue/engine/similarity_report.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

// One promise of the policy, and what the release does about it.
struct PromiseKept {
  std::string name;  // "k", "distinct", "entropy", "recursive", "alpha", "confidence", "t", "beta"
  double asked = 0;
  double measured = 0;
  bool kept = true;
};

// One exposed cell, for people.
struct Exposure {
  std::string attack;   // "identity", "homogeneity", "skew"
  std::string promise;  // which promise it breaks
  LabelledCell cell;
  std::uint64_t rows = 0;
  std::string value;  // the sensitive value that gives it away; empty where none does
  double measured = 0;
  double asked = 0;
  std::string words;  // one sentence
};

struct AuditReport {
  std::string model = "k";
  bool satisfied = true;
  struct File {
    std::string file;
    std::uint64_t rows = 0, cells = 0, smallest = 0;
    std::string digest;
  };
  std::vector<File> releases;
  std::uint64_t rows = 0, cells = 0, smallest = 0;
  std::vector<PromiseKept> promises;
  std::vector<PromiseKept> also_measured;  // not promised, measured all the same; kept is true
  std::uint64_t exposed = 0, identity = 0, homogeneity = 0, skew = 0;  // persons
  std::vector<Exposure> worst;
  std::vector<std::string> published_identifiers;
  std::vector<std::string> published_dropped;  // columns that the policy drops
  // Model `bcf`. Of several releases `rows`, `cells`, `smallest` are the last one's, and `worst`
  // and the counts by attack stay empty: what was found is in here.
  std::optional<SeriesAudit> series;
  // Model `xy`: `releases` are T1 and the earlier ones, without cells, and what was found is in
  // here.
  std::optional<LinkedAudit> linked;
  // Model `m-invariance`: `cells` are groups, and what was found is in here.
  std::optional<InvarianceAudit> invariance;
  // Model `j-similarity`: the same.
  std::optional<SimilarityAudit> similarity;
};

// Model `k`: one file. Model `bcf`: a series, oldest first. Model `xy`: one file, and the earlier
// releases that its readers have. Models `m-invariance` and `j-similarity`: holder's copies, oldest
// first; `knows` as AuditCopies has it.
Result<AuditReport> Audit(const io::Policy& policy, const std::vector<std::string>& releases,
                          Context& context, std::size_t worst = 10,
                          const std::vector<PriorFile>& priors = {},
                          const std::vector<std::string>& knows = {});

// A usage error where the model has no use for the files that were given.
Status CheckFiles(const Promise& promise, std::size_t releases, std::size_t priors);

// The same on an open release; used by publish and verify.
Result<AuditReport> AuditRelease(const ReleaseTable& release, const ReleaseColumns& columns,
                                 const Promise& promise, const std::string& file, Context& context,
                                 std::size_t worst);

}  // namespace reissue::engine
