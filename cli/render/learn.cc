#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"

namespace reissue::cli {

std::string ToText(const contract::LearnReport& report, const Style& style) {
  std::string text = style.Good("Learned") + " from " + Counted(report.rows, "row", "rows") +
                     " of " + Counted(report.people, "person", "people") + " in " +
                     Counted(report.tables, "table", "tables") + "\n";
  text += "  " + Printable(report.prior) + ": " +
          Counted(report.kinds, "kind of people", "kinds of people") + ", " +
          Counted(report.values, "value", "values") + "\n";
  text += "  " + Printable(report.transition) + ": ";
  text += report.sequences > 0 ? Counted(report.contexts, "context", "contexts") + " of up to " +
                                     Counted(report.steps, "value", "values") + ", from " +
                                     Counted(report.sequences, "sequence", "sequences") + "\n"
                               : "nobody is in two tables in a row: any value may follow any\n";
  text += "\n" + Fill(
                     "Name them in the policy (paths are relative to it), and leave them as they "
                     "are while a series is published with them:");
  text += "  [knowledge]\n  prior = \"" + Printable(report.prior) + "\"\n  transition = \"" +
          Printable(report.transition) + "\"\n  steps = " + std::to_string(report.steps) + "\n";
  return text;
}

std::string ToJson(const contract::LearnReport& report) {
  Json json;
  json["prior"] = report.prior;
  json["transition"] = report.transition;
  json["tables"] = report.tables;
  json["rows"] = report.rows;
  json["people"] = report.people;
  json["kinds"] = report.kinds;
  json["values"] = report.values;
  json["sequences"] = report.sequences;
  json["contexts"] = report.contexts;
  json["steps"] = report.steps;
  json["smoothing"] = JsonNumber(report.smoothing);
  return JsonText(json);
}

}  // namespace reissue::cli
