#pragma once
// From foreign files to what the survey works on: columns with roles, labels as sets of atoms,
// cells. Plain values.

#include <memory>
#include <string>
#include <vector>

#include "reissue/core/dictionary.h"
#include "reissue/engine/survey.h"

namespace reissue::engine {

// A file with its own columns; labels and codes are numbered over all files.
struct SurveyTable {
  std::string name;
  std::vector<std::size_t> quasi, sensitive;  // of SurveyTables
  std::vector<std::string> identifiers;       // told, or names of people
  survey::Published published;
};

struct SurveyTables {
  std::vector<SurveyReport::Column> columns;
  std::vector<std::string> quasi, sensitive;              // names
  survey::Columns labels;                                 // per quasi
  std::vector<std::shared_ptr<const Dictionary>> values;  // per sensitive
  std::vector<SurveyTable> files;

  // Labels of the quasi-identifiers of one file.
  survey::Columns LabelsOf(const std::vector<std::size_t>& quasi_columns) const;
  binding::LabelledCell CellOf(std::size_t file, std::size_t cell) const;
};

Result<SurveyTables> LoadSurvey(const SurveyRequest& request, binding::Context& context);

}  // namespace reissue::engine
