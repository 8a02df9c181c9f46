#include "cli/render/models/cells.h"

#include <string_view>

#include "cli/render/text.h"
#include "cli/render/views.h"

namespace reissue::cli {
namespace {

namespace cells = models::k::service;

struct Attack {
  std::string_view name;
  std::string_view words;
};

constexpr Attack kAttacks[] = {
    {"identity", "in a group so small that they can be singled out"},
    {"homogeneity", "in a group where everybody has the same sensitive value"},
    {"skew", "in a group whose sensitive values give more away than promised"},
};

std::uint64_t PersonsOf(const cells::CellFindings& found, std::string_view attack) {
  if (attack == "identity") return found.identity;
  return attack == "homogeneity" ? found.homogeneity : found.skew;
}

Json ExposureJson(const cells::Exposure& exposure) {
  Json json;
  json["attack"] = exposure.attack;
  json["promise"] = exposure.promise;
  json["cell"] = CellJson(exposure.cell);
  json["size"] = exposure.rows;
  json["value"] = exposure.value.empty() ? Json(nullptr) : Json(exposure.value);
  json["measured"] = JsonNumber(exposure.measured);
  json["asked"] = JsonNumber(exposure.asked);
  json["words"] = exposure.words;
  return json;
}

constexpr std::size_t kFewLabels = 6;
constexpr std::size_t kRoomForLabels = 60;

std::string RecodingInWords(const contract::PublishReport::Recoded& column, bool whole) {
  const std::string values = Counted(column.raw_values, "value", "values");
  if (column.labels.size() == 1 && column.raw_values > 1) {
    return values + " → hidden (" + Printable(column.labels.front()) + ")";
  }
  const std::string groups = values + " → " + Counted(column.labels.size(), "label", "labels");
  const std::string labels = PrintableList(column.labels);
  if (!whole && (column.labels.size() > kFewLabels || Columns(labels) > kRoomForLabels)) {
    return groups;
  }
  return groups + ": " + labels;
}

std::string CostInWords(const cells::SearchDetails& search) {
  std::string text = search.score + " " + Number(search.cost) +
                     " (less is better); a single greedy descent ends at " +
                     Number(search.greedy_cost);
  if (search.paper_cost) text += ", the paper's search at " + Number(*search.paper_cost);
  if (search.optimal) text += "; proven: no other recoding is cheaper";
  if (search.optimal && search.framed) text += " that is nowhere finer than recent releases";
  text += ".";
  if (search.gave_up) {
    text +=
        " Whether another recoding is cheaper is not proven: the search `optimal` gave up. For a "
        "proof raise the budget, or take fewer or smaller taxonomies.";
  }
  if (search.passing_cost) {
    text += " Today " + Number(*search.passing_cost) +
            " would do, too; what one descent ends at was taken, which leaves more to the releases "
            "to come.";
  }
  return text;
}

}  // namespace

std::string ReleaseLines(const contract::AuditReport& report, bool numbered) {
  std::string text;
  for (std::size_t i = 0; i < report.releases.size(); ++i) {
    const auto& release = report.releases[i];
    const std::string which = numbered ? "release " + Count(i + 1) + ": " : "";
    text += "  " + which + Counted(release.rows, "row", "rows") + " in " +
            Counted(release.cells, "group", "groups") +
            " of people who look alike; the smallest has " + Count(release.smallest) + ".\n";
  }
  return text;
}

std::string MeasuresText(const contract::AuditReport& report, const Style& style,
                         const std::vector<Meaning>& own) {
  std::string text =
      "\n" + style.Heading("Promises") + "\n" + PromiseTable(report.promises, style, own);
  if (report.also_measured.empty()) return text;
  return text + "\n" + style.Heading("Not promised, measured all the same (worst group)") + "\n" +
         MeasureTable(report.also_measured);
}

std::string ExposedText(const contract::AuditReport& report, const cells::CellFindings& found,
                        const Style& style) {
  std::string text = "\n" + style.Heading("Who is exposed") + "\n";
  if (!report.published_dropped.empty()) {
    text += Fill("The file contains what the policy does not let out (column " +
                     PrintableList(report.published_dropped) + "). Whom that exposes is not known.",
                 2);
  }
  if (!report.published_identifiers.empty()) {
    text += Fill("Everybody: the file contains what identifies people (column " +
                     PrintableList(report.published_identifiers) + "). Take it back.",
                 2);
  }
  if (NobodyIsExposed(report)) return text + "  Nobody, against a reader of this release alone.\n";
  if (report.exposed == 0) return text + CertainAnyway(report);
  text += "  " + Counted(report.exposed, "person", "people") + " of " + Count(report.rows) + "\n";
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft}, 4);
  for (const Attack& attack : kAttacks) {
    table.Add({std::string(attack.name), Count(PersonsOf(found, attack.name)),
               std::string(attack.words)});
  }
  text += table.ToString();
  if (found.worst.empty()) return text;
  text += "\n" + style.Heading("The worst groups") + "\n";
  for (const cells::Exposure& exposure : found.worst) {
    const std::string words = Fill(exposure.attack + ": " + Printable(exposure.words), 4);
    text += "  - " + words.substr(4);
  }
  return text;
}

