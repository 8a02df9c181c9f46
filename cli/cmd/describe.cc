#include "reissue/engine/describe.h"

#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

struct DescribeOptions {
  std::string table, policy;
};

Result<int> RunDescribe(const DescribeOptions& options, Session& session) {
  const engine::DescribeReport report =
      REISSUE_TRY(engine::Describe(options.table, options.policy, session.context()));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

}  // namespace

void AddDescribe(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "describe",
      "Show what the columns of a table are, and how they are filled.\n\n"
      "Of every column: its type, how many different values it has and how many rows have none, "
      "the role that `reissue init` would give it with the reason, and a small distribution: at "
      "most 20 ranges of numbers, or most frequent values. Whatever fewer than 5 rows have is "
      "summed up.\n\n"
      "It shows values of the table, so it is for the holder only. Nothing is written.",
      "reissue describe patients.csv\n"
      "reissue describe --policy hospital.toml patients.csv --format json");
  auto options = std::make_shared<DescribeOptions>();
  AddText(*verb, "--policy", options->policy, "POLICY",
          "Read the table as this policy says, and take the roles from it.");
  AddServers(*verb, session);
  AddLabels(*verb, session, "Show the distribution of every column.");
  AddInput(*verb, "TABLE", options->table, "The table (CSV, or with -d of a server).");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunDescribe(*options, session); };
  });
}

}  // namespace reissue::cli
