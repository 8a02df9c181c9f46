#include "cli/render/reports.h"
#include "cli/render/series.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using Align = TextTable::Align;
using engine::ExplainedTarget;
using engine::ExplainReport;

std::string CellText(const engine::LabelledCell& cell) {
  std::string text;
  for (const auto& [column, label] : cell) text += (text.empty() ? "" : ", ") + label;
  return Printable(text);
}

std::string LeftText(const engine::Bounds& left) {
  if (left.lower == left.upper) return Count(left.lower);
  return Count(left.lower) + " to " + Count(left.upper);
}

std::string ArgumentText(const engine::ExplainedValue& value) {
  std::string text;
  for (const engine::Argument& argument : value.arguments) {
    text += (text.empty() ? "" : "; ") + argument.attack + ": release " + Count(argument.against) +
            " excludes " + Count(argument.excluded) + " of release " + Count(argument.release);
  }
  if (value.left.upper < value.pairs) {
    text += (text.empty() ? "" : "; ") + std::string("all releases together: ") +
            Count(value.pairs - value.left.upper) + " more";
  }
  return text;
}

std::string MatchText(const engine::MatchingCell& match) {
  std::string values;
  for (const engine::ValueRows& value : match.values) {
    if (value.value.empty()) continue;
    values += (values.empty() ? " (" : ", ") + Count(value.rows) + " " + value.value;
  }
  return "In release " + Count(match.release) + ": " + Counted(match.size, "row", "rows") + " of " +
         engine::Where(match.cell) + values + (values.empty() ? "" : ")") + ".";
}

std::string WitnessText(const ExplainedTarget& target) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kLeft});
  table.Add({"value", "first seen in", "people", "where"});
  for (const engine::WitnessShare& share : target.witness) {
    std::string where;
    for (std::size_t i = 0; i < share.cells.size(); ++i) {
      where += (where.empty() ? "" : " → ") + CellText(share.cells[i]);
    }
    table.Add({Printable(share.value), "release " + Count(share.born), Count(share.people), where});
  }
  std::string text = table.ToString();
  if (target.more_witness > 0) text += "  … and " + Count(target.more_witness) + " more\n";
  return text;
}

std::string TargetText(const ExplainedTarget& target, const ExplainReport& report,
                       const Style& style) {
  std::string text;
  TextTable table([&] {
    std::vector<Align> columns(target.cells.size() + 2, Align::kRight);
    columns.front() = Align::kLeft;
    columns.push_back(Align::kLeft);
    return columns;
  }());
  std::vector<std::string> heading = {"value"};
  for (const engine::MatchingCell& cell : target.cells) {
    heading.push_back("release " + Count(cell.release));
  }
  heading.push_back("left");
  heading.push_back("excluded by");
  table.Add(std::move(heading));
  for (const engine::ExplainedValue& value : target.values) {
    std::vector<std::string> row = {value.value.empty() ? "(rows)" : Printable(value.value)};
    for (const std::uint64_t size : value.sizes) row.push_back(Count(size));
    row.push_back(LeftText(value.left));
    row.push_back(ArgumentText(value));
    table.Add(std::move(row));
  }
  text += table.ToString();
  std::string words = "Left: " + LeftText(target.left) + ", where " + Count(report.k) + " " +
                      (report.k == 1 ? "was" : "were") + " promised.";
  if (!target.broken.empty()) {
    words += " Broken:";
    for (const std::string& promise : target.broken) words += " " + promise;
    words += ".";
  }
  text += "  " + (target.broken.empty() ? words : style.Bad(words)) + "\n";
  if (target.witness.empty()) return text;
  return text + "\n" + style.Heading("A world in which so many cannot be excluded") + "\n" +
         WitnessText(target);
}

Json MatchJson(const engine::MatchingCell& match) {
  Json json;
  json["release"] = match.release;
  json["cell"] = CellJson(match.cell);
  json["size"] = match.size;
  json["values"] = Json::object();
  for (const engine::ValueRows& value : match.values) json["values"][value.value] = value.rows;
  return json;
}

