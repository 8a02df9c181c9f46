#include "reissue/sources/postgres/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace reissue::sources::postgres {
namespace {

struct Words {
  std::string_view state;  // or its first letters: the first that fits is taken
  ErrorCode code;
  std::string_view message, remedy;
};

constexpr ErrorCode kInput = ErrorCode::kInput;
constexpr ErrorCode kMachine = ErrorCode::kMachine;

constexpr std::array kWords = {
    Words{"42501", kInput, "the server refuses to show all rows",
          "The user needs the right to SELECT, and row-level security must not hide rows from it: "
          "connect as the owner, or as a user with BYPASSRLS."},
    Words{"42P01", kInput, "the server has no such table",
          "Name it as SCHEMA.TABLE; a name with capitals needs double quotes within the argument."},
    Words{"3F000", kInput, "the server has no such schema", "Name the table as SCHEMA.TABLE."},
    Words{"42703", kInput, "the server has no such column",
          "The table may have changed while it was looked at: try again."},
    Words{"42P07", kInput, "there is a table of that name already",
          "Choose another name, or drop the table if nobody needs it."},
    Words{"55P03", kMachine, "somebody else holds a lock on the table, and waiting took too long",
          "Try again when whoever changes the table has finished."},
    Words{"40P01", kMachine, "the server broke off for a deadlock with somebody else",
          "Try again."},
    Words{"40", kMachine, "the server broke off: somebody else changed the same at the same time",
          "Try again."},
    Words{"57014", kMachine,
          "the server broke off: it took longer than it may take, or an "
          "administrator cancelled it",
          "Allow more time ([source] timeout = SECONDS), or ask the administrator."},
    Words{"57P0", kMachine, "the server is shutting down or starting", "Try again when it is up."},
    Words{"25006", kInput, "the server allows reading only",
          "Name the server that takes changes, not a copy of it."},
    Words{"53100", kMachine, "the disk of the server is full", "Ask its administrator."},
    Words{"53200", kMachine, "the server is out of memory", "Ask its administrator."},
    Words{"53300", kMachine, "the server takes no more connections", "Try again later."},
    Words{"53", kMachine, "the server lacks something that it needs", "Ask its administrator."},
    Words{"22P05", kInput, "the table holds text that cannot be written in UTF-8",
          "The text has to be corrected in the database."},
    Words{"22021", kInput, "the table holds bytes that are no text of its encoding",
          "The text has to be corrected in the database."},
    Words{"28", kInput, "the server does not let this user in", "See user and password file."},
    Words{"3D000", kInput, "the server has no such database", "Name it with dbname=…"},
    Words{"08", kMachine, "the connection to the server was lost", "Try again."},
    Words{"0A000", kInput, "the server cannot do this", "docs/databases.md says what is needed."},
    Words{"38", kMachine, "a foreign server failed", "Look at the shards behind this table."},
    Words{"HV", kMachine, "a foreign server failed", "Look at the shards behind this table."},
    Words{"58", kMachine, "the server failed to read or write its files", "Ask its administrator."},
    Words{"XX", kMachine, "the server has an internal error, or its files are damaged",
          "Ask its administrator."},
};

}  // namespace

Error ErrorOfState(const std::string& where, std::string_view state) {
  if (state.empty()) {
    return MachineError({where, {}, {}, ""}, "the connection to the server was lost",
                        "Try again; nothing was published.");
  }
  const auto* words = std::find_if(kWords.begin(), kWords.end(), [&](const Words& known) {
    return state.starts_with(known.state);
  });
  if (words == kWords.end()) {
    return MachineError({where, {}, {}, ""},
                        fmt::format("the server answered with an error (SQLSTATE {})", state),
                        "The server's log has more; it is not repeated here, since it may quote "
                        "values of the table.");
  }
  return Error{words->code, fmt::format("{} (SQLSTATE {})", words->message, state),
               Place{where, {}, {}, ""}, std::string(words->remedy)};
}

}  // namespace reissue::sources::postgres
