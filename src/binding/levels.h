#pragma once
// Levels that a policy sets for its columns: where they end (`floor`) and where they begin
// (`ceiling`).

#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/core/result.h"
#include "reissue/taxonomy/cut.h"

namespace reissue::binding {

// Ends the trees of columns with a floor there, so that nothing finer can be published. An error
// where a column has no such level.
Status ApplyFloors(HolderTable& holder, const std::string& policy, Context& context);

// Nothing coarser may be published: one cut per quasi-identifier, of the trees that the floors left
// over; none at all where no column has a ceiling. An error where a column has no such level.
Result<std::vector<taxonomy::Cut>> CeilingsOf(const HolderTable& holder, const std::string& policy,
                                              Context& context);

}  // namespace reissue::binding
