#include <algorithm>

#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "cli/render/views.h"

namespace reissue::cli {
namespace {

Tally TallyOf(const std::string& model) {
  const View* const view = FindView(model);
  return view != nullptr ? view->tally() : Tally{};
}

// The first release under another policy.
bool ChangedWith(const HistoryReport& report, std::uint32_t release) {
  return std::ranges::find(report.policy_changes, release) != report.policy_changes.end();
}

}  // namespace

std::string ToText(const HistoryReport& report, const Style& style) {
  const std::string title = report.policy.title.empty() ? "(without a title)" : report.policy.title;
  std::string text = style.Heading(Printable(title)) + "\n  vault " + Printable(report.vault) +
                     ", model " + report.policy.model + "\n\n";
  if (report.releases.empty()) {
    text += "No release yet.\n";
  } else {
    TextTable table({Align::kRight, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
    const bool tables = std::ranges::any_of(
        report.releases, [](const ledger::ReleaseRecord& release) { return release.is_table(); });
    table.Add({"release", "published", "rows", TallyOf(report.policy.model).words,
               tables ? "where" : "file"});
    for (const ledger::ReleaseRecord& release : report.releases) {
      table.Add({Count(release.number), release.created, Count(release.rows),
                 Count(release.set_aside),
                 (release.is_table() ? "table " : "") + Printable(release.target) +
                     (release.adopted() ? " (adopted)" : "") +
                     (ChangedWith(report, release.number) ? " (policy changed)" : "") +
                     (release.file_present ? "" : " " + style.Warning("(no longer there)"))});
    }
    text += table.ToString();
  }
  if (report.unprotected) {
    text += "\n" + style.Warning(Fill(std::string("Warning: ") + kUnprotected));
  }
  return text;
}

std::string ToJson(const HistoryReport& report) {
  Json json;
  json["vault"] = report.vault;
  json["title"] = report.policy.title;
  json["model"] = report.policy.model;
  json["policy_digest"] = report.policy.digest;
  json["unprotected"] = report.unprotected;
  json["releases"] = Json::array();
  for (const ledger::ReleaseRecord& release : report.releases) {
    Json entry;
    entry["release"] = release.number;
    entry["published"] = release.created;
    entry["rows"] = release.rows;
    entry[TallyOf(report.policy.model).key] = release.set_aside;
    entry[release.is_table() ? "table" : "file"] = release.target;
    if (!release.is_table()) entry["present"] = release.file_present;
    if (release.adopted()) entry["adopted"] = true;
    if (ChangedWith(report, release.number)) entry["policy_changed"] = true;
    entry["digest"] = release.digest;
    json["releases"].push_back(std::move(entry));
  }
  return JsonText(json);
}

}  // namespace reissue::cli
