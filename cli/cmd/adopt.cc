#include "reissue/engine/adopt.h"

#include <memory>

#include "cli/clock.h"
#include "cli/options.h"
#include "cli/passphrase.h"
#include "cli/print.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

struct AdoptOptions {
  contract::AdoptRequest request;
  bool no_passphrase = false;
};

Result<int> RunAdopt(AdoptOptions& options, Session& session) {
  contract::AdoptRequest& request = options.request;
  binding::Context& context = session.context();
  request.created = REISSUE_TRY(TimeStamp());
  request.passphrase = REISSUE_TRY(AskPassphrase(session, request.vault, options.no_passphrase));
  const contract::AdoptReport report = REISSUE_TRY(engine::Adopt(request, context));
  REISSUE_TRY(Print(session, report));
  return report.recorded ? kDone : kPromiseBroken;
}

}  // namespace

void AddAdopt(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "adopt",
      "Take up a series that another tool started.\n\n"
      "Audits the published files together (" +
          Of(contract::Extra::kAdopt) +
          ") and records them in a new vault, so that "
          "`reissue publish` continues the series. Says the largest k that still holds. The files "
          "stay "
          "where and as they are.\n\n"
          "If the promise of the policy is already broken, or not proven to be kept, nothing is "
          "recorded and the exit status is 1. What is lost cannot be won back by later releases: "
          "adopt "
          "with a policy that promises what still holds. With --anyway the series is recorded all "
          "the "
          "same; for targets = \"real\", of which files alone cannot tell whether it is kept. "
          "Files "
          "that are not releases of one growing table are always refused.",
      "reissue adopt --vault vault --policy hospital.toml release-1.csv release-2.csv");
  auto options = std::make_shared<AdoptOptions>();
  AddDuckDb(*verb, session);
  contract::AdoptRequest& request = options->request;
  AddText(*verb, "--vault", request.vault, "DIR", "The vault to make.")->required();
  AddText(*verb, "--policy", request.policy, "POLICY",
          "The policy (TOML), with " + Of(contract::Extra::kAdopt) + ".")
      ->required();
  verb->add_flag("--anyway", request.anyway,
                 "Record the series even if its promise is not proven to be kept.");
  verb->add_flag("--no-passphrase", options->no_passphrase,
                 "Make a vault without a passphrase: for tests, and where the disk is encrypted.");
  AddLabels(*verb, session, "List the pairs of releases in full.");
  AddInputs(*verb, "RELEASE", request.releases, "The published files, oldest first (CSV).")
      ->required();
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunAdopt(*options, session); };
  });
}

}  // namespace reissue::cli
