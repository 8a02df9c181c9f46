#include "cli/render/models/cells.h"
#include "cli/render/models/similarity_beliefs.h"
#include "cli/render/text.h"
#include "cli/render/views.h"
#include "cli/render/worth.h"
#include "reissue/models/similarity/service/measure.h"

namespace reissue::cli {
namespace {

namespace sim = models::similarity::service;
using sim::EvolvingFindings;
using sim::ReaderFindings;
using sim::SimilarityFindings;

constexpr char kEvolvingModel[] = "j-similarity";

std::string EvolvedRowsText(const contract::PublishReport& report, const Style& style) {
  const auto& evolving = report.details.As<sim::EvolvedRows>();
  const auto& found = report.audit.findings.As<SimilarityFindings>();
  const EvolvingFindings& release = found.releases[0];
  TextTable rows({Align::kRight, Align::kLeft});
  if (report.dropped > 0) {
    rows.Add({Count(report.dropped), "rows with missing values passed over, as the policy says"});
  }
  rows.Add({Count(report.rows_in), "people in the table"});
  if (report.earlier_releases > 0) {
    rows.Add({Count(evolving.people_new), "of them in no earlier release"});
    rows.Add({Count(evolving.people_returned), "of them back after an absence"});
    rows.Add({Count(evolving.changed_values), "of them with another value than last time"});
    rows.Add({Count(evolving.people_left), "people of the last release have left"});
  }
  rows.Add({Count(report.suppressed), "left out, because they fit into no group"});
  if (release.counterfeit > 0) {
    rows.Add({Count(release.counterfeit), "shown with a value that is not theirs"});
  }
  rows.Add({Count(report.rows_out), "rows out"});
  std::string text = rows.ToString();
  text += "\n" + style.Heading("Groups") + "\n";
  std::string groups =
      Counted(release.groups, "group", "groups") + ", formed by \"" + evolving.algorithm + "\".";
  if (evolving.repaired > 0) {
    groups += " " + Counted(evolving.repaired, "was", "were") +
              " changed because the reader would have believed too much.";
  }
  text += Fill(groups, 2);
  text +=
      Fill(Percent(release.penalty_share) + " of all detail is lost (" + Number(release.penalty) +
               " rows' worth). By their quasi-identifiers alone about " + Number(release.linkage) +
               " people can be linked to their groups.",
           2);
  text +=
      "\n" +
      style.Heading("Promises, measured by reading the release as \"" + found.against + "\" does") +
      "\n" + PromiseTable(report.audit.promises, style, BeliefWords());
  const ReaderFindings& reader = release.readers[0];
  text += Fill("After it, she has gained " + Number(reader.mean_gain) + " on average. " +
                   StrongestText(reader),
               2);
  text += ApproximatedText(found) + UnsettledText(found);
  if (evolving.statements > 0) {
    text += Fill(Counted(evolving.statements, "statement", "statements") +
                     " about people of this release were known to her.",
                 2);
  }
  if (evolving.replayed) {
    text += Fill(
        "More, or other, values of earlier releases are known to her than when they were "
        "published: her beliefs were computed anew from the first release on.",
        2);
  }
  if (!evolving.holder_copy.empty()) {
    text += "\n" + style.Heading("Holder's copy, with identifiers: keep it private") + "\n  " +
            Printable(evolving.holder_copy) + "\n";
  }
  return text;
}

Json EvolvedRowsObject(const sim::EvolvedRows& evolving) {
  Json json;
  json["algorithm"] = evolving.algorithm;
  json["leftover"] = evolving.leftover;
  json["against"] = evolving.against;
  json["people"] = {{"new", evolving.people_new},
                    {"returned", evolving.people_returned},
                    {"left", evolving.people_left},
                    {"changed", evolving.changed_values}};
  json["repaired"] = evolving.repaired;
  if (evolving.relaxed) {
    json["relaxed"] = {{"k", evolving.relaxed->k},
                       {"j", JsonNumber(evolving.relaxed->j)},
                       {"beta", JsonNumber(evolving.relaxed->beta)},
                       {"t", JsonNumber(evolving.relaxed->t)}};
  }
  json["statements"] = evolving.statements;
  if (evolving.replayed) json["replayed"] = true;
  json["holder_copy"] = evolving.holder_copy.empty() ? Json(nullptr) : Json(evolving.holder_copy);
  return json;
}

std::vector<std::string> EvolvedRowsWarnings(const contract::PublishReport& report) {
  std::vector<std::string> warnings;
  const EvolvingFindings& release = report.audit.findings.As<SimilarityFindings>().releases[0];
  if (report.details.As<sim::EvolvedRows>().relaxed) {
    warnings.push_back(
        "the release keeps less than was asked for: people who fit into no group were put where "
        "the promise suffers least (leftover = \"relax\"). The table of promises says how much is "
        "kept.");
  }
  if (release.counterfeit > 0) {
    warnings.push_back(
        Counted(release.counterfeit, "person is", "people are") +
        " shown with a value that is not theirs (leftover = \"counterfeit\"). Readers who count "
        "values should be told that there are some.");
  }
  return warnings;
}

std::string PenaltyText(const sim::Metrics& report, const Style& style) {
  TextTable rows({Align::kLeft, Align::kRight, Align::kLeft});
  rows.Add({"people in the table", Count(report.people), ""});
  rows.Add({"rows of the release", Count(report.rows), ""});
  rows.Add({"left out", Count(report.people - report.rows), "people who fitted into no group"});
  rows.Add({"groups", Count(report.groups), "the smallest has " + Count(report.shape.k)});
  std::string text = style.Heading("Rows and groups") + "\n" + rows.ToString();
  text += "\n" + style.Heading("How much detail is lost (global certainty penalty)") + "\n";
  TextTable lost({Align::kLeft, Align::kRight, Align::kLeft});
  lost.Add({"rows' worth", Number(report.penalty), "of at most " + Count(report.people)});
  lost.Add({"per row", Percent(report.penalty_share), "0 %: nothing is lost; left out: 100 %"});
  for (const auto& [column, penalty] : report.columns) {
    lost.Add({Printable(column), Percent(penalty), "of its detail, in the rows that are shown"});
  }
  text += lost.ToString();
  if (report.worth) text += WorthText(*report.worth, style);
  text += "\n" + style.Heading("How well people can be linked to their groups") + "\n";
  if (!report.linkage) {
    return text +
           Fill("Who is in which group the release does not tell: give the holder's copy.", 2);
  }
  return text + Fill("About " + Number(*report.linkage) + " of " + Count(report.people) +
                         " people, by their quasi-identifiers alone.",
                     2);
}

Json PenaltyObject(const sim::Metrics& report) {
  Json json;
  json["model"] = kEvolvingModel;
  json["people"] = report.people;
  json["rows"] = report.rows;
  json["suppressed"] = report.people - report.rows;
  json["groups"] = report.groups;
  json["k"] = report.shape.k;
  json["gcp"] = MeasuredJson(report.penalty);
  json["gcp_share"] = MeasuredJson(report.penalty_share);
  json["rl"] = report.linkage ? MeasuredJson(*report.linkage) : Json(nullptr);
  json["columns"] = Json::array();
  for (const auto& [column, penalty] : report.columns) {
    json["columns"].push_back({{"column", column}, {"penalty", MeasuredJson(penalty)}});
  }
  if (report.worth) AddWorth(*report.worth, json);
  return json;
}

class EvolvingTableView final : public View {
 public:
  std::string model() const override { return kEvolvingModel; }

