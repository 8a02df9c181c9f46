#include "reissue/engine/audit.h"

#include <fmt/format.h>

#include "reissue/binding/ties.h"
#include "reissue/contract/table_release.h"
#include "reissue/engine/catalog.h"
#include "reissue/engine/models.h"

namespace reissue::engine {

using contract::Extra;

Result<contract::AuditReport> Audit(const io::Policy& policy,
                                    const std::vector<std::string>& releases,
                                    binding::Context& context, std::size_t worst,
                                    const std::vector<binding::PriorFile>& priors,
                                    const std::vector<std::string>& knows) {
  REISSUE_TRY(FollowSource(policy, context));
  const Bound bound = REISSUE_TRY(Bind(policy));
  REISSUE_TRY(TakesPriors(*bound.model, priors));
  if (!knows.empty()) {
    REISSUE_TRY(Takes(*bound.model, Extra::kKnows, "--knows", "Leave it out."));
  }
  contract::AuditReport report = REISSUE_TRY(
      bound.model->Audit({policy, *bound.promise, releases, priors, knows, worst}, context));
  const std::vector<std::string> as_they_are = binding::ColumnsOf(policy).others;
  for (const std::string& release : releases) {
    if (release == "-") continue;  // cannot be read again
    const auto ties = REISSUE_TRY(binding::TiesOfFile(release, as_they_are, context));
    for (const binding::Tie& tie : ties) {
      report.ties.push_back(fmt::format("{}: {}", release, binding::TieWords(tie)));
    }
  }
  return report;
}

Result<contract::AuditReport> AuditVault(const std::string& vault, const std::string& policy,
                                         const ledger::Passphrase& passphrase,
                                         binding::Context& context, std::size_t worst) {
  const std::string path = REISSUE_TRY(contract::PolicyPath(policy, vault, passphrase, context));
  const io::Policy read = REISSUE_TRY(io::ReadPolicy(context.files, path));
  const Bound bound = REISSUE_TRY(Bind(read));
  if (!bound.model->traits().Takes(Extra::kVaultAudit)) {
    return UsageError(
        fmt::format("audit --vault is for the models {}, and this series has model \"{}\"",
                    ModelsThatTake(Extra::kVaultAudit), bound.model->traits().name),
        "Audit its published files: reissue audit --policy POLICY RELEASE…");
  }
  ledger::Vault open = REISSUE_TRY(ledger::Vault::Open(
      context.files, vault, ledger::Access::kUnseal, passphrase, contract::AskServer(context)));
  const auto digests = REISSUE_TRY(contract::PolicyDigests(open));
  if (digests.rbegin()->second != read.digest) {
    return InputError(
        {vault, std::nullopt, std::nullopt, ""},
        "this vault belongs to another policy, or the policy was changed since",
        "Use the policy of the last release. A changed one belongs to the series once "
        "a release was published with it.");
  }
  return bound.model->AuditVault({read, *bound.promise, open, worst}, context);
}

}  // namespace reissue::engine
