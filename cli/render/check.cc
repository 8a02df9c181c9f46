#include <algorithm>

#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "cli/render/why.h"

namespace reissue::cli {
namespace {

// "3 in policy.toml, 12 in table.csv", in the order of the files; nothing where there is one.
std::string PerFile(const std::vector<Error>& problems) {
  std::vector<std::pair<std::string, std::size_t>> files;
  for (const Error& problem : problems) {
    const std::string file = problem.place ? problem.place->file : "";
    const auto at = std::find_if(files.begin(), files.end(),
                                 [&](const auto& entry) { return entry.first == file; });
    if (at == files.end()) {
      files.emplace_back(file, 1);
    } else {
      ++at->second;
    }
  }
  if (files.size() < 2) return "";
  std::string words;
  for (const auto& [file, count] : files) {
    words += (words.empty() ? " (" : ", ") + Count(count) +
             (file.empty() ? std::string(" elsewhere") : " in " + Printable(file));
  }
  return words + ")";
}

}  // namespace

std::string ToText(const CheckedReport& report, const Style& style) {
  const std::size_t problems = report.result.problems.size();
  std::string text = Printable(report.policy) + ": ";
  text += problems == 0 ? style.Good("nothing is wrong")
                        : style.Bad(Counted(problems, "problem", "problems"));
  text += PerFile(report.result.problems) + "\n";
  if (!report.result.notes.empty()) text += "What is there\n";
  for (const std::string& note : report.result.notes) {
    text += "  - " + Fill(Printable(note), 4).substr(4);
  }
  for (const contract::Why& why : report.result.why) text += "\n" + WhyText(why, style);
  for (const std::string& warning : report.result.warnings) {
    text += "\n" + style.Warning(Fill("Warning: " + Printable(warning)));
  }
  return text;
}

std::string ToJson(const CheckedReport& report) {
  Json json;
  json["policy"] = report.policy;
  json["tables"] = report.tables;
  json["ok"] = report.result.problems.empty();
  json["problems"] = Json::array();
  for (const Error& problem : report.result.problems) {
    json["problems"].push_back(JsonError(problem));
  }
  json["notes"] = report.result.notes;
  json["warnings"] = report.result.warnings;
  if (!report.result.why.empty()) {
    json["why"] = Json::array();
    for (const contract::Why& why : report.result.why) json["why"].push_back(WhyObject(why));
  }
  return JsonText(json);
}

}  // namespace reissue::cli
