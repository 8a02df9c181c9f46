#include "cli/render/models/similarity_beliefs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "cli/render/promises.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

namespace sim = models::similarity::service;
using sim::EvolvingFindings;
using sim::ReaderFindings;
using sim::SimilarityFindings;

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

page::Grid ReadersGrid(const std::string& caption, const SimilarityFindings& found,
                       double ReaderFindings::*number) {
  page::Grid grid{caption, {{"release"}}, {}};
  for (const ReaderFindings& reader : found.releases[0].readers) {
    grid.columns.push_back({"reader \"" + reader.estimator + "\"", true});
  }
  for (std::size_t r = 0; r < found.releases.size(); ++r) {
    std::vector<page::Grid::Cell> row = {{Count(r + 1)}};
    for (const ReaderFindings& reader : found.releases[r].readers) {
      row.push_back({Number(reader.*number)});
    }
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

// What each release costs and reveals.
std::string CostTable(const SimilarityFindings& found) {
  TextTable table(std::vector<Align>(11, Align::kRight));
  table.Add({"release", "rows", "groups", "left out", "k", "J", "beta", "t", "lost", "per row",
             "linked"});
  for (std::size_t r = 0; r < found.releases.size(); ++r) {
    const EvolvingFindings& release = found.releases[r];
    table.Add({Count(r + 1), Count(release.rows), Count(release.groups), Count(release.suppressed),
               Count(release.shape.k), Number(release.shape.j), Number(release.shape.beta),
               Number(release.shape.t), Number(release.penalty), Percent(release.penalty_share),
               Number(release.linkage)});
  }
  return table.ToString() +
         Fill(
             "k: rows in the smallest group. J: how far a reader's beliefs in a group's people "
             "differ, in bits. beta, t: how far the values of a group are from those of the table. "
             "lost: detail, in rows' worth. linked: people.",
             4);
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

// What makes somebody count as exposed.
std::string ExposedMeaning(const SimilarityFindings& found) {
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
  return meaning + ", to any of the readers)";
}

constexpr char kNobodyByName[] =
    "The vault knows nobody by name; an audit of holder's copies says who.";

std::string ExposedPeopleText(const contract::AuditReport& report, const SimilarityFindings& found,
                              const Style& style) {
  std::string text = "\n" + style.Heading("Who is exposed") + "\n";
  const std::string meaning = ExposedMeaning(found);
  if (found.exposed == 0 && NobodyIsExposed(report)) {
    return text + Fill("Nobody " + meaning + ".", 2);
  }
  if (found.exposed == 0) return text + CertainAnyway(report);
  text += Fill(Counted(found.exposed, "person", "people") + " " + meaning + ".", 2);
  if (found.from_vault) return text + Fill(kNobodyByName, 2);
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

Json ReleaseObject(const EvolvingFindings& release) {
  Json json;
  json["rows"] = release.rows;
  json["groups"] = release.groups;
  json["suppressed"] = release.suppressed;
  if (release.counterfeit > 0) json["counterfeit"] = release.counterfeit;
  json["k"] = release.shape.k;
  json["J"] = MeasuredJson(release.shape.j);
  json["beta"] = MeasuredJson(release.shape.beta);
  json["t"] = MeasuredJson(release.shape.t);
  json["gcp"] = MeasuredJson(release.penalty);
  json["gcp_share"] = MeasuredJson(release.penalty_share);
  json["rl"] = MeasuredJson(release.linkage);
  const auto of_readers = [&](const char* name, const auto& number) {
    json[name] = Json::object();
    for (const ReaderFindings& reader : release.readers) {
      json[name][reader.estimator] = MeasuredJson(number(reader));
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

}  // namespace

std::vector<Meaning> BeliefWords() {
  return {{"j", "how far a reader's beliefs in a group's people differ, in bits", "at most"},
          {"max_belief", "a reader's belief in any value of anybody", "at most"},
          {"max_gain", "what a reader gains about any value of anybody", "at most"}};
}

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

std::string UnsettledText(const SimilarityFindings& found) {
  std::map<std::string, std::uint64_t> groups;
  for (const EvolvingFindings& release : found.releases) {
    for (const ReaderFindings& reader : release.readers) {
      groups[reader.estimator] += reader.unsettled;
    }
  }
  std::string text;
  for (const auto& [reader, count] : groups) {
    if (count == 0) continue;
    text += Fill("In " + Counted(count, "group", "groups") + " what \"" + reader +
                     "\" knows excludes what is shown: her beliefs there are a guess of ours.",
                 2);
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
          PromiseTable(report.promises, style, BeliefWords()) + BrokenText(found);
  text += "\n" +
          style.Heading(std::string("Strongest belief in any value of anybody, true or not") +
                        (found.max_belief ? ", that she did not have before" : "")) +
          "\n" +
          ReadersTable(found, [](const ReaderFindings& reader) { return reader.strongest_any; });
  text += "\n" +
          style.Heading("Strongest belief in somebody's true value, which the holder can tell") +
          "\n" + ReadersTable(found, [](const ReaderFindings& reader) { return reader.strongest; });
  text += "\n" + style.Heading("What readers gain about true values: mean") + "\n" +
          ReadersTable(found, [](const ReaderFindings& reader) { return reader.mean_gain; });
  text += ApproximatedText(found) + UnsettledText(found);
  text += "\n" +
          style.Heading(
              "What the releases lose of all detail, and how many people can be linked to their "
              "groups") +
          "\n" + CostTable(found);
  return text + ExposedPeopleText(report, found, style);
}

Told TellSimilarity(const contract::AuditReport& report) {
  const auto& found = report.findings.As<SimilarityFindings>();
  Told told;
  told.meanings = BeliefWords();
  const std::string meaning = ExposedMeaning(found);
  if (found.exposed > 0) {
    told.exposed.push_back(
        page::Paragraph{Counted(found.exposed, "person", "people") + " " + meaning + "."});
    if (found.from_vault) told.exposed.push_back(page::Paragraph{kNobodyByName});
  }
  if (!found.from_vault) {
    for (const sim::ExposedPerson& person : found.strongest)
      told.worst.push_back(ExposedLine(person));
  }
  told.more.push_back({"What readers believe",
                       {ReadersGrid("Strongest belief in any value of anybody, true or not", found,
                                    &ReaderFindings::strongest_any),
                        ReadersGrid("Strongest belief in somebody's true value, which the holder "
                                    "can tell",
                                    found, &ReaderFindings::strongest),
                        ReadersGrid("What readers gain about true values: mean", found,
                                    &ReaderFindings::mean_gain)}});
  page::Measure left_out{"left out", {}, {}, {}, {}};
  page::Measure lost{"detail lost, per person", {}, {}, {}, {}};
  lost.percent = true;
  for (const EvolvingFindings& release : found.releases) {
    left_out.texts.push_back(Count(release.suppressed));
    lost.texts.push_back(Percent(release.penalty_share));
    lost.numbers.push_back(release.penalty_share);
  }
  told.series = {std::move(left_out), std::move(lost)};
  return told;
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
    entry["belief"] = MeasuredJson(person.belief);
    entry["gain"] = MeasuredJson(person.gain);
    entry["by"] = person.by;
    if (person.same_values) entry["same_values"] = true;
    json["exposed"].push_back(std::move(entry));
  }
  json["exposed_persons"] = found.exposed;
  return json;
}

Json MeasuredJson(double number) { return JsonNumber(std::round(number * 1e12) / 1e12); }

}  // namespace reissue::cli
