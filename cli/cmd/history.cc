#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "reissue/contract/living.h"
#include "reissue/ledger/vault.h"

namespace reissue::cli {
namespace {

Result<int> RunHistory(const std::string& directory, Session& session) {
  ledger::Vault vault =
      REISSUE_TRY(ledger::Vault::Open(session.context().files, directory, ledger::Access::kRead));
  std::vector<ledger::ReleaseRecord> releases = REISSUE_TRY(vault.History());
  std::vector<std::uint32_t> changes = REISSUE_TRY(contract::PolicyChanges(vault));
  const HistoryReport report{directory, vault.policy(), vault.unprotected(), std::move(releases),
                             std::move(changes)};
  REISSUE_TRY(Print(session, report));
  return kDone;
}

}  // namespace

void AddHistory(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(root, session, "history",
                           "List the releases of a series so far.\n\nNeeds no passphrase.",
                           "reissue history --vault vault");
  auto directory = std::make_shared<std::string>();
  AddText(*verb, "--vault", *directory, "DIR", "The vault of the series.")->required();
  verb->callback([directory, &session] {
    session.action = [directory, &session] { return RunHistory(*directory, session); };
  });
}

}  // namespace reissue::cli
