#include "cli/render/setting.h"

namespace reissue::cli {
namespace {

std::string People(std::uint64_t number, bool identified) {
  return identified ? Counted(number, "person", "people") : Counted(number, "row", "rows");
}

std::string StepText(const advice::SettingStep& step, bool identified, bool whole) {
  const std::size_t shown = whole ? step.columns.size() : 8;
  std::string text = Printable(step.from) + " to " + Printable(step.to) + ": " +
                     People(step.stayed, identified) + " stayed, " + Count(step.came) + " came, " +
                     Count(step.left) + " left";
  if (!identified) return text;
  text += ", values of " + Count(step.changed) + " changed";
  for (std::size_t i = 0; i < std::min(step.columns.size(), shown); ++i) {
    text += (i == 0 ? " (" : ", ") + Printable(step.columns[i].first) + " " +
            Count(step.columns[i].second);
  }
  if (step.columns.size() > shown) {
    text += ", and " + Counted(step.columns.size() - shown, "other column", "other columns");
  }
  return text + (step.columns.empty() ? "" : ")");
}

}  // namespace

std::string SettingText(const advice::SettingAdvice& setting, const std::string& order,
                        const Style& style) {
  std::string text;
  if (!setting.steps.empty() || setting.kind == advice::SettingKind::kOtherColumns) {
    text += Fill(
        "Ordered " + order + "; compared " +
            (setting.identifier.empty() ? "by equal rows"
                                        : "by column \"" + Printable(setting.identifier) + "\"") +
            ".",
        2);
    for (const advice::SettingStep& step : setting.steps) {
      text += Fill("- " + StepText(step, !setting.identifier.empty(), style.whole()), 2);
    }
    text += "\n";
  }
  text += style.Heading("Model " + setting.model) + "\n";
  text += Fill(setting.why + " " + setting.promise, 2);
  return text;
}

Json SettingJson(const advice::SettingAdvice& setting, const std::string& order) {
  Json json;
  json["setting"] = advice::SettingName(setting.kind);
  json["model"] = setting.model;
  json["why"] = setting.why;
  json["promise"] = setting.promise;
  json["order"] = order;
  json["compared_by"] = setting.identifier.empty() ? Json(nullptr) : Json(setting.identifier);
  json["steps"] = Json::array();
  for (const advice::SettingStep& step : setting.steps) {
    Json entry;
    entry["from"] = step.from;
    entry["to"] = step.to;
    entry["stayed"] = step.stayed;
    entry["came"] = step.came;
    entry["left"] = step.left;
    if (!setting.identifier.empty()) {
      entry["changed"] = step.changed;
      entry["changed_sensitive"] = step.changed_sensitive;
      entry["changed_columns"] = Json::object();
      for (const auto& [name, people] : step.columns) entry["changed_columns"][name] = people;
    }
    json["steps"].push_back(std::move(entry));
  }
  return json;
}

std::string TablesText(const std::vector<TableLine>& tables, const Style& style) {
  std::string text;
  for (const TableLine& table : tables) {
    text += style.Heading(Printable(table.path)) + ": " + Counted(table.rows, "row", "rows") +
            ", " + Counted(table.columns, "column", "columns") + "\n";
  }
  return text;
}

Json TablesJson(const std::vector<TableLine>& tables) {
  Json json = Json::array();
  for (const TableLine& table : tables) {
    json.push_back({{"file", table.path}, {"rows", table.rows}, {"columns", table.columns}});
  }
  return json;
}

std::string ToText(const engine::AdviseReport& report, const Style& style) {
  std::string text = TablesText(LinesOf(report.tables), style);
  text += SettingText(report.setting, report.order, style);
  for (const std::string& note : report.setting.notes) text += Fill("- " + Printable(note), 2);
  text += "\n" + style.Heading("Next") + "\n  " + Printable(report.next) + "\n";
  return text;
}

std::string ToJson(const engine::AdviseReport& report) {
  Json json = SettingJson(report.setting, report.order);
  json["tables"] = TablesJson(LinesOf(report.tables));
  if (!report.promised.empty()) json["policy_model"] = report.promised;
  json["notes"] = report.setting.notes;
  json["next"] = report.next;
  return JsonText(json);
}

}  // namespace reissue::cli
