#pragma once
// TOML as a tree of Settings: the only file that knows the TOML library is policy_toml.cc. No
// state.

#include <string>
#include <string_view>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::io {

// The whole document as a table. Entries keep the order of the file; each has the line of its key
// (items of a list: their own). Errors name the line: bad syntax, a key twice, a date or time, a
// number that is not finite, keys nested too deeply. O(bytes).
Result<Setting> ParseToml(std::string_view text, const std::string& file);

// The end of the text in quotes that begins at `at`: behind the closing quote, or at the end of the
// line or file where there is none.
std::size_t EndOfTomlString(std::string_view text, std::size_t at);

}  // namespace reissue::io
