#include <algorithm>
#include <cmath>
#include <functional>

#include "cli/render/models/cells.h"
#include "cli/render/text.h"
#include "cli/render/views.h"
#include "reissue/models/similarity/service/measure.h"
#include "reissue/models/similarity/service/report.h"

namespace reissue::cli {
namespace {

namespace sim = models::similarity::service;
using sim::EvolvingFindings;
using sim::ReaderFindings;
using sim::SimilarityFindings;

constexpr char kModel[] = "j-similarity";

std::vector<Meaning> Words() {
  return {{"j", "how far a reader's beliefs in a group's people differ, in bits", "at most"},
          {"max_belief", "a reader's belief in any value of anybody", "at most"},
          {"max_gain", "what a reader gains about any value of anybody (equation 8)", "at most"}};
}

// One number of every reader, a line per release.
std::string ReadersTable(const SimilarityFindings& found,
                         const std::function<double(const ReaderFindings&)>& number) {
  std::vector<Align> align = {Align::kRight};
  std::vector<std::string> head = {"release"};
  for (const ReaderFindings& reader : found.releases[0].readers) {
    align.push_back(Align::kRight);
    head.push_back(reader.estimator);
  }
  TextTable table(align);
  table.Add(head);
  for (std::size_t r = 0; r < found.releases.size(); ++r) {
    std::vector<std::string> line = {Count(r + 1)};
    for (const ReaderFindings& reader : found.releases[r].readers) {
      line.push_back(Number(number(reader)));
    }
    table.Add(line);
  }
  return table.ToString();
}

// What each release costs and reveals.
std::string CostTable(const SimilarityFindings& found) {
  TextTable table(std::vector<Align>(11, Align::kRight));
  table.Add(
      {"release", "rows", "groups", "left out", "k", "J", "beta", "t", "GCP", "per row", "RL"});
  for (std::size_t r = 0; r < found.releases.size(); ++r) {
    const EvolvingFindings& release = found.releases[r];
    table.Add({Count(r + 1), Count(release.rows), Count(release.groups), Count(release.suppressed),
               Count(release.shape.k), Number(release.shape.j), Number(release.shape.beta),
               Number(release.shape.t), Number(release.penalty), Percent(release.penalty_share),
               Number(release.linkage)});
  }
  return table.ToString();
}

std::string ExposedLine(const sim::ExposedPerson& person) {
  const std::string who = person.id.empty() ? "somebody" : Printable(person.id);
  std::string text = who + ", release " + Count(person.release) + ": " + Printable(person.value);
  if (person.same_values) return text + ", for certain. Everybody in the group has it.";
  if (person.belief > 1 - 1e-9) {
    return text + ", for certain to the reader \"" + person.by + "\": no other value is possible.";
  }
  return text + ", believed with " + Percent(person.belief) + " by the reader \"" + person.by +
         "\" (gain " + Number(person.gain) + ").";
}

std::string ExposedPeopleText(const SimilarityFindings& found, const Style& style) {
  std::string text = "\n" + style.Heading("Who is exposed") + "\n";
  std::vector<std::string> ways = {"known for certain"};
  if (found.max_belief) {
    ways.push_back("believed with more than " + Percent(*found.max_belief) +
                   " and more than before");
  }
  if (found.max_gain) ways.push_back("with a gain above " + Number(*found.max_gain));
  std::string meaning = "(true value ";
  for (std::size_t i = 0; i < ways.size(); ++i) {
    meaning += (i == 0 ? "" : i + 1 == ways.size() ? ", or " : ", ") + ways[i];
  }
  meaning += ", to any of the readers)";
  if (found.exposed == 0) return text + Fill("Nobody " + meaning + ".", 2);
  text += Fill(Counted(found.exposed, "person", "people") + " " + meaning + ".", 2);
  if (found.from_vault) {
    return text + Fill("The vault knows nobody by name; an audit of holder's copies says who.", 2);
  }
  for (const sim::ExposedPerson& person : found.strongest) {
    text += "  - " + Fill(ExposedLine(person), 4).substr(4);
  }
  return text;
}

std::uint64_t Approximated(const SimilarityFindings& found) {
  std::uint64_t groups = 0;
  for (const EvolvingFindings& release : found.releases) {
    for (const ReaderFindings& reader : release.readers) groups += reader.approximated;
  }
  return groups;
}

// Certain: somebody's value is no secret any more, whatever the groups keep.
std::string StrongestText(const ReaderFindings& reader) {
  if (reader.certain == 0) {
    return "She believes in no value of anybody with more than " + Percent(reader.strongest_any) +
           ", unless she did before.";
  }
  return "Of " + Counted(reader.certain, "person's", "people's") +
         " value she is certain now: k, j, beta and t do not rule that out. max_belief and "
         "max_gain in the policy do; `reissue audit` of the holder's copy says who it is.";
}

std::string ApproximatedText(const SimilarityFindings& found) {
  const std::uint64_t groups = Approximated(found);
  if (groups == 0) return "";
  return Fill(
      "In " + Counted(groups, "group", "groups") +
          " the exact answer would have taken too long; \"scaling\" answered for \"exact\".",
      2);
}

// Without what is left of rounding.
Json Measured(double number) { return JsonNumber(std::round(number * 1e12) / 1e12); }

Json ReleaseObject(const EvolvingFindings& release) {
  Json json;
  json["rows"] = release.rows;
  json["groups"] = release.groups;
  json["suppressed"] = release.suppressed;
  if (release.counterfeit > 0) json["counterfeit"] = release.counterfeit;
  json["k"] = release.shape.k;
  json["J"] = Measured(release.shape.j);
  json["beta"] = Measured(release.shape.beta);
  json["t"] = Measured(release.shape.t);
  json["gcp"] = Measured(release.penalty);
  json["gcp_share"] = Measured(release.penalty_share);
  json["rl"] = Measured(release.linkage);
  const auto of_readers = [&](const char* name, const auto& number) {
    json[name] = Json::object();
    for (const ReaderFindings& reader : release.readers) {
      json[name][reader.estimator] = Measured(number(reader));
    }
  };
  of_readers("strongest_any", [](const auto& reader) { return reader.strongest_any; });
  of_readers("largest_gain_any", [](const auto& reader) { return reader.largest_gain_any; });
  of_readers("gain", [](const auto& reader) { return reader.mean_gain; });
  of_readers("largest_gain", [](const auto& reader) { return reader.largest_gain; });
  of_readers("strongest", [](const auto& reader) { return reader.strongest; });
  std::uint64_t approximated = 0, unsettled = 0;
  for (const ReaderFindings& reader : release.readers) {
    approximated += reader.approximated;
    unsettled += reader.unsettled;
  }
  if (approximated > 0) json["approximated"] = approximated;
  if (unsettled > 0) json["unsettled"] = unsettled;
  json["broken"] = release.broken;
  if (!release.unproven.empty()) json["unproven"] = release.unproven;
  return json;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What the reader of the promise makes of a release that does not keep it.
std::string BeyondText(const ReaderFindings& reader, bool gain_promised) {
  std::string text;
  if (reader.beyond > 0) {
    text += " Of " + Counted(reader.beyond, "person", "people") +
            " she believes or gains more than is promised, in a true value or a false one.";
  }
  if (gain_promised && reader.certain > 0) {
    text += " Of " + Counted(reader.certain, "person's", "people's") +
            " value she is certain, and was not before: no promise of gain allows that.";
  }
  return text;
}

std::string BrokenText(const SimilarityFindings& found) {
  std::string text;
  for (std::size_t r = 0; r < found.releases.size(); ++r) {
    const EvolvingFindings& release = found.releases[r];
    const auto& reader =
        *std::ranges::find(release.readers, found.against, &ReaderFindings::estimator);
    const std::string name = "Release " + Count(r + 1);
    if (!release.broken.empty()) {
      text += Fill(name + " breaks " + Listed(release.broken) + "." +
                       BeyondText(reader, found.max_gain.has_value()),
                   2);
    }
    if (!release.unproven.empty()) {
      text +=
          Fill(name + " is not proven to keep " + Listed(release.unproven) + ": in " +
                   Counted(reader.unsettled, "group", "groups") +
                   " her knowledge excludes what is shown, so that there is nothing to believe.",
               2);
    }
  }
  return text;
}

std::string SimilarityText(const contract::AuditReport& report, const Style& style) {
  const auto& found = report.findings.As<SimilarityFindings>();
  std::string text;
  if (found.from_vault) {
    text += Fill("From what the vault keeps: who was in which group when, not by name.", 2);
  }
  text += "\n" + style.Heading("Promises, against the reader \"" + found.against + "\"") + "\n" +
          PromiseTable(report.promises, style, Words()) + BrokenText(found);
  text += "\n" +
          style.Heading(std::string("Strongest belief in any value of anybody, true or not") +
                        (found.max_belief ? ", that she did not have before" : "")) +
          "\n" +
          ReadersTable(found, [](const ReaderFindings& reader) { return reader.strongest_any; });
  text += "\n" +
          style.Heading("Strongest belief in somebody's true value, which the holder can tell") +
          "\n" + ReadersTable(found, [](const ReaderFindings& reader) { return reader.strongest; });
  text += "\n" + style.Heading("What readers gain about true values: mean (equation 8)") + "\n" +
          ReadersTable(found, [](const ReaderFindings& reader) { return reader.mean_gain; });
  text += ApproximatedText(found);
  text += "\n" +
          style.Heading("What the releases cost (GCP), and how well people are linked (RL)") +
          "\n" + CostTable(found);
  return text + ExposedPeopleText(found, style);
}

Json SimilarityObject(const contract::AuditReport& report) {
  const auto& found = report.findings.As<SimilarityFindings>();
  Json json;
  json["model"] = report.model;
  json["satisfied"] = report.satisfied;
  json["against"] = found.against;
  json["releases"] = Json::array();
  for (std::size_t r = 0; r < found.releases.size(); ++r) {
    Json release = ReleaseObject(found.releases[r]);
    if (r < report.releases.size()) release["file"] = report.releases[r].file;
    json["releases"].push_back(std::move(release));
  }
  json["promises"] = PromisesJson(report.promises);
  json["exposed"] = Json::array();
  for (const sim::ExposedPerson& person : found.strongest) {
    Json entry;
    entry["id"] = person.id.empty() ? Json(nullptr) : Json(person.id);
    entry["release"] = person.release;
    entry["value"] = person.value;
    entry["belief"] = Measured(person.belief);
    entry["gain"] = Measured(person.gain);
    entry["by"] = person.by;
    if (person.same_values) entry["same_values"] = true;
    json["exposed"].push_back(std::move(entry));
  }
  json["exposed_persons"] = found.exposed;
  return json;
}

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
  text += Fill("GCP " + Number(release.penalty) + " (" + Percent(release.penalty_share) +
                   " of all detail is lost), RL " + Number(release.linkage) + ".",
               2);
  text +=
      "\n" +
      style.Heading("Promises, measured by reading the release as \"" + found.against + "\" does") +
      "\n" + PromiseTable(report.audit.promises, style, Words());
  const ReaderFindings& reader = release.readers[0];
  text += Fill("After it, she has gained " + Number(reader.mean_gain) +
                   " on average (equation 8). " + StrongestText(reader),
               2);
  text += ApproximatedText(found);
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
  lost.Add({"GCP", Number(report.penalty), "of at most " + Count(report.people)});
  lost.Add({"per row", Percent(report.penalty_share), "0 %: nothing is lost; left out: 100 %"});
  for (const auto& [column, penalty] : report.columns) {
    lost.Add({Printable(column), Percent(penalty), "of its detail, in the rows that are shown"});
  }
  text += lost.ToString();
  text += "\n" + style.Heading("How well people can be linked to their groups (RL)") + "\n";
  if (!report.linkage) {
    return text +
           Fill("Who is in which group the release does not tell: give the holder's copy.", 2);
  }
  return text + Fill("About " + Number(*report.linkage) + " of " + Count(report.people) +
                         " people, by their quasi-identifiers alone (equation 7).",
                     2);
}

Json PenaltyObject(const sim::Metrics& report) {
  Json json;
  json["model"] = kModel;
  json["people"] = report.people;
  json["rows"] = report.rows;
  json["suppressed"] = report.people - report.rows;
  json["groups"] = report.groups;
  json["k"] = report.shape.k;
  json["gcp"] = Measured(report.penalty);
  json["gcp_share"] = Measured(report.penalty_share);
  json["rl"] = report.linkage ? Measured(*report.linkage) : Json(nullptr);
  json["columns"] = Json::array();
  for (const auto& [column, penalty] : report.columns) {
    json["columns"].push_back({{"column", column}, {"penalty", Measured(penalty)}});
  }
  return json;
}

class EvolvingTableView final : public View {
 public:
  std::string model() const override { return kModel; }

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
        kChecksumFits, kFileFits, kNumbersFit,
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
  std::vector<Meaning> meanings() const override { return Words(); }
};

}  // namespace

const View& SimilarityView() {
  static const EvolvingTableView view;
  return view;
}

}  // namespace reissue::cli
