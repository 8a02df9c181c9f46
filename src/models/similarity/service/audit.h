#pragma once
// Audits of an evolving table: every reader goes through the whole series,
// each with beliefs of her own. From holder's copies, made by any tool; or from what a vault keeps.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/similarity/service/knowledge.h"
#include "reissue/models/similarity/service/promise.h"
#include "reissue/models/similarity/service/report.h"
#include "reissue/models/similarity/service/state.h"
#include "reissue/models/similarity/service/table.h"

namespace reissue::models::similarity::service {

// A series with names.
struct EvolvingSeries {
  std::vector<EvolvingRelease> releases;                       // the first has knowledge
  std::vector<std::vector<similarity::Statement>> statements;  // per release
  std::vector<binding::ValueTexts> values;
  binding::ValueOrder order;
  std::uint32_t persons = 0;
  std::vector<std::string> ids;  // per person; empty: nobody is known by name
};

// What is known of the releases of a vault, by the file of today; per release.
Result<std::vector<std::vector<similarity::Statement>>> StatementsSoFar(
    ledger::Vault& vault, const EvolvingState& state, const Background& background);
// All that a vault keeps. `background`: restored.
Result<EvolvingSeries> LoadEvolvingSeries(ledger::Vault& vault, const EvolvingState& state,
                                          const io::Policy& policy, const Background& background);

// The reader that a promise names, and any other with the same habits.
similarity::ReaderOptions ReaderOf(const Promise& promise, inference::Estimator estimator);

ReaderFindings FindingsOf(inference::Estimator estimator, const similarity::Beliefs& beliefs);

// The promise, without findings.
SimilarityFindings AskedOf(const Promise& promise);
// What a release tells without a reader.
EvolvingFindings CountsOf(const EvolvingRelease& release);
// The worst of each over the groups of a release; the divergence is a reader's (Beliefs).
similarity::Shape MeasureShape(const similarity::Snapshot& snapshot, double divergence,
                               const ValueRanks& ranks, bool ordered);
// Adds the promises that a release does not keep, or that are not proven, to its findings.
// `judged`: by the reader of the promise.
void JudgeRelease(const Promise& promise, const similarity::Judgement& judged,
                  EvolvingFindings& findings);
// A bound that follows from a release alone: beta or t.
contract::PromiseKept AtMost(const char* name, double asked, double measured);
// k, beta and t follow from a release alone. What readers believe of the people of a group does
// not; and where left-overs may relax j, whether they did tells what readers believe of them.
contract::Basis BasisOf(std::string_view name, const Promise& promise);
// Promises with the worst of all releases, for reports and certificates; and whether all are kept.
void AddSimilarity(const Promise& promise, contract::AuditReport& audit);

// Errors: rows that contradict the knowledge, an order of values that lacks one.
Result<contract::AuditReport> AuditEvolving(const EvolvingSeries& series, const Promise& promise,
                                            std::size_t worst, binding::Context& context);

// Oldest first.
Result<contract::AuditReport> AuditEvolvingCopies(const io::Policy& policy, const Promise& promise,
                                                  const std::vector<std::string>& files,
                                                  std::size_t worst, binding::Context& context);

// The whole series as a vault keeps it. `vault` is open for writing: what it keeps is sealed.
Result<contract::AuditReport> AuditEvolvingVault(ledger::Vault& vault, const io::Policy& policy,
                                                 const Promise& promise, std::size_t worst,
                                                 binding::Context& context);

}  // namespace reissue::models::similarity::service
