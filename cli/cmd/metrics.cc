#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/render/views.h"
#include "cli/verbs.h"
#include "reissue/engine/measure.h"
#include "reissue/io/policy.h"

namespace reissue::cli {
namespace {

struct MetricsOptions {
  std::string policy, table, release, class_column;
};

Result<int> RunMetrics(const MetricsOptions& options, Session& session) {
  REISSUE_TRY(OneStandardInput({options.policy, options.table, options.release}));
  binding::Context& context = session.context();
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
  const contract::MetricsReport report =
      REISSUE_TRY(engine::Measure(policy, options.table, options.release, options.class_column,
                                  session.seed.value_or(kDefaultSeed), context));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

}  // namespace

void AddMetrics(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "metrics",
      "Measure what a release costs in detail.\n\n"
      "Compares the raw table with what was published from it. With a class column, also how well "
      "a decision tree learnt from the release still predicts it." +
          HelpOfModels("metrics"),
      "reissue metrics --policy hospital.toml --table patients.csv release-1.csv");
  auto options = std::make_shared<MetricsOptions>();
  AddText(*verb, "--policy", options->policy, "POLICY", "The policy (TOML).")->required();
  AddText(*verb, "--table", options->table, "TABLE", "The raw table (CSV); - is stdin.")
      ->required();
  AddText(*verb, "--class", options->class_column, "COLUMN",
          "The column to predict. Default: the class of the policy, if any.");
  AddSeed(*verb, session,
          "Chooses the rows the prediction is tested on, or the queries. Default: 1.");
  AddInput(*verb, "RELEASE", options->release, "The published file (CSV); - is stdin.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunMetrics(*options, session); };
  });
}

}  // namespace reissue::cli
