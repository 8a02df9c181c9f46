#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"

namespace reissue::cli {

std::string ToText(const SpreadsheetReport& report, const Style&) {
  const std::string changed =
      report.copy.cells == 0
          ? "no cell had to change"
          : Counted(report.copy.cells, "cell was", "cells were") + " changed, and none runs";
  return Printable(report.file) + ": " + Counted(report.copy.rows, "row", "rows") + "; " + changed +
         "\n";
}

std::string ToJson(const SpreadsheetReport& report) {
  Json json;
  json["file"] = report.file;
  json["rows"] = report.copy.rows;
  json["changed_cells"] = report.copy.cells;
  return JsonText(json);
}

}  // namespace reissue::cli
