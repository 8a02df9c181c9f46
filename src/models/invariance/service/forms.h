#pragma once
// From buckets to groups, in the form that the policy asks for; and the holder's copy.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/grouped/release.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"
#include "reissue/models/invariance/service/promise.h"
#include "reissue/models/invariance/service/state.h"

namespace reissue::models::invariance::service {

// `bucket`: per entry. `after`: with the counterfeits of this release, in the order of the entries.
binding::GroupedRelease Arrange(const binding::GroupedTable& table, const Promise& promise,
                                const SeriesState& after, std::span<const std::uint32_t> bucket,
                                std::vector<std::uint32_t> value, Random& random);

// Everything, with identifiers.
Status WriteHolderCopy(const binding::GroupedRelease& release, const binding::GroupedTable& table,
                       const SeriesState& after, const std::vector<std::string>& sensitive,
                       const std::string& path, binding::Context& context);

}  // namespace reissue::models::invariance::service
