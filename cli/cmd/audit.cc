#include "reissue/engine/audit.h"

#include <memory>

#include "cli/options.h"
#include "cli/passphrase.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "reissue/engine/invariance_audit.h"
#include "reissue/engine/linked_audit.h"
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

Result<int> ExplainJoin(const AuditOptions& options, const io::Policy& policy, Session& session) {
  const engine::Promise promise = REISSUE_TRY(engine::PromiseOf(policy));
  REISSUE_TRY(engine::CheckFiles(promise, options.releases.size(), options.priors.size()));
  const engine::LinkedExplanation report =
      REISSUE_TRY(engine::ExplainLinked(policy, options.releases[0], Priors(options.priors),
                                        options.requirement, options.explain, session.context()));
  REISSUE_TRY(Print(session, report));
  return report.broken ? kPromiseBroken : kDone;
}

Result<int> Explain(const AuditOptions& options, const io::Policy& policy, Session& session) {
  if (policy.Get("model")->text == "xy") return ExplainJoin(options, policy, session);
  if (policy.Get("model")->text == "j-similarity") {
    return UsageError("--explain belongs to the models \"bcf\" and \"xy\"",
                      "An audit of model \"j-similarity\" names who is exposed by itself.");
  }
  if (policy.Get("model")->text == "m-invariance") {
    return UsageError("--explain belongs to the models \"bcf\" and \"xy\"",
                      "With model \"m-invariance\", --knows ID=VALUE says whose values follow if "
                      "somebody's becomes known.");
  }
  const engine::ExplainReport report = REISSUE_TRY(
      engine::ExplainPerson(policy, options.releases, options.explain, session.context()));
  REISSUE_TRY(Print(session, report));
  return report.broken ? kPromiseBroken : kDone;
}

// Models m-invariance and j-similarity: the state of a series instead of files.
Result<int> AuditState(const AuditOptions& options, Session& session) {
  if (!options.releases.empty() || !options.priors.empty() || !options.knows.empty() ||
      !options.explain.empty()) {
    return UsageError("audit --vault looks at the state of a vault, and files were given as well",
                      "Give either --vault DIR, or --policy POLICY and the holder's copies (with "
                      "--knows, --explain or --prior only these).");
  }
  engine::Context& context = session.context();
  // A vault that is not there needs no passphrase.
  REISSUE_TRY(ledger::Vault::Open(context.files, options.vault, ledger::Access::kRead));
  const ledger::Passphrase passphrase =
      REISSUE_TRY(AskPassphrase(context.files, options.vault, options.no_passphrase));
  const engine::AuditReport report = REISSUE_TRY(engine::AuditVault(
      options.vault, options.policy, passphrase, context, static_cast<std::size_t>(options.worst)));
  REISSUE_TRY(Print(session, report));
  return report.satisfied ? kDone : kPromiseBroken;
}

Result<int> RunAudit(const AuditOptions& options, Session& session) {
  if (!options.vault.empty()) return AuditState(options, session);
  std::vector<std::string> inputs = options.releases;
  inputs.push_back(options.policy);
  const std::vector<engine::PriorFile> priors = Priors(options.priors);
  for (const engine::PriorFile& prior : priors) inputs.push_back(prior.file);
  REISSUE_TRY(OneStandardInput(inputs));
  engine::Context& context = session.context();
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
  if (!options.explain.empty()) return Explain(options, policy, session);
  const engine::AuditReport report = REISSUE_TRY(
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
      "kept.\n\n"
      "Model k looks at one file. Model bcf looks at all releases of a table that only grows, "
      "oldest first: what readers of all of them can exclude about somebody whose first release "
      "they know. With --explain it shows that for one person.\n\n"
      "Model xy looks at one file beside earlier releases of other columns of the same people "
      "(--prior): what whoever joins them on the columns they share can link. With --explain it "
      "shows that for one combination of labels.\n\n"
      "Model m-invariance looks at all releases of a table whose rows come and go, oldest first: "
      "which values remain possible for somebody whose groups are known, and which people are "
      "shown "
      "to have the same values. That depends on who was in which group, so it reads holder's "
      "copies (an identifier, a group and the value per row; `reissue publish --holder-copy` "
      "writes "
      "them), or with --vault the state of the series. With --knows it says whose values follow if "
      "somebody's becomes known.\n\n"
      "Model j-similarity plays readers who know how likely values are for people of a kind, how "
      "they follow one another, and some people's values ([knowledge] of the policy). Each goes "
      "through all releases: what she believes after each, and of whom too much. It reads holder's "
      "copies, too (with everybody's own quasi-identifiers), or the vault.",
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
  AddText(
      *verb, "--explain", options->explain, "PERSON",
      "What the series tells about one person: the release of first appearance, then a value "
      "or label per quasi-identifier in the order of the policy, as a CSV record (model bcf). "
      "Or what the join tells about one combination: a value or label per column of x (model xy).");
  AddNumber(*verb, "--requirement", options->requirement,
            "Explain the requirement N of the policy (model xy). Default: 1.", 1);
  AddPriors(*verb, options->priors);
  verb->add_flag("--no-passphrase", options->no_passphrase, "The vault has no passphrase.");
  verb->add_option("--knows", options->knows,
                   "Suppose that readers know somebody's value, and say what follows (model "
                   "m-invariance); once for each.")
      ->type_name("ID=VALUE")
      ->allow_extra_args(false);
  CLI::Option* releases =
      AddInputs(*verb, "RELEASE", options->releases,
                "The published files, oldest first (CSV); - is stdin. Models m-invariance and "
                "j-similarity: holder's copies.");
  releases->required();
  verb->add_option_function<std::string>(
          "--vault",
          [options, policy, releases](const std::string& directory) {
            options->vault = directory;
            policy->required(false);
            releases->required(false);
          },
          "Audit the state of this vault; no policy and no files are needed then (models "
          "m-invariance and j-similarity).")
      ->type_name("DIR");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunAudit(*options, session); };
  });
}

}  // namespace reissue::cli
