#include "reissue/engine/init.h"

#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

Result<int> RunInit(engine::InitRequest& request, Session& session) {
  request.servers = REISSUE_TRY(session.ServersToShow());
  const engine::InitReport report = REISSUE_TRY(engine::Init(request, session.context()));
  int status = kDone;
  for (const Error& problem : report.problems) {
    if (session.format == Format::kText) session.Report(problem);
    status = std::max(status, ExitStatus(problem.code));
  }
  REISSUE_TRY(Print(session, report));
  return status;
}

}  // namespace

void AddInit(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "init",
      "Write a first policy and taxonomies for tables that have none.\n\n"
      "Guesses how the tables are written and what each column is (from its name, its values, how "
      "many there are), drafts a taxonomy or round ranges for each quasi-identifier, and chooses "
      "a promise: k = 5 for one table; with several, the model that fits how they relate, as "
      "`reissue advise` says. Every guess stands in DIR/policy.toml with its reason, and those "
      "that "
      "are not sure say so. The policy is checked at once. It is something to correct: nobody "
      "knows better than you what readers may know of a person.\n\n"
      "The files list values of the tables, so they are for their owner only. Nothing is "
      "overwritten unless you say so.",
      "reissue init patients.csv --out hospital\n"
      "reissue init january.csv february.csv --out hospital\n"
      "reissue init -d dbname=clinic ward.patients --out hospital");
  auto request = std::make_shared<engine::InitRequest>();
  AddText(*verb, "--out", request->out, "DIR", "Where to write the files; made if it is not there.")
      ->required();
  AddServers(*verb, session);
  AddText(*verb, "--identifier", request->identifier, "COLUMN",
          "The column that tells people apart. Default: guessed.");
  verb->add_flag("--replace", request->replace, "Overwrite files that are there.");
  AddLabels(*verb, session, "List all columns that changed.");
  AddInputs(*verb, "TABLE", request->tables,
            "The tables (CSV, or with -d of a server): one, or several that follow one another.")
      ->required();
  verb->callback([request, &session] {
    session.action = [request, &session] { return RunInit(*request, session); };
  });
}

}  // namespace reissue::cli
