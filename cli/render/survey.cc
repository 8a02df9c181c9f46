#include <cctype>

#include "cli/render/reports.h"
#include "cli/render/survey_columns.h"
#include "cli/render/survey_words.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using Survey = engine::SurveyReport;
using Assumption = Survey::Assumption;

std::string Capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string Headline(const Survey& report, const Style& style) {
  std::string files;
  for (const Survey::File& file : report.files) {
    files += (files.empty() ? "" : ", ") + FileName(file.file);
  }
  const SurveyVerdict verdict = VerdictOf(report);
  const std::string words = verdict.number + Capitals(verdict.words);
  return files + ": " + (report.exposed.upper == 0 ? style.Good(words) : style.Bad(words)) +
         verdict.limit + "\n";
}

std::string Statements(const Survey& report, const Style& style) {
  std::string text;
  for (const SurveyStatement& statement : StatementsOf(report)) {
    const std::string filled = Fill(statement.words, 2);
    text += statement.exposed.upper > 0 ? style.Warning(filled) : filled;
  }
  return text;
}

std::string MeasuresSection(const Survey& report, const Style& style) {
  std::string text;
  for (const Survey::File& file : report.files) {
    text += "\n" + style.Heading(FileName(file.file)) + ": " + Counted(file.rows, "row", "rows") +
            " in " + Counted(file.groups, "group", "groups") + " of equal rows\n";
    TextTable table({Align::kLeft, Align::kLeft, Align::kRight});
    for (const SurveyMeasure& measure : MeasuresOf(file)) {
      table.Add({measure.name, measure.meaning, measure.value});
    }
    text += table.ToString();
    for (const std::string& note : NotesOf(file)) text += Fill(note, 4);
  }
  return text;
}

std::string WorstSection(const Survey& report, const Style& style) {
  std::string text;
  const auto add = [&](const std::string& words) {
    if (text.empty()) text = "\n" + style.Heading("The worst groups") + "\n";
    text += "  - " + Fill(Printable(words), 4).substr(4);
  };
  for (const Survey::Group& group : report.worst) {
    add((report.files.size() > 1 ? report.files[group.file].file + ": " : "") + group.words);
  }
  for (const Assumption& assumption : report.assumptions) {
    if (assumption.worst.empty()) continue;
    text += "\n" + style.Heading(AssumptionTitle(report, assumption)) + "\n";
    for (const std::string& words : assumption.worst) {
      text += "  - " + Fill(Printable(words), 4).substr(4);
    }
  }
  return text;
}

std::string Notes(const Survey& report) {
  std::string text;
  for (const std::string& note : AssumptionNotes(report)) text += Fill(note, 2);
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string ToText(const engine::SurveyReport& report, const Style& style) {
  return Headline(report, style) + Statements(report, style) + ColumnsText(report, style) +
         MeasuresSection(report, style) + WorstSection(report, style) + Notes(report);
}

}  // namespace reissue::cli
