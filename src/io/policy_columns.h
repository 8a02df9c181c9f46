#pragma once
// The columns of a policy, each by itself. Internal to io.

#include <string>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/io/policy_words.h"

namespace reissue::io {

// Reads an entry of [columns] and checks that its keys go together.
Result<PolicyColumn> ReadPolicyColumn(const std::string& name, const Setting& value,
                                      const PolicyWords& words);

}  // namespace reissue::io
