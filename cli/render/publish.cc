#include "cli/render/invariance.h"
#include "cli/render/linked.h"
#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/render/similarity.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

constexpr std::size_t kFewLabels = 6;
constexpr std::size_t kRoomForLabels = 60;

std::string Joined(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : ", ") + Printable(label);
  return text;
}

std::string RecodingInWords(const engine::PublishReport::Recoded& column) {
  const std::string values = Counted(column.raw_values, "value", "values");
  if (column.labels.size() == 1 && column.raw_values > 1) {
    return values + " → hidden (" + Printable(column.labels.front()) + ")";
  }
  const std::string groups = values + " → " + Counted(column.labels.size(), "label", "labels");
  const std::string labels = Joined(column.labels);
  if (column.labels.size() > kFewLabels || Columns(labels) > kRoomForLabels) return groups;
  return groups + ": " + labels;
}

std::string CostInWords(const engine::PublishReport& report) {
  std::string text = report.score + " " + Number(report.cost) +
                     " (less is better); a single greedy descent ends at " +
                     Number(report.greedy_cost);
  if (report.paper_cost) text += ", the paper's search at " + Number(*report.paper_cost);
  if (report.optimal) text += "; proven: no other recoding is cheaper";
  return text + ".";
}

std::vector<std::string> Warnings(const engine::PublishReport& report) {
  std::vector<std::string> warnings;
  if (report.vault_unprotected) {
    warnings.push_back(
        "the vault has no passphrase: whoever can read its directory can read what it holds.");
  }
  if (report.linked && !report.linked->exposed.empty()) {
    const bool one = report.linked->exposed.size() == 1;
    warnings.push_back("published as " + std::string(one ? "it is" : "they are") +
                       ", since no requirement names " + (one ? "it" : "them") +
                       " in x: " + Joined(report.linked->exposed) +
                       ". Readers may know people by " + (one ? "it." : "them."));
  }
  if (report.audit.linked) {
    const auto& dangling = report.audit.linked->warnings;
    warnings.insert(warnings.end(), dangling.begin(), dangling.end());
  }
  if (report.changing && report.changing->changed_values > 0) {
    const bool one = report.changing->changed_values == 1;
    warnings.push_back(Counted(report.changing->changed_values, "person has", "people have") +
                       " another value than before, and " + (one ? "counts" : "count") +
                       " as somebody new: the link to what was published before is lost. The "
                       "promise says nothing about a reader who knows that a value has changed.");
  }
  if (report.evolving) {
    const std::vector<std::string> more = EvolvedRowsWarnings(report);
    warnings.insert(warnings.end(), more.begin(), more.end());
  }
  if (report.row_order_reproducible) {
    warnings.push_back(
        "the order of the rows follows from --seed and can be predicted. Use it for tests only, "
        "never for a release that leaves the house.");
  }
  return warnings;
}

// What takes the place of promises and cost.
std::string LinkedPublishText(const engine::PublishReport& report, const Style& style) {
  std::string text;
  if (!report.linked->as_is.empty()) {
    text += Fill(
        "As they are, since no requirement names them in x: " + Joined(report.linked->as_is) + ".",
        2);
  }
  text += RequirementsText(*report.audit.linked, style);
  text += "\n" + style.Heading("Search") + "\n";
  text += Fill(Counted(report.linked->steps, "step", "steps") +
                   " down from the most general release, by " + report.score + ".",
               2);
  for (const std::string& note : report.audit.linked->notes) {
    text += "  Note: " + Fill(Printable(note) + ".", 8).substr(8);
  }
  return text;
}

std::string RecodedText(const engine::PublishReport& report, const Style& style) {
  TextTable rows({TextTable::Align::kRight, TextTable::Align::kLeft});
  if (report.dropped > 0) {
    rows.Add({Count(report.dropped), "rows with missing values passed over, as the policy says"});
  }
  rows.Add({Count(report.rows_in), "rows in"});
  if (report.newcomers && report.earlier_releases > 0) {
    rows.Add({Count(*report.newcomers), "of them of people who were in no earlier release"});
  }
  rows.Add({Count(report.rows_out), "rows out"});
  if (report.audit.model == "k") {
    rows.Add({Count(report.suppressed), "rows left out to protect the people in them"});
  }
  std::string text = rows.ToString();
  text += "\n" + style.Heading("How the columns were recoded") + "\n";
  TextTable recoding({TextTable::Align::kLeft, TextTable::Align::kLeft});
  for (const auto& column : report.recoding) {
    recoding.Add({Printable(column.column), RecodingInWords(column)});
  }
  text += recoding.ToString();
  if (report.linked) {
    text += LinkedPublishText(report, style);
  } else {
    text += "\n" +
            style.Heading(report.earlier_releases == 0
                              ? "Promises, measured by attacking the release"
                              : "Promises, measured by attacking all releases together") +
            "\n" + PromiseTable(report.audit.promises, style, report.earlier_releases > 0);
    text += "\n" + style.Heading("Cost") + "\n" + Fill(CostInWords(report), 2);
  }
  return text;
}

}  // namespace

std::string ToText(const engine::PublishReport& report, const Style& style) {
  std::string text = style.Good("Published") + " release " + Count(report.release) + ": " +
                     Printable(report.out) + "\n";
  text += report.changing   ? ChangedRowsText(report, style)
          : report.evolving ? EvolvedRowsText(report, style)
                            : RecodedText(report, style);
  text += "\n" + style.Heading("Certificate") + "\n  " + Printable(report.certificate) + "\n";
  for (const std::string& warning : Warnings(report)) {
    text += "\n" + style.Warning(Fill("Warning: " + Printable(warning)));
  }
  return text;
}

std::string ToJson(const engine::PublishReport& report) {
  Json json;
  json["model"] = report.audit.model;
  json["release"] = report.release;
  json["file"] = report.out;
  json["certificate"] = report.certificate;
  json["rows_in"] = report.rows_in;
  json["rows_out"] = report.rows_out;
  json["suppressed"] = report.suppressed;
  json["dropped"] = report.dropped;
  json["earlier_releases"] = report.earlier_releases;
  if (report.newcomers) json["newcomers"] = *report.newcomers;
  if (report.changing) json["changing"] = ChangedRowsObject(*report.changing);
  if (report.evolving) json["evolving"] = EvolvedRowsObject(*report.evolving);
  json["recoding"] = Json::array();
  for (const auto& column : report.recoding) {
    Json entry;
    entry["column"] = column.column;
    entry["values"] = column.raw_values;
    entry["labels"] = column.labels;
    json["recoding"].push_back(std::move(entry));
  }
  Json cost;
  cost["score"] = report.score;
  if (report.linked) {
    cost["steps"] = report.linked->steps;
    cost["reexamined"] = report.linked->reexamined;
    json["search"] = std::move(cost);
    json["as_is"] = report.linked->as_is;
  } else if (!report.changing && !report.evolving) {
    cost["cost"] = JsonNumber(report.cost);
    cost["greedy_cost"] = JsonNumber(report.greedy_cost);
    if (report.paper_cost) cost["paper_cost"] = JsonNumber(*report.paper_cost);
    cost["optimal"] = report.optimal;
    cost["descents"] = report.descents;
    json["search"] = std::move(cost);
  }
  json["audit"] = AuditObject(report.audit);
  json["row_order_reproducible"] = report.row_order_reproducible;
  json["vault_unprotected"] = report.vault_unprotected;
  json["warnings"] = Warnings(report);
  return JsonText(json);
}

}  // namespace reissue::cli
