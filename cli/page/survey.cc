#include "cli/page/survey.h"

#include "cli/render/survey_columns.h"
#include "cli/render/survey_words.h"
#include "cli/render/text.h"
#include "cli/version.h"

namespace reissue::cli::page {
namespace {

using Survey = engine::SurveyReport;

void AddVerdict(const Survey& report, Page& page) {
  const SurveyVerdict verdict = VerdictOf(report);
  std::string words = verdict.number + verdict.words + verdict.limit + ".";
  if (words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 32);
  page.verdict = std::move(words);
  const bool nobody = report.exposed.upper == 0;
  page.tone = nobody ? Tone::kGood : report.exposed.lower > 0 ? Tone::kBad : Tone::kWarning;
  page.mark = nobody ? "Nobody exposed" : report.exposed.lower > 0 ? "Exposed" : "May be exposed";
}

Section WhoIsExposed(const Survey& report) {
  Section section{"Who is exposed", {}};
  for (const SurveyStatement& statement : StatementsOf(report)) {
    section.blocks.push_back(Paragraph{statement.words, statement.exposed.lower > 0 ? Tone::kBad
                                                        : statement.exposed.upper > 0
                                                            ? Tone::kWarning
                                                            : Tone::kPlain});
  }
  for (const std::string& note : AssumptionNotes(report)) section.blocks.push_back(Paragraph{note});
  return section;
}

std::vector<Section> WorstGroups(const Survey& report) {
  std::vector<Section> sections;
  Bullets groups;
  for (const Survey::Group& group : report.worst) {
    groups.items.push_back(
        (report.files.size() > 1 ? FileName(report.files[group.file].file) + ": " : "") +
        group.words);
  }
  if (!groups.items.empty()) sections.push_back({"The worst groups, in words", {groups}});
  for (const Survey::Assumption& assumption : report.assumptions) {
    if (assumption.worst.empty()) continue;
    sections.push_back({AssumptionTitle(report, assumption), {Bullets{assumption.worst}}});
  }
  return sections;
}

Section Columns(const Survey& report) {
  Section section{"What the columns are taken for", {}};
  Grid grid{"Columns of all files", {{"column"}, {"role"}, {"values"}, {"why"}}, {}};
  for (const Survey::Column& column : report.columns) {
    grid.rows.push_back({{column.name},
                         {column.role},
                         {LabelsInWords(column)},
                         {column.guessed ? "guessed: " + column.reason : column.reason}});
  }
  section.blocks.push_back(std::move(grid));
  for (const std::string& note : ColumnNotes(report)) section.blocks.push_back(Paragraph{note});
  return section;
}

Section FileMeasures(const Survey::File& file) {
  Section section{FileName(file.file), {}};
  section.blocks.push_back(Paragraph{Counted(file.rows, "row", "rows") + " in " +
                                     Counted(file.groups, "group", "groups") + " of equal rows."});
  Grid grid{"Measures of " + FileName(file.file) + " alone",
            {{"measure"}, {"meaning"}, {"value", true}},
            {}};
  std::string name;
  for (const SurveyMeasure& measure : MeasuresOf(file)) {
    if (!measure.name.empty()) name = measure.name;
    grid.rows.push_back({{name}, {measure.meaning}, {measure.value}});
  }
  section.blocks.push_back(std::move(grid));
  for (const std::string& note : NotesOf(file)) section.blocks.push_back(Paragraph{note});
  return section;
}

}  // namespace

Page PageOf(const Survey& report, bool for_holder, const std::string& created) {
  Page page;
  page.title = report.files.size() > 1 ? "Report on published files" : "Report on a published file";
  for (const Survey::File& file : report.files) {
    page.about += (page.about.empty() ? "" : ", ") + FileName(file.file);
  }
  page.about += " · without a policy, " + created.substr(0, 10);
  if (for_holder) {
    page.privacy =
        "For you alone: whoever reads it is led to the people whom these files expose. It is made "
        "from the files and nothing else; `reissue report --for public` says so on the page.";
  }
  AddVerdict(report, page);
  page.sections.push_back(WhoIsExposed(report));
  for (Section& section : WorstGroups(report)) page.sections.push_back(std::move(section));
  page.sections.push_back(Columns(report));
  for (const Survey::File& file : report.files) page.sections.push_back(FileMeasures(file));
  page.foot = "Made by reissue " + std::string(kVersion) + " on " + created +
              " from these files alone. What readers know besides, from other files or of people, "
              "is not in it.";
  return page;
}

}  // namespace reissue::cli::page
