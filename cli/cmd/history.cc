#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "reissue/contract/living.h"
#include "reissue/contract/table_release.h"
#include "reissue/ledger/vault.h"

namespace reissue::cli {
namespace {

Result<int> RunHistory(const std::string& directory, Session& session) {
  binding::Context& context = session.context();
  ledger::Vault vault = REISSUE_TRY(ledger::Vault::Open(
      context.files, directory, ledger::Access::kRead, {}, contract::AskServer(context)));
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
                           "List the releases of a series so far.\n\nNeeds no passphrase; and no "
                           "server, but where a release that is a table was interrupted: only its "
                           "server knows whether it is there (-d).",
                           "reissue history --vault vault");
  auto directory = std::make_shared<std::string>();
  AddText(*verb, "--vault", *directory, "DIR", "The vault of the series.")->required();
  AddServers(*verb, session, "A release that was interrupted");
  verb->callback([directory, &session] {
    session.action = [directory, &session] { return RunHistory(*directory, session); };
  });
}

}  // namespace reissue::cli
