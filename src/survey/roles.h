#pragma once
// What the columns of a published file may be, without a policy: guesses with their reasons. What
// names say is told by columns/names.h, as for raw tables (advice/roles.h); what differs: a
// published file shows which columns were generalised, it has one column at most that readers must
// not learn, and no column of it can be left out any more.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace reissue::survey {

enum class Role { kQuasi, kSensitive, kIdentifier, kDropped };

// What is known of a column, over all files.
struct ColumnLook {
  std::string name;
  std::uint64_t rows = 0;
  std::uint64_t values = 0;  // different texts
  bool generalised = false;  // has `*`, ranges, sets or masks; what is missing does not count
  bool numbers = false;      // has numbers or dates
};

struct RoleGuess {
  Role role = Role::kQuasi;
  std::string reason;  // "its name", "never generalised, and last"
  bool names = false;  // an identifier that says who it is: a surname, an e-mail address
};

// Never drops a column. Sensitive is at most one: by its name, health before money before others;
// else the last column that is never generalised, where others are, and whose name is not of what
// people know of each other; else what they know and may not want others to learn (a job).
std::vector<RoleGuess> GuessRoles(std::span<const ColumnLook> columns);

}  // namespace reissue::survey
