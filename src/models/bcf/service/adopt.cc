#include "reissue/models/bcf/service/adopt.h"

#include <algorithm>

#include "reissue/contract/publication.h"
#include "reissue/io/policy.h"
#include "reissue/models/bcf/service/audit.h"
#include "reissue/models/bcf/service/series.h"

namespace reissue::models::bcf::service {
namespace {

// A vault that is there must be empty and of this policy: what an interrupted call left behind.
Result<ledger::Vault> VaultFor(const contract::AdoptRequest& request, const io::Policy& policy,
                               const Promise& promise, binding::Context& context) {
  if (!ledger::Vault::Exists(context.files, request.vault)) {
    const ledger::VaultPolicy record = REISSUE_TRY(contract::RecordOf(policy, promise));
    return ledger::Vault::Create(context.files, request.vault, record, request.passphrase);
  }
  ledger::Vault vault = REISSUE_TRY(ledger::Vault::Open(
      context.files, request.vault, ledger::Access::kWrite, request.passphrase));
  const auto history = REISSUE_TRY(vault.History());
  if (!history.empty() || vault.policy().digest != policy.digest) {
    return InputError({request.vault, std::nullopt, std::nullopt, ""},
                      history.empty() ? "this vault belongs to another policy"
                                      : "this vault has releases already",
                      "Adopting starts a series: name a directory that does not exist.");
  }
  return vault;
}

Status Record(const contract::AdoptRequest& request, const BoundSeries& bound,
              const contract::AuditReport& audit, std::string policy, ledger::Vault& vault) {
  std::vector<ledger::Vault::Adopted> adopted;
  for (std::size_t i = 0; i < bound.releases.size(); ++i) {
    ledger::Vault::Adopted release;
    release.record.target = REISSUE_TRY(io::Absolute(bound.releases[i].name));
    release.record.digest = bound.releases[i].digest;
    release.record.created = request.created;
    release.record.rows = audit.releases[i].rows;
    release.secrets.emplace_back(SeriesSecret(static_cast<std::uint32_t>(i + 1)),
                                 SaveRelease(bound.releases[i], bound.columns));
    if (i == 0) release.secrets.emplace_back(contract::PolicySecret(1), std::move(policy));
    adopted.push_back(std::move(release));
  }
  return vault.Adopt(std::move(adopted));
}

}  // namespace

Result<contract::AdoptReport> AdoptSeries(const contract::AdoptRequest& request,
                                          const io::Policy& policy, const Promise& promise,
                                          binding::Context& context) {
  if (std::find(request.releases.begin(), request.releases.end(), "-") != request.releases.end()) {
    return UsageError("a release that is adopted must be a file",
                      "The vault remembers where it lies; standard input lies nowhere.");
  }
  const BoundSeries bound =
      REISSUE_TRY(LoadSeries(policy, request.releases, context, promise.stars()));
  if (bound.stars || bound.rule_broken) {
    return InputError(
        {policy.file, policy.Get("suppression")->line, std::nullopt, ""},
        "the releases have starred rows, and nobody but the vault they were made with knows whose "
        "they are: they could not stay starred",
        "Remove `suppression`: then a starred row is one like any other, and the next release has "
        "none.");
  }
  REISSUE_TRY(LabelsAreNested(bound));
  contract::AdoptReport report;
  report.vault = request.vault;
  report.k = promise.guarantee.k;
  report.audit = REISSUE_TRY(AuditSeries(bound, promise, context));
  const SeriesFindings& series = report.audit.findings.As<SeriesFindings>();
  if (series.verdict == SeriesVerdict::kNotOneSeries) return report;
  if (series.exact) report.largest_k = series.exact->lower;
  if (!report.audit.satisfied && !request.anyway) return report;
  ledger::Vault vault = REISSUE_TRY(VaultFor(request, policy, promise, context));
  std::string archive = REISSUE_TRY(contract::ArchivePolicy(policy, context));
  REISSUE_TRY(Record(request, bound, report.audit, std::move(archive), vault));
  report.recorded = true;
  report.vault_unprotected = vault.unprotected();
  return report;
}

}  // namespace reissue::models::bcf::service
