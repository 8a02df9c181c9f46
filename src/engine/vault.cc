#include "reissue/engine/vault.h"

#include <fmt/format.h>

#include <map>

#include "reissue/contract/certificate.h"
#include "reissue/contract/living.h"
#include "reissue/contract/rollback.h"
#include "reissue/contract/table_release.h"
#include "reissue/io/csv.h"
#include "reissue/io/file_digest.h"

namespace reissue::engine {
namespace {

class VaultChecker {
 public:
  VaultChecker(ledger::Vault& vault, binding::Context& context, VaultReport& report)
      : vault_(vault), context_(context), report_(report) {}

  Status Run() {
    report_.title = vault_.policy().title;
    report_.model = vault_.policy().model;
    report_.format = vault_.format();
    report_.unprotected = vault_.unprotected();
    report_.key = REISSUE_TRY(vault_.PublicKey());
    for (const auto& [since, digest] : REISSUE_TRY(contract::PolicyDigests(vault_))) {
      policies_[since] = REISSUE_TRY(vault_.KeyedDigest(digest));
    }
    report_.policy_changes = policies_.size() - 1;
    const std::vector<ledger::ReleaseRecord> history = REISSUE_TRY(vault_.History());
    report_.releases = history.size();
    for (const ledger::ReleaseRecord& record : history) REISSUE_TRY(LookAt(record));
    const std::vector<std::string> names = REISSUE_TRY(vault_.Secrets());
    for (const std::string& name : names) {
      REISSUE_TRY(vault_.UnsealPieces(name, [](std::string_view, std::uint64_t) { return Ok(); }));
    }
    report_.secrets = names.size();
    const Status newest = contract::IsNewest(vault_, history, std::vector<std::string>{}, context_);
    if (!newest) report_.problems.push_back(newest.error().ToString());
    return Ok();
  }

 private:
  Status LookAt(const ledger::ReleaseRecord& record) {
    if (record.is_table()) {
      report_.notes.push_back(
          fmt::format("release {}: the table {} of a database was not looked at", record.number,
                      record.target));
    } else if (record.file_present) {
      const std::string digest = REISSUE_TRY(io::DigestOfFile(context_.files, record.target));
      if (digest == record.digest) {
        ++report_.files;
      } else {
        Problem(record, "the file {} is not what was published", record.target);
      }
    } else {
      report_.notes.push_back(
          fmt::format("release {}: the file {} is no longer there", record.number, record.target));
    }
    if (record.adopted()) {
      ++report_.adopted;
      previous_.clear();
      return Ok();
    }
    return LookAtCertificate(record);
  }

  Status LookAtCertificate(const ledger::ReleaseRecord& record) {
    const contract::Certificate certificate = REISSUE_TRY(contract::Certificate::Parse(
        record.certificate, fmt::format("(release {} in the vault)", record.number)));
    if (!certificate.unchanged) Problem(record, "its certificate was changed{}", "");
    if (certificate.digest != record.digest || certificate.release != record.number) {
      Problem(record, "its certificate is about another release{}", "");
    }
    // Only who has the key can have made this of the policy. Format 1 had none.
    const std::string& policy = std::prev(policies_.upper_bound(record.number))->second;
    if (certificate.format > 1 && certificate.policy_keyed_digest != policy) {
      Problem(record, "its certificate was made under another policy than the vault has{}", "");
    }
    if (!certificate.key.empty() && certificate.key != report_.key) {
      Problem(record, "its certificate is signed by another key{}", "");
    }
    if (!certificate.previous.empty() && certificate.previous != previous_) {
      Problem(record, "its certificate names another one before it{}", "");
    }
    previous_ = io::Digest(record.certificate);
    return Ok();
  }

  void Problem(const ledger::ReleaseRecord& record, const char* what, const std::string& name) {
    report_.problems.push_back(
        fmt::format("release {}: {}", record.number, fmt::format(fmt::runtime(what), name)));
  }

  ledger::Vault& vault_;
  binding::Context& context_;
  VaultReport& report_;
  std::map<std::uint32_t, std::string> policies_;  // keyed digests, by the first release
  std::string previous_;
};

}  // namespace

Result<VaultReport> CheckVault(const std::string& directory, const ledger::Passphrase& passphrase,
                               binding::Context& context) {
  ledger::Vault vault = REISSUE_TRY(ledger::Vault::Open(
      context.files, directory, ledger::Access::kUnseal, passphrase, contract::AskServer(context)));
  VaultReport report;
  report.vault = directory;
  REISSUE_TRY(VaultChecker(vault, context, report).Run());
  return report;
}

Result<VaultReport> UpgradeVault(const std::string& directory, const ledger::Passphrase& passphrase,
                                 binding::Context& context) {
  VaultReport report;
  report.vault = directory;
  const auto approve = [&](ledger::Vault& vault) -> Status {
    REISSUE_TRY(VaultChecker(vault, context, report).Run());
    if (report.problems.empty()) return Ok();
    return InputError(
        {directory, std::nullopt, std::nullopt, ""},
        fmt::format("what this vault says does not fit together ({})", report.problems.front()),
        "Restore the vault from a backup. Nothing was changed.");
  };
  REISSUE_TRY(ledger::Vault::Upgrade(context.files, directory, passphrase, approve));
  return report;
}

}  // namespace reissue::engine
