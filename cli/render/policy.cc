#include "cli/render/policy.h"

#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using io::Setting;

Json SettingValue(const Setting& setting) {
  switch (setting.kind) {
    case Setting::Kind::kNumber:
      return JsonNumber(setting.number);
    case Setting::Kind::kText:
      return setting.text;
    case Setting::Kind::kFlag:
      return setting.flag;
    case Setting::Kind::kList: {
      Json list = Json::array();
      for (const Setting& item : setting.list) list.push_back(SettingValue(item));
      return list;
    }
    case Setting::Kind::kTable:
      break;
  }
  Json table = Json::object();
  for (const auto& [key, item] : setting.table) table[key] = SettingValue(item);
  return table;
}

const Setting* Section(const ShownPolicy& shown, std::string_view name) {
  for (const auto& [key, setting] : shown.tree.table) {
    if (key == name && setting.kind == Setting::Kind::kTable) return &setting;
  }
  return nullptr;
}

Json SectionJson(const ShownPolicy& shown, std::string_view name) {
  const Setting* const section = Section(shown, name);
  return section == nullptr ? Json(nullptr) : SettingValue(*section);
}

Json ProblemsJson(const std::vector<Error>& problems) {
  Json json = Json::array();
  for (const Error& problem : problems) json.push_back(JsonError(problem));
  return json;
}

std::string ProblemsText(const std::vector<Error>& problems, const Style& style) {
  if (problems.empty()) return "";
  std::string text = "\n" + style.Heading("Mind") + "\n";
  for (const Error& problem : problems) {
    text += Fill("- " + Printable(problem.ToString()), 2);
  }
  return text;
}

// `key = value`, one line each.
std::string SettingsText(const std::vector<std::pair<std::string, Setting>>& settings) {
  TextTable table({Align::kLeft, Align::kLeft});
  for (const auto& [key, setting] : settings) {
    const Json value = SettingValue(setting);
    table.Add({Printable(key), Printable(value.is_string() ? setting.text : value.dump())});
  }
  return table.ToString();
}

}  // namespace

std::string ToText(const ShownPolicy& shown, const Style& style) {
  std::string text = style.Heading(Printable(shown.policy.file)) + ": " +
                     (shown.policy.title.empty() ? "" : Printable(shown.policy.title) + ", ") +
                     Counted(shown.policy.columns.size(), "column", "columns") + "\n";
  if (const Setting* columns = Section(shown, "columns")) {
    TextTable table({Align::kLeft, Align::kLeft, Align::kLeft});
    for (const auto& [name, column] : columns->table) {
      std::string role, rest;
      for (const auto& [key, setting] : column.table) {
        const Json value = SettingValue(setting);
        const std::string word = value.is_string() ? setting.text : value.dump();
        if (key == "role") {
          role = word;
        } else {
          rest += (rest.empty() ? "" : ", ") + key + " " + word;
        }
      }
      table.Add({Printable(name), Printable(role), Printable(rest)});
    }
    text += "\n" + style.Heading("Columns") + "\n" + table.ToString();
  }
  const std::pair<const char*, const char*> sections[] = {
      {"table", "Table"}, {"guarantee", "Guarantee"}, {"knowledge", "Knowledge"}};
  for (const auto& [name, heading] : sections) {
    const Setting* const section = Section(shown, name);
    if (section == nullptr || section->table.empty()) continue;
    text += "\n" + style.Heading(heading) + "\n" + SettingsText(section->table);
  }
  return text + ProblemsText(shown.problems, style);
}

std::string ToJson(const ShownPolicy& shown) {
  Json json;
  json["policy"] = shown.policy.file;
  json["title"] = shown.policy.title.empty() ? Json(nullptr) : Json(shown.policy.title);
  json["table"] = SectionJson(shown, "table");
  json["columns"] = Json::array();
  if (const Setting* columns = Section(shown, "columns")) {
    for (const auto& [name, column] : columns->table) {
      Json entry;
      entry["name"] = name;
      for (const auto& [key, setting] : column.table) entry[key] = SettingValue(setting);
      const io::PolicyColumn* const known = shown.policy.Find(name);
      if (known != nullptr && !known->taxonomy.empty()) entry["taxonomy_file"] = known->taxonomy;
      entry["line"] = column.line;
      json["columns"].push_back(std::move(entry));
    }
  }
  json["guarantee"] = SectionJson(shown, "guarantee");
  json["knowledge"] = SectionJson(shown, "knowledge");
  if (const Setting* inconsistent = shown.policy.Get("inconsistent")) {
    json["inconsistent"] = SettingValue(*inconsistent);
  }
  json["problems"] = ProblemsJson(shown.problems);
  return JsonText(json);
}

std::string ToText(const engine::SetPolicyReport& report, const Style& style) {
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  for (const io::PolicyEdit::Change& change : report.edit.changes) {
    const auto word = [](const std::string& value) { return value.empty() ? "nothing" : value; };
    table.Add({Printable(change.setting.substr(0, change.setting.find('='))),
               "line " + Count(change.line),
               Printable(word(change.before) + " -> " + word(change.after))});
  }
  return style.Heading(Printable(report.policy)) +
         (report.written ? ": written\n" : ": nothing to change\n") + table.ToString() +
         ProblemsText(report.problems, style);
}

std::string ToJson(const engine::SetPolicyReport& report) {
  Json json;
  json["policy"] = report.policy;
  json["written"] = report.written;
  json["changes"] = Json::array();
  for (const io::PolicyEdit::Change& change : report.edit.changes) {
    const auto word = [](const std::string& value) {
      return value.empty() ? Json(nullptr) : Json(value);
    };
    json["changes"].push_back({{"setting", change.setting},
                               {"line", change.line},
                               {"before", word(change.before)},
                               {"after", word(change.after)}});
  }
  json["text"] = report.edit.text;
  json["problems"] = ProblemsJson(report.problems);
  return JsonText(json);
}

}  // namespace reissue::cli
