#include "cli/render/survey_columns.h"

#include "cli/render/text.h"
#include "reissue/binding/words.h"

namespace reissue::cli {
namespace {

using Survey = engine::SurveyReport;

std::vector<std::string> Quoted(std::vector<std::string> texts) {
  for (std::string& text : texts) text = "\"" + text + "\"";
  return texts;
}

// Every label of the columns that readers know, as the files write it.
std::string LabelsText(const Survey& report) {
  std::string text;
  for (const Survey::Column& column : report.columns) {
    if (column.texts.empty()) continue;
    text += Fill("Labels of " + Printable(column.name) + ": " + PrintableList(column.texts), 4);
  }
  return text;
}

}  // namespace

std::string LabelsInWords(const Survey::Column& column) {
  if (column.role != "quasi") return Counted(column.labels, "value", "values");
  std::string words = Counted(column.labels, "label", "labels") + " (" + column.notation +
                      (column.overlap                             ? ", overlapping"
                       : column.ranges && column.taxonomy.empty() ? ", ranges"
                                                                  : "") +
                      ")";
  return words;
}

std::vector<std::string> ColumnNotes(const Survey& report) {
  std::vector<std::string> notes;
  std::vector<std::string> unshared;
  for (const Survey::Column& column : report.columns) {
    const std::string name = Printable(column.name) + ": ";
    if (column.missing > 0) {
      notes.push_back(name + Counted(column.missing, "row has", "rows have") + " no value (" +
                      PrintableList(Quoted(column.missing_as)) +
                      ") and may be anybody's, as with *.");
    }
    if (column.odd > 0) {
      notes.push_back(name + Counted(column.odd, "label is", "labels are") + " no " +
                      (column.notation == "dates"   ? "date"
                       : column.notation == "codes" ? "code"
                                                    : "number") +
                      " and counted as a value of its own.");
    }
    if (column.role == "identifier" && column.guessed && !column.names) {
      notes.push_back(
          name +
          "nearly every row has its own value, and whoever has it from elsewhere finds the "
          "row. It is left out of the audit; --identifier counts it.");
    }
    if (column.cut) {
      notes.push_back(name + "shorter codes are read as the beginnings of longer ones.");
    }
    if (column.unshared > 0) unshared.push_back(Printable(column.name));
  }
  if (!unshared.empty()) {
    notes.push_back(
        "Labels of " + binding::Listed(unshared) +
        " differ between the files. Whether a text stands above another only a taxonomy can "
        "tell (--taxonomy COLUMN=FILE): they are taken for different, and people may be "
        "exposed who are not found here.");
  }
  return notes;
}

std::string ColumnsText(const Survey& report, const Style& style) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  bool guessed = false;
  for (const Survey::Column& column : report.columns) {
    guessed = guessed || column.guessed;
    table.Add({Printable(column.name), column.role, LabelsInWords(column),
               column.guessed ? "guessed: " + column.reason : column.reason});
  }
  std::string text =
      "\n" + style.Heading("What the columns are taken for") + "\n" + table.ToString();
  for (const std::string& note : ColumnNotes(report)) text += Fill(note, 4);
  if (style.whole()) text += LabelsText(report);
  if (guessed) {
    text += Fill("Say otherwise with --quasi, --sensitive, --identifier, --drop.", 4);
  }
  return text;
}

}  // namespace reissue::cli
