#include <algorithm>

#include "cli/render/models/cells.h"
#include "cli/render/models/invariance_findings.h"
#include "cli/render/text.h"
#include "cli/render/views.h"
#include "cli/render/worth.h"
#include "reissue/models/invariance/service/measure.h"
#include "reissue/models/invariance/service/report.h"

namespace reissue::cli {
namespace {

namespace inv = models::invariance::service;
using inv::InvarianceFindings;

constexpr char kModel[] = "m-invariance";

std::vector<Meaning> Words() {
  return {{"m", "values that are possible for everybody", "at least"},
          {"e", "people on a side that is shown to equal another", "at least"}};
}

std::string ChangedRowsText(const contract::PublishReport& report, const Style& style) {
  const auto& changing = report.details.As<inv::ChangedRows>();
  TextTable rows({Align::kRight, Align::kLeft});
  if (report.dropped > 0) {
    rows.Add({Count(report.dropped), "rows with missing values passed over, as the policy says"});
  }
  rows.Add({Count(report.rows_in), "people in the table"});
  if (report.earlier_releases > 0) {
    rows.Add({Count(changing.people_new), "of them in no earlier release"});
    rows.Add({Count(changing.people_returned), "of them back after an absence"});
    rows.Add({Count(changing.changed_values), "of them with another value than before"});
    rows.Add({Count(changing.people_left), "people of the last release have left"});
  }
  rows.Add({Count(report.rows_out), "rows out"});
  std::string text = rows.ToString();
  text += "\n" + style.Heading("Counterfeits: rows that belong to nobody") + "\n";
  TextTable counterfeits({Align::kRight, Align::kLeft});
  counterfeits.Add({Count(changing.counterfeits_new), "new"});
  if (report.earlier_releases > 0) {
    counterfeits.Add({Count(changing.counterfeits_kept), "kept from the last release"});
    counterfeits.Add({Count(changing.counterfeits_dropped), "no longer needed"});
  }
  text += counterfeits.ToString();
  text += "\n" + style.Heading("Groups") + "\n";
  std::string groups = Counted(changing.groups, "group", "groups");
  if (changing.groups != changing.buckets) {
    groups += " of " + Counted(changing.buckets, "bucket", "buckets");
  }
  groups += ", each with at least " + Count(changing.least_values) +
            " values, all equally often; form \"" + changing.form + "\".";
  if (changing.topped_up > 0) {
    groups +=
        " " + Counted(changing.topped_up, "bucket", "buckets") +
        " got more rows than balance needs, so that nobody is shown to have the same value as "
        "somebody else.";
  }
  text += Fill(groups, 2);
  text += "\n" +
          style.Heading(report.earlier_releases == 0
                            ? "Promises, measured by reading and attacking the release"
                            : "Promises, measured by attacking all releases together") +
          "\n" + PromiseTable(report.audit.promises, style, Words());
  if (report.audit.findings.As<InvarianceFindings>().e_by_rule) {
    text += Fill(
        "e could not be measured anew from what the vault keeps, because people came back. It "
        "is kept by the way the release was made: every bucket that changed has enough "
        "newcomers. An audit of the holder's copies measures it.",
        2);
  }
  if (!changing.files.empty()) {
    text += "\n" + style.Heading("Beside it, to be published with it") + "\n";
    for (const std::string& file : changing.files) text += "  " + Printable(file) + "\n";
  }
  if (!changing.holder_copy.empty()) {
    text += "\n" + style.Heading("Holder's copy, with identifiers: keep it private") + "\n  " +
            Printable(changing.holder_copy) + "\n";
  }
  return text;
}

Json ChangedRowsObject(const inv::ChangedRows& changing, bool by_rule) {
  Json json;
  json["form"] = changing.form;
  json["people"] = {{"new", changing.people_new},
                    {"returned", changing.people_returned},
                    {"left", changing.people_left},
                    {"changed", changing.changed_values}};
  json["buckets"] = changing.buckets;
  json["groups"] = changing.groups;
  json["counterfeits"] = {{"new", changing.counterfeits_new},
                          {"kept", changing.counterfeits_kept},
                          {"dropped", changing.counterfeits_dropped}};
  json["topped_up"] = changing.topped_up;
  if (by_rule) json["by_rule"] = true;
  json["least_values"] = changing.least_values;
  json["files"] = changing.files;
  json["holder_copy"] = changing.holder_copy.empty() ? Json(nullptr) : Json(changing.holder_copy);
  return json;
}

std::string ReleaseCostText(const inv::Metrics& report, const Style& style) {
  TextTable rows({Align::kLeft, Align::kRight, Align::kLeft});
  rows.Add({"people in the table", Count(report.people), ""});
  rows.Add({"rows of the release", Count(report.rows), ""});
  rows.Add({"counterfeits", Count(report.rows - report.people), "rows that belong to nobody"});
  rows.Add({"groups", Count(report.groups), "form \"" + report.form + "\""});
  rows.Add({"values in a group", Count(report.least_values),
            "at least; promised are m = " + Count(report.m) + ", and e = " + Count(report.e)});
  return style.Heading("Rows and groups") + "\n" + rows.ToString() + WorthText(report.worth, style);
}

Json ReleaseCostObject(const inv::Metrics& report) {
  Json json;
  json["model"] = kModel;
  json["m"] = report.m;
  json["e"] = report.e;
  json["form"] = report.form;
  json["people"] = report.people;
  json["rows"] = report.rows;
  json["counterfeits"] = report.rows - report.people;
  json["groups"] = report.groups;
  json["least_values"] = report.least_values;
  AddWorth(report.worth, json);
  return json;
}

class ChangingTableView final : public View {
 public:
  std::string model() const override { return kModel; }

