#include "reissue/models/k/service/model.h"

#include <fmt/format.h>

#include "reissue/binding/detail.h"
#include "reissue/models/k/service/audit.h"
#include "reissue/models/k/service/check.h"
#include "reissue/models/k/service/explore.h"
#include "reissue/models/k/service/promise.h"
#include "reissue/models/k/service/publish.h"

namespace reissue::models::k::service {
namespace {

class OneRelease final : public contract::Model {
 public:
  const contract::Traits& traits() const override {
    static const contract::Traits traits = {
        .name = "k",
        .about = "one release",
        .takes = {contract::Extra::kWhy, contract::Extra::kWishes, contract::Extra::kExplore,
                  contract::Extra::kTable, contract::Extra::kParts},
        .explain_instead = "An audit of one release names the groups that are exposed by itself."};
    return traits;
  }

  Result<contract::PromisePtr> Read(const contract::Asked& asked) const override {
    auto promise = std::make_shared<Promise>();
    promise->model = traits().name;
    REISSUE_TRY(ReadGuarantee(asked, {}, *promise));
    return contract::PromisePtr(std::move(promise));
  }

  void Check(const contract::CheckTask& task, binding::Context& context,
             contract::CheckReport& report) const override {
    contract::WarnOfRanges(binding::RangesFromData(task.policy), report);
    for (const std::string& table : task.tables) {
      CheckTable({task.policy, task.promise.As<Promise>(), task.why}, table, context, report);
    }
  }

  Result<contract::AuditReport> Audit(const contract::AuditTask& task,
                                      binding::Context& context) const override {
    REISSUE_TRY(contract::OneRelease(
        task.promise, task.releases.size(),
        "Audit each file alone, or promise model = \"bcf\" if they are releases of one table "
        "that only grows."));
    const binding::ReleaseColumns columns = binding::ColumnsOf(task.policy);
    const binding::ReleaseTable release =
        REISSUE_TRY(binding::LoadRelease(columns, task.releases[0], context));
    return AuditRelease(release, columns, task.promise.As<Promise>(), task.releases[0], context,
                        task.worst);
  }

  std::unique_ptr<contract::Publication> Start(const contract::PublishTask& task,
                                               binding::Context& context) const override {
    return std::make_unique<RecodedPublication>(task, traits(), task.promise->As<Promise>(),
                                                context);
  }

  Status Verify(const contract::Certificate& certificate, const contract::VerifyTask& task,
                binding::Context& context, contract::VerifyReport& report) const override {
    REISSUE_TRY(contract::OneFile(task.releases.size()));
    return VerifyAlone(certificate, task.releases[0], context, report);
  }

  Result<std::optional<contract::AuditReport>> AuditUnion(
      const contract::Certificate& certificate, const std::string& file,
      binding::Context& context) const override {
    return AuditUnionAlone(certificate, file, context);
  }

  Result<contract::MetricsReport> Measure(const contract::MeasureTask& task,
                                          binding::Context& context) const override {
    return MeasureRecoded(task, context);
  }

  std::vector<contract::Axis> Axes(const io::Policy& policy) const override {
    return AxesOf(policy, /*series=*/false);
  }
  Result<contract::Explored> Explore(const contract::ExploreTask& task,
                                     binding::Context& context) const override {
    return RecodedPublication(task.publish, traits(), task.publish.promise->As<Promise>(), context)
        .Explore(task);
  }
};

}  // namespace

const contract::Model& TheModel() {
  static const OneRelease model;
  return model;
}

Status VerifyAlone(const contract::Certificate& certificate, const std::string& file,
                   binding::Context& context, contract::VerifyReport& report) {
  const binding::ReleaseTable release =
      REISSUE_TRY(binding::LoadRelease(certificate.columns, file, context));
  contract::CompareDigest(certificate, release.digest, report);
  CompareColumns(certificate, release, report);
  report.audit =
      REISSUE_TRY(AuditRelease(release, certificate.columns, certificate.promise->As<Promise>(),
                               file, context, contract::kWorstShown));
  contract::Compare(certificate, report.audit, report);
  return Ok();
}

Result<std::optional<contract::AuditReport>> AuditUnionAlone(
    const contract::Certificate& certificate, const std::string& file, binding::Context& context) {
  const binding::ReleaseTable release =
      REISSUE_TRY(binding::LoadRelease(certificate.columns, file, context));
  contract::AuditReport audit =
      REISSUE_TRY(AuditRelease(release, certificate.columns, certificate.promise->As<Promise>(),
                               file, context, contract::kWorstShown));
  return std::optional(std::move(audit));
}

void CompareColumns(const contract::Certificate& certificate, const binding::ReleaseTable& release,
                    contract::VerifyReport& report) {
  for (const std::string& name : certificate.columns.others) {
    if (release.table.Find(name)) continue;
    report.Fail(fmt::format("The file lacks the column \"{}\".", name));
  }
  contract::CompareRecoding(certificate, certificate.columns.quasi, release.table, report);
}

Result<contract::MetricsReport> MeasureRecoded(const contract::MeasureTask& task,
                                               binding::Context& context) {
  const Promise& promise = task.promise.As<Promise>();
  const binding::HolderTable holder =
      REISSUE_TRY(binding::LoadTable(task.policy, task.request.table, context));
  const contract::MeasureRequest& request = task.request;
  const binding::DetailOptions options{
      .class_column = request.class_column.empty() ? promise.class_column : request.class_column,
      .test = request.test,
      .queries = request.queries,
      .seed = request.seed,
      .k = promise.guarantee.k};
  binding::Detail detail =
      REISSUE_TRY(binding::MeasureDetail(task.policy, holder, request.release, options, context));
  return contract::MetricsReport{promise.model, contract::Findings::Of(std::move(detail))};
}

}  // namespace reissue::models::k::service
