#pragma once
// Changes settings in the text of a policy and leaves everything else as it is: comments, blanks,
// the order of lines. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::io {

struct PolicyEdit {
  struct Change {
    std::string setting;        // as it was asked for
    std::uint64_t line = 0;     // in the new text; of what was removed: in the old one
    std::string before, after;  // as TOML writes the value; empty: it was, or is, not there
  };
  std::string text;
  std::vector<Change> changes;
};

// `settings`: `guarantee.k=10`, `columns.age.role=quasi`, `columns."zip code".weight=2`, `title=…`;
// one after the other. A value that is TOML (a number, true, a text in quotes, a list) stays what
// it is, anything else is text; where a text stood, it stays one. Without a value (`SETTING=`) the
// setting is removed. A column or a section that is not there is added.
//
// Errors: kUsage for what is no setting; kInput with the line where the text has the value over
// several lines, or cannot be changed without changing more; what ParseToml finds. What comes out
// is TOML and has, besides the changes, the same values: it is not yet known to be a policy.
Result<PolicyEdit> EditPolicy(std::string_view text, const std::string& file,
                              const std::vector<std::string>& settings);

// The whole of a policy as it is written, without a look at what it means.
Result<Setting> ReadPolicyTree(std::string_view text, const std::string& file);

}  // namespace reissue::io
