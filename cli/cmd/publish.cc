#include "reissue/engine/publish.h"

#include <filesystem>
#include <memory>

#include "cli/clock.h"
#include "cli/options.h"
#include "cli/page/written.h"
#include "cli/passphrase.h"
#include "cli/print.h"
#include "cli/render/codebook.h"
#include "cli/render/views.h"
#include "cli/verbs.h"
#include "reissue/io/interrupt.h"

namespace reissue::cli {
namespace {

struct PublishOptions {
  contract::PublishRequest request;
  std::vector<std::string> priors;
  std::string codebook;
  std::string report;  // a page; empty: none
  bool no_passphrase = false;
  bool dry_run = false;
  std::string score, search;
  std::optional<std::uint64_t> budget;
};

io::Setting Word(const std::string& text) {
  io::Setting setting;
  setting.kind = io::Setting::Kind::kText;
  setting.text = text;
  return setting;
}

io::Setting Whole(std::uint64_t number) {
  io::Setting setting;
  setting.number = static_cast<double>(number);
  setting.integer = true;
  return setting;
}

// What the command line wants instead of the policy.
binding::Settings SearchOf(const PublishOptions& options) {
  binding::Settings settings;
  if (!options.score.empty()) settings.emplace_back("score", Word(options.score));
  if (!options.search.empty()) settings.emplace_back("search", Word(options.search));
  if (options.budget) settings.emplace_back("budget", Whole(*options.budget));
  return settings;
}

// A place where it can be written, before any work is done.
Status CheckCodebook(const PublishOptions& options, Session& session) {
  const std::string& path = options.codebook;
  if (path.empty()) return Ok();
  namespace fs = std::filesystem;
  std::error_code none;
  const std::string directory = io::DirectoryOf(path);
  if (path == "-" || fs::path(path).filename().empty() || !fs::is_directory(directory, none)) {
    return UsageError("\"" + path + "\" cannot be the codebook",
                      "Name a file in a directory that exists.");
  }
  if (fs::exists(options.request.vault, none) &&
      fs::equivalent(directory, options.request.vault, none)) {
    return UsageError("a codebook cannot lie inside the vault",
                      "The vault is private; choose another place.");
  }
  const std::string absolute = REISSUE_TRY(io::Absolute(path));
  for (const std::string& other : {options.request.out, options.request.holder_copy}) {
    const Result<std::string> place = io::Absolute(other);  // who writes it says where it cannot be
    if (!other.empty() && place && *place == absolute) {
      return UsageError("the codebook cannot be another file of this call", "Choose another name.");
    }
  }
  if (!session.context().files.Exists(path)) return Ok();
  return UsageError(path + " exists already",
                    "A codebook is never overwritten: choose another name, or move the old file.");
}

// From what is published and from the policy, as `reissue codebook` makes it.
Status WriteCodebook(const PublishOptions& options, binding::Context& context) {
  const std::string path = REISSUE_TRY(contract::PolicyPath(
      options.request.policy, options.request.vault, options.request.passphrase, context));
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, path));
  // A file from the root: it is one, whatever a server calls its tables.
  const std::string& table = options.request.out_table;
  const std::string release =
      table.empty() ? REISSUE_TRY(io::Absolute(options.request.out)) : table;
  const binding::Codebook book = REISSUE_TRY(binding::MakeCodebook(policy, release, context));
  return io::WriteAtomically(context.files, options.codebook, CodebookFile(book, options.codebook),
                             /*owner_only=*/false,
                             /*replace=*/false);
}

Status CheckPage(const PublishOptions& options, binding::Context& context) {
  if (options.report.empty()) return Ok();
  const contract::PublishRequest& request = options.request;
  return page::CheckPlace(
      "--report", options.report,
      {request.out, request.holder_copy, request.policy, request.table, options.codebook}, context);
}

// The whole series, as `reissue report --vault` shows it.
Status WritePage(const PublishOptions& options, binding::Context& context) {
  const contract::PublishRequest& request = options.request;
  page::VaultSeries series{request.vault, request.policy, request.priors, request.table};
  if (series.table == "-") series.table.clear();
  page::Dossier dossier = REISSUE_TRY(page::FromVault(series, request.passphrase, context));
  dossier.created = request.created;
  REISSUE_TRY(page::Write(dossier, options.report, context));
  return Ok();
}

