#pragma once
// The next release of a series: search, attack, write, record. Nothing is written unless the
// promise is kept; a release is in the vault if and only if its file exists.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/context.h"
#include "reissue/engine/invariance_report.h"
#include "reissue/engine/similarity_report.h"
#include "reissue/ledger/vault.h"

namespace reissue::engine {

// How many of the worst exposures the report of a release names.
inline constexpr std::size_t kWorstShown = 10;

struct PublishRequest {
  std::string vault;   // directory; made by the first call
  std::string policy;  // path; may be empty where the vault exists
  std::string table;
  std::string out;
  std::vector<PriorFile> priors;  // model `xy`: what readers have already
  // Models `m-invariance` and `j-similarity`: a private file; empty: none.
  std::string holder_copy;
  ledger::Passphrase passphrase;
  std::optional<std::uint64_t> seed;  // search and row order; else row order is unpredictable
  std::string created;                // ISO 8601 time stamp, given by the front end
  Settings search;  // instead of the policy's: score, search, budget; for this release
};

struct PublishReport {
  std::uint32_t release = 1;
  std::string out;
  std::string certificate;  // path
  std::uint64_t rows_in = 0, rows_out = 0, suppressed = 0, dropped = 0;
  std::uint32_t earlier_releases = 0;
  std::optional<std::uint64_t> newcomers;  // known by their identifiers; of all rows at first
  AuditReport audit;  // of what was written, with all earlier releases, by the adversary
  std::string score;  // what the search minimised
  double cost = 0, greedy_cost = 0;
  std::optional<double> paper_cost;  // where the paper's search ends, if it was run
  bool optimal = false;
  std::uint64_t descents = 0;
  // Per quasi-identifier: name, labels used, levels (distinct labels of the taxonomy's leaves).
  struct Recoded {
    std::string column;
    std::vector<std::string> labels;
    std::uint64_t raw_values = 0;
  };
  std::vector<Recoded> recoding;
  bool row_order_reproducible = false;
  bool vault_unprotected = false;
  // Model `xy`, where `recoding` has the columns that some requirement names in x.
  struct LinkedSearch {
    std::uint64_t steps = 0;           // specialisations from the most general release
    std::uint64_t reexamined = 0;      // of them refused at first
    std::vector<std::string> as_is;    // columns published as they are
    std::vector<std::string> exposed;  // those of them that are quasi-identifiers
  };
  std::optional<LinkedSearch> linked;
  std::optional<ChangedRows> changing;  // model `m-invariance`
  std::optional<EvolvedRows> evolving;  // model `j-similarity`
};

// kPromise: the promise cannot be kept, or model `k` or `xy` is asked for a second release. kInput:
// the table lacks people or rows of earlier releases.
Result<PublishReport> Publish(const PublishRequest& request, Context& context);

}  // namespace reissue::engine
