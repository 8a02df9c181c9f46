#pragma once
// What is done about groups in which the reader would believe too much.

#include <cstdint>

#include "reissue/core/parallel.h"
#include "reissue/models/similarity/publisher/draft.h"
#include "reissue/models/similarity/publisher/guard.h"

namespace reissue::models::similarity::internal {

// Until the reader believes too much in no group, and all keep the guarantee: rows are exchanged
// with near groups, groups joined with near ones, or dissolved into them; rows that fit nowhere are
// out. Returns how many groups were changed because of her. The same for any number of threads:
// as if one group were repaired after the other.
std::uint64_t Repair(Draft& draft, const Guard& guard, ThreadPool& pool);

}  // namespace reissue::models::similarity::internal
