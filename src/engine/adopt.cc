#include "reissue/engine/adopt.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reissue/engine/promise.h"
#include "reissue/engine/series.h"
#include "reissue/engine/series_audit.h"
#include "reissue/io/policy.h"

namespace reissue::engine {
namespace {

// The same file, named from the root, whatever links are on the way.
std::string Absolute(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path directory = std::filesystem::canonical(io::DirectoryOf(path), failed);
  return (directory / std::filesystem::path(path).filename()).string();
}

Status CheckRequest(const AdoptRequest& request, const Promise& promise) {
  if (promise.invariance) {
    return UsageError(
        "a series of model \"m-invariance\" cannot be adopted: published files do not say who is "
        "in "
        "which group, and everybody must stay with the same values",
        "Start the series with `reissue publish`. What another tool has published is audited from "
        "holder's copies: `reissue audit`.");
  }
  if (promise.similarity) {
    return UsageError(
        "a series of model \"j-similarity\" cannot be adopted: published files do not say who is "
        "in "
        "which group, and the reader's beliefs depend on it",
        "Start the series with `reissue publish`. What another tool has published is audited from "
        "holder's copies: `reissue audit`.");
  }
  if (promise.model != "bcf") {
    return UsageError(
        fmt::format("model \"{}\" promises nothing about several releases, so there is no series "
                    "to adopt",
                    promise.model),
        "Use a policy with model = \"bcf\".");
  }
  if (std::find(request.releases.begin(), request.releases.end(), "-") != request.releases.end()) {
    return UsageError("a release that is adopted must be a file",
                      "The vault remembers where it lies; standard input lies nowhere.");
  }
  return Ok();
}

// A vault that is there must be empty and of this policy: what an interrupted call left behind.
Result<ledger::Vault> VaultFor(const AdoptRequest& request, const io::Policy& policy,
                               Context& context) {
  if (!ledger::Vault::Exists(context.files, request.vault)) {
    const ledger::VaultPolicy record{"bcf", policy.title, policy.text, policy.digest,
                                     Absolute(policy.file)};
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

Status Record(const AdoptRequest& request, const BoundSeries& bound, const AuditReport& audit,
              ledger::Vault& vault) {
  std::vector<ledger::Vault::Adopted> adopted;
  for (std::size_t i = 0; i < bound.releases.size(); ++i) {
    ledger::Vault::Adopted release;
    release.record.target = Absolute(bound.releases[i].name);
    release.record.digest = bound.releases[i].digest;
    release.record.created = request.created;
    release.record.rows = audit.releases[i].rows;
    release.secrets.emplace_back(SeriesSecret(static_cast<std::uint32_t>(i + 1)),
                                 SaveRelease(bound.releases[i], bound.columns));
    adopted.push_back(std::move(release));
  }
  return vault.Adopt(std::move(adopted));
}

}  // namespace

Result<AdoptReport> Adopt(const AdoptRequest& request, Context& context) {
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, request.policy));
  const Promise promise = REISSUE_TRY(PromiseOf(policy));
  REISSUE_TRY(CheckRequest(request, promise));
  const BoundSeries bound = REISSUE_TRY(LoadSeries(policy, request.releases, context));
  AdoptReport report;
  report.vault = request.vault;
  report.k = promise.guarantee.k;
  report.audit = REISSUE_TRY(AuditSeries(bound, promise, context));
  const SeriesAudit& series = *report.audit.series;
  if (series.verdict == SeriesVerdict::kNotOneSeries) return report;
  if (series.exact) report.largest_k = series.exact->lower;
  if (!report.audit.satisfied && !request.anyway) return report;
  ledger::Vault vault = REISSUE_TRY(VaultFor(request, policy, context));
  REISSUE_TRY(Record(request, bound, report.audit, vault));
  report.recorded = true;
  report.vault_unprotected = vault.unprotected();
  return report;
}

}  // namespace reissue::engine
