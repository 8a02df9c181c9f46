#pragma once
// [source] of a policy: where its tables live. Internal to io.

#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/io/policy_words.h"

namespace reissue::io {

// Errors: unknown keys, values of another type, one shard, both of `connection` and `shards` or
// neither, a barrier where there are no shards.
Result<PolicySource> ReadPolicySource(const Setting& source, const PolicyWords& words);

}  // namespace reissue::io