  std::string Help(std::string_view verb) const override {
    if (verb == "audit") {
      return "Model j-similarity plays readers who know how likely values are for people of a "
             "kind, how they follow one another, and some people's values ([knowledge] of the "
             "policy). Each goes through all releases: what she believes after each, and of whom "
             "too much. It reads holder's copies, too (with everybody's own quasi-identifiers), or "
             "the vault.";
    }
    if (verb == "publish") {
      return "With the model j-similarity values change as well, and readers have beliefs about "
             "them: people are put into groups of whom a reader believes nearly the same, and "
             "before anything is written that reader is asked what she would believe afterwards.";
    }
    if (verb == "metrics") {
      return "Of a release of model j-similarity: how much detail is lost (global certainty "
             "penalty), and, if the holder's copy is given instead, how well people can be linked "
             "to their groups.";
    }
    return verb == "verify" ? "One of model j-similarity needs the release." : "";
  }

  std::string AuditText(const contract::AuditReport& report, const Style& style) const override {
    return SimilarityText(report, style);
  }
  Told Tell(const contract::AuditReport& report) const override { return TellSimilarity(report); }
  // Of a certificate only what the file tells.
  Json AuditObject(const contract::AuditReport& report) const override {
    return report.findings.If<SimilarityFindings>() != nullptr ? SimilarityObject(report)
                                                               : PlainAuditObject(report);
  }

  std::string PublishText(const contract::PublishReport& report,
                          const Style& style) const override {
    return EvolvedRowsText(report, style);
  }
  std::vector<std::string> PublishWarnings(const contract::PublishReport& report) const override {
    return EvolvedRowsWarnings(report);
  }
  void AddPublishMembers(const contract::PublishReport& report, Json& json) const override {
    json["evolving"] = EvolvedRowsObject(report.details.As<sim::EvolvedRows>());
    AddRecoding(report, json);
  }

  std::vector<std::string> VerifyChecks(const VerificationReport& report) const override {
    std::vector<std::string> checks = {
        UnchangedCheck(report), kFileFits, kNumbersFit,
        "What follows from the file (k, beta, t) is as promised and as certified."};
    AddMeasuredChecks(report, checks);
    if (report.releases.size() > 1) checks.push_back(kEarlierFit);
    return checks;
  }

  std::string MetricsText(const contract::MetricsReport& report,
                          const Style& style) const override {
    return PenaltyText(report.findings.As<sim::Metrics>(), style);
  }
  Json MetricsObject(const contract::MetricsReport& report) const override {
    return PenaltyObject(report.findings.As<sim::Metrics>());
  }

 private:
  std::vector<Meaning> meanings() const override { return BeliefWords(); }
};

}  // namespace

const View& SimilarityView() {
  static const EvolvingTableView view;
  return view;
}

}  // namespace reissue::cli
