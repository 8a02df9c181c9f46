#pragma once
// What a certificate of model `xy` says beyond the others, and how it is checked.

#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/context.h"
#include "reissue/engine/hierarchy.h"
#include "reissue/engine/linked.h"

namespace reissue::engine {

// The files that the release was judged beside.
struct LinkedFacts {
  struct Prior {
    std::string name;  // as the requirements call it
    std::string digest;
    std::uint64_t rows = 0;
    std::uint64_t dangling = 0;  // of them without a partner in the join
    std::vector<std::string> columns;
  };
  std::vector<std::string> columns;  // of the release
  std::vector<std::string> numeric;  // in any file
  std::uint64_t dangling = 0;        // rows of the release without a partner in the join
  std::vector<Prior> priors;
};
LinkedFacts FactsOf(const BoundLinked& bound, const LinkedAudit& audit);

// What the files say otherwise than the certificate about rows without a partner, in words.
std::vector<std::string> CompareDangling(const LinkedFacts& facts, const AuditReport& audit);

// The certified release and the earlier ones, read with what the certificate says and nothing
// else. Usage error: another number of earlier releases. Input error: a column that a file lacks.
Result<BoundLinked> BindCertified(const LinkedFacts& facts,
                                  const std::vector<ColumnHierarchy>& hierarchy,
                                  const LinkedPromise& promise, const std::string& certificate,
                                  const std::string& release, const std::vector<PriorFile>& priors,
                                  Context& context);

}  // namespace reissue::engine
