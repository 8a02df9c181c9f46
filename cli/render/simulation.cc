#include "cli/render/simulation.h"

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
         " replaced each time, " + Counted(report.columns.size(), "column", "columns") + ", seed " +
         std::to_string(report.seed) + "\n";
}

std::string ToJson(const UpdatesReport& report) {
  Json json;
  json["files"] = report.files;
  json["rows"] = report.rows;
  json["replaced"] = report.replaced;
  json["columns"] = report.columns;
  json["seed"] = report.seed;
  return JsonText(json);
}

}  // namespace reissue::cli
