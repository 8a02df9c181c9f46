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

}  // namespace reissue::cli
