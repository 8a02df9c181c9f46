#include <memory>

#include "cli/clock.h"
#include "cli/options.h"
#include "cli/page/dossier.h"
#include "cli/page/written.h"
#include "cli/passphrase.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/survey.h"

namespace reissue::cli {
namespace {

struct ReportOptions {
  std::string policy, vault, table, frontier, out;
  std::string audience = "holder";
  std::vector<std::string> releases, priors;
  bool no_passphrase = false;
};

// What a call may name together.
Status Consistent(const ReportOptions& options) {
  const bool from_vault = !options.vault.empty();
  const bool holders = from_vault || !options.table.empty() || !options.frontier.empty();
  if (options.audience == "public" && holders) {
    return UsageError(
        "a page for the public is made from published files and the policy alone, and --vault, "
        "--table or --frontier was given",
        "Give --policy POLICY and the published files, or make a page --for holder.");
  }
  if (from_vault && !options.releases.empty()) {
    return UsageError("--vault knows where its releases are, and files were given as well",
                      "Give either --vault DIR, or --policy POLICY and the files.");
  }
  if (options.policy.empty() && !from_vault && (holders || !options.priors.empty())) {
    return UsageError("--table, --frontier and --prior need a policy, and none was given",
                      "Give one with --policy, or leave them out.");
  }
  if (!from_vault && options.releases.empty()) {
    return UsageError("report needs releases, or --vault DIR",
                      "For example: reissue report --policy series.toml release-1.csv "
                      "release-2.csv --out report.html");
  }
  for (const std::string& path : options.releases) {
    if (path != "-") continue;
    return UsageError("standard input (-) can be read only once, and a page looks at files twice",
                      "Name files.");
  }
  return Ok();
}

Result<page::Dossier> Gather(const ReportOptions& options, Session& session) {
  binding::Context& context = session.context();
  const std::vector<binding::PriorFile> priors = Priors(options.priors);
  if (!options.vault.empty()) {
    // A vault that is not there needs no passphrase.
    REISSUE_TRY(ledger::Vault::Open(context.files, options.vault, ledger::Access::kRead));
    const ledger::Passphrase passphrase =
        REISSUE_TRY(AskPassphrase(session, options.vault, options.no_passphrase));
    return page::FromVault({options.vault, options.policy, priors, options.table}, passphrase,
                           context);
  }
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
  if (options.audience == "public") {
    return page::FromPublished(policy, options.releases, priors, context);
  }
  page::Dossier dossier;
  dossier.audit =
      REISSUE_TRY(engine::Audit(policy, options.releases, context, contract::kWorstShown, priors));
  REISSUE_TRY(page::AddReleases(policy, options.releases, context, dossier));
  if (!options.table.empty()) {
    REISSUE_TRY(page::AddTable(policy, options.table, context, dossier));
  }
  return dossier;
}

// Files of which nothing is known but what is in them.
Result<page::Written> WithoutPolicy(const ReportOptions& options, Session& session) {
  engine::SurveyRequest request;
  request.files = options.releases;
  const engine::SurveyReport report = REISSUE_TRY(engine::Survey(request, session.context()));
  const std::string created = REISSUE_TRY(TimeStamp());
  return page::Write(report, options.audience == "holder", created, options.out, session.context());
}

Result<page::Written> WithPolicy(const ReportOptions& options, Session& session) {
  page::Dossier dossier = REISSUE_TRY(Gather(options, session));
  if (!options.frontier.empty()) {
    REISSUE_TRY(page::AddFrontier(options.frontier, session.context(), dossier));
  }
  dossier.created = REISSUE_TRY(TimeStamp());
  return page::Write(dossier, options.out, session.context());
}

Result<int> RunReport(const ReportOptions& options, Session& session) {
  REISSUE_TRY(Consistent(options));
  std::vector<std::string> others = options.releases;
  others.insert(others.end(), {options.policy, options.table, options.frontier});
  REISSUE_TRY(page::CheckPlace("--out", options.out, others, session.context()));
  const bool known = !options.policy.empty() || !options.vault.empty();
  const page::Written written =
      REISSUE_TRY(known ? WithPolicy(options, session) : WithoutPolicy(options, session));
  REISSUE_TRY(Print(session, written));
  return written.satisfied ? kDone : kPromiseBroken;
}

}  // namespace

void AddReport(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "report",
      "Write an audit as a page to look at: one HTML file that needs nothing else.\n\n"
      "The verdict in a sentence, who is exposed by which attack, the worst groups in words, the "
      "series release by release, sizes of groups, what each column lost and how it is "
      "distributed, certificates. The file loads nothing and runs nothing, and can be printed. The "
      "exit status is 1 if the promise is broken, or not proven to be kept; the page is written "
      "all the same.\n\n"
      "For the holder (the default) the page says that it is private, and only its owner can read "
      "the file. It may show a whole series (--vault), the table before and after (--table) and "
      "what other promises would cost (--frontier).\n\n"
      "With --for public it is made from the published files, the certificates beside them and the "
      "policy with its taxonomies, and from nothing else. A taxonomy that was drafted from the "
      "table tells how many values the table has. Of models that need holder's copies for an audit "
      "the page says what the files tell, and what rests on the holder's word.\n\n"
      "Without a policy and a vault the page says what files of anybody tell by themselves, as "
      "`reissue audit` does; `audit --report` also takes what columns are.",
      "reissue report release-1.csv release-2.csv --out report.html\n"
      "reissue report --policy series.toml release-1.csv release-2.csv --out report.html\n"
      "reissue report --policy series.toml --for public release-1.csv release-2.csv --out "
      "public.html\n"
      "reissue report --vault vault --table patients.csv --out series.html");
  auto options = std::make_shared<ReportOptions>();
  AddText(
      *verb, "--policy", options->policy, "POLICY",
      "The policy (TOML). With --vault by default that of the series; without either, only what "
      "is in the files counts.");
  AddText(*verb, "--vault", options->vault, "DIR",
          "All releases of this vault, where they were published.");
  AddChoice(*verb, "--for", options->audience, {"holder", "public"},
            "Who may see the page. Default: holder.");
  AddText(*verb, "--table", options->table, "TABLE",
          "The table that the newest release was made from, to show columns before and after.");
  AddText(*verb, "--frontier", options->frontier, "FILE",
          "What `reissue explore --out FILE.json` wrote.");
  AddText(*verb, "--out", options->out, "FILE", "The page to write; it must not exist.")
      ->required();
  AddServers(*verb, session);
  AddPriors(*verb, options->priors);
  verb->add_flag("--no-passphrase", options->no_passphrase, "The vault has no passphrase.");
  AddInputs(*verb, "RELEASE", options->releases,
            "The published files, oldest first (CSV). For the holder, of models that need them: "
            "holder's copies.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunReport(*options, session); };
  });
}

}  // namespace reissue::cli
