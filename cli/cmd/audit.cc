#include "reissue/engine/audit.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <optional>

#include "cli/clock.h"
#include "cli/options.h"
#include "cli/page/written.h"
#include "cli/passphrase.h"
#include "cli/print.h"
#include "cli/render/views.h"
#include "cli/verbs.h"
#include "reissue/engine/explain.h"
#include "reissue/engine/survey.h"
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
  std::string report;  // a page; empty: none
  // Without a policy.
  std::vector<std::string> quasi, sensitive, identifiers, dropped, taxonomies;
  std::optional<std::uint64_t> population;
  std::optional<double> fraction;
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

Status WritePage(const AuditOptions& options, const io::Policy& policy,
                 const contract::AuditReport& report, Session& session) {
  page::Dossier dossier;
  dossier.audit = report;
  dossier.created = REISSUE_TRY(TimeStamp());
  REISSUE_TRY(page::AddReleases(policy, options.releases, session.context(), dossier));
  REISSUE_TRY(page::Write(dossier, options.report, session.context()));
  return Ok();
}

// The state of a series instead of files.
Result<int> AuditState(const AuditOptions& options, Session& session) {
  if (!options.releases.empty() || !options.priors.empty() || !options.knows.empty() ||
      !options.explain.empty() || !options.report.empty()) {
    return UsageError("audit --vault looks at the state of a vault, and files were given as well",
                      "Give either --vault DIR, or --policy POLICY and the holder's copies (with "
                      "--knows, --explain or --prior only these). `reissue report --vault DIR` "
                      "makes a page of a vault.");
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

// "a,b" and "c" are three names.
std::vector<std::string> Names(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    for (std::size_t from = 0; from <= list.size();) {
      const std::size_t at = std::min(list.find(',', from), list.size());
      if (at > from) names.push_back(list.substr(from, at - from));
      from = at + 1;
    }
  }
  return names;
}

bool ForFilesWithoutPolicy(const AuditOptions& options) {
  return !options.quasi.empty() || !options.sensitive.empty() || !options.identifiers.empty() ||
         !options.dropped.empty() || !options.taxonomies.empty() || options.population ||
         options.fraction;
}

// COLUMN=FILE.
Result<engine::SurveyRequest::ColumnTaxonomy> TaxonomyOf(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    return UsageError("--taxonomy needs a column and a file, not \"" + text + "\"",
                      "Write --taxonomy COLUMN=FILE, once for each column.");
  }
  return engine::SurveyRequest::ColumnTaxonomy{text.substr(0, at), text.substr(at + 1)};
}

// Files of which nothing is known but what is in them.
Result<int> AuditWithoutPolicy(const AuditOptions& options, Session& session) {
  if (!options.priors.empty() || !options.knows.empty() || !options.explain.empty()) {
    return UsageError("--prior, --knows and --explain need a policy, and none was given",
                      "Give one with --policy, or leave them out: all files are named alike then.");
  }
  if (options.population && options.fraction) {
    return UsageError("--population and --fraction were both given", "Give one of them.");
  }
  engine::SurveyRequest request;
  std::vector<std::string> inputs = options.releases;
  for (const std::string& text : options.taxonomies) {
    request.taxonomies.push_back(REISSUE_TRY(TaxonomyOf(text)));
    inputs.push_back(request.taxonomies.back().file);
  }
  REISSUE_TRY(OneStandardInput(inputs));
  if (!options.report.empty()) {
    REISSUE_TRY(page::CheckPlace("--report", options.report, inputs, session.context()));
  }
  request.files = options.releases;
  request.quasi = Names(options.quasi);
  request.sensitive = Names(options.sensitive);
  request.identifiers = Names(options.identifiers);
  request.dropped = Names(options.dropped);
  request.population = options.population;
  request.fraction = options.fraction;
  request.worst = static_cast<std::size_t>(options.worst);
  const engine::SurveyReport report = REISSUE_TRY(engine::Survey(request, session.context()));
  if (!options.report.empty()) {
    const std::string created = REISSUE_TRY(TimeStamp());
    REISSUE_TRY(
        page::Write(report, /*for_holder=*/true, created, options.report, session.context()));
  }
  REISSUE_TRY(Print(session, report));
  return report.exposed.upper == 0 ? kDone : kPromiseBroken;
}

