#include "reissue/models/xy/service/model.h"

#include "reissue/models/xy/service/audit.h"
#include "reissue/models/xy/service/certificate.h"
#include "reissue/models/xy/service/check.h"
#include "reissue/models/xy/service/explain.h"
#include "reissue/models/xy/service/measure.h"
#include "reissue/models/xy/service/promise.h"
#include "reissue/models/xy/service/publish.h"

namespace reissue::models::xy::service {
namespace {

constexpr char kOneRemedy[] =
    "Give the release that is to be judged, and the earlier ones with --prior FILE.";

class LinkedReleases final : public contract::Model {
 public:
  const contract::Traits& traits() const override {
    static const contract::Traits traits = {
        .name = "xy",
        .about = "other columns of the same people",
        .takes = {contract::Extra::kPriors, contract::Extra::kExplain, contract::Extra::kTable},
        .priors_elsewhere =
            "Releases of one table that only grows are given one after the other (model \"bcf\"); "
            "other columns of the same people need a policy with model = \"xy\".",
        .tables = {.all_columns = false, .ranges = true}};
    return traits;
  }

  Result<contract::PromisePtr> Read(const contract::Asked& asked) const override {
    return ReadPromise(asked, traits().name);
  }

  void Check(const contract::CheckTask& task, binding::Context& context,
             contract::CheckReport& report) const override {
    contract::WarnOfRanges(binding::RangesFromData(task.policy), report);
    for (const std::string& table : task.tables) CheckTable(task, table, context, report);
  }

  Result<contract::AuditReport> Audit(const contract::AuditTask& task,
                                      binding::Context& context) const override {
    REISSUE_TRY(SomePriors(task.priors));
    REISSUE_TRY(contract::OneRelease(task.promise, task.releases.size(), kOneRemedy));
    const BoundLinked bound = REISSUE_TRY(LoadLinked(task.policy, task.promise.As<Promise>(),
                                                     task.releases[0], task.priors, context));
    std::vector<std::string> sensitive;
    for (const io::PolicyColumn* column : task.policy.WithRole(io::Role::kSensitive)) {
      sensitive.push_back(column->name);
    }
    return AuditLinked(bound, sensitive, task.priors, context, task.worst);
  }

  std::unique_ptr<contract::Publication> Start(const contract::PublishTask& task,
                                               binding::Context& context) const override {
    return StartJoin(task, traits(), context);
  }

  Status Verify(const contract::Certificate& certificate, const contract::VerifyTask& task,
                binding::Context& context, contract::VerifyReport& report) const override {
    return VerifyJoin(certificate, task, context, report);
  }

  Result<contract::MetricsReport> Measure(const contract::MeasureTask& task,
                                          binding::Context& context) const override {
    return MeasureJoin(task, context);
  }

  Result<contract::ExplainReport> Explain(const contract::ExplainTask& task,
                                          binding::Context& context) const override {
    REISSUE_TRY(SomePriors(task.priors));
    REISSUE_TRY(contract::OneRelease(task.promise, task.releases.size(), kOneRemedy));
    JoinExplained join = REISSUE_TRY(ExplainJoin(task, context));
    const bool broken = join.broken;
    return contract::ExplainReport{traits().name, broken, contract::Findings::Of(std::move(join))};
  }
};

}  // namespace

const contract::Model& TheModel() {
  static const LinkedReleases model;
  return model;
}

}  // namespace reissue::models::xy::service
