#include "cli/render/linked.h"

#include <limits>

#include "cli/render/reports.h"
#include "cli/render/series.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using engine::LinkedAudit;
using engine::LinkedFinding;
using engine::LinkedRequirement;
using engine::LinkedRequirementAudit;
using engine::Wide;

std::string FileName(const std::string& file) {
  return file == "-" ? "standard input" : Printable(file);
}

std::string Names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + Printable(name);
  return text;
}

std::string AskedInWords(const LinkedRequirement& asked) {
  if (asked.anonymity()) {
    std::vector<std::string> y;
    for (const std::string& name : asked.y) {
      const bool prior = name.ends_with(".key");
      y.push_back(name == "key" ? "rows of the release"
                  : prior       ? "rows of " + name.substr(0, name.size() - 4)
                                : name);
    }
    return "every combination of " + Names(asked.x) + " has at least " + Count(asked.k) +
           (y.size() > 1 ? " different combinations of " : " different ") +
           Printable(engine::Listed(y));
  }
  const std::string gives = "no combination of " + Names(asked.x) + " gives away ";
  if (asked.values.empty()) {
    return gives + "a value of " + Names(asked.y) + " with more than " + Percent(asked.confidence);
  }
  std::vector<std::string> values;
  for (const LinkedRequirement::Value& value : asked.values) {
    values.push_back(value.column + " = " + value.value + " with more than " +
                     Percent(value.threshold));
  }
  return gives + Printable(engine::Listed(values));
}

std::string FoundInWords(const LinkedRequirementAudit& requirement) {
  if (requirement.worst.empty() && !requirement.anonymity && !requirement.linkability) {
    return "no record of the join: nothing to break";
  }
  std::string text = requirement.asked.anonymity()
                         ? "the least is " + Count(requirement.anonymity.value_or(0))
                         : "the most is " + Percent(requirement.linkability.value_or(0));
  if (requirement.violating == 0) return text;
  return text + "; " + (requirement.counted ? "" : "at least ") +
         Counted(requirement.violating, "combination breaks it", "combinations break it");
}

std::string JoinText(const engine::AuditReport& report) {
  const LinkedAudit& linked = *report.linked;
  std::string text;
  for (std::size_t i = 0; i < report.releases.size(); ++i) {
    const std::string name = i == 0 ? "the release" : Printable(linked.names[i]);
    text += Fill(name + ": " + FileName(report.releases[i].file) + ", " +
                     Counted(report.releases[i].rows, "row", "rows"),
                 2);
  }
  const std::string on = linked.joined_on.empty() ? "nothing" : Names(linked.joined_on);
  const std::string rows = linked.join_rows == 1 ? " record" : " records";
  text += Fill(
      "Joined on " + on + ": " + engine::Digits(linked.join_rows) + rows +
          ", counted without making the join" +
          (linked.by_classes ? "" : ", label by label: not all files are recoded globally") + ".",
      2);
  return text;
}

Json WideJson(Wide number) {
  if (number <= std::numeric_limits<std::uint64_t>::max()) {
    return static_cast<std::uint64_t>(number);
  }
  return static_cast<double>(number);
}

std::string Joined(const engine::LabelledCell& cell) {
  std::string text;
  for (const auto& [column, label] : cell) text += (text.empty() ? "" : " / ") + label;
  return text;
}

Json YJson(const LinkedRequirement& asked) {
  if (asked.values.empty()) return asked.y;
  Json y = Json::object();
  for (const LinkedRequirement::Value& value : asked.values) {
    bool own = false;  // of some value of this column
    for (const LinkedRequirement::Value& other : asked.values) {
      own |= other.column == value.column && other.own;
    }
    if (own) {
      y[value.column][value.value] = value.threshold;
    } else {
      y[value.column].push_back(value.value);
    }
  }
  return y;
}

