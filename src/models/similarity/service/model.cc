#include "reissue/models/similarity/service/model.h"

#include <fmt/format.h>

#include "reissue/models/similarity/service/audit.h"
#include "reissue/models/similarity/service/certificate.h"
#include "reissue/models/similarity/service/check.h"
#include "reissue/models/similarity/service/learn.h"
#include "reissue/models/similarity/service/measure.h"
#include "reissue/models/similarity/service/promise.h"
#include "reissue/models/similarity/service/publish.h"

namespace reissue::models::similarity::service {
namespace {

class EvolvingTable final : public contract::Model {
 public:
  const contract::Traits& traits() const override {
    using contract::Extra;
    static const contract::Traits traits = {
        .name = "j-similarity",
        .about = "one whose values change, too",
        .series = true,
        .takes = {Extra::kVaultAudit, Extra::kHolderCopy, Extra::kKnowledge, Extra::kParts},
        .explain_instead = "An audit of model \"j-similarity\" names who is exposed by itself.",
        .tables = {.all_columns = true, .ranges = false}};
    return traits;
  }

  Result<contract::PromisePtr> Read(const contract::Asked& asked) const override {
    return ReadPromise(asked, traits().name);
  }

  // Earlier releases are judged with the promise of the last: what is out keeps it or not, and only
  // the same one is known to be kept.
  std::vector<std::string> Weaker(const contract::Promise& earlier,
                                  const contract::Promise& later) const override {
    const auto &before = earlier.As<Promise>(), &now = later.As<Promise>();
    const auto &then = before.guarantee, &here = now.guarantee;
    std::vector<std::string> weaker;
    const auto same = [&](bool is, const char* name) {
      if (!is) weaker.push_back(fmt::format("`{}` stays what it is for the whole series", name));
    };
    same(here.k == then.k, "k");
    same(here.j == then.j, "j");
    same(here.beta == then.beta, "beta");
    same(here.t == then.t && here.ordered == then.ordered, "t");
    same(now.bounds.max_belief == before.bounds.max_belief, "max_belief");
    same(now.bounds.max_gain == before.bounds.max_gain, "max_gain");
    same(now.against == before.against && now.share_ties == before.share_ties &&
             now.cascade == before.cascade,
         "against");
    same(now.leftover == before.leftover, "leftover");
    return weaker;
  }

  void Check(const contract::CheckTask& task, binding::Context& context,
             contract::CheckReport& report) const override {
    const Promise& promise = task.promise.As<Promise>();
    DescribePolicy(task.policy, promise, report);
    CheckTables(task.policy, promise, task.tables, context, report);
  }

  Result<contract::AuditReport> Audit(const contract::AuditTask& task,
                                      binding::Context& context) const override {
    return AuditEvolvingCopies(task.policy, task.promise.As<Promise>(), task.releases, task.worst,
                               context);
  }

  std::unique_ptr<contract::Publication> Start(const contract::PublishTask& task,
                                               binding::Context& context) const override {
    return StartGroups(task, traits(), context);
  }

  Status Verify(const contract::Certificate& certificate, const contract::VerifyTask& task,
                binding::Context& context, contract::VerifyReport& report) const override {
    return VerifyGroups(certificate, task, context, report);
  }

  Result<std::optional<contract::AuditReport>> AuditUnion(
      const contract::Certificate& certificate, const std::string& file,
      binding::Context& context) const override {
    contract::AuditReport audit = REISSUE_TRY(AuditFile(certificate, file, context));
    return std::optional(std::move(audit));
  }

  Result<contract::MetricsReport> Measure(const contract::MeasureTask& task,
                                          binding::Context& context) const override {
    if (!task.request.class_column.empty() || !task.request.test.empty()) {
      return UsageError(
          "--class and --test are for the models whose releases are recoded as a whole",
          "Leave them out. With model \"j-similarity\" the detail that is lost is measured, and "
          "how far answers to COUNT queries are from the truth.");
    }
    Metrics metrics = REISSUE_TRY(
        MeasureEvolving(task.policy, task.promise.As<Promise>(), task.request, context));
    return contract::MetricsReport{traits().name, contract::Findings::Of(std::move(metrics))};
  }

  Result<contract::AuditReport> AuditVault(const contract::VaultTask& task,
                                           binding::Context& context) const override {
    return AuditEvolvingVault(task.vault, task.policy, task.promise.As<Promise>(), task.worst,
                              context);
  }

  Result<contract::AdoptReport> Adopt(const contract::AdoptTask&,
                                      binding::Context&) const override {
    return UsageError(
        "a series of model \"j-similarity\" cannot be adopted: published files do not say who is "
        "in which group, and the reader's beliefs depend on it",
        "Start a series with `reissue publish`, in a new vault; it promises nothing about what is "
        "out "
        "already. That is audited from holder's copies (`reissue audit`) or, if the table only "
        "grew, "
        "adopted by a policy with model = \"bcf\".");
  }

  Result<contract::LearnReport> Learn(const contract::LearnTask& task,
                                      binding::Context& context) const override {
    return LearnBeliefs(task.request, task.policy, task.promise.As<Promise>(), context);
  }
};

}  // namespace

const contract::Model& TheModel() {
  static const EvolvingTable model;
  return model;
}

}  // namespace reissue::models::similarity::service
