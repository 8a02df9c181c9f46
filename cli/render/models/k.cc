#include "cli/render/models/cells.h"
#include "cli/render/models/detail.h"
#include "cli/render/views.h"

namespace reissue::cli {
namespace {

using models::k::service::CellFindings;

class OneReleaseView final : public View {
 public:
  std::string model() const override { return "k"; }

  std::string Help(std::string_view verb) const override {
    return verb == "audit" ? "Model k looks at one file." : "";
  }

  std::string AuditText(const contract::AuditReport& report, const Style& style) const override {
    return ReleaseLines(report, /*numbered=*/false) + MeasuresText(report, style, {}) +
           ExposedText(report, report.findings.As<CellFindings>(), style);
  }
  Json AuditObject(const contract::AuditReport& report) const override {
    return PlainAuditObject(report, report.findings.As<CellFindings>());
  }

  Told Tell(const contract::AuditReport& report) const override {
    return TellCells(report, report.findings.As<CellFindings>());
  }

  std::string PublishText(const contract::PublishReport& report,
                          const Style& style) const override {
    return RecodedText(report, "rows left out to protect the people in them", style) +
           PromisesAndCostText(report, style, {});
  }
  void AddPublishMembers(const contract::PublishReport& report, Json& json) const override {
    AddRecodedMembers(report, json);
  }

  std::string MetricsText(const contract::MetricsReport& report,
                          const Style& style) const override {
    return DetailText(report.findings.As<binding::Detail>(), style);
  }
  Json MetricsObject(const contract::MetricsReport& report) const override {
    return DetailObject(report.findings.As<binding::Detail>());
  }
};

}  // namespace

const View& KView() {
  static const OneReleaseView view;
  return view;
}

}  // namespace reissue::cli
