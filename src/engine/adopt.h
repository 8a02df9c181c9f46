#pragma once
// Takes up a series that another tool started: audits it, and records its releases in a new vault
// so that publishing continues it (model `bcf`).

#include <optional>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/context.h"
#include "reissue/ledger/vault.h"

namespace reissue::engine {

struct AdoptRequest {
  std::string vault;                  // directory; made here, or there without releases
  std::string policy;                 // path
  std::vector<std::string> releases;  // files, oldest first
  ledger::Passphrase passphrase;
  std::string created;  // ISO 8601 time stamp, given by the front end
  bool anyway = false;  // record a series that does not keep the promise
};

struct AdoptReport {
  std::string vault;
  AuditReport audit;
  bool recorded = false;
  std::uint64_t k = 1;                     // of the policy
  std::optional<std::uint64_t> largest_k;  // that holds now, proven; null: not one series
  bool vault_unprotected = false;
};

// Recorded where the promise is kept, or where `anyway` is set and the files are one series.
// Otherwise nothing is, and the report says why. Errors: a policy of another model, a vault with
// releases or of another policy.
Result<AdoptReport> Adopt(const AdoptRequest& request, Context& context);

}  // namespace reissue::engine
