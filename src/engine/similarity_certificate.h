#pragma once
// What a certificate of model `j-similarity` says beyond the others, and how it is checked.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/context.h"
#include "reissue/engine/invariance_certificate.h"
#include "reissue/engine/invariance_files.h"
#include "reissue/engine/load.h"
#include "reissue/engine/similarity_promise.h"
#include "reissue/engine/similarity_table.h"

namespace reissue::engine {

struct SimilarityFacts {
  // What is kept instead of the guarantee, where left-overs relax it.
  std::optional<models::similarity::Guarantee> relaxed;
  // The reader.
  std::string against;
  struct Source {
    std::string part;    // "prior", "transition"
    std::string source;  // "uniform", "learned", "file"
    std::string digest;  // of the file
  };
  std::vector<Source> knowledge;
  std::uint32_t steps = 1;
  bool compromised = false;  // single people's values are known to her
};
// Reads the files that the promise names.
Result<SimilarityFacts> FactsOf(const SimilarityPromise& promise,
                                const std::optional<models::similarity::Guarantee>& relaxed,
                                Context& context);

// k, beta and t of a published file.
models::similarity::Shape ShapeOfFile(const ReleasedGroups& released, const ValueRanks& ranks,
                                      bool ordered);

// `earlier`: digests of the releases before. `releases`: the certified file, or all up to it. From
// the file follow k, beta and t; that beliefs are alike is the holder's word, and a note says so.
// Usage errors: other numbers of files.
Result<CertifiedGroups> CheckCertifiedEvolving(
    const SimilarityFacts& facts, const SimilarityPromise& promise, const ReleaseColumns& columns,
    const ValueOrder& order, const std::vector<std::string>& earlier,
    const std::vector<std::string>& releases, Context& context);

}  // namespace reissue::engine
