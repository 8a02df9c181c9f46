#pragma once
// A release beside earlier ones of the same people (model `xy`): search, write, attack as
// published, record.

#include "reissue/core/result.h"
#include "reissue/engine/context.h"
#include "reissue/engine/promise.h"
#include "reissue/engine/publish.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

// As Publish, for a policy that has been read. kPromise: even the most general release breaks a
// requirement, with the numbers; or the vault has a release already.
Result<PublishReport> PublishLinked(const PublishRequest& request, const io::Policy& policy,
                                    const Promise& promise, Context& context);

}  // namespace reissue::engine