Json FindingJson(const LinkedFinding& finding, const LinkedRequirement& asked) {
  Json json;
  json["x"] = CellJson(finding.x);
  if (asked.anonymity()) {
    json["value"] = finding.distinct;
  } else {
    json["y"] = finding.y.empty() ? Json(nullptr) : Json(Joined(finding.y));
    json["value"] = finding.share;
  }
  json["records"] = WideJson(finding.records);
  if (!asked.anonymity()) {
    json["records_with_y"] = WideJson(finding.records_with_y);
    json["threshold"] = finding.threshold;
    json["column"] = finding.y.size() == 1 ? Json(finding.y[0].first) : Json(nullptr);
  }
  json["broken"] = finding.broken;
  json["words"] = finding.words;
  return json;
}

Json AskedJson(const LinkedRequirement& asked) {
  Json json;
  json["kind"] = asked.anonymity() ? "anonymity" : "linkability";
  json["x"] = asked.x;
  json["y"] = YJson(asked);
  if (asked.anonymity()) {
    json["k"] = asked.k;
  } else {
    json["confidence"] = asked.confidence;
  }
  return json;
}

Json RequirementJson(const LinkedRequirementAudit& requirement) {
  Json json = AskedJson(requirement.asked);
  if (requirement.asked.anonymity()) {
    json["value"] = requirement.anonymity ? Json(*requirement.anonymity) : Json(nullptr);
  } else {
    json["value"] = requirement.linkability ? Json(*requirement.linkability) : Json(nullptr);
  }
  json["satisfied"] = requirement.satisfied;
  json["violating"] = requirement.violating;
  json["violating_counted"] = requirement.counted;
  json["worst"] = Json::array();
  for (const LinkedFinding& finding : requirement.worst) {
    json["worst"].push_back(FindingJson(finding, requirement.asked));
  }
  return json;
}

}  // namespace

std::string RequirementsText(const LinkedAudit& linked, const Style& style) {
  std::string text;
  for (std::size_t r = 0; r < linked.requirements.size(); ++r) {
    const LinkedRequirementAudit& requirement = linked.requirements[r];
    text += "\n" +
            style.Heading("Requirement " + Count(r + 1) +
                          (requirement.asked.anonymity() ? ": anonymity" : ": linkability")) +
            "\n";
    text += Fill("Promised: " + AskedInWords(requirement.asked) + ".", 2);
    text += Fill((requirement.satisfied ? style.Good("Kept") : style.Bad("BROKEN")) + ": " +
                     FoundInWords(requirement) + ".",
                 2);
    bool first = true;
    for (const LinkedFinding& finding : requirement.worst) {
      if (!finding.broken && !first) break;  // of a kept promise the worst is enough
      first = false;
      text += "  - " + Fill(Printable(finding.words) + ".", 4).substr(4);
    }
  }
  return text;
}

std::string DanglingText(const LinkedAudit& linked, const Style& style) {
  std::string text;
  for (const std::string& warning : linked.warnings) {
    text += "\n" + style.Warning(Fill("Warning: " + Printable(warning)));
  }
  return text;
}

std::string LinkedText(const engine::AuditReport& report, const Style& style) {
  std::string text = JoinText(report);
  if (!report.published_identifiers.empty()) {
    text += Fill(style.Bad("Everybody is exposed") +
                     ": a file contains what identifies people (column " +
                     Names(report.published_identifiers) + ").",
                 2);
  }
  if (!report.published_dropped.empty()) {
    text += Fill(style.Bad("The release contains what the policy does not let out") + " (column " +
                     Names(report.published_dropped) + ").",
                 2);
  }
  text += RequirementsText(*report.linked, style);
  if (!report.linked->notes.empty()) text += "\n" + style.Heading("Notes") + "\n";
  for (const std::string& note : report.linked->notes) {
    text += "  - " + Fill(Printable(note) + ".", 4).substr(4);
  }
  return text + DanglingText(*report.linked, style);
}

