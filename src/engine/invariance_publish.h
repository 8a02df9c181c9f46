#pragma once
// The next release of a changing table (model `m-invariance`): plan, write, read back, attack,
// record. All files of a release appear together or not at all.

#include "reissue/core/result.h"
#include "reissue/engine/changing_table.h"
#include "reissue/engine/context.h"
#include "reissue/engine/promise.h"
#include "reissue/engine/publish.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

// As Publish, for a policy that has been read. kPromise: a value has too many of the rows.
Result<PublishReport> PublishChanging(const PublishRequest& request, const io::Policy& policy,
                                      const Promise& promise, Context& context);

// The kPromise error for a table in which some values are too frequent; nothing where none is.
Status CheckEligible(const SensitiveCodes& sensitive, std::uint64_t m, const std::string& table);

}  // namespace reissue::engine
