#pragma once
// What an audit without a policy has to say, in words, for texts and for pages.

#include <string>
#include <vector>

#include "reissue/engine/survey.h"

namespace reissue::cli {

// Everything that is said in absolute terms: the worst first, at the end what was not played.
struct SurveyStatement {
  survey::FromTo exposed;
  std::string words;
};
std::vector<SurveyStatement> StatementsOf(const engine::SurveyReport& report);

// Who is exposed, and how far that goes: "up to 12", "people may be exposed", "".
struct SurveyVerdict {
  std::string number, words, limit;  // together they make the sentence
};
SurveyVerdict VerdictOf(const engine::SurveyReport& report);

struct SurveyMeasure {
  std::string name;  // empty: more of the one above
  std::string meaning, value;
};
std::vector<SurveyMeasure> MeasuresOf(const engine::SurveyReport::File& file);
std::vector<std::string> NotesOf(const engine::SurveyReport::File& file);

std::string AssumptionTitle(const engine::SurveyReport& report,
                            const engine::SurveyReport::Assumption& assumption);
// What assumptions do not explain, and where their numbers are wide.
std::vector<std::string> AssumptionNotes(const engine::SurveyReport& report);

}  // namespace reissue::cli
