#pragma once
// Releases that the one before implies: every world of the earlier releases goes on in one way
// (docs/design/0009). No state.

#include <cstddef>

#include "reissue/models/bcf/adversary/formulas.h"
#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf {

// Whether every cell of the release before (from 1) lies in one cell of this one, and meets no
// other. Whoever came in is then what is over.
bool Implied(const Series& series, const Formulas& formulas, std::size_t release);

// So many releases, the first ones, need worlds: each after them is implied by the one before.
std::size_t NeedingWorlds(const Series& series, const Formulas& formulas);

}  // namespace reissue::models::bcf
