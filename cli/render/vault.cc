#include "cli/render/vault.h"

#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

std::string Described(const engine::VaultReport& report) {
  TextTable table({Align::kRight, Align::kLeft});
  const std::string releases = report.releases == 1 ? "release" : "releases";
  table.Add({Count(report.releases),
             releases + (report.adopted > 0 ? ", " + Count(report.adopted) + " adopted" : "")});
  table.Add({Count(report.files), "of their files are there, and as they were published"});
  table.Add({Count(report.secrets), "sealed states open"});
  return "  \"" + Printable(report.title) + "\", model " + Printable(report.model) + "\n" +
         table.ToString() + "  key " + report.key + "\n";
}

std::string Sentence(const std::string& what) {
  if (what == "upgraded") return "Upgraded";
  if (what == "passphrase") return "The passphrase was changed";
  return what == "exported" ? "Exported" : "Imported";
}

Json VaultObject(const engine::VaultReport& report) {
  Json json;
  json["vault"] = report.vault;
  json["title"] = report.title;
  json["model"] = report.model;
  json["format"] = report.format;
  json["unprotected"] = report.unprotected;
  json["key"] = report.key;
  json["releases"] = report.releases;
  json["adopted"] = report.adopted;
  json["files"] = report.files;
  json["sealed"] = report.secrets;
  json["problems"] = report.problems;
  json["notes"] = report.notes;
  return json;
}

}  // namespace

std::string ToText(const CheckedVault& checked, const Style& style) {
  const engine::VaultReport& report = checked.report;
  std::string text =
      Printable(report.vault) + ": " +
      (report.problems.empty() ? style.Good("IN ORDER") : style.Bad("NOT IN ORDER")) + "\n" +
      Described(report);
  for (const std::string& problem : report.problems) {
    text += "  " + style.Bad("failed") + "  " + Printable(problem) + "\n";
  }
  for (const std::string& note : report.notes) text += "  " + Printable(note) + "\n";
  if (report.format < 3) {
    text += "\n" + style.Warning(Fill(
                       "Warning: this format does not protect what the vault records from being "
                       "changed. Run `reissue vault upgrade`."));
  }
  if (report.unprotected) {
    text += "\n" + style.Warning(Fill(std::string("Warning: ") + kUnprotected));
  }
  return text;
}

std::string ToJson(const CheckedVault& checked) { return JsonText(VaultObject(checked.report)); }

std::string ToText(const VaultDone& done, const Style& style) {
  std::string text = style.Good(Sentence(done.what)) + ": " + Printable(done.about) + "\n";
  if (done.report) text += Described(*done.report);
  return text + Fill(done.advice, 2);
}

std::string ToJson(const VaultDone& done) {
  Json json = done.report ? VaultObject(*done.report) : Json::object();
  json["done"] = done.what;
  json["about"] = done.about;
  return JsonText(json);
}

// Nothing but the key: it is to be put into a file.
std::string ToText(const ShownKey& shown, const Style&) { return shown.key + "\n"; }

std::string ToJson(const ShownKey& shown) {
  Json json;
  json["vault"] = shown.vault;
  json["key"] = shown.key;
  return JsonText(json);
}

}  // namespace reissue::cli