Result<int> RunAudit(const AuditOptions& options, Session& session) {
  const bool without = ForFilesWithoutPolicy(options);
  if (without && (!options.vault.empty() || !options.policy.empty())) {
    return UsageError(
        "--quasi, --sensitive, --identifier, --drop, --taxonomy, --population and --fraction are "
        "for files without a policy",
        "Leave them out: the policy says what the columns are.");
  }
  if (!options.vault.empty()) return AuditState(options, session);
  if (options.policy.empty()) return AuditWithoutPolicy(options, session);
  std::vector<std::string> inputs = options.releases;
  inputs.push_back(options.policy);
  const std::vector<binding::PriorFile> priors = Priors(options.priors);
  for (const binding::PriorFile& prior : priors) inputs.push_back(prior.file);
  REISSUE_TRY(OneStandardInput(inputs));
  binding::Context& context = session.context();
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
  if (!options.explain.empty()) return Explain(options, policy, session);
  if (!options.report.empty()) {
    REISSUE_TRY(page::CheckPlace("--report", options.report, inputs, context));
    if (std::ranges::find(options.releases, "-") != options.releases.end()) {
      return UsageError(
          "standard input (-) can be read only once, and --report looks at files "
          "twice",
          "Name files.");
    }
  }
  const contract::AuditReport report = REISSUE_TRY(
      engine::Audit(policy, options.releases, context, options.worst, priors, options.knows));
  if (!options.report.empty()) REISSUE_TRY(WritePage(options, policy, report, session));
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
      "Without a policy the files are all that is known: what columns are is guessed or told, and "
      "each way in which several files may belong together is played. The report says in absolute "
      "terms who is singled out, and whose value is certain; the exit status is 1 if somebody is, "
      "or may be." +
          HelpOfModels("audit"),
      "reissue audit release-1.csv release-2.csv\n"
      "reissue audit --sensitive disease --population 80000 release.csv\n"
      "reissue audit --taxonomy country=country.csv release-1.csv release-2.csv\n"
      "reissue audit --policy hospital.toml release-1.csv\n"
      "reissue audit --policy series.toml release-1.csv release-2.csv\n"
      "reissue audit --policy series.toml --explain 1,34,Nurse release-1.csv release-2.csv\n"
      "reissue audit --policy linked.toml release.csv --prior earlier.csv\n"
      "reissue audit --policy ward.toml --knows Bob=flu private/R1.csv private/R2.csv\n"
      "reissue audit -d dbname=clinic --policy hospital.toml published.release_1\n"
      "reissue audit --vault ward");
  auto options = std::make_shared<AuditOptions>();
  AddText(*verb, "--policy", options->policy, "POLICY",
          "The policy (TOML). Without one, only what is in the files counts.");
  const auto columns = [&](const std::string& name, std::vector<std::string>& target,
                           const std::string& words) {
    verb->add_option(name, target, words)->type_name("COLUMN,…")->allow_extra_args(false);
  };
  columns("--quasi", options->quasi,
          "Without a policy: readers may know these columns of a person, and no others.");
  columns("--sensitive", options->sensitive,
          "Without a policy: readers must not learn these columns.");
  columns("--identifier", options->identifiers,
          "Without a policy: these columns name people; everybody is exposed by them.");
  columns("--drop", options->dropped, "Without a policy: leave these columns out of the audit.");
  verb->add_option("--taxonomy", options->taxonomies,
                   "Without a policy: what the labels of a column contain, as a hierarchy file "
                   "(leaf;parent;…;*); once for each column. Readers may know such a column.")
      ->type_name("COLUMN=FILE")
      ->allow_extra_args(false);
  AddNumber(*verb, "--population", options->population,
            "Without a policy: each file is a random sample of N people; estimate how many of its "
            "rows are unique among them.");
  verb->add_option_function<std::string>(
          "--fraction",
          [options](const std::string& text) {
            double share = 0;
            const char* end = text.data() + text.size();
            const auto [stop, problem] = std::from_chars(text.data(), end, share);
            if (problem != std::errc() || stop != end || !(share > 0 && share <= 1)) {
              throw CLI::ValidationError(
                  "--fraction", "expected a share above 0 and at most 1, not \"" + text + "\"");
            }
            options->fraction = share;
          },
          "The same with the share of the population that is in a file.")
      ->type_name("X");
  AddNumber(*verb, "--worst", options->worst,
            "List at most N of the worst groups or people. Default: 10.", 0, 1000000);
  AddText(*verb, "--explain", options->explain, "PERSON", SentencesOfModels("audit --explain"));
  AddNumber(
      *verb, "--requirement", options->requirement,
      "Explain the requirement N of the policy (" + Of(contract::Extra::kPriors) + "). Default: 1.",
      1);
  AddText(*verb, "--report", options->report, "FILE",
          "Also write a page to look at, for the holder alone, as `reissue report` does. It must "
          "not exist.");
  AddServers(*verb, session, "RELEASE");
  AddLabels(*verb, session,
            "List labels and the pairs of releases in full, and explain every step.");
  AddPriors(*verb, options->priors);
  verb->add_flag("--no-passphrase", options->no_passphrase, "The vault has no passphrase.");
  verb->add_option("--knows", options->knows,
                   "Suppose that readers know somebody's value, and say what follows (" +
                       Of(contract::Extra::kKnows) + "); once for each.")
      ->type_name("ID=VALUE")
      ->allow_extra_args(false);
  CLI::Option* releases =
      AddInputs(*verb, "RELEASE", options->releases,
                "The published files (CSV), or with -d tables, oldest first; - is stdin. " +
                    Capital(Of(contract::Extra::kHolderCopy)) + ": holder's copies.");
  releases->required();
  verb->add_option_function<std::string>(
          "--vault",
          [options, releases](const std::string& directory) {
            options->vault = directory;
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
