#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/render/views.h"
#include "cli/verbs.h"
#include "reissue/engine/measure.h"
#include "reissue/io/policy.h"

namespace reissue::cli {
namespace {

constexpr std::uint64_t kMostQueries = 1'000'000;

struct MetricsOptions {
  std::string policy;
  contract::MeasureRequest request;
};

Result<int> RunMetrics(MetricsOptions& options, Session& session) {
  contract::MeasureRequest& request = options.request;
  REISSUE_TRY(OneStandardInput({options.policy, request.table, request.release, request.test}));
  binding::Context& context = session.context();
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
  request.seed = session.seed.value_or(kDefaultSeed);
  const contract::MetricsReport report = REISSUE_TRY(engine::Measure(policy, request, context));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

}  // namespace

void AddMetrics(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "metrics",
      "Measure what a release costs in detail.\n\n"
      "Compares the raw table with what was published from it: how far answers to random COUNT "
      "queries are from the truth, what was lost. With a class column, also how well "
      "a decision tree learnt from the release still predicts it." +
          HelpOfModels("metrics"),
      "reissue metrics --policy hospital.toml --table patients.csv release-1.csv");
  auto options = std::make_shared<MetricsOptions>();
  contract::MeasureRequest& request = options->request;
  AddText(*verb, "--policy", options->policy, "POLICY", "The policy (TOML).")->required();
  AddText(*verb, "--table", request.table, "TABLE",
          "The raw table (CSV, or with -d of a server); - is stdin.")
      ->required();
  AddServers(*verb, session, "TABLE, RELEASE or FILE");
  AddText(*verb, "--class", request.class_column, "COLUMN",
          "The column to predict. Default: the class of the policy, if any.");
  AddText(*verb, "--test", request.test, "FILE",
          "Raw rows that are not in the table (CSV): what the prediction is tested on. Default: a "
          "third of the rows of table and release.");
  AddNumber(*verb, "--queries", request.queries,
            "Random COUNT queries of each kind. Default: 1000.", 1, kMostQueries);
  AddSeed(*verb, session,
          "Chooses the queries, and the rows the prediction is tested on. Default: 1.");
  AddLabels(*verb, session, "List the labels of each column, and every pair of columns.");
  AddInput(*verb, "RELEASE", request.release,
           "The published file (CSV), or with -d table; - is stdin.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunMetrics(*options, session); };
  });
}

}  // namespace reissue::cli
