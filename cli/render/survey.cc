#include <algorithm>
#include <cmath>

#include "cli/render/reports.h"
#include "cli/render/survey_columns.h"
#include "cli/render/text.h"
#include "reissue/binding/words.h"

namespace reissue::cli {
namespace {

using Survey = engine::SurveyReport;
using Assumption = Survey::Assumption;
using FromTo = survey::FromTo;

// "12", "up to 12", "3 to 12".
std::string FromToWords(const FromTo& number) {
  if (number.exact()) return Count(number.upper);
  return (number.lower == 0 ? "up" : Count(number.lower)) + " to " + Count(number.upper);
}

std::string NameOf(const Survey& report, std::uint32_t file) {
  return FileName(report.files[file].file);
}

// "3 people are singled out, and the value of 5 is certain".
std::string ExposedWords(const FromTo& singled_out, const std::optional<FromTo>& certain,
                         const std::string& whose, const std::string& value) {
  std::string words = singled_out.upper == 0
                          ? "nobody" + whose + " is singled out"
                          : FromToWords(singled_out) +
                                (singled_out.upper == 1 ? " person" : " people") + whose +
                                (singled_out.upper == 1 ? " is" : " are") + " singled out";
  if (!certain) return words;
  return words + ", and " +
         (certain->upper == 0 ? "nobody's " + value + " is certain"
                              : value + " of " + FromToWords(*certain) +
                                    (certain->upper == 1 ? " person" : " people") + " is certain");
}

std::string ValueName(const std::string& sensitive) {
  return sensitive.empty() ? "value" : Printable(sensitive);
}

// Who would be exposed by equal rows alone, were it not for rows that overlap theirs.
std::string HiddenWords(const Survey::File& file) {
  std::uint64_t one_value = 0;
  for (const Survey::Measures& measures : file.measures) {
    one_value = std::max(one_value, measures.one_value);
  }
  const std::uint64_t surely = file.value_certain.value_or(FromTo{}).upper;
  const std::uint64_t single =
      file.unique_rows - std::min(file.unique_rows, file.singled_out.upper);
  const std::uint64_t certain = one_value - std::min(one_value, surely);
  if (single == 0 && certain == 0) return "";
  const auto more = [](std::uint64_t people, std::uint64_t others) {
    return Count(people) + (others > 0 ? " more " : " ") + (people == 1 ? "person" : "people");
  };
  std::string words = " Only rows that overlap theirs, as starred rows do, keep ";
  if (single > 0) words += more(single, file.singled_out.upper) + " from being singled out";
  if (certain > 0) {
    words += (single > 0 ? ", and the value of " : "the value of ") + more(certain, surely) +
             " from being certain";
  }
  return words + ".";
}

std::string AloneWords(const Survey::File& file) {
  if (!file.identifiers.empty()) {
    return FileName(file.file) + " alone: everybody is named (column " +
           PrintableList(file.identifiers) + "). Take it back.";
  }
  const std::string value =
      file.measures.size() == 1 ? ValueName(file.measures[0].sensitive) : "some value";
  return FileName(file.file) +
         " alone: " + ExposedWords(file.singled_out, file.value_certain, "", value) + "." +
         HiddenWords(file);
}

std::string Title(const Survey& report, const Assumption& assumption) {
  switch (assumption.kind) {
    case Assumption::Kind::kChanged:
      return "Together, if people came and went";
    case Assumption::Kind::kGrew:
      return "Together, if the table only grew";
    case Assumption::Kind::kJoined:
      break;
  }
  return NameOf(report, assumption.files[0]) + " joined with " +
         NameOf(report, assumption.files[1]) +
         (assumption.common.empty() ? "" : " on " + PrintableList(assumption.common));
}

std::string PlayedWords(const Survey& report, const Assumption& assumption) {
  std::string words;
  for (const Assumption::Exposed& exposed : assumption.exposed) {
    if (!words.empty()) words += "; ";
    const std::string whose = " of " + NameOf(report, exposed.file);
    if (assumption.kind != Assumption::Kind::kJoined) {
      words += ExposedWords(exposed.singled_out, exposed.value_certain, whose,
                            ValueName(assumption.sensitive));
      continue;
    }
    const FromTo& one = exposed.singled_out;
    words += one.upper == 0 ? "nobody" + whose + " is led to a single row"
                            : FromToWords(one) + (one.upper == 1 ? " person" : " people") + whose +
                                  (one.upper == 1 ? " is" : " are") + " led to a single row";
    if (!exposed.value_certain) continue;
    const FromTo& certain = *exposed.value_certain;
    words += ", and " + (certain.upper == 0 ? "nobody" : FromToWords(certain)) + " to a single " +
             ValueName(assumption.sensitive);
  }
  return words;
}

std::string AssumptionWords(const Survey& report, const Assumption& assumption) {
  const std::string title = Title(report, assumption) + ": ";
  switch (assumption.verdict) {
    case Assumption::Verdict::kPlayed:
      return title + PlayedWords(report, assumption) + ".";
    case Assumption::Verdict::kContradicted:
      return title + "the files contradict it. " + Printable(assumption.why) +
             (assumption.why.ends_with(".") ? "" : ".");
    case Assumption::Verdict::kLeftOut:
      break;
  }
  return title + "not looked at: " + Printable(assumption.why) + ".";
}

// What keeps "nobody" from being the last word.
bool SomethingLeftOut(const Survey& report) {
  const bool column_left_out =
      std::any_of(report.columns.begin(), report.columns.end(), [](const Survey::Column& column) {
        return column.unshared > 0 || (column.role == "identifier" && column.guessed);
      });
  return column_left_out ||
         std::any_of(report.assumptions.begin(), report.assumptions.end(),
                     [](const Assumption& assumption) {
                       return assumption.verdict == Assumption::Verdict::kLeftOut &&
                              assumption.kind == Assumption::Kind::kGrew;
                     });
}

std::string Headline(const Survey& report, const Style& style) {
  std::string files;
  for (const Survey::File& file : report.files) {
    files += (files.empty() ? "" : ", ") + FileName(file.file);
  }
  const FromTo& exposed = report.exposed;
  std::string verdict;
  if (exposed.upper == 0) {
    verdict = style.Good("NOBODY IS EXPOSED") +
              (SomethingLeftOut(report) ? ", as far as was looked" : "");
  } else if (exposed.lower > 0) {
    verdict = style.Bad(FromToWords(exposed) +
                        (exposed.upper == 1 ? " PERSON IS EXPOSED" : " PEOPLE ARE EXPOSED"));
  } else {
    verdict = style.Bad("up to " + Count(exposed.upper) +
                        (exposed.upper == 1 ? " PERSON MAY BE EXPOSED" : " PEOPLE MAY BE EXPOSED"));
  }
  return files + ": " + verdict + "\n";
}

// Everything that is said in absolute terms, the worst first.
std::string Statements(const Survey& report, const Style& style) {
  struct Statement {
    FromTo exposed;
    std::string words;
  };
  std::vector<Statement> statements;
  std::vector<std::string> others;
  for (const Survey::File& file : report.files) {
    statements.push_back({file.exposed, AloneWords(file)});
  }
  for (const Assumption& assumption : report.assumptions) {
    const std::string words = AssumptionWords(report, assumption);
    if (assumption.verdict != Assumption::Verdict::kPlayed) {
      others.push_back(words);
      continue;
    }
    Statement statement{{}, words};
    for (const Assumption::Exposed& exposed : assumption.exposed) {
      statement.exposed.lower = std::max(statement.exposed.lower, exposed.exposed.lower);
      statement.exposed.upper = std::max(statement.exposed.upper, exposed.exposed.upper);
    }
    statements.push_back(std::move(statement));
  }
  std::stable_sort(statements.begin(), statements.end(), [](const auto& a, const auto& b) {
    return std::pair(a.exposed.lower, a.exposed.upper) >
           std::pair(b.exposed.lower, b.exposed.upper);
  });
  std::string text;
  for (const Statement& statement : statements) {
    const std::string filled = Fill(statement.words, 2);
    text += statement.exposed.upper > 0 ? style.Warning(filled) : filled;
  }
  for (const std::string& words : others) text += Fill(words, 2);
  return text;
}

void MeasureRows(const Survey::File& file, TextTable& table) {
  table.Add({"k", "rows in the smallest group of equal rows", Count(file.smallest)});
  table.Add({"", "rows that overlap one row, itself included, at the least",
             Count(file.fewest_overlapping)});
  table.Add(
      {"", "rows that match somebody's values, at the least", FromToWords(file.fewest_matching)});
  for (const Survey::Measures& measures : file.measures) {
    const std::string of = file.measures.size() > 1 ? " of " + Printable(measures.sensitive) : "";
    table.Add({"distinct", "different values" + of + " in a group", Count(measures.distinct)});
    table.Add({"entropy", "effective number of values" + of, Number(measures.entropy)});
    table.Add({"recursive", "most frequent value against the others", Number(measures.recursive)});
    table.Add({"alpha", "largest share of a value" + of, Number(measures.alpha)});
    table.Add({"t", "distance of a group's values from those of the file", Number(measures.t)});
    table.Add({"beta", "gain in likelihood of a value", Number(measures.beta)});
    table.Add({"delta", "the same as a logarithm, gain or loss", Number(measures.delta)});
  }
}

std::string RiskRange(double from, double to) {
  return std::abs(from - to) < 1e-12 ? Percent(to) : Percent(from) + " to " + Percent(to);
}

void RiskRows(const Survey::File& file, TextTable& table) {
  table.Add({"prosecutor", "chance to pick the right row of somebody, at most",
             RiskRange(file.highest_risk_from, file.highest_risk_to)});
  table.Add({"marketer", "share of the rows that are found, on average",
             RiskRange(file.average_risk_from, file.average_risk_to)});
  if (!file.population) return;
  const Survey::Population& population = *file.population;
  table.Add({"journalist", "chance for somebody of the population, at most",
             Percent(population.journalist_highest)});
  table.Add({"", "the same on average", Percent(population.journalist_average)});
  table.Add({"unique", "rows that no other row equals", Count(file.unique_rows)});
  table.Add(
      {"", "of these unique in the population (" + population.estimator + ")",
       "about " + Count(static_cast<std::uint64_t>(std::llround(population.sample_uniques)))});
}

std::string MeasuresSection(const Survey& report, const Style& style) {
  std::string text;
  for (const Survey::File& file : report.files) {
    text += "\n" + style.Heading(FileName(file.file)) + ": " + Counted(file.rows, "row", "rows") +
            " in " + Counted(file.groups, "group", "groups") + " of equal rows\n";
    TextTable table({Align::kLeft, Align::kLeft, Align::kRight});
    MeasureRows(file, table);
    RiskRows(file, table);
    text += table.ToString();
    if (file.population) {
      text += Fill("Estimated for a population of " +
                       Count(static_cast<std::uint64_t>(std::llround(file.population->size))) +
                       ", of which the file is taken for a random sample.",
                   4);
    }
    if (file.unfinished > 0) {
      text += Fill("Of " + Counted(file.unfinished, "group", "groups") +
                       " the work was too much: what may be is counted, and what is sure is not.",
                   4);
    }
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
    text += "\n" + style.Heading(Title(report, assumption)) + "\n";
    for (const std::string& words : assumption.worst) {
      text += "  - " + Fill(Printable(words), 4).substr(4);
    }
  }
  return text;
}

// What an assumption does not explain, and where its numbers are wide.
std::string AssumptionNotes(const Survey& report) {
  std::string text;
  for (const Assumption& assumption : report.assumptions) {
    if (assumption.verdict != Assumption::Verdict::kPlayed) continue;
    std::vector<std::string> alone;
    for (const Assumption::Exposed& exposed : assumption.exposed) {
      if (exposed.alone == 0) continue;
      alone.push_back(Counted(exposed.alone, "row", "rows") + " of " +
                      NameOf(report, exposed.file));
    }
    std::string words;
    if (!alone.empty()) {
      words = binding::Listed(alone) + " can be about nobody of the other " +
              (assumption.files.size() > 2 ? "files." : "file.");
    }
    if (assumption.unfinished > 0) {
      words += (words.empty() ? "" : " ") + std::string("Of ") +
               Counted(assumption.unfinished, "group", "groups") +
               " the work was too much: what may be is counted, and what is sure is not.";
    }
    if (!words.empty()) text += Fill(Title(report, assumption) + ": " + words, 2);
  }
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string ToText(const engine::SurveyReport& report, const Style& style) {
  return Headline(report, style) + Statements(report, style) + ColumnsText(report, style) +
         MeasuresSection(report, style) + WorstSection(report, style) + AssumptionNotes(report);
}

}  // namespace reissue::cli
