#include "reissue/engine/advise.h"

#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

struct AdviseOptions {
  std::vector<std::string> tables;
  std::string policy;
};

Result<int> RunAdvise(const AdviseOptions& options, Session& session) {
  const std::vector<std::string> servers = REISSUE_TRY(session.ServersToShow());
  const engine::AdviseReport report =
      REISSUE_TRY(engine::Advise(options.tables, options.policy, session.context(), servers));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

}  // namespace

void AddAdvise(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "advise",
      "Say how tables relate, and so which model fits.\n\n"
      "Puts the tables in order (by numbers, dates or months in their names, else by the latest "
      "date in a column, else as they are given) and compares each with the next: by the column "
      "that tells people apart, or, where there is none, by equal rows. Only added, left, changed, "
      "other columns of the same people: each is another setting with another model. Says how many "
      "of each there are, what the model promises, and what to type next. Nothing is written.",
      "reissue advise january.csv february.csv march.csv");
  auto options = std::make_shared<AdviseOptions>();
  AddText(*verb, "--policy", options->policy, "POLICY",
          "How the tables are written, which column identifies people, and what is sensitive. "
          "Default: guessed.");
  AddServers(*verb, session);
  AddLabels(*verb, session, "List all columns that changed.");
  AddInputs(*verb, "TABLE", options->tables, "The tables (CSV, or with -d of a server).")
      ->required();
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunAdvise(*options, session); };
  });
}

}  // namespace reissue::cli
