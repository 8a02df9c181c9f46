#include "reissue/engine/audit.h"

#include <cctype>
#include <memory>

#include "cli/options.h"
#include "cli/passphrase.h"
#include "cli/print.h"
#include "cli/render/views.h"
#include "cli/verbs.h"
#include "reissue/engine/explain.h"
#include "reissue/io/policy.h"

namespace reissue::cli {
namespace {

struct AuditOptions {
  std::string policy;
  std::vector<std::string> releases;
  std::vector<std::string> priors;
  std::string vault;
  bool no_passphrase = false;
  std::vector<std::string> knows;
  std::uint64_t worst = 10;
  std::string explain;
  std::uint64_t requirement = 1;
};

std::string Capital(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

Result<int> Explain(const AuditOptions& options, const io::Policy& policy, Session& session) {
  const contract::ExplainReport report = REISSUE_TRY(
      engine::Explain(policy, options.releases, options.explain, session.context(),
                      Priors(options.priors), static_cast<std::size_t>(options.requirement)));
  REISSUE_TRY(Print(session, report));
  return report.broken ? kPromiseBroken : kDone;
}

// The state of a series instead of files.
Result<int> AuditState(const AuditOptions& options, Session& session) {
  if (!options.releases.empty() || !options.priors.empty() || !options.knows.empty() ||
      !options.explain.empty()) {
    return UsageError("audit --vault looks at the state of a vault, and files were given as well",
                      "Give either --vault DIR, or --policy POLICY and the holder's copies (with "
                      "--knows, --explain or --prior only these).");
  }
  binding::Context& context = session.context();
  // A vault that is not there needs no passphrase.
  REISSUE_TRY(ledger::Vault::Open(context.files, options.vault, ledger::Access::kRead));
  const ledger::Passphrase passphrase =
      REISSUE_TRY(AskPassphrase(session, options.vault, options.no_passphrase));
  const contract::AuditReport report = REISSUE_TRY(engine::AuditVault(
      options.vault, options.policy, passphrase, context, static_cast<std::size_t>(options.worst)));
  REISSUE_TRY(Print(session, report));
  return report.satisfied ? kDone : kPromiseBroken;
}

Result<int> RunAudit(const AuditOptions& options, Session& session) {
  if (!options.vault.empty()) return AuditState(options, session);
  std::vector<std::string> inputs = options.releases;
  inputs.push_back(options.policy);
  const std::vector<binding::PriorFile> priors = Priors(options.priors);
  for (const binding::PriorFile& prior : priors) inputs.push_back(prior.file);
  REISSUE_TRY(OneStandardInput(inputs));
  binding::Context& context = session.context();
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
  if (!options.explain.empty()) return Explain(options, policy, session);
  const contract::AuditReport report = REISSUE_TRY(
      engine::Audit(policy, options.releases, context, options.worst, priors, options.knows));
  REISSUE_TRY(Print(session, report));
  return report.satisfied ? kDone : kPromiseBroken;
}

}  // namespace

void AddAudit(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "audit",
      "Attack published files as their readers could, and say who is exposed.\n\n"
      "The files may come from any tool: only what a reader sees is used. The policy says which "
      "columns readers may know of a person (quasi), which they must not learn (sensitive), and "
      "what was promised. The exit status is 1 if the promise is broken, or not proven to be "
      "kept." +
          HelpOfModels("audit"),
      "reissue audit --policy hospital.toml release-1.csv\n"
      "reissue audit --policy series.toml release-1.csv release-2.csv\n"
      "reissue audit --policy series.toml --explain 1,34,Nurse release-1.csv release-2.csv\n"
      "reissue audit --policy linked.toml release.csv --prior earlier.csv\n"
      "reissue audit --policy ward.toml --knows Bob=flu private/R1.csv private/R2.csv\n"
      "reissue audit --vault ward");
  auto options = std::make_shared<AuditOptions>();
  CLI::Option* policy = AddText(*verb, "--policy", options->policy, "POLICY", "The policy (TOML).");
  policy->required();
  AddNumber(*verb, "--worst", options->worst,
            "List at most N of the worst groups or people. Default: 10.", 0, 1000000);
  AddText(*verb, "--explain", options->explain, "PERSON", SentencesOfModels("audit --explain"));
  AddNumber(
      *verb, "--requirement", options->requirement,
      "Explain the requirement N of the policy (" + Of(contract::Extra::kPriors) + "). Default: 1.",
      1);
  AddPriors(*verb, options->priors);
  verb->add_flag("--no-passphrase", options->no_passphrase, "The vault has no passphrase.");
  verb->add_option("--knows", options->knows,
                   "Suppose that readers know somebody's value, and say what follows (" +
                       Of(contract::Extra::kKnows) + "); once for each.")
      ->type_name("ID=VALUE")
      ->allow_extra_args(false);
  CLI::Option* releases =
      AddInputs(*verb, "RELEASE", options->releases,
                "The published files, oldest first (CSV); - is stdin. " +
                    Capital(Of(contract::Extra::kHolderCopy)) + ": holder's copies.");
  releases->required();
  verb->add_option_function<std::string>(
          "--vault",
          [options, policy, releases](const std::string& directory) {
            options->vault = directory;
            policy->required(false);
            releases->required(false);
          },
          "Audit the state of this vault; no policy and no files are needed then (" +
              Of(contract::Extra::kVaultAudit) + ").")
      ->type_name("DIR");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunAudit(*options, session); };
  });
}

}  // namespace reissue::cli
