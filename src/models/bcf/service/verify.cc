#include "reissue/models/bcf/service/verify.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reissue/models/bcf/service/audit.h"
#include "reissue/models/bcf/service/promise.h"
#include "reissue/models/bcf/service/series.h"
#include "reissue/models/k/service/model.h"

namespace reissue::models::bcf::service {
namespace {

Status RightNumberOfFiles(std::size_t expected, std::size_t given) {
  if (given == expected) return Ok();
  return UsageError(
      fmt::format("the certificate is about a series of {} releases, and {} file{} given", expected,
                  given, given == 1 ? " was" : "s were"),
      "Give all published files up to the one that it belongs to, oldest first.");
}

// The files, read with the labels' hierarchy that the certificate carries.
Result<BoundSeries> BindCertified(const contract::Certificate& certificate,
                                  const std::vector<binding::ColumnHierarchy>& hierarchy,
                                  const std::vector<std::string>& files,
                                  binding::Context& context) {
  Taxonomies trees =
      REISSUE_TRY(binding::TreesOf(hierarchy, certificate.columns.quasi, certificate.file));
  std::vector<PublishedRelease> releases;
  for (const std::string& file : files) {
    PublishedRelease release = REISSUE_TRY(ReadPublished(certificate.columns, file, context));
    releases.push_back(std::move(release));
  }
  return BindSeries(certificate.columns, std::move(trees), std::move(releases),
                    certificate.promise->As<Promise>().stars(), binding::Labels::kMaybeNumbers);
}

void CompareSeries(const contract::Certificate& certificate, contract::VerifyReport& report) {
  const SeriesFindings& series = report.audit.findings.As<SeriesFindings>();
  if (certificate.promise->As<Promise>().targets != Targets::kReal ||
      series.verdict == SeriesVerdict::kNotOneSeries) {
    contract::Compare(certificate, report.audit, report);
    return;
  }
  // Only the holder knows who is real: what is measured over everybody is no counterproof.
  contract::AuditReport kept = report.audit;
  kept.satisfied = true;
  contract::Compare(certificate, kept, report);
  report.rests.push_back(fmt::format(
      "The promise is about the people of the holder's table (targets = \"real\"). The files do "
      "not tell who they are: that it is kept for them is the holder's word. For everybody who "
      "could be there as far as readers can tell, {} left.",
      series.exact ? fmt::format("at least {} {}", series.exact->lower,
                                 series.exact->lower == 1 ? "row is" : "rows are")
                   : std::string("nothing is")));
}

}  // namespace

Status VerifySeries(const contract::Certificate& certificate, const contract::VerifyTask& task,
                    binding::Context& context, contract::VerifyReport& report) {
  std::vector<binding::ColumnHierarchy> hierarchy;
  REISSUE_TRY(certificate.Own([&](const contract::Member& root) {
    hierarchy = contract::ReadHierarchy(root["hierarchy"]);
  }));
  REISSUE_TRY(RightNumberOfFiles(certificate.earlier.size() + 1, task.releases.size()));
  if (task.releases.size() == 1) {
    return k::service::VerifyAlone(certificate, task.releases[0], context, report);
  }
  const BoundSeries bound =
      REISSUE_TRY(BindCertified(certificate, hierarchy, task.releases, context));
  for (std::size_t i = 0; i < certificate.earlier.size(); ++i) {
    contract::CompareEarlier(certificate, i, bound.releases[i].digest, report);
  }
  const binding::ReleaseTable& certified = *bound.releases.back().source;
  contract::CompareDigest(certificate, certified.digest, report);
  k::service::CompareColumns(certificate, certified, report);
  report.audit = REISSUE_TRY(AuditSeries(bound, certificate.promise->As<Promise>(), context));
  CompareSeries(certificate, report);
  return Ok();
}

}  // namespace reissue::models::bcf::service
