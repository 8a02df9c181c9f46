#pragma once
// What a server said, in words of ours. The texts of servers are never passed on: they quote values
// of tables. What is known of an error is its SQLSTATE.

#include <string>
#include <string_view>

#include "reissue/core/result.h"

namespace reissue::sources::postgres {

// `where`: the server, or the table and the server. `state`: five letters and digits, or empty
// where the connection broke.
Error ErrorOfState(const std::string& where, std::string_view state);

}  // namespace reissue::sources::postgres
