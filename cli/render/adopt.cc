#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

bool OneSeries(const contract::AdoptReport& report) { return report.largest_k.has_value(); }

std::string Verdict(const contract::AdoptReport& report, const Style& style) {
  if (report.recorded) {
    return style.Good("Adopted") + " " +
           Counted(report.audit.releases.size(), "release", "releases") + " into the vault " +
           Printable(report.vault) + "\n";
  }
  return style.Bad("NOT ADOPTED") + ": " +
         (!OneSeries(report) ? "the files are not releases of one growing table"
          : report.audit.failure == contract::AuditReport::Failure::kNotProven
              ? "the promise of the policy is not proven to be kept"
              : "the promise of the policy is not kept") +
         "\n";
}

std::string WhatHolds(const contract::AdoptReport& report) {
  if (!OneSeries(report)) return "";
  std::string text = "The largest k that holds for the whole series now is " +
                     Count(*report.largest_k) + "; the policy promises " + Count(report.k) + ".";
  if (report.audit.satisfied) return text + " Its promise is kept.";
  return text + (*report.largest_k >= report.k
                     ? " Another promise of the policy is broken, or not proven to be kept."
                     : " What is lost cannot be won back by later releases.");
}

std::vector<std::string> Warnings(const contract::AdoptReport& report) {
  std::vector<std::string> warnings;
  if (report.recorded && !report.audit.satisfied) {
    warnings.push_back(
        "the promise starts broken: `reissue publish` will refuse to continue this series unless "
        "the promise is kept for the people of the table (targets = \"real\").");
  }
  if (report.vault_unprotected) {
    warnings.push_back(kUnprotected);
  }
  return warnings;
}

}  // namespace

std::string ToText(const contract::AdoptReport& report, const Style& style) {
  std::string text = Verdict(report, style) + Fill(WhatHolds(report), 2);
  if (!report.recorded) {
    text += Fill(OneSeries(report) ? "Nothing was recorded. Adopt it with a policy that promises "
                                     "what still holds, or record it with --anyway."
                                   : "Nothing was recorded.",
                 2);
  }
  text += "\n" + style.Heading("The audit") + "\n" + ToText(report.audit, style);
  for (const std::string& warning : Warnings(report)) {
    text += "\n" + style.Warning(Fill("Warning: " + warning));
  }
  return text;
}

std::string ToJson(const contract::AdoptReport& report) {
  Json json;
  json["model"] = report.audit.model;
  json["vault"] = report.vault;
  json["recorded"] = report.recorded;
  json["k"] = report.k;
  json["largest_k"] = report.largest_k ? Json(*report.largest_k) : Json(nullptr);
  json["audit"] = AuditObject(report.audit);
  json["vault_unprotected"] = report.vault_unprotected;
  json["warnings"] = Warnings(report);
  return JsonText(json);
}

}  // namespace reissue::cli