Json LinkedObject(const engine::AuditReport& report) {
  const LinkedAudit& linked = *report.linked;
  Json json;
  json["model"] = report.model;
  json["satisfied"] = report.satisfied;
  json["releases"] = Json::array();
  for (std::size_t i = 0; i < report.releases.size(); ++i) {
    Json file;
    file["file"] = report.releases[i].file;
    file["name"] = linked.names[i].empty() ? Json(nullptr) : Json(linked.names[i]);
    file["rows"] = report.releases[i].rows;
    json["releases"].push_back(std::move(file));
  }
  json["requirements"] = Json::array();
  for (const LinkedRequirementAudit& requirement : linked.requirements) {
    json["requirements"].push_back(RequirementJson(requirement));
  }
  Json join;
  join["rows"] = WideJson(linked.join_rows);
  join["dangling"] = linked.dangling;
  join["columns"] = linked.joined_on;
  join["by_classes"] = linked.by_classes;
  json["join"] = std::move(join);
  json["notes"] = linked.notes;
  json["warnings"] = linked.warnings;
  json["published_identifiers"] = report.published_identifiers;
  json["published_dropped"] = report.published_dropped;
  return json;
}

std::string ToText(const engine::LinkedExplanation& report, const Style& style) {
  std::string text = Fill(Printable(engine::Where(report.x)) + ": " +
                          (report.records == 0 ? "in no record of the join"
                           : report.broken     ? style.Bad("BREAKS requirement ")
                                               : style.Good("KEEPS requirement ")) +
                          (report.records == 0 ? "" : Count(report.requirement)));
  text += Fill(Printable(report.words) + ".", 2);
  if (report.records == 0) return text;
  text += "\n" + style.Heading("What matches") + "\n";
  using Align = TextTable::Align;
  TextTable matches({Align::kLeft, Align::kRight, Align::kLeft});
  for (const auto& match : report.matches) {
    for (std::size_t t = 0; t < match.partitions.size(); ++t) {
      const std::string name = t == 0 ? "the release" : report.names[t];
      std::string where;
      for (const auto& [column, label] : match.partitions[t]) {
        where += (where.empty() ? "" : ", ") + Printable(column) + " = " + Printable(label);
      }
      matches.Add({Printable(name), Counted(match.rows[t], "row", "rows"), where});
    }
    matches.Add({"", "", "together " + engine::Digits(match.records) + " of the join"});
  }
  text += matches.ToString();
  if (report.more > 0) text += "  and " + Count(report.more) + " more\n";
  if (report.values.empty()) return text;
  text += "\n" + style.Heading("What it is linked to") + "\n";
  TextTable values({Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  for (const auto& value : report.values) {
    std::string promised;
    if (value.threshold) promised = "at most " + Percent(*value.threshold) + " promised";
    values.Add({Printable(engine::Where(value.y)), engine::Digits(value.records),
                Percent(value.share), promised});
  }
  return text + values.ToString();
}

std::string ToJson(const engine::LinkedExplanation& report) {
  Json json;
  json["model"] = "xy";
  json["requirement"] = report.requirement;
  const Json asked = AskedJson(report.asked);
  for (const auto& [key, value] : asked.items()) {
    json[key == "x" ? "columns" : key == "y" ? "promised" : key] = value;
  }
  json["x"] = CellJson(report.x);
  json["broken"] = report.broken;
  json["records"] = WideJson(report.records);
  json["distinct"] = report.asked.anonymity() ? Json(report.distinct) : Json(nullptr);
  json["matches"] = Json::array();
  for (const auto& match : report.matches) {
    Json entry;
    entry["partitions"] = Json::array();
    for (std::size_t t = 0; t < match.partitions.size(); ++t) {
      Json partition;
      partition["file"] = report.files[t];
      partition["cell"] = CellJson(match.partitions[t]);
      partition["rows"] = match.rows[t];
      entry["partitions"].push_back(std::move(partition));
    }
    entry["records"] = WideJson(match.records);
    json["matches"].push_back(std::move(entry));
  }
  json["more_matches"] = report.more;
  json["values"] = Json::array();
  for (const auto& value : report.values) {
    Json entry;
    entry["y"] = CellJson(value.y);
    entry["records"] = WideJson(value.records);
    entry["share"] = value.share;
    entry["threshold"] = value.threshold ? Json(*value.threshold) : Json(nullptr);
    json["values"].push_back(std::move(entry));
  }
  json["words"] = report.words;
  return JsonText(json);
}

}  // namespace reissue::cli
