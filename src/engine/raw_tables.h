#pragma once
// Tables that have no policy yet: read as they seem to be written, put in order, with a profile of
// every column. Internal to engine.

#include <string>
#include <vector>

#include "reissue/advice/order.h"
#include "reissue/advice/profile.h"
#include "reissue/advice/roles.h"
#include "reissue/advice/setting.h"
#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

struct RawTables {
  std::vector<std::string> paths;  // in their order
  std::vector<Table> tables;
  std::string how;                   // how the order was found
  io::CsvOptions csv;                // how all of them are written
  std::vector<std::string> reasons;  // what is out of the ordinary about it

  std::vector<advice::SettingTable> ForSetting() const;
  // Of all columns, in the order of the last table and then of the others.
  std::vector<advice::Profile> Profiles() const;
};

// Errors: no table, standard input (tables are read twice), tables that are written differently,
// and what ReadCsv finds.
Result<RawTables> ReadRawTables(const std::vector<std::string>& paths, binding::Context& context);

// The same as a policy says.
Result<RawTables> ReadTablesAs(const io::Policy& policy, const std::vector<std::string>& paths,
                               binding::Context& context);

// A word of a command line, in quotes where a shell needs them.
std::string ShellWord(const std::string& text);

}  // namespace reissue::engine
