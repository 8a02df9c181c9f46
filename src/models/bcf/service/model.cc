#include "reissue/models/bcf/service/model.h"

#include <fmt/format.h>

#include "reissue/models/bcf/service/adopt.h"
#include "reissue/models/bcf/service/audit.h"
#include "reissue/models/bcf/service/explain.h"
#include "reissue/models/bcf/service/promise.h"
#include "reissue/models/bcf/service/publish.h"
#include "reissue/models/bcf/service/series.h"
#include "reissue/models/bcf/service/verify.h"
#include "reissue/models/k/service/check.h"
#include "reissue/models/k/service/explore.h"
#include "reissue/models/k/service/model.h"

namespace reissue::models::bcf::service {
namespace {

class GrowingTable final : public contract::Model {
 public:
  const contract::Traits& traits() const override {
    static const contract::Traits traits = {
        .name = "bcf",
        .about = "a table that only grows",
        .series = true,
        .takes = {contract::Extra::kAdopt, contract::Extra::kExplain, contract::Extra::kWhy,
                  contract::Extra::kWishes, contract::Extra::kExplore, contract::Extra::kTable,
                  contract::Extra::kParts}};
    return traits;
  }

  Result<contract::PromisePtr> Read(const contract::Asked& asked) const override {
    return ReadPromise(asked, traits().name);
  }

  std::vector<std::string> Weaker(const contract::Promise& earlier,
                                  const contract::Promise& later) const override {
    const auto &before = earlier.As<Promise>(), &now = later.As<Promise>();
    std::vector<std::string> weaker = k::service::WeakerThan(before, now);
    if (before.targets == Targets::kAny && now.targets == Targets::kReal) {
      weaker.push_back("`targets` protects fewer people than before");
    }
    if (before.stars() != now.stars()) {
      weaker.push_back(
          "`suppression` decides whether starred rows stay so, from the first release");
    }
    return weaker;
  }

  void Check(const contract::CheckTask& task, binding::Context& context,
             contract::CheckReport& report) const override {
    contract::WarnOfRanges(binding::RangesFromData(task.policy), report);
    for (const io::PolicyColumn* column : task.policy.WithRole(io::Role::kQuasi)) {
      if (!column->taxonomy.empty() || !column->breakpoints.empty()) continue;
      report.notes.push_back(fmt::format(
          "{}: the ranges of \"{}\" are found from the first table and stay; later numbers "
          "outside them are published as they are, or hide the column; write breakpoints",
          task.policy.file, column->name));
    }
    // Nobody is left out of a series.
    Promise promise = task.promise.As<Promise>();
    promise.suppression_rows.reset();
    promise.suppression_share = 0;
    for (const std::string& table : task.tables) {
      k::service::CheckTable({task.policy, promise, task.why, true, promise.growth}, table, context,
                             report);
    }
  }

  Result<contract::AuditReport> Audit(const contract::AuditTask& task,
                                      binding::Context& context) const override {
    const auto& promise = task.promise.As<Promise>();
    const BoundSeries bound =
        REISSUE_TRY(LoadSeries(task.policy, task.releases, context, promise.stars()));
    return AuditSeries(bound, promise, context, task.worst);
  }

  std::unique_ptr<contract::Publication> Start(const contract::PublishTask& task,
                                               binding::Context& context) const override {
    return StartSeries(task, traits(), context);
  }

  Status Verify(const contract::Certificate& certificate, const contract::VerifyTask& task,
                binding::Context& context, contract::VerifyReport& report) const override {
    return VerifySeries(certificate, task, context, report);
  }

  // Of several releases, parts that are not known would have to be tried out together: the worst of
  // the parts is what a reader who knows them has.
  Result<std::optional<contract::AuditReport>> AuditUnion(
      const contract::Certificate& certificate, const std::string& file,
      binding::Context& context) const override {
    if (!certificate.earlier.empty()) return std::optional<contract::AuditReport>();
    return k::service::AuditUnionAlone(certificate, file, context);
  }

  Result<contract::MetricsReport> Measure(const contract::MeasureTask& task,
                                          binding::Context& context) const override {
    return k::service::MeasureRecoded(task, context);
  }

  std::vector<contract::Axis> Axes(const io::Policy& policy) const override {
    return k::service::AxesOf(policy, /*series=*/true);
  }
  Result<contract::Explored> Explore(const contract::ExploreTask& task,
                                     binding::Context& context) const override {
    return ExploreSeries(task, traits(), context);
  }

  Result<contract::ExplainReport> Explain(const contract::ExplainTask& task,
                                          binding::Context& context) const override {
    PersonExplained person = REISSUE_TRY(
        ExplainPerson(task.policy, task.promise.As<Promise>(), task.releases, task.about, context));
    const bool broken = person.broken;
    return contract::ExplainReport{traits().name, broken,
                                   contract::Findings::Of(std::move(person))};
  }

  Result<contract::AdoptReport> Adopt(const contract::AdoptTask& task,
                                      binding::Context& context) const override {
    return AdoptSeries(task.request, task.policy, task.promise.As<Promise>(), context);
  }
};

}  // namespace

const contract::Model& TheModel() {
  static const GrowingTable model;
  return model;
}

}  // namespace reissue::models::bcf::service
