#include "reissue/binding/spreadsheet.h"

#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/sink.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

struct SpreadsheetOptions {
  std::string release, out;
};

Result<int> RunSpreadsheet(const SpreadsheetOptions& options, Session& session) {
  const std::unique_ptr<Sink> sink = REISSUE_TRY(Sink::OpenNew(session, options.out));
  SpreadsheetReport report{.file = options.out, .copy = {}};
  report.copy = REISSUE_TRY(
      binding::CopyForSpreadsheets(options.release, session.context(),
                                   [&](std::string_view text) { return sink->Write(text); }));
  REISSUE_TRY(sink->Finish());
  if (options.out != "-") REISSUE_TRY(Print(session, report));
  return kDone;
}

}  // namespace

void AddSpreadsheet(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "spreadsheet",
      "Copy a published file for spreadsheets, so that no cell runs.\n\n"
      "Whatever begins like a formula (=, +, -, @; numbers do not) gets an apostrophe in front, "
      "also behind a semicolon, a tab or the end of a line within a cell, and control characters "
      "become signs for them. The rows are the same in the same order; the file begins with a "
      "mark by which spreadsheets know UTF-8.\n\n"
      "The copy is to look at. What was attacked and certified is the file that was published: "
      "`audit` and `verify` want that one.",
      "reissue spreadsheet release-1.csv --out release-1.spreadsheet.csv");
  auto options = std::make_shared<SpreadsheetOptions>();
  AddText(*verb, "--out", options->out, "FILE",
          "Write the copy there; - is stdout. The file must not exist.")
      ->required();
  AddInput(*verb, "RELEASE", options->release, "The published file (CSV); - is stdin.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunSpreadsheet(*options, session); };
  });
}

}  // namespace reissue::cli
