#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "cli/render/views.h"
#include "cli/render/why.h"
#include "reissue/binding/words.h"

namespace reissue::cli {
namespace {

std::vector<std::string> Warnings(const contract::PublishReport& report) {
  std::vector<std::string> warnings;
  if (report.vault_unprotected) warnings.push_back(kUnprotected);
  const std::vector<std::string> own = ViewOf(report.audit.model).PublishWarnings(report);
  warnings.insert(warnings.end(), own.begin(), own.end());
  if (!report.ranges_from_data.empty()) {
    warnings.push_back(binding::RangesFromDataWords(report.ranges_from_data));
  }
  for (const std::string& tie : report.audit.ties) warnings.push_back(tie + ".");
  if (report.audit.exposure.any()) {
    std::string certain = ExposureWords(report.audit.exposure);
    certain[0] = 'w';
    warnings.push_back(std::move(certain));
  }
  if (!report.codebook.empty()) {
    warnings.push_back(
        "the codebook names the leaves of the taxonomies. Do not give it away if one of them was "
        "drafted from the table: it lists the table's values.");
  }
  for (const contract::PromiseKept& promise : report.audit.promises) {
    if (report.parts == 0 || (promise.name != "t" && promise.name != "beta")) continue;
    warnings.push_back("\"" + promise.name +
                       "\" compares groups with the people of this part. All parts together may "
                       "keep less: `reissue verify --parts` measures it.");
  }
  if (report.row_order_reproducible) {
    warnings.push_back(
        "the order of the rows follows from --seed and can be predicted. Use it for tests only, "
        "never for a release that leaves the house.");
  }
  if (!report.mark_problem.empty()) {
    warnings.push_back(
        "the release is published, and its mark could not be written, which would tell an old copy "
        "of the vault: " +
        report.mark_problem);
  }
  return warnings;
}

// Which part of the people it is of.
std::string PartText(const contract::PublishReport& report, const Style& style) {
  if (report.parts == 0) return "";
  return "\n" + style.Heading("Part") + "\n" +
         Fill("Part " + Count(report.part) + " of " + Count(report.parts) + ". " +
                  Counted(report.passed_over, "row is", "rows are") + " of people of other parts.",
              2);
}

std::string WarningsText(const std::vector<std::string>& warnings, const Style& style) {
  std::string text;
  for (const std::string& warning : warnings) {
    text += "\n" + style.Warning(Fill("Warning: " + Printable(warning)));
  }
  return text;
}

std::string ConsistencyText(const contract::PublishReport& report, const Style& style) {
  if (report.consistency.empty()) return "";
  return "\n" + style.Heading("Table") + "\n" + Fill("Seen with " + report.consistency + ".", 2);
}

// What was done, without files.
void AddMembers(const contract::PublishReport& report, Json& json) {
  json["rows_in"] = report.rows_in;
  json["rows_out"] = report.rows_out;
  json["suppressed"] = report.suppressed;
  json["dropped"] = report.dropped;
  if (report.parts > 0) {
    json["part"] = {
        {"number", report.part}, {"of", report.parts}, {"rows_of_other_parts", report.passed_over}};
  }
  json["earlier_releases"] = report.earlier_releases;
  if (!report.consistency.empty()) json["consistency"] = report.consistency;
  if (report.newcomers) json["newcomers"] = *report.newcomers;
  if (report.policy_since > 1) json["policy_since"] = report.policy_since;
  if (!report.policy_changes.empty()) json["policy_changes"] = report.policy_changes;
  ViewOf(report.audit.model).AddPublishMembers(report, json);
  if (report.why) json["why"] = WhyObject(*report.why);
  json["audit"] = AuditObject(report.audit);
  json["row_order_reproducible"] = report.row_order_reproducible;
  json["vault_unprotected"] = report.vault_unprotected;
}

// Of a dry run, to whom it does not matter how a release that leaves the house should be made.
std::vector<std::string> DryRunWarnings(const contract::DryRunReport& report) {
  contract::PublishReport publication = report.publication;
  publication.row_order_reproducible = false;
  std::vector<std::string> warnings = Warnings(publication);
  if (!report.cost_problem.empty()) {
    warnings.push_back("what the release would cost could not be measured: " + report.cost_problem);
  }
  return warnings;
}

}  // namespace

std::string ToText(const contract::PublishReport& report, const Style& style) {
  std::string text = style.Good("Published") + " release " + Count(report.release) + ": " +
                     (report.table ? "table " : "") + Printable(report.out) + "\n";
  text += ViewOf(report.audit.model).PublishText(report, style) + PartText(report, style);
  text += ConsistencyText(report, style);
  if (!report.policy_changes.empty()) {
    text += "\n" + style.Heading("Policy") + "\n" +
            Fill("Changed with this release: " + Printable(binding::Listed(report.policy_changes)) +
                     ". What is out keeps its meaning.",
                 2);
  }
  if (report.why) text += "\n" + WhyText(*report.why, style);
  text += "\n" + style.Heading("Certificate") + "\n  " + Printable(report.certificate) + "\n";
  if (!report.codebook.empty()) {
    text += "\n" + style.Heading("Codebook") + "\n  " + Printable(report.codebook) + "\n";
  }
  return text + WarningsText(Warnings(report), style);
}

std::string ToText(const contract::DryRunReport& report, const Style& style) {
  const contract::PublishReport& publication = report.publication;
  std::string text = style.Good("Dry run") + " of release " + Count(publication.release) +
                     ": it can be published. Nothing was written, and nothing is recorded.\n";
  text += ViewOf(publication.audit.model).PublishText(publication, style) +
          PartText(publication, style);
  text += ConsistencyText(publication, style);
  if (publication.why) text += "\n" + WhyText(*publication.why, style);
  if (report.cost) {
    text += "\n" + style.Heading("What it would cost, measured on the release") + "\n\n" +
            ToText(*report.cost, style);
  }
  text += WarningsText(DryRunWarnings(report), style);
  return text + "\n" + Fill("This is for you alone: it tells what the table has.");
}

std::string ToJson(const contract::PublishReport& report) {
  Json json;
  json["model"] = report.audit.model;
  json["release"] = report.release;
  json[report.table ? "table" : "file"] = report.out;
  json["certificate"] = report.certificate;
  if (!report.codebook.empty()) json["codebook"] = report.codebook;
  AddMembers(report, json);
  json["warnings"] = Warnings(report);
  return JsonText(json);
}

std::string ToJson(const contract::DryRunReport& report) {
  const contract::PublishReport& publication = report.publication;
  Json json;
  json["model"] = publication.audit.model;
  json["dry_run"] = true;
  json["release"] = publication.release;
  json["digest"] = publication.digest;
  AddMembers(publication, json);
  if (report.cost) json["cost"] = ViewOf(report.cost->model).MetricsObject(*report.cost);
  json["warnings"] = DryRunWarnings(report);
  return JsonText(json);
}

}  // namespace reissue::cli
