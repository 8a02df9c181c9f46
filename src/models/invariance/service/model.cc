#include "reissue/models/invariance/service/model.h"

#include "reissue/models/invariance/service/audit.h"
#include "reissue/models/invariance/service/certificate.h"
#include "reissue/models/invariance/service/check.h"
#include "reissue/models/invariance/service/measure.h"
#include "reissue/models/invariance/service/promise.h"
#include "reissue/models/invariance/service/publish.h"

namespace reissue::models::invariance::service {
namespace {

class ChangingTable final : public contract::Model {
 public:
  const contract::Traits& traits() const override {
    using contract::Extra;
    static const contract::Traits traits = {
        .name = "m-invariance",
        .about = "a table whose rows come and go",
        .series = true,
        .takes = {Extra::kKnows, Extra::kVaultAudit, Extra::kHolderCopy, Extra::kVerifyCopy,
                  Extra::kParts},
        .explain_instead =
            "With model \"m-invariance\", --knows ID=VALUE says whose values follow if "
            "somebody's becomes known.",
        .tables = {.all_columns = true, .ranges = false}};
    return traits;
  }

  Result<contract::PromisePtr> Read(const contract::Asked& asked) const override {
    return ReadPromise(asked, traits().name);
  }

  std::vector<std::string> Weaker(const contract::Promise& earlier,
                                  const contract::Promise& later) const override {
    const auto &before = earlier.As<Promise>(), &now = later.As<Promise>();
    std::vector<std::string> weaker;
    // Everybody keeps the values they are among for life, so m cannot grow for those who are there.
    if (now.m != before.m) weaker.push_back("`m` stays what it is for the whole series");
    if (now.e != before.e) weaker.push_back("`e` stays what it is for the whole series");
    if (now.form != before.form) weaker.push_back("`form` is another one");
    if (now.counterfeits_published != before.counterfeits_published) {
      weaker.push_back("whether counterfeits are counted openly is other");
    }
    return weaker;
  }

  void Check(const contract::CheckTask& task, binding::Context& context,
             contract::CheckReport& report) const override {
    const Promise& promise = task.promise.As<Promise>();
    DescribePolicy(task.policy, promise, report);
    for (const std::string& table : task.tables) {
      CheckTable(task.policy, promise, table, &table == &task.tables[0], context, report);
    }
  }

  Result<contract::AuditReport> Audit(const contract::AuditTask& task,
                                      binding::Context& context) const override {
    const HolderCopies copies =
        REISSUE_TRY(ReadCopies(binding::ColumnsOf(task.policy), task.releases, context));
    return AuditCopies(copies, task.promise.As<Promise>(), task.worst, task.knows, context);
  }

  std::unique_ptr<contract::Publication> Start(const contract::PublishTask& task,
                                               binding::Context& context) const override {
    return StartGroups(task, traits(), context);
  }

  Status Verify(const contract::Certificate& certificate, const contract::VerifyTask& task,
                binding::Context& context, contract::VerifyReport& report) const override {
    return VerifyGroups(certificate, task, context, report);
  }

  Result<contract::MetricsReport> Measure(const contract::MeasureTask& task,
                                          binding::Context& context) const override {
    if (!task.request.class_column.empty() || !task.request.test.empty()) {
      return UsageError(
          "--class and --test are for the models whose releases have no groups to count in",
          "Leave them out. With model \"m-invariance\" the answers to COUNT queries are measured.");
    }
    Metrics metrics =
        REISSUE_TRY(MeasureRelease(task.policy, task.promise.As<Promise>(), task.request, context));
    return contract::MetricsReport{traits().name, contract::Findings::Of(std::move(metrics))};
  }

  Result<contract::AuditReport> AuditVault(const contract::VaultTask& task,
                                           binding::Context&) const override {
    return service::AuditVault(task.vault, task.promise.As<Promise>());
  }

  Result<contract::AdoptReport> Adopt(const contract::AdoptTask&,
                                      binding::Context&) const override {
    return UsageError(
        "a series of model \"m-invariance\" cannot be adopted: published files do not say who is "
        "in which group, and everybody must stay with the same values",
        "Start a series with `reissue publish`, in a new vault; it promises nothing about what is "
        "out "
        "already. That is audited from holder's copies (`reissue audit`) or, if the table only "
        "grew, "
        "adopted by a policy with model = \"bcf\".");
  }
};

}  // namespace

const contract::Model& TheModel() {
  static const ChangingTable model;
  return model;
}

}  // namespace reissue::models::invariance::service
