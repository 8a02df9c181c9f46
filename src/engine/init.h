#pragma once
// Writes a first policy with its taxonomies for tables that have none: something to correct, which
// can be checked and published as it is.

#include <string>
#include <vector>

#include "reissue/advice/roles.h"
#include "reissue/advice/setting.h"
#include "reissue/binding/context.h"
#include "reissue/core/result.h"

namespace reissue::engine {

struct InitRequest {
  std::vector<std::string> tables;
  std::string out;         // a directory; made if it is not there
  std::string identifier;  // the column that tells people apart, if it is known
  bool replace = false;    // overwrite files that are there
  // Of tables that are no files, as the policy is to name them: without passwords.
  std::vector<std::string> servers = {};
};

struct InitReport {
  struct File {
    std::string path;
    std::uint64_t rows = 0, columns = 0;
  };
  std::vector<File> tables;          // in their order
  std::string order;                 // how it was found
  std::vector<std::string> written;  // how the tables are written, where that is unusual
  advice::TableAdvice columns;
  advice::SettingAdvice setting;
  std::string model;                    // what the policy promises by
  std::uint64_t dropped_rows = 0;       // for missing values
  std::string policy;                   // the file
  std::vector<std::string> taxonomies;  // the files
  std::vector<std::string> commands;    // what to type next
  std::vector<Error> problems;          // what `check` says about it
};

// All files are private (0600). Errors: no table, files that exist already and are not to be
// replaced, tables that cannot be read, no column that could be a quasi-identifier.
Result<InitReport> Init(const InitRequest& request, binding::Context& context);

}  // namespace reissue::engine
