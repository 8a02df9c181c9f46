#include "cli/render/setting.h"
#include "cli/render/taxonomy.h"
#include "reissue/advice/policy_text.h"

namespace reissue::cli {
namespace {

using io::Role;

std::string RoleText(Role role) { return std::string(advice::RoleName(role)); }

std::string ColumnsText(const engine::InitReport& report, const Style& style) {
  std::string text = "\n" + style.Heading("Columns") + "\n";
  for (const Role role : {Role::kIdentifier, Role::kQuasi, Role::kSensitive, Role::kDrop}) {
    std::string sure, unsure;
    for (const advice::ColumnAdvice& column : report.columns.columns) {
      if (column.role != role) continue;
      std::string& list = column.sure ? sure : unsure;
      list += (list.empty() ? "" : ", ") + Printable(column.name);
    }
    if (!sure.empty()) text += Fill(RoleText(role) + ": " + sure, 2);
    if (!unsure.empty()) text += Fill(RoleText(role) + ", not sure: " + unsure, 2);
  }
  return text;
}

std::vector<std::string> NotesOf(const engine::InitReport& report) {
  std::vector<std::string> notes = report.columns.notes;
  if (report.dropped_rows > 0) {
    notes.push_back(Counted(report.dropped_rows, "row is", "rows are") +
                    " left out for missing values ([table] of the policy).");
  }
  if (report.tables.size() > 1) {
    notes.insert(notes.end(), report.setting.notes.begin(), report.setting.notes.end());
  }
  notes.push_back(
      "The taxonomies list values of the table: whoever reads them learns these, and a "
      "release shows those of its labels that it needs. All files are for their owner "
      "only.");
  return notes;
}

}  // namespace

std::string ToText(const engine::InitReport& report, const Style& style) {
  std::string text = TablesText(LinesOf(report.tables), style);
  for (const std::string& reason : report.written) text += Fill("- " + reason, 2);
  text += ColumnsText(report, style);
  advice::SettingAdvice setting = report.setting;
  if (report.model != setting.model) {
    setting.model = report.model;
    setting.promise = advice::PromiseOf(report.model);
  }
  text += "\n" + SettingText(setting, report.order, style);
  text += "\n" + style.Heading("Written") + "\n  " + Printable(report.policy) + "\n";
  text += Fill(Counted(report.taxonomies.size(), "taxonomy", "taxonomies") + " beside it", 2);
  text += "\n" + style.Heading("Mind") + "\n";
  for (const std::string& note : NotesOf(report)) text += Fill("- " + Printable(note), 2);
  text += "\n" + style.Heading("Next") + "\n";
  text += "  Correct " + Printable(report.policy) + ", then\n";
  for (const std::string& command : report.commands) text += "  " + Printable(command) + "\n";
  return text;
}

std::string ToJson(const engine::InitReport& report) {
  Json json;
  json["tables"] = TablesJson(LinesOf(report.tables));
  json["written_as"] = report.written;
  json["columns"] = Json::array();
  for (const advice::ColumnAdvice& column : report.columns.columns) {
    Json entry;
    entry["name"] = column.name;
    entry["role"] = RoleText(column.role);
    entry["sure"] = column.sure;
    entry["reason"] = column.reason;
    if (column.draft) entry["draft"] = taxonomy::DraftKindName(column.draft->kind);
    if (!column.breakpoints.empty()) entry["draft"] = "breakpoints";
    json["columns"].push_back(std::move(entry));
  }
  json["relation"] = SettingJson(report.setting, report.order);
  json["model"] = report.model;
  json["rows_left_out"] = report.dropped_rows;
  json["policy"] = report.policy;
  json["taxonomies"] = report.taxonomies;
  json["notes"] = NotesOf(report);
  json["next"] = report.commands;
  json["problems"] = Json::array();
  for (const Error& problem : report.problems) json["problems"].push_back(JsonError(problem));
  return JsonText(json);
}

}  // namespace reissue::cli