  std::string Help(std::string_view verb) const override {
    if (verb == "audit") {
      return "Model m-invariance looks at all releases of a table whose rows come and go, oldest "
             "first: which values remain possible for somebody whose groups are known, and which "
             "people are shown to have the same values. That depends on who was in which group, so "
             "it reads holder's copies (an identifier, a group and the value per row; `reissue "
             "publish --holder-copy` writes them), or with --vault the state of the series. With "
             "--knows it says whose values follow if somebody's becomes known.";
    }
    if (verb == "publish") {
      return "With the model m-invariance people come and go: give the table of today. Everybody "
             "stays in a group with the same possible values for as long as they are there, and "
             "rows that belong to nobody (counterfeits) are added where needed. The values are in "
             "a file of their own beside the release (FILE.sensitive.csv; form anatomy). "
             "--holder-copy writes who is in which group, for audits.";
    }
    if (verb == "metrics") {
      return "Of a release of model m-invariance: the number of counterfeits, and how far answers "
             "to COUNT queries over ranges of the quasi-identifiers are from the truth.";
    }
    return verb == "verify" ? "One of model m-invariance needs the release with the files beside "
                              "it, and, to check everything, all holder's copies up to it."
                            : "";
  }

  std::string AuditText(const contract::AuditReport& report, const Style& style) const override {
    return InvarianceText(report, style);
  }
  Told Tell(const contract::AuditReport& report) const override {
    Told told = TellInvariance(report);
    told.meanings = Words();
    return told;
  }
  // Of a certificate that was checked without holder's copies only what the files tell.
  Json AuditObject(const contract::AuditReport& report) const override {
    return report.findings.If<InvarianceFindings>() != nullptr ? InvarianceObject(report)
                                                               : PlainAuditObject(report);
  }

  std::string PublishText(const contract::PublishReport& report,
                          const Style& style) const override {
    return ChangedRowsText(report, style);
  }
  std::vector<std::string> PublishWarnings(const contract::PublishReport& report) const override {
    const std::uint64_t changed = report.details.As<inv::ChangedRows>().changed_values;
    if (changed == 0) return {};
    return {Counted(changed, "person has", "people have") + " another value than before, and " +
            (changed == 1 ? "counts" : "count") +
            " as somebody new: the link to what was published before is lost. The promise says "
            "nothing about a reader who knows that a value has changed."};
  }
  void AddPublishMembers(const contract::PublishReport& report, Json& json) const override {
    json["changing"] = ChangedRowsObject(report.details.As<inv::ChangedRows>(),
                                         report.audit.findings.As<InvarianceFindings>().e_by_rule);
    AddRecoding(report, json);
  }

  std::vector<std::string> VerifyChecks(const VerificationReport& report) const override {
    std::vector<std::string> checks = {
        UnchangedCheck(report), "The file and those beside it are the ones that were certified.",
        "Every group has at least m values, all equally often, and as many rows."};
    if (report.result.audit.findings.If<InvarianceFindings>() != nullptr) {
      checks.push_back(
          "All releases up to it keep the guaranteed promise together, by the holder's copies.");
    } else {
      AddMeasuredChecks(report, checks);
    }
    if (report.releases.size() > 1) checks.push_back(kEarlierFit);
    return checks;
  }
  std::string VerifyText(const VerificationReport& report, const Style& style) const override {
    if (report.result.audit.findings.If<InvarianceFindings>() == nullptr) {
      return View::VerifyText(report, style);
    }
    return InvarianceText(report.result.audit, style);
  }

  std::string MetricsText(const contract::MetricsReport& report,
                          const Style& style) const override {
    return ReleaseCostText(report.findings.As<inv::Metrics>(), style);
  }
  Json MetricsObject(const contract::MetricsReport& report) const override {
    return ReleaseCostObject(report.findings.As<inv::Metrics>());
  }

  Tally tally() const override { return {"counterfeits", "counterfeits"}; }

 private:
  std::vector<Meaning> meanings() const override { return Words(); }
};

}  // namespace

const View& InvarianceView() {
  static const ChangingTableView view;
  return view;
}

}  // namespace reissue::cli