// What only a publication that is meant must be given.
Status NamesEnough(const PublishOptions& options) {
  if (options.dry_run) return Ok();
  if (options.request.vault.empty()) {
    return UsageError("publish: --vault is required", "Only a --dry-run does without.");
  }
  if (options.request.out.empty() && options.request.out_table.empty()) {
    return UsageError("publish: --out is required",
                      "Or --out-table, with -d. Only a --dry-run does without.");
  }
  return Ok();
}

// A release is a file or a table.
Status OneTarget(const contract::PublishRequest& request) {
  if (!request.out.empty() && !request.out_table.empty()) {
    return UsageError("--out and --out-table were given",
                      "A release is a file or a table: name one of them.");
  }
  if (request.out_table.empty() && !request.certificate.empty()) {
    return UsageError("--certificate belongs to --out-table",
                      "The certificate of a file lies beside it: leave it out.");
  }
  return Ok();
}

Result<int> RunPublish(PublishOptions& options, Session& session) {
  contract::PublishRequest& request = options.request;
  REISSUE_TRY(NamesEnough(options));
  REISSUE_TRY(OneTarget(request));
  if (request.out == "-") {
    return UsageError("publish --out - is not possible: a pipe cannot be whole or absent",
                      "Name a file; a release exists whole or not at all.");
  }
  request.priors = Priors(options.priors);
  std::vector<std::string> inputs = {request.policy, request.table};
  for (const binding::PriorFile& prior : request.priors) inputs.push_back(prior.file);
  REISSUE_TRY(OneStandardInput(inputs));
  binding::Context& context = session.context();
  const bool begun = !request.vault.empty() && ledger::Vault::Exists(context.files, request.vault);
  if (request.policy.empty() && !begun) {
    return UsageError(request.vault.empty() ? "no vault and no policy was given"
                                            : "there is no vault at " + request.vault +
                                                  " yet, and no policy was given",
                      "The first release of a series needs --policy POLICY; it makes the vault.");
  }
  request.seed = session.seed;
  request.search = SearchOf(options);
  request.created = REISSUE_TRY(TimeStamp());
  request.measure_all = session.format == Format::kJson;  // the text does not show it
  if (begun || !options.dry_run) {
    request.passphrase = REISSUE_TRY(AskPassphrase(session, request.vault, options.no_passphrase));
  }
  REISSUE_TRY(CheckCodebook(options, session));
  REISSUE_TRY(CheckPage(options, context));
  if (options.dry_run) {
    const io::SayOnInterrupt said("\nreissue: interrupted: nothing was published\n");
    const contract::DryRunReport report = REISSUE_TRY(engine::DryRun(request, context));
    REISSUE_TRY(Print(session, report));
    return kDone;
  }
  contract::PublishReport report = REISSUE_TRY(engine::Publish(request, context));
  Status codebook = options.codebook.empty() ? Ok() : WriteCodebook(options, context);
  if (codebook) report.codebook = options.codebook;
  Status written = options.report.empty() ? Ok() : WritePage(options, context);
  REISSUE_TRY(Print(session, report));
  if (codebook && written) return kDone;
  Error error = std::move(codebook ? written : codebook).error();
  error.remedy = codebook ? "The release is published; make the page with `reissue report`."
                          : "The release is published; make its codebook with `reissue codebook`.";
  return error;
}

}  // namespace

