#include "cli/render/survey_words.h"

#include <algorithm>
#include <cmath>

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
  const std::string title = AssumptionTitle(report, assumption) + ": ";
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

void AddMeasures(const Survey::File& file, std::vector<SurveyMeasure>& table) {
  table.push_back({"k", "rows in the smallest group of equal rows", Count(file.smallest)});
  table.push_back({"", "rows that overlap one row, itself included, at the least",
                   Count(file.fewest_overlapping)});
  table.push_back(
      {"", "rows that match somebody's values, at the least", FromToWords(file.fewest_matching)});
  for (const Survey::Measures& measures : file.measures) {
    const std::string of = file.measures.size() > 1 ? " of " + Printable(measures.sensitive) : "";
    table.push_back(
        {"distinct", "different values" + of + " in a group", Count(measures.distinct)});
    table.push_back({"entropy", "effective number of values" + of, Number(measures.entropy)});
    table.push_back(
        {"recursive", "most frequent value against the others", Number(measures.recursive)});
    table.push_back({"alpha", "largest share of a value" + of, Number(measures.alpha)});
    table.push_back(
        {"t", "distance of a group's values from those of the file", Number(measures.t)});
    table.push_back({"beta", "gain in likelihood of a value", Number(measures.beta)});
    table.push_back({"delta", "the same as a logarithm, gain or loss", Number(measures.delta)});
  }
}

std::string RiskRange(double from, double to) {
  return std::abs(from - to) < 1e-12 ? Percent(to) : Percent(from) + " to " + Percent(to);
}

void AddRisks(const Survey::File& file, std::vector<SurveyMeasure>& table) {
  table.push_back({"prosecutor", "chance to pick the right row of somebody, at most",
                   RiskRange(file.highest_risk_from, file.highest_risk_to)});
  table.push_back({"marketer", "share of the rows that are found, on average",
                   RiskRange(file.average_risk_from, file.average_risk_to)});
  if (!file.population) return;
  const Survey::Population& population = *file.population;
  table.push_back({"journalist", "chance for somebody of the population, at most",
                   Percent(population.journalist_highest)});
  table.push_back({"", "the same on average", Percent(population.journalist_average)});
  table.push_back({"unique", "rows that no other row equals", Count(file.unique_rows)});
  table.push_back(
      {"", "of these unique in the population (" + population.estimator + ")",
       "about " + Count(static_cast<std::uint64_t>(std::llround(population.sample_uniques)))});
}

}  // namespace

std::string AssumptionTitle(const Survey& report, const Assumption& assumption) {
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

std::vector<SurveyStatement> StatementsOf(const Survey& report) {
  std::vector<SurveyStatement> statements, others;
  for (const Survey::File& file : report.files) {
    statements.push_back({file.exposed, AloneWords(file)});
  }
  for (const Assumption& assumption : report.assumptions) {
    SurveyStatement statement{{}, AssumptionWords(report, assumption)};
    if (assumption.verdict != Assumption::Verdict::kPlayed) {
      others.push_back(std::move(statement));
      continue;
    }
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
  statements.insert(statements.end(), others.begin(), others.end());
  return statements;
}

SurveyVerdict VerdictOf(const Survey& report) {
  const FromTo& exposed = report.exposed;
  if (exposed.upper == 0) {
    return {"", "nobody is exposed", SomethingLeftOut(report) ? ", as far as was looked" : ""};
  }
  const bool one = exposed.upper == 1;
  if (exposed.lower > 0) {
    return {FromToWords(exposed) + " ", one ? "person is exposed" : "people are exposed", ""};
  }
  return {"up to " + Count(exposed.upper) + " ",
          one ? "person may be exposed" : "people may be exposed", ""};
}

std::vector<SurveyMeasure> MeasuresOf(const Survey::File& file) {
  std::vector<SurveyMeasure> measures;
  AddMeasures(file, measures);
  AddRisks(file, measures);
  return measures;
}

std::vector<std::string> NotesOf(const Survey::File& file) {
  std::vector<std::string> notes;
  if (file.population) {
    notes.push_back("Estimated for a population of " +
                    Count(static_cast<std::uint64_t>(std::llround(file.population->size))) +
                    ", of which the file is taken for a random sample.");
  }
  if (file.unfinished > 0) {
    notes.push_back("Of " + Counted(file.unfinished, "group", "groups") +
                    " the work was too much: what may be is counted, and what is sure is not.");
  }
  return notes;
}

std::vector<std::string> AssumptionNotes(const Survey& report) {
  std::vector<std::string> notes;
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
    if (!words.empty()) notes.push_back(AssumptionTitle(report, assumption) + ": " + words);
  }
  return notes;
}

}  // namespace reissue::cli