Told TellCells(const contract::AuditReport& report, const cells::CellFindings& found) {
  Told told;
  if (report.exposed > 0) {
    page::Grid attacks{"Promise broken for " + Counted(report.exposed, "person", "people") +
                           " of " + Count(report.rows) + ", by attack",
                       {{"attack"}, {"people", true}, {"how"}},
                       {}};
    for (const Attack& attack : kAttacks) {
      attacks.rows.push_back({{std::string(attack.name)},
                              {Count(PersonsOf(found, attack.name))},
                              {std::string(attack.words)}});
    }
    told.exposed.push_back(std::move(attacks));
  }
  for (const cells::Exposure& exposure : found.worst) {
    told.worst.push_back(exposure.attack + ": " + exposure.words);
  }
  return told;
}

Json ReleasesJson(const contract::AuditReport& report) {
  Json releases = Json::array();
  for (const auto& release : report.releases) {
    Json file;
    file["file"] = release.file;
    file["rows"] = release.rows;
    file["cells"] = release.cells;
    file["smallest"] = release.smallest;
    releases.push_back(std::move(file));
  }
  return releases;
}

Json AlsoMeasuredJson(const contract::AuditReport& report) {
  Json measured = Json::array();
  for (const contract::PromiseKept& measure : report.also_measured) {
    Json entry;
    entry["promise"] = measure.name;
    entry["measured"] = JsonNumber(measure.measured);
    measured.push_back(std::move(entry));
  }
  return measured;
}

Json ExposedJson(const contract::AuditReport& report, const cells::CellFindings& found) {
  Json exposed;
  exposed["persons"] = report.exposed;
  for (const Attack& attack : kAttacks) {
    exposed[std::string(attack.name)] = PersonsOf(found, attack.name);
  }
  exposed["worst"] = Json::array();
  for (const cells::Exposure& exposure : found.worst) {
    exposed["worst"].push_back(ExposureJson(exposure));
  }
  return exposed;
}

Json PlainAuditObject(const contract::AuditReport& report, const cells::CellFindings& found) {
  Json json;
  json["model"] = report.model;
  json["satisfied"] = report.satisfied;
  json["releases"] = ReleasesJson(report);
  json["promises"] = PromisesJson(report.promises);
  json["also_measured"] = AlsoMeasuredJson(report);
  json["exposed"] = ExposedJson(report, found);
  json["published_identifiers"] = report.published_identifiers;
  json["published_dropped"] = report.published_dropped;
  return json;
}

std::string RecodedText(const contract::PublishReport& report, const std::string& suppressed,
                        const Style& style) {
  TextTable rows({Align::kRight, Align::kLeft});
  if (report.dropped > 0) {
    rows.Add({Count(report.dropped), "rows with missing values passed over, as the policy says"});
  }
  rows.Add({Count(report.rows_in), "rows in"});
  if (report.newcomers && report.earlier_releases > 0) {
    rows.Add({Count(*report.newcomers), "of them of people who were in no earlier release"});
  }
  rows.Add({Count(report.rows_out), "rows out"});
  if (!suppressed.empty()) rows.Add({Count(report.suppressed), suppressed});
  std::string text = rows.ToString();
  text += "\n" + style.Heading("How the columns were recoded") + "\n";
  TextTable recoding({Align::kLeft, Align::kLeft});
  for (const auto& column : report.recoding) {
    recoding.Add({Printable(column.column), RecodingInWords(column, style.whole())});
  }
  return text + recoding.ToString();
}

std::string PromisesAndCostText(const contract::PublishReport& report, const Style& style,
                                const std::vector<Meaning>& own) {
  return "\n" +
         style.Heading(report.earlier_releases == 0
                           ? "Promises, measured by attacking the release"
                           : "Promises, measured by attacking all releases together") +
         "\n" + PromiseTable(report.audit.promises, style, own) + "\n" + style.Heading("Cost") +
         "\n" + Fill(CostInWords(report.details.As<cells::SearchDetails>()), 2);
}

void AddRecodedMembers(const contract::PublishReport& report, Json& json) {
  AddRecoding(report, json);
  const auto& search = report.details.As<cells::SearchDetails>();
  Json cost;
  cost["score"] = search.score;
  cost["cost"] = JsonNumber(search.cost);
  cost["greedy_cost"] = JsonNumber(search.greedy_cost);
  if (search.paper_cost) cost["paper_cost"] = JsonNumber(*search.paper_cost);
  if (search.passing_cost) cost["passing_cost"] = JsonNumber(*search.passing_cost);
  cost["optimal"] = search.optimal;
  cost["descents"] = search.descents;
  json["search"] = std::move(cost);
}

}  // namespace reissue::cli
