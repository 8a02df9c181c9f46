#pragma once
// Why a table cannot be published beside earlier releases, in numbers.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/priors.h"
#include "reissue/core/result.h"
#include "reissue/models/xy/service/source.h"

namespace reissue::models::xy::service {

// Ok where there is a release; kPromise where there is none, or none was found. Looks for one, not
// for a good one.
Status CanBeKept(const LinkedInputs& in, const Promise& promise,
                 const std::vector<binding::PriorFile>& priors, binding::Context& context);

}  // namespace reissue::models::xy::service
