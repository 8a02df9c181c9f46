#pragma once
// The next release of a growing table, safe with everything that is out.

#include <memory>
#include <vector>

#include "reissue/contract/model.h"

namespace reissue::models::bcf::service {

std::unique_ptr<contract::Publication> StartSeries(const contract::PublishTask& task,
                                                   const contract::Traits& traits,
                                                   binding::Context& context);

// What searches with other promises find for the next release.
Result<contract::Explored> ExploreSeries(const contract::ExploreTask& task,
                                         const contract::Traits& traits, binding::Context& context);

}  // namespace reissue::models::bcf::service
