#include "reissue/engine/check.h"

#include <algorithm>
#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

struct CheckOptions {
  std::string policy;
  std::vector<std::string> tables;
  std::vector<std::string> priors;
  contract::AskedPart part;
  bool why = false;
};

Result<int> RunCheck(const CheckOptions& options, Session& session) {
  std::vector<std::string> inputs = options.tables;
  inputs.push_back(options.policy);
  const std::vector<binding::PriorFile> priors = Priors(options.priors);
  for (const binding::PriorFile& prior : priors) inputs.push_back(prior.file);
  REISSUE_TRY(OneStandardInput(inputs));
  const CheckedReport report{options.policy, options.tables,
                             engine::Check(options.policy, options.tables, session.context(),
                                           priors, options.why, options.part)};
  int status = kDone;
  for (const Error& problem : report.result.problems) {
    if (session.format == Format::kText) session.Report(problem);
    status = std::max(status, ExitStatus(problem.code));
  }
  REISSUE_TRY(Print(session, report));
  return status;
}

}  // namespace

void AddCheck(CLI::App& root, Session& session) {
  CLI::App* verb =
      AddVerb(root, session, "check", "Say what is wrong with a policy, its taxonomies and tables.",
              "reissue check hospital.toml patients.csv\n"
              "reissue check -d dbname=clinic hospital.toml ward.patients");
  verb->description(
      verb->get_description() +
      "\n\nEverything that is wrong is listed, with file, line and column, and with "
      "what was expected: of the policy, of every taxonomy, and of every table column "
      "by column, how many rows and values it concerns and the first lines. Values "
      "are never shown. A file that is no table, or has lines of other lengths, stops "
      "at the first such line. Nothing is written. The exit status is 0 if nothing is "
      "wrong, and 1 if a table is fine by itself and cannot be published as "
      "promised.");
  auto options = std::make_shared<CheckOptions>();
  AddInput(*verb, "POLICY", options->policy, "The policy (TOML).");
  AddServers(*verb, session);
  AddPart(*verb, options->part);
  AddPriors(*verb, options->priors);
  verb->add_flag("--why", options->why,
                 "Also say what would keep each column of a first release from being finer, and "
                 "what would help, tried out (" +
                     Of(contract::Extra::kWhy) + "). For you alone: it tells of small groups.");
  AddLabels(*verb, session, "List all values of groups that are too small.");
  AddInputs(*verb, "TABLE", options->tables,
            "Tables to check against it (CSV, or with -d of a server); - is stdin.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunCheck(*options, session); };
  });
}

}  // namespace reissue::cli
