#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "cli/render/views.h"

namespace reissue::cli {
namespace {

std::string Judgement(const contract::AuditReport& report, const Style& style) {
  using Failure = contract::AuditReport::Failure;
  const bool many = report.judged() > 1;
  if (report.satisfied) {
    return style.Good(many ? "KEEP their promise together" : "KEEPS its promise");
  }
  switch (report.failure) {
    case Failure::kNotOneSeries:
      return style.Bad("ARE NOT ONE SERIES");
    case Failure::kNotProven:
      return style.Bad("NOT PROVEN to keep their promise");
    case Failure::kBroken:
      break;
  }
  return style.Bad(many ? "BREAK their promise together" : "BREAKS its promise");
}

std::string Verdict(const contract::AuditReport& report, const Style& style) {
  std::string files;
  for (std::size_t i = 0; i < report.releases.size(); ++i) {
    const std::string& file = report.releases[i].file;
    files += (i == 0                                      ? ""
              : i == report.judged() && report.beside > 0 ? " beside "
                                                          : ", ") +
             FileName(file);
  }
  return files + ": " + Judgement(report, style) + "\n";
}

}  // namespace

std::string ToText(const contract::AuditReport& report, const Style& style) {
  const std::string certain = Fill(ExposureWords(report.exposure), 2);
  std::string text = Verdict(report, style) +
                     (report.exposure.any() ? style.Warning(certain) : certain) +
                     ViewOf(report.model).AuditText(report, style);
  for (const std::string& tie : report.ties) {
    text += "\n" + style.Warning(Fill("Warning: " + Printable(tie) + "."));
  }
  return text;
}

Json AuditObject(const contract::AuditReport& report) {
  Json json = ViewOf(report.model).AuditObject(report);
  json["certain"] = ExposureObject(report.exposure);
  if (!report.ties.empty()) json["warnings"] = report.ties;
  return json;
}

std::string ToJson(const contract::AuditReport& report) { return JsonText(AuditObject(report)); }

std::string ToText(const contract::ExplainReport& report, const Style& style) {
  return ViewOf(report.model).ExplainText(report, style);
}

std::string ToJson(const contract::ExplainReport& report) {
  return JsonText(ViewOf(report.model).ExplainObject(report));
}

std::string ToText(const contract::MetricsReport& report, const Style& style) {
  return ViewOf(report.model).MetricsText(report, style);
}

std::string ToJson(const contract::MetricsReport& report) {
  return JsonText(ViewOf(report.model).MetricsObject(report));
}

}  // namespace reissue::cli
