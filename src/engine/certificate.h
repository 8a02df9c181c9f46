#pragma once
// What was guaranteed for a release, the measured numbers and the hashes of what went in
// (docs/formats/certificate.md). Anybody who has the release can check it.

#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/context.h"
#include "reissue/engine/hierarchy.h"
#include "reissue/engine/invariance_certificate.h"
#include "reissue/engine/linked_certificate.h"
#include "reissue/engine/publish.h"
#include "reissue/engine/similarity_certificate.h"

namespace reissue::engine {

struct CertificateFacts {
  std::string title, policy_digest, table_keyed_digest, release_digest, created;
  ReleaseColumns columns;
  Settings settings;  // [guarantee] as the policy has it
  Promise promise;    // the same, read: adds the order of the sensitive values
  const PublishReport* report = nullptr;
  // Model `bcf`: digests of the earlier releases, oldest first, and HierarchyOf the whole series.
  std::vector<std::string> earlier;
  std::vector<ColumnHierarchy> hierarchy;
  std::optional<LinkedFacts> linked;          // model `xy`
  std::optional<InvarianceFacts> invariance;  // model `m-invariance`, with `earlier`
  std::optional<SimilarityFacts> similarity;  // model `j-similarity`, with `earlier`
};
std::string WriteCertificate(const CertificateFacts& facts);

struct VerifyReport {
  bool valid = true;                  // everything below holds
  std::vector<std::string> failures;  // in words
  std::vector<std::string> notes;     // what could not be checked
  std::string title, model, created;
  std::uint32_t release = 0;
  ReleaseColumns columns;  // what the certificate says the columns are
  AuditReport audit;       // made anew from the published file
};

// `releases`: the certified file; model `bcf`: all releases up to it, oldest first. `priors`: model
// `xy`, the earlier releases in the certificate's order. Model `m-invariance`: the certified file,
// or all up to it; `copies` none, or the holder's copies of all of them. Model `j-similarity`: the
// certified file, or all up to it. Errors are for files that are no certificate or no table; a
// certificate that does not hold is a report.
Result<VerifyReport> Verify(const std::string& certificate,
                            const std::vector<std::string>& releases, Context& context,
                            const std::vector<PriorFile>& priors = {},
                            const std::vector<std::string>& copies = {});

}  // namespace reissue::engine
