#include <string_view>

#include "cli/render/invariance.h"
#include "cli/render/linked.h"
#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/render/series.h"
#include "cli/render/similarity.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

struct Attack {
  std::string_view name;
  std::string_view words;
};

constexpr Attack kAttacks[] = {
    {"identity", "in a group so small that they can be singled out"},
    {"homogeneity", "in a group where everybody has the same sensitive value"},
    {"skew", "in a group whose sensitive values give more away than promised"},
};

std::uint64_t PersonsOf(const engine::AuditReport& report, std::string_view attack) {
  if (attack == "identity") return report.identity;
  return attack == "homogeneity" ? report.homogeneity : report.skew;
}

bool IsSeries(const engine::AuditReport& report) {
  return report.series.has_value() && report.releases.size() > 1;
}

std::string Judgement(const engine::AuditReport& report, const Style& style) {
  using engine::SeriesVerdict;
  const bool many = report.releases.size() > 1 && !report.linked;
  if (report.satisfied) {
    return style.Good(many ? "KEEP their promise together" : "KEEPS its promise");
  }
  if (report.series && report.series->verdict == SeriesVerdict::kNotOneSeries) {
    return style.Bad("ARE NOT ONE SERIES");
  }
  const bool unproven = report.invariance && !report.invariance->broken;
  if (unproven || (report.series && report.series->verdict == SeriesVerdict::kUnknown)) {
    return style.Bad("NOT PROVEN to keep their promise");
  }
  return style.Bad(many ? "BREAK their promise together" : "BREAKS its promise");
}

std::string Verdict(const engine::AuditReport& report, const Style& style) {
  std::string files;
  for (const auto& release : report.releases) {
    const bool first_prior = report.linked && &release == &report.releases[1];
    files += (files.empty() ? ""
              : first_prior ? " beside "
                            : ", ") +
             (release.file == "-" ? std::string("standard input") : Printable(release.file));
  }
  return files + ": " + Judgement(report, style) + "\n";
}

std::string ExposedText(const engine::AuditReport& report, const Style& style) {
  std::string text = "\n" + style.Heading("Who is exposed") + "\n";
  if (!report.published_dropped.empty()) {
    std::string columns;
    for (const std::string& column : report.published_dropped) {
      columns += (columns.empty() ? "" : ", ") + Printable(column);
    }
    text += Fill("The file contains what the policy does not let out (column " + columns +
                     "). Whom that exposes is not known.",
                 2);
  }
  if (!report.published_identifiers.empty()) {
    std::string columns;
    for (const std::string& column : report.published_identifiers) {
      columns += (columns.empty() ? "" : ", ") + Printable(column);
    }
    text += Fill("Everybody: the file contains what identifies people (column " + columns +
                     "). Take it back.",
                 2);
  }
  if (report.exposed == 0) return text + "  Nobody, against a reader of this release alone.\n";
  text += "  " + Counted(report.exposed, "person", "people") + " of " + Count(report.rows) + "\n";
  TextTable table({TextTable::Align::kLeft, TextTable::Align::kRight, TextTable::Align::kLeft}, 4);
  for (const Attack& attack : kAttacks) {
    table.Add({std::string(attack.name), Count(PersonsOf(report, attack.name)),
               std::string(attack.words)});
  }
  text += table.ToString();
  if (report.worst.empty()) return text;
  text += "\n" + style.Heading("The worst groups") + "\n";
  for (const engine::Exposure& exposure : report.worst) {
    const std::string words = Fill(exposure.attack + ": " + Printable(exposure.words), 4);
    text += "  - " + words.substr(4);
  }
  return text;
}

Json ExposureJson(const engine::Exposure& exposure) {
  Json cell = Json::object();
  for (const auto& [column, label] : exposure.cell) cell[column] = label;
  Json json;
  json["attack"] = exposure.attack;
  json["promise"] = exposure.promise;
  json["cell"] = std::move(cell);
  json["size"] = exposure.rows;
  json["value"] = exposure.value.empty() ? Json(nullptr) : Json(exposure.value);
  json["measured"] = JsonNumber(exposure.measured);
  json["asked"] = JsonNumber(exposure.asked);
  json["words"] = exposure.words;
  return json;
}

Json ExposedJson(const engine::AuditReport& report) {
  Json exposed;
  exposed["persons"] = report.exposed;
  for (const Attack& attack : kAttacks) {
    exposed[std::string(attack.name)] = PersonsOf(report, attack.name);
  }
  exposed["worst"] = Json::array();
  for (const engine::Exposure& exposure : report.worst) {
    exposed["worst"].push_back(ExposureJson(exposure));
  }
  return exposed;
}

}  // namespace

std::string ToText(const engine::AuditReport& report, const Style& style) {
  std::string text = Verdict(report, style);
  if (report.linked) return text + LinkedText(report, style);
  if (report.invariance) return text + InvarianceText(report, style);
  if (report.similarity) return text + SimilarityText(report, style);
  for (std::size_t i = 0; i < report.releases.size(); ++i) {
    const auto& release = report.releases[i];
    const std::string which = IsSeries(report) ? "release " + Count(i + 1) + ": " : "";
    text += "  " + which + Counted(release.rows, "row", "rows") + " in " +
            Counted(release.cells, "group", "groups") +
            " of people who look alike; the smallest has " + Count(release.smallest) + ".\n";
  }
  if (IsSeries(report) && report.series->verdict == engine::SeriesVerdict::kNotOneSeries) {
    return text + SeriesText(report, style);
  }
  text += "\n" + style.Heading("Promises") + "\n" +
          PromiseTable(report.promises, style, IsSeries(report));
  if (!report.also_measured.empty()) {
    text += "\n" + style.Heading("Not promised, measured all the same (worst group)") + "\n" +
            MeasureTable(report.also_measured);
  }
  return text + (IsSeries(report) ? SeriesText(report, style) : ExposedText(report, style));
}

Json AuditObject(const engine::AuditReport& report) {
  if (report.linked) return LinkedObject(report);
  if (report.invariance) return InvarianceObject(report);
  if (report.similarity) return SimilarityObject(report);
  Json json;
  json["model"] = report.model;
  if (report.series) json["k"] = report.series->k;
  json["satisfied"] = report.satisfied;
  json["releases"] = Json::array();
  for (const auto& release : report.releases) {
    Json file;
    file["file"] = release.file;
    file["rows"] = release.rows;
    file["cells"] = release.cells;
    file["smallest"] = release.smallest;
    json["releases"].push_back(std::move(file));
  }
  if (report.series) json["anonymity"] = AnonymityJson(*report.series);
  if (IsSeries(report)) {
    json["exposed"] = {{"persons", report.exposed}, {"worst", SeriesWorstJson(*report.series)}};
  }
  json["promises"] = PromisesJson(report.promises);
  json["also_measured"] = Json::array();
  for (const engine::PromiseKept& measure : report.also_measured) {
    Json entry;
    entry["promise"] = measure.name;
    entry["measured"] = JsonNumber(measure.measured);
    json["also_measured"].push_back(std::move(entry));
  }
  if (!IsSeries(report)) json["exposed"] = ExposedJson(report);
  if (report.series) AddSeriesMembers(*report.series, json);
  json["published_identifiers"] = report.published_identifiers;
  json["published_dropped"] = report.published_dropped;
  return json;
}

std::string ToJson(const engine::AuditReport& report) { return JsonText(AuditObject(report)); }

}  // namespace reissue::cli
