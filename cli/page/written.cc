#include "cli/page/written.h"

#include <filesystem>

#include "cli/page/report.h"
#include "cli/page/survey.h"
#include "cli/render/text.h"

namespace reissue::cli::page {

Status CheckPlace(const std::string& option, const std::string& path,
                  const std::vector<std::string>& others, binding::Context& context) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (path == "-" || fs::path(path).filename().empty() ||
      !fs::is_directory(io::DirectoryOf(path), none)) {
    return UsageError(option + ": \"" + path + "\" cannot be a page",
                      "Name a file in a directory that exists.");
  }
  const std::string absolute = REISSUE_TRY(io::Absolute(path));
  for (const std::string& other : others) {
    const Result<std::string> place = io::Absolute(other);
    if (!other.empty() && place && *place == absolute) {
      return UsageError(option + " names another file of this call", "Choose another name.");
    }
  }
  if (!context.files.Exists(path)) return Ok();
  return UsageError(path + " exists already",
                    "A page is never written over a file: choose another name, or move the old "
                    "one.");
}

Result<Written> Write(const Dossier& dossier, const std::string& path, binding::Context& context) {
  const Page page = PageOf(dossier);
  REISSUE_TRY(io::WriteAtomically(context.files, path, FileOf(page), dossier.for_holder,
                                  /*replace=*/false));
  return Written{path, page.mark, page.verdict, dossier.for_holder,
                 dossier.verified ? dossier.verified->valid : dossier.audit.satisfied};
}

Result<Written> Write(const engine::SurveyReport& report, bool for_holder,
                      const std::string& created, const std::string& path,
                      binding::Context& context) {
  const Page page = PageOf(report, for_holder, created);
  REISSUE_TRY(io::WriteAtomically(context.files, path, FileOf(page), for_holder,
                                  /*replace=*/false));
  return Written{path, page.mark, page.verdict, for_holder, report.exposed.upper == 0};
}

std::string ToText(const Written& written, const Style& style) {
  return style.Good("Wrote") + " " + Printable(written.file) +
         (written.for_holder ? ", for the holder alone" : ", from the published files alone") +
         "\n" + Fill(Printable(written.mark + ". " + written.verdict), 2);
}

std::string ToJson(const Written& written) {
  Json json;
  json["file"] = written.file;
  json["for"] = written.for_holder ? "holder" : "public";
  json["satisfied"] = written.satisfied;
  json["mark"] = written.mark;
  json["verdict"] = written.verdict;
  return JsonText(json);
}

}  // namespace reissue::cli::page
