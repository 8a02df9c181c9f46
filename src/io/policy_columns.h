#pragma once
// The columns of a policy, each by itself. Internal to io.

#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/io/policy_words.h"

namespace reissue::io {

// Reads an entry of [columns] and checks that its keys go together. What is wrong is added to the
// problems; the column is then what could be read of it.
PolicyColumn ReadPolicyColumn(const std::string& name, const Setting& value,
                              const PolicyWords& words, std::vector<Error>& problems);

}  // namespace reissue::io
