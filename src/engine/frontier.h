#pragma once
// Which releases of a grid are worth a thought. Pure functions.

#include "reissue/contract/explore.h"

namespace reissue::engine {

// Fills in `taken`, `frontier` and `knee` of the points, which have `settings` and `tried`.
//
// A point takes the release of another one that promises at least as much, is made with the same
// settings otherwise, leaves out no more rows than are allowed here, and loses less: searches do
// not find everything. So whoever asks for less, or allows more, never loses more.
//
// The frontier has the points that no other one beats: none promises at least as much in everything
// and loses less, or promises more and loses no more. Of equal ones the first counts.
//
// The knee: promises on a scale from 0 to 1 (logarithms, from the weakest to the strongest of the
// frontier, the mean where several vary), losses as well. It is the point farthest below the chord
// from the weakest to the strongest promise; none where the frontier has fewer than three points or
// none lies below.
void FindFrontier(contract::ExploreReport& report);

}  // namespace reissue::engine
