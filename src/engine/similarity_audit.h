#pragma once
// Audits of an evolving table (model `j-similarity`): every reader goes through the whole series,
// each with beliefs of her own. From holder's copies, made by any tool; or from what a vault keeps.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/context.h"
#include "reissue/engine/similarity_knowledge.h"
#include "reissue/engine/similarity_promise.h"
#include "reissue/engine/similarity_state.h"
#include "reissue/engine/similarity_table.h"
#include "reissue/io/policy.h"
#include "reissue/ledger/vault.h"

namespace reissue::engine {

// A series with names.
struct EvolvingSeries {
  std::vector<EvolvingRelease> releases;                               // the first has knowledge
  std::vector<std::vector<models::similarity::Statement>> statements;  // per release
  std::vector<ValueTexts> values;
  ValueOrder order;
  std::uint32_t persons = 0;
  std::vector<std::string> ids;  // per person; empty: nobody is known by name
};

// What is known of the releases of a vault, by the file of today; per release.
Result<std::vector<std::vector<models::similarity::Statement>>> StatementsSoFar(
    ledger::Vault& vault, const EvolvingState& state, const Background& background);
// All that a vault keeps. `background`: restored.
Result<EvolvingSeries> LoadEvolvingSeries(ledger::Vault& vault, const EvolvingState& state,
                                          const io::Policy& policy, const Background& background);

// The reader that a promise names, and any other with the same habits.
models::similarity::ReaderOptions ReaderOf(const SimilarityPromise& promise,
                                           inference::Estimator estimator);

ReaderFindings FindingsOf(inference::Estimator estimator,
                          const models::similarity::Beliefs& beliefs);

// The promise, without findings.
SimilarityAudit AskedOf(const SimilarityPromise& promise);
// What a release tells without a reader.
EvolvingFindings CountsOf(const EvolvingRelease& release);
// The worst of each over the groups of a release. `prior`: per row, before the release.
models::similarity::Shape MeasureShape(const models::similarity::Snapshot& snapshot,
                                       const std::vector<models::similarity::Distribution>& prior,
                                       const ValueRanks& ranks, bool ordered);
// Adds the promises that a release does not keep to its findings. `reader`: the one of the promise.
void JudgeRelease(const SimilarityPromise& promise, const ReaderFindings& reader,
                  EvolvingFindings& findings);
// What follows from a release alone: k, beta and t.
void AddShape(const models::similarity::Guarantee& asked, const models::similarity::Shape& shape,
              AuditReport& audit);
// Promises with the worst of all releases, for reports and certificates; and whether all are kept.
void AddSimilarity(const SimilarityPromise& promise, AuditReport& audit);

// Errors: rows that contradict the knowledge, an order of values that lacks one.
Result<AuditReport> AuditEvolving(const EvolvingSeries& series, const SimilarityPromise& promise,
                                  std::size_t worst, Context& context);

// Oldest first.
Result<AuditReport> AuditEvolvingCopies(const io::Policy& policy, const SimilarityPromise& promise,
                                        const std::vector<std::string>& files, std::size_t worst,
                                        Context& context);

// The whole series as a vault keeps it. `vault` is open for writing: what it keeps is sealed.
Result<AuditReport> AuditEvolvingVault(ledger::Vault& vault, const io::Policy& policy,
                                       const SimilarityPromise& promise, std::size_t worst,
                                       Context& context);

}  // namespace reissue::engine
