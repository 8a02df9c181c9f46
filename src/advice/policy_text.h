#pragma once
// A first policy, as text: what is guessed, with its reasons as comments. Pure functions.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/advice/roles.h"
#include "reissue/advice/setting.h"
#include "reissue/io/csv.h"

namespace reissue::advice {

// As policies write it.
std::string_view RoleName(io::Role role);

struct PolicyPlan {
  std::string title;
  std::vector<std::string> tables;   // in their order; names of files
  std::vector<std::string> servers;  // where tables live that are no files; several: shards
  io::CsvOptions csv;                // as guessed
  TableAdvice columns;
  SettingAdvice setting;
  std::string model;                              // what is promised: setting.model, or less
  std::map<std::string, std::string> taxonomies;  // column → file beside the policy
  std::uint64_t rows = 0;                         // of the smallest table
  std::uint64_t dropped_rows = 0;                 // for missing values, of all tables
  std::uint64_t m = 0;                            // the most that m-invariance can promise
  // Model xy: columns of the release, which is the last table, and for each earlier one those that
  // it has in common with the release.
  std::vector<std::string> release_columns;
  std::vector<std::vector<std::string>> prior_joins;
};

std::string PolicyText(const PolicyPlan& plan);

// A text in quotes, as TOML has it.
std::string TomlText(std::string_view text);

// A name for the taxonomy of a column, which no other has: `age.csv`. Letters, digits, `-` and `_`
// stay.
std::string TaxonomyFile(std::string_view column, const std::map<std::string, std::string>& taken);

}  // namespace reissue::advice
