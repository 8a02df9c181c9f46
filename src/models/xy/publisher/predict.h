#pragma once
// How well the class is predicted from the generalised columns of a release: an estimate to choose
// releases by. Internal to the publisher.

#include <cstdint>
#include <span>

#include "reissue/models/xy/publisher/publish.h"

namespace reissue::models::xy::internal {

// Errors of decision trees on rows that they have not learned from, the same rows for every
// outcome. `columns` are generalised in it; the source has a class. Some of the rows where there
// are many.
std::uint64_t PredictionErrors(const Source& source, std::span<const std::uint32_t> columns,
                               const Outcome& outcome);

}  // namespace reissue::models::xy::internal
