#include "reissue/engine/learn.h"

#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

constexpr std::uint64_t kMostSteps = 6;

struct LearnOptions {
  contract::LearnRequest request;
  std::uint64_t steps = 0;
};

Result<int> RunLearn(LearnOptions& options, Session& session) {
  contract::LearnRequest& request = options.request;
  std::vector<std::string> inputs = request.tables;
  inputs.push_back(request.policy);
  REISSUE_TRY(OneStandardInput(inputs));
  if (options.steps > 0) request.steps = static_cast<std::uint32_t>(options.steps);
  const contract::LearnReport report = REISSUE_TRY(engine::Learn(request, session.context()));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

}  // namespace

void AddLearn(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "learn",
      "Learn what readers may believe beforehand.\n\n"
      "Counts in tables how frequent each sensitive value is among people of a category of the "
      "quasi-identifiers, and how values follow one another when the same person is in several "
      "tables in a row. Writes DIR/prior.csv and DIR/transition.csv, which [knowledge] of a policy "
      "(" +
          Of(contract::Extra::kKnowledge) +
          ") can name. A single table gives the prior; any value may then follow "
          "any other.\n\n"
          "Give the holder's earlier tables, oldest first, or a table of other people that readers "
          "could have, too. What is learned says something about the people it was learned from: "
          "the "
          "files are for their owner only.",
      "reissue learn --policy ward.toml may.csv june.csv july.csv --out beliefs");
  auto options = std::make_shared<LearnOptions>();
  contract::LearnRequest& request = options->request;
  AddText(*verb, "--policy", request.policy, "POLICY",
          "The policy (TOML); files that its [knowledge] names need not exist yet.")
      ->required();
  AddText(*verb, "--out", request.out, "DIR", "Where to write the files; made if it is not there.")
      ->required();
  AddServers(*verb, session);
  AddNumber(*verb, "--steps", options->steps,
            "How many earlier values a next one depends on. Default: that of the policy, or 1.", 1,
            kMostSteps);
  AddReal(*verb, "--smoothing", request.smoothing,
          "As how many people the frequencies of all count in each category. Default: 1.", 1e-6,
          1e6);
  AddInputs(*verb, "TABLE", request.tables,
            "Tables (CSV, or with -d of a server), oldest first; - is stdin.")
      ->required();
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunLearn(*options, session); };
  });
}

}  // namespace reissue::cli