Json BoundsJson(const engine::Bounds& bounds) {
  Json json;
  json["lower"] = bounds.lower;
  json["upper"] = bounds.upper;
  return json;
}

Json TargetJson(const ExplainedTarget& target) {
  Json json;
  json["cells"] = Json::array();
  for (const engine::MatchingCell& cell : target.cells) json["cells"].push_back(MatchJson(cell));
  json["left"] = BoundsJson(target.left);
  json["broken"] = target.broken;
  json["values"] = Json::array();
  for (const engine::ExplainedValue& value : target.values) {
    Json entry;
    entry["value"] = value.value;
    entry["sizes"] = value.sizes;
    entry["arguments"] = Json::array();
    for (const engine::Argument& argument : value.arguments) {
      Json why;
      why["attack"] = argument.attack;
      why["release"] = argument.release;
      why["against"] = argument.against;
      why["excluded"] = argument.excluded;
      entry["arguments"].push_back(std::move(why));
    }
    entry["pairs"] = value.pairs;
    entry["left"] = BoundsJson(value.left);
    json["values"].push_back(std::move(entry));
  }
  json["witness"] = Json::array();
  for (const engine::WitnessShare& share : target.witness) {
    Json entry;
    entry["value"] = share.value;
    entry["born"] = share.born;
    entry["cells"] = Json::array();
    for (const engine::LabelledCell& cell : share.cells) entry["cells"].push_back(CellJson(cell));
    entry["people"] = share.people;
    json["witness"].push_back(std::move(entry));
  }
  json["more_witness"] = target.more_witness;
  return json;
}

}  // namespace

std::string ToText(const ExplainReport& report, const Style& style) {
  std::string text = style.Heading("Somebody who first appears in release " + Count(report.born)) +
                     "\n" + Fill(Printable(engine::Where(report.person)), 2) + "\n";
  if (!report.conflicts.empty()) {
    text += style.Bad("The files are not releases of one growing table.") + "\n";
    for (const engine::SeriesConflict& conflict : report.conflicts) {
      text += "  - " + Fill(Printable(conflict.words), 4).substr(4);
    }
    return text;
  }
  text += style.Heading("Rows that match") + "\n";
  for (const engine::MatchingCell& match : report.matching) {
    text += "  - " + Fill(Printable(MatchText(match)), 4).substr(4);
  }
  if (report.matching.empty()) text += "  None.\n";
  if (report.targets.empty()) {
    return text + "\n" +
           Fill(
               "No world that explains all releases has such a person: nobody with this knowledge "
               "about them first appears in this release.");
  }
  for (std::size_t i = 0; i < report.targets.size(); ++i) {
    const ExplainedTarget& target = report.targets[i];
    text += "\n" + style.Heading("What is left");
    if (report.targets.size() > 1) {
      text += " if the person is in";
      for (const engine::MatchingCell& cell : target.cells) {
        text += (&cell == &target.cells.front() ? " " : " → ") + CellText(cell.cell);
      }
    }
    text += "\n" + TargetText(target, report, style);
  }
  if (report.more_targets > 0) {
    text += "\n… and " + Count(report.more_targets) + " more ways to be in the releases\n";
  }
  return text;
}

std::string ToJson(const ExplainReport& report) {
  Json json;
  json["model"] = "bcf";
  json["k"] = report.k;
  json["releases"] = report.files;
  json["born"] = report.born;
  json["person"] = CellJson(report.person);
  json["possible"] = !report.targets.empty();
  json["broken"] = report.broken;
  json["matching"] = Json::array();
  for (const engine::MatchingCell& match : report.matching) {
    json["matching"].push_back(MatchJson(match));
  }
  json["targets"] = Json::array();
  for (const ExplainedTarget& target : report.targets) {
    json["targets"].push_back(TargetJson(target));
  }
  json["more_targets"] = report.more_targets;
  json["not_one_series"] = Json::array();
  for (const engine::SeriesConflict& conflict : report.conflicts) {
    json["not_one_series"].push_back(conflict.words);
  }
  return JsonText(json);
}

}  // namespace reissue::cli
