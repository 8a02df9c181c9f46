#include "cli/page/dossier.h"

#include "reissue/binding/rows.h"
#include "reissue/contract/table_release.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/models.h"
#include "reissue/engine/verify.h"

namespace reissue::cli::page {
namespace {

std::string CertificateOf(const std::string& release) { return release + ".certificate.json"; }

void AddCertificate(const std::string& target, binding::Context& context,
                    Dossier::Release& release) {
  const std::string path = CertificateOf(target);
  if (!context.files.Exists(path)) {
    release.problem = "none lies beside it";
    return;
  }
  const bool is_file = binding::IsFile(target, context);
  const auto bytes = context.files.Read(path);
  const auto file = context.files.Read(is_file ? target : path);
  if (!bytes || !file) {
    release.problem = "it cannot be read";
    return;
  }
  auto certificate = contract::Certificate::Parse((*bytes)->view(), path);
  if (!certificate) {
    release.problem = "what lies beside it is no certificate";
    return;
  }
  release.fits = is_file && io::Digest((*file)->view()) == certificate->digest;
  if (!is_file) {
    release.problem = "of a table: `reissue verify -d` compares them";
  } else if (!release.fits) {
    release.problem = "the one beside it is of another file";
  }
  if (!certificate->unchanged) release.problem = "the one beside it was changed";
  if (release.problem.empty()) release.published = certificate->created;
  release.certificate = *std::move(certificate);
}

bool NeedsCopies(const contract::Model& model) {
  return model.traits().Takes(contract::Extra::kHolderCopy);
}

Result<contract::VerifyReport> Verified(const io::Policy& policy,
                                        const std::vector<std::string>& releases,
                                        const std::vector<binding::PriorFile>& priors,
                                        binding::Context& context) {
  const std::string path = CertificateOf(releases.back());
  if (!context.files.Exists(path)) {
    return InputError({path, std::nullopt, std::nullopt, ""},
                      "there is no certificate, and the published files of this model do not tell "
                      "who is exposed",
                      "Put it beside the release, or make a page for the holder from the holder's "
                      "copies or the vault.");
  }
  engine::Trusted trusted;
  trusted.policy = policy.file;
  contract::VerifyReport report =
      REISSUE_TRY(engine::Verify(path, releases, context, priors, {}, trusted));
  if (!report.valid) {
    return InputError({path, std::nullopt, std::nullopt, ""},
                      "the certificate does not fit the files: " + report.failures.front(),
                      "Give the published files, oldest first, and not the holder's copies.");
  }
  return report;
}

}  // namespace

Status AddReleases(const io::Policy& policy, const std::vector<std::string>& targets,
                   binding::Context& context, Dossier& dossier) {
  dossier.title = policy.title;
  for (const std::string& target : targets) {
    Dossier::Release release;
    release.portrait = REISSUE_TRY(engine::PortraitOfRelease(policy, target, context));
    AddCertificate(target, context, release);
    dossier.releases.push_back(std::move(release));
  }
  return Ok();
}

Status AddTable(const io::Policy& policy, const std::string& table, binding::Context& context,
                Dossier& dossier) {
  dossier.table = REISSUE_TRY(engine::PortraitOfTable(policy, table, context));
  return Ok();
}

Status AddFrontier(const std::string& file, binding::Context& context, Dossier& dossier) {
  const auto bytes = REISSUE_TRY(context.files.Read(file));
  Json json = Json::parse(bytes->view(), nullptr, /*allow_exceptions=*/false);
  bool sound = json.is_object() && json.contains("points") && json["points"].is_array();
  for (std::size_t i = 0; sound && i < json["points"].size(); ++i) {
    const Json& point = json["points"][i];
    sound = point.is_object() && point.contains("settings") && point["settings"].is_object();
  }
  if (!sound) {
    return InputError({file, std::nullopt, std::nullopt, ""},
                      "this is no frontier as `reissue explore` writes it",
                      "Make it with `reissue explore --policy POLICY TABLE --out FILE.json`.");
  }
  dossier.frontier = std::move(json);
  return Ok();
}

Result<Dossier> FromPublished(const io::Policy& policy, const std::vector<std::string>& releases,
                              const std::vector<binding::PriorFile>& priors,
                              binding::Context& context) {
  Dossier dossier;
  dossier.for_holder = false;
  const engine::Bound bound = REISSUE_TRY(engine::Bind(policy));
  if (NeedsCopies(*bound.model)) {
    dossier.verified = REISSUE_TRY(Verified(policy, releases, priors, context));
    dossier.audit = dossier.verified->audit;
    dossier.audit.model = bound.model->traits().name;
  } else {
    dossier.audit =
        REISSUE_TRY(engine::Audit(policy, releases, context, contract::kWorstShown, priors));
  }
  REISSUE_TRY(AddReleases(policy, releases, context, dossier));
  return dossier;
}

Result<Dossier> FromVault(const VaultSeries& series, const ledger::Passphrase& passphrase,
                          binding::Context& context) {
  const std::string path =
      REISSUE_TRY(contract::PolicyPath(series.policy, series.vault, passphrase, context));
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, path));
  const engine::Bound bound = REISSUE_TRY(engine::Bind(policy));
  std::vector<ledger::ReleaseRecord> history;
  {
    ledger::Vault vault =
        REISSUE_TRY(ledger::Vault::Open(context.files, series.vault, ledger::Access::kUnseal,
                                        passphrase, contract::AskServer(context)));
    history = REISSUE_TRY(vault.History());
  }
  if (history.empty()) {
    return InputError({series.vault, std::nullopt, std::nullopt, ""}, "there is no release yet",
                      "Publish one first.");
  }
  std::vector<std::string> targets;
  for (const ledger::ReleaseRecord& record : history) {
    if (!record.file_present) {
      return InputError({record.target, std::nullopt, std::nullopt, ""},
                        "this release is no longer where it was published",
                        "Put it back, or make the page from files: reissue report --policy POLICY "
                        "RELEASE…");
    }
    targets.push_back(record.target);
  }
  Dossier dossier;
  if (bound.model->traits().Takes(contract::Extra::kVaultAudit)) {
    dossier.audit = REISSUE_TRY(engine::AuditVault(series.vault, path, passphrase, context));
  } else {
    dossier.audit =
        REISSUE_TRY(engine::Audit(policy, targets, context, contract::kWorstShown, series.priors));
  }
  REISSUE_TRY(AddReleases(policy, targets, context, dossier));
  for (std::size_t i = 0; i < history.size(); ++i) {
    dossier.releases[i].published = history[i].created;
    dossier.releases[i].set_aside = history[i].set_aside;
  }
  if (!series.table.empty()) REISSUE_TRY(AddTable(policy, series.table, context, dossier));
  return dossier;
}

}  // namespace reissue::cli::page
