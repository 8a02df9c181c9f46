#include "reissue/engine/publish.h"

#include <fmt/format.h>

#include "reissue/contract/table_release.h"
#include "reissue/engine/catalog.h"
#include "reissue/engine/measure.h"
#include "reissue/engine/models.h"
#include "reissue/io/rehearsal.h"

namespace reissue::engine {
namespace {

// The release of a dry run that was given no name.
constexpr char kNoName[] = "(dry run)";

}  // namespace

Result<contract::PublishReport> Publish(const contract::PublishRequest& request,
                                        binding::Context& context, contract::Rehearsal* rehearsal) {
  const std::string path =
      REISSUE_TRY(contract::PolicyPath(request.policy, request.vault, request.passphrase, context));
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, path));
  REISSUE_TRY(FollowSource(policy, context));
  const Bound bound = REISSUE_TRY(Bind(policy));
  REISSUE_TRY(TakesPriors(*bound.model, request.priors));
  REISSUE_TRY(Explains(*bound.model, request.why));
  if (!request.holder_copy.empty() && !bound.model->traits().Takes(contract::Extra::kHolderCopy)) {
    return UsageError(fmt::format("--holder-copy belongs to the models {}",
                                  ModelsThatTake(contract::Extra::kHolderCopy)),
                      "With the other models a release is all there is: leave it out.");
  }
  if (!request.out_table.empty() && !bound.model->traits().Takes(contract::Extra::kTable)) {
    return UsageError(
        fmt::format("--out-table belongs to the models {}, and this policy promises \"{}\", whose "
                    "releases are files that belong together",
                    ModelsThatTake(contract::Extra::kTable), bound.model->traits().name),
        "Publish to a file with --out, and load it into the database.");
  }
  auto report =
      bound.model->Start({request, policy, bound.promise, bound.model, rehearsal}, context)->Run();
  // Who rehearses measures the same part afterwards.
  if (rehearsal == nullptr) context.division = nullptr;
  return report;
}

Result<contract::DryRunReport> DryRun(const contract::PublishRequest& request,
                                      binding::Context& context) {
  io::RehearsalFiles files(context.files);
  binding::Context stage{files, context.pool, context.progress, context.catalog};
  stage.server = context.server;
  stage.duckdb = context.duckdb;
  contract::PublishRequest played = request;
  if (played.out.empty()) played.out = kNoName;
  played.out_table.clear();
  contract::Rehearsal rehearsal;
  contract::DryRunReport report;
  report.publication = REISSUE_TRY(Publish(played, stage, &rehearsal));
  // A server hears of a dry run only that somebody asks whether the name is free.
  if (!request.out_table.empty()) {
    REISSUE_TRY(contract::TableRelease::Check(request.out_table, context));
  }
  const std::string path =
      REISSUE_TRY(contract::PolicyPath(request.policy, request.vault, request.passphrase, stage));
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(files, path));
  contract::MeasureRequest measure;
  measure.table = request.table;
  measure.release = REISSUE_TRY(io::Absolute(played.out));
  auto cost = Measure(policy, measure, stage);
  if (cost) {
    report.cost = *std::move(cost);
  } else {
    report.cost_problem = cost.error().ToString();
  }
  return report;
}

}  // namespace reissue::engine
