#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "reissue/engine/invariance_measure.h"
#include "reissue/engine/measure.h"
#include "reissue/engine/promise.h"
#include "reissue/engine/similarity_measure.h"
#include "reissue/io/policy.h"

namespace reissue::cli {
namespace {

struct MetricsOptions {
  std::string policy, table, release, class_column;
};

Result<int> MeasureChanging(const MetricsOptions& options, const io::Policy& policy,
                            const engine::InvariancePromise& promise, Session& session) {
  if (!options.class_column.empty()) {
    return UsageError("--class is for the models whose releases have no groups to count in",
                      "With model \"m-invariance\" the answers to COUNT queries are measured.");
  }
  const engine::ChangingMetrics report =
      REISSUE_TRY(engine::MeasureChanging(policy, promise, options.table, options.release,
                                          session.seed.value_or(kDefaultSeed), session.context()));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

Result<int> MeasureEvolving(const MetricsOptions& options, const io::Policy& policy,
                            const engine::SimilarityPromise& promise, Session& session) {
  if (!options.class_column.empty()) {
    return UsageError("--class is for the models whose releases are recoded as a whole",
                      "With model \"j-similarity\" the detail that is lost is measured (GCP).");
  }
  const engine::EvolvingMetrics report = REISSUE_TRY(
      engine::MeasureEvolving(policy, promise, options.table, options.release, session.context()));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

Result<int> RunMetrics(const MetricsOptions& options, Session& session) {
  REISSUE_TRY(OneStandardInput({options.policy, options.table, options.release}));
  engine::Context& context = session.context();
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
  const engine::Promise promise = REISSUE_TRY(engine::PromiseOf(policy));
  if (promise.invariance) return MeasureChanging(options, policy, *promise.invariance, session);
  if (promise.similarity) return MeasureEvolving(options, policy, *promise.similarity, session);
  const engine::MetricsReport report = REISSUE_TRY(
      engine::MeasureRelease(policy, options.table, options.release, options.class_column,
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
      "a decision tree learnt from the release still predicts it.\n\n"
      "Of a release of model m-invariance: the number of counterfeits, and how far answers to "
      "COUNT "
      "queries over ranges of the quasi-identifiers are from the truth.\n\n"
      "Of a release of model j-similarity: how much detail is lost (global certainty penalty), "
      "and, "
      "if the holder's copy is given instead, how well people can be linked to their groups.",
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