void AddPublish(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "publish",
      "Make the next release, so that the promise is kept.\n\n"
      "Values are replaced by wider ones of their taxonomies, as little as possible, and a few "
      "rows "
      "are left out if the policy allows it. The release is attacked before it is written. It "
      "exists whole or not at all; a certificate is written beside it (FILE.certificate.json). "
      "If the promise cannot be kept, nothing is written and the exit status is 1." +
          HelpOfModels("publish") +
          "\n\nThe vault is the private record of the series; the first call makes it. It is "
          "sealed with a "
          "passphrase: from the first line of the file that REISSUE_PASSPHRASE_FILE names, or "
          "asked "
          "for on the terminal.",
      "reissue publish --dry-run --policy hospital.toml patients.csv\n"
      "reissue publish --vault vault --policy hospital.toml patients.csv --out release-1.csv\n"
      "reissue publish --vault vault --policy hospital.toml with-newcomers.csv --out "
      "release-2.csv\n"
      "reissue publish -d dbname=clinic --vault vault --policy hospital.toml ward.patients --out "
      "release-3.csv\n"
      "reissue publish -d dbname=clinic --vault vault --policy hospital.toml ward.patients "
      "--out-table published.release_4\n"
      "reissue publish --vault ward --policy ward.toml today.csv --out R1.csv --holder-copy "
      "private/R1.csv\n"
      "reissue publish --vault part-1 --policy hospital.toml --part 1/2 --part-key parts.key "
      "patients.csv --out part-1.csv\n"
      "reissue publish --vault linked --policy linked.toml table.csv --prior earlier.csv --out "
      "release.csv");
  auto options = std::make_shared<PublishOptions>();
  contract::PublishRequest& request = options->request;
  AddText(*verb, "--vault", request.vault, "DIR",
          "The vault of the series. A --dry-run of a first release needs none.");
  AddText(*verb, "--policy", request.policy, "POLICY",
          "The policy (TOML). Needed for the first release.");
  AddText(*verb, "--out", request.out, "FILE",
          "The release to write; it must not exist. A --dry-run needs none.");
  AddPart(*verb, request.part);
  AddServers(*verb, session);
  AddText(*verb, "--out-table", request.out_table, "SCHEMA.NAME",
          "Instead of a file: the release becomes this table of the server of -d, whole or not at "
          "all (" +
              Of(contract::Extra::kTable) + "). It must not exist.");
  AddText(*verb, "--certificate", request.certificate, "FILE",
          "Where the certificate of --out-table goes. Default: SCHEMA.NAME.certificate.json in the "
          "working directory.");
  AddPriors(*verb, options->priors);
  AddText(
      *verb, "--holder-copy", request.holder_copy, "FILE",
      "Also write, for the holder alone, who is in which group with which value, and which rows "
      "are counterfeits (" +
          Of(contract::Extra::kHolderCopy) + "). Only its owner can read it.");
  AddText(
      *verb, "--mark", request.mark, "FILE",
      "Where it is said how far the vault has come, so that an old copy of it is noticed: better "
      "a place that no backup of the vault brings back. Default: a hidden file beside the "
      "release.");
  AddText(*verb, "--codebook", options->codebook, "FILE",
          "Also write what the labels stand for, as `reissue codebook` does from the release: "
          "Markdown where the name ends in .md, else CSV. It must not exist.");
  AddText(*verb, "--report", options->report, "FILE",
          "Also write a page to look at, of the whole series and for the holder alone, as `reissue "
          "report --vault` does. It must not exist.");
  AddChoice(*verb, "--score", options->score, {"discernibility", "distortion", "loss", "class"},
            "What to lose little of, for this release. Default: what the policy says.");
  AddChoice(*verb, "--search", options->search, {"default", "greedy", "paper", "optimal"},
            "How to search, for this release. Default: what the policy says.");
  AddNumber(*verb, "--budget", options->budget,
            "Seconds of searching, for this release. Default: what the policy says.");
  verb->add_flag("--dry-run", options->dry_run,
                 "Try it out: the same release is made and attacked in memory, and you are told "
                 "what it would be and cost. No file is written and nothing is recorded. For you "
                 "alone.");
  verb->add_flag("--why", request.why,
                 "Also say what keeps each column from being finer, and what would help, tried out "
                 "(" +
                     Of(contract::Extra::kWhy) + "). For you alone: it tells of small groups.");
  verb->add_flag(
      "--refuse-formulas", request.refuse_formulas,
      "Publish nothing if a cell would begin like a formula of a spreadsheet (=, +, -, @; "
      "numbers are none) or have control characters. `check` counts them.");
  verb->add_flag("--no-passphrase", options->no_passphrase,
                 "Make a vault without a passphrase: for tests, and where the disk is encrypted.");
  AddSeed(*verb, session,
          "Search and order the rows by this number. The order can then be predicted: for tests "
          "only. Default: the order comes from the operating system.");
  AddLabels(*verb, session, "List all labels of the recoding.");
  AddInput(*verb, "TABLE", request.table, "The table (CSV, or with -d of a server); - is stdin.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunPublish(*options, session); };
  });
}

}  // namespace reissue::cli
