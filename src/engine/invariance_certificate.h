#pragma once
// What a certificate of model `m-invariance` says beyond the others, and how it is checked.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/context.h"
#include "reissue/engine/invariance_promise.h"
#include "reissue/engine/load.h"

namespace reissue::engine {

struct InvarianceFacts {
  InvariancePromise promise;
  struct File {
    std::string suffix;  // of its name, after that of the release
    std::string digest;
  };
  std::vector<File> files;                    // beside the release
  std::optional<std::uint64_t> counterfeits;  // where their number is published
};

// What is compared with what the certificate says.
struct CertifiedGroups {
  std::vector<std::string> failures, notes;  // in words
  std::string digest;                        // of the release
  AuditReport audit;                         // of the files; with copies, of the whole series
};

// `earlier`: digests of the releases before. `releases`: the certified file, or all up to it; what
// belongs to it is looked for beside it. `copies`: none, or the holder's copies of all releases up
// to it, oldest first. Usage errors: other numbers of files.
Result<CertifiedGroups> CheckCertified(const InvarianceFacts& facts, const ReleaseColumns& columns,
                                       const std::vector<std::string>& earlier,
                                       const std::vector<std::string>& releases,
                                       const std::vector<std::string>& copies, Context& context);

}  // namespace reissue::engine
