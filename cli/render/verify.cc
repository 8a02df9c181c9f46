#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "cli/render/views.h"

namespace reissue::cli {
namespace {

std::string List(const std::vector<std::string>& names) {
  return names.empty() ? "none" : PrintableList(names);
}

}  // namespace

std::string ToText(const VerificationReport& report, const Style& style) {
  const contract::VerifyReport& result = report.result;
  std::string text = Printable(report.certificate) + ": " +
                     (result.valid ? style.Good("HOLDS") : style.Bad("DOES NOT HOLD")) + "\n";
  text += "  release " + Count(result.release) + " of \"" + Printable(result.title) + "\", model " +
          Printable(result.model) + ", published " + Printable(result.created) + "\n\n" +
          style.Heading("Checks") + "\n";
  TextTable checks({Align::kLeft, Align::kLeft});
  const View& view = ViewOf(result.model);
  if (result.valid) {
    for (const std::string& check : view.VerifyChecks(report)) {
      checks.Add({style.Good("ok"), check});
    }
  }
  for (const std::string& failure : result.failures) {
    checks.Add({style.Bad("failed"), Printable(failure)});
  }
  text += checks.ToString();
  for (const std::string& note : result.notes) text += Fill(Printable(note), 2);
  text += "\n" + style.Heading("Checked on the word of the certificate that") + "\n";
  text += Fill("readers may know (quasi-identifiers): " + List(result.columns.quasi), 2);
  text += Fill("they must not learn (sensitive): " + List(result.columns.sensitive), 2);
  text += Fill("they cannot tie to a person (published as is): " + List(result.columns.others), 2);
  return text + view.VerifyText(report, style);
}

std::string ToJson(const VerificationReport& report) {
  const contract::VerifyReport& result = report.result;
  Json json;
  json["certificate"] = report.certificate;
  json["valid"] = result.valid;
  json["failures"] = result.failures;
  json["notes"] = result.notes;
  json["title"] = result.title;
  json["model"] = result.model;
  json["release"] = result.release;
  json["published"] = result.created;
  json["columns"] = {{"quasi", result.columns.quasi},
                     {"sensitive", result.columns.sensitive},
                     {"publish", result.columns.others}};
  json["audit"] = AuditObject(result.audit);
  return JsonText(json);
}

}  // namespace reissue::cli
