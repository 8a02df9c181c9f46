#include "cli/render/lab.h"

#include <filesystem>
#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/sink.h"
#include "cli/verbs.h"
#include "reissue/lab/growing.h"

namespace reissue::cli {
namespace {

constexpr std::uint64_t kDefaultSeed = 1;

struct LabOptions {
  lab::AdultFiles files;
  std::string out;
  double budget = 1;
  std::uint64_t chain = 6;
};

Status WriteFile(Session& session, const std::string& path, const std::string& text) {
  const std::unique_ptr<Sink> sink = REISSUE_TRY(Sink::Open(session, path, /*replace=*/true));
  REISSUE_TRY(sink->Write(text));
  return sink->Finish();
}

Result<int> RunGrowing(const LabOptions& options, Session& session) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!options.out.empty()) {
    fs::create_directories(options.out, failed);
    if (!fs::is_directory(options.out, failed)) {
      return UsageError("--out " + options.out + " is not a directory and cannot be made one",
                        "Name a directory for the figures.");
    }
  }
  lab::GrowingOptions growing;
  growing.budget_seconds = options.budget;
  growing.seed = session.seed.value_or(kDefaultSeed);
  growing.chain = options.chain;
  LabGrowingReport report;
  report.result = REISSUE_TRY(lab::RunGrowing(options.files, growing, session.context()));
  if (!options.out.empty()) {
    const auto write = [&](const char* name, const std::string& text) -> Status {
      const std::string path = (fs::path(options.out) / name).string();
      REISSUE_TRY(WriteFile(session, path, text));
      report.files.push_back(path);
      return Ok();
    };
    const std::string first = lab::Chart("What two k-anonymous releases leave (Adult)",
                                         lab::FigureViolations(report.result), 2);
    const std::string second =
        lab::Chart("What the second release costs (Adult)", lab::FigureCosts(report.result), 2);
    REISSUE_TRY(write("bcf-figure-1.svg", first));
    REISSUE_TRY(write("bcf-figure-2.svg", second));
    REISSUE_TRY(write("bcf-settings.csv", lab::SettingsCsv(report.result)));
  }
  REISSUE_TRY(Print(session, report));
  return kDone;
}

}  // namespace

void AddLab(CLI::App& root, Session& session) {
  CLI::App* family = AddFamily(
      root, "lab",
      "The experiments of the papers, beside ours.\n\n"
      "Needs the data that the papers used; nothing of it comes with reissue.",
      "reissue lab bcf --first adult.test --added adult.data --taxonomies trees --out figures");
  CLI::App* verb = AddVerb(
      *family, session, "bcf",
      "Growing tables on the Adult census: attacks, safe releases, a chain of them.\n\n"
      "Section 6 of Fung, Wang, Fu and Pei (EDBT 2008): the test set is published, then again with "
      "200, 2,000 or all training rows added, for k = 40 to 200 and two choices of the sensitive "
      "attributes. Then a chain of releases that grow by a tenth each.",
      "reissue lab bcf --first adult.test --added adult.data --taxonomies trees --out figures");
  auto options = std::make_shared<LabOptions>();
  AddText(*verb, "--first", options->files.first, "FILE", "The UCI file adult.test.")->required();
  AddText(*verb, "--added", options->files.added, "FILE",
          "The UCI file adult.data; may be compressed.")
      ->required();
  AddText(*verb, "--taxonomies", options->files.taxonomies, "DIR",
          "Hierarchies of the eight attributes, in files ending in _ATTRIBUTE.csv.")
      ->required();
  AddText(*verb, "--out", options->out, "DIR",
          "Write the figures (SVG) and the settings (CSV) there. Default: only print.");
  AddReal(*verb, "--budget", options->budget, "Seconds per release for our search. Default: 1.", 0,
          3600);
  AddNumber(*verb, "--chain", options->chain, "Releases of the chain. Default: 6; 0: none.", 0, 20);
  AddSeed(*verb, session, "Of the search. Default: 1.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunGrowing(*options, session); };
  });
}

}  // namespace reissue::cli
