#include "cli/render/simulation.h"

#include <algorithm>

#include "cli/render/json.h"
#include "cli/render/text.h"

namespace reissue::cli {

std::string ToText(const SimulationReport& report, const Style&) {
  return Printable(report.file) + ": " + Counted(report.rows, "row", "rows") + ", " +
         Counted(report.columns.size(), "column", "columns") + ", seed " +
         std::to_string(report.seed) + "\n";
}

std::string ToJson(const SimulationReport& report) {
  Json json;
  json["file"] = report.file;
  json["rows"] = report.rows;
  json["columns"] = report.columns;
  json["seed"] = report.seed;
  return JsonText(json);
}

std::string ToText(const UpdatesReport& report, const Style&) {
  const std::string names = report.files.size() == 1
                                ? report.files.front()
                                : report.files.front() + " … " + report.files.back();
  return Printable(names) + ": " + Counted(report.files.size(), "table", "tables") + " of " +
         Counted(report.rows, "row", "rows") + ", " + Count(report.replaced) +
         " replaced each time, " +
         (report.changed > 0 ? Count(report.changed) + " changed, " : "") +
         Counted(report.columns.size(), "column", "columns") + ", seed " +
         std::to_string(report.seed) + "\n";
}

std::string ToJson(const UpdatesReport& report) {
  Json json;
  json["files"] = report.files;
  json["rows"] = report.rows;
  json["replaced"] = report.replaced;
  if (report.changed > 0) json["changed"] = report.changed;
  json["columns"] = report.columns;
  json["seed"] = report.seed;
  return JsonText(json);
}

std::string ToText(const EvolvingReport& report, const Style&) {
  const auto [least, most] = std::minmax_element(report.rows.begin(), report.rows.end());
  const std::string names = report.tables.size() == 1
                                ? report.tables.front()
                                : report.tables.front() + " … " + report.tables.back();
  std::string text = Printable(names) + ": " + Counted(report.tables.size(), "table", "tables") +
                     " of " + (*least == *most ? "" : Count(*least) + " to ") +
                     Counted(*most, "row", "rows") + ", " +
                     Counted(report.persons, "person", "people") + " in all, seed " +
                     std::to_string(report.seed) + "\n";
  for (const std::string& name : report.others) text += Printable(name) + "\n";
  return text;
}

std::string ToJson(const EvolvingReport& report) {
  Json json;
  json["tables"] = report.tables;
  json["rows"] = report.rows;
  json["persons"] = report.persons;
  json["others"] = report.others;
  json["seed"] = report.seed;
  return JsonText(json);
}

}  // namespace reissue::cli
