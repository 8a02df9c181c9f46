#pragma once
// The next release of an evolving table (model `j-similarity`): what the reader believes before it,
// groups, write, read back, run the reader, record.

#include "reissue/core/result.h"
#include "reissue/engine/context.h"
#include "reissue/engine/promise.h"
#include "reissue/engine/publish.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

// As Publish, for a policy that has been read. kPromise: no group can be formed.
Result<PublishReport> PublishEvolving(const PublishRequest& request, const io::Policy& policy,
                                      const Promise& promise, Context& context);

}  // namespace reissue::engine
