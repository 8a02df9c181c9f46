#pragma once
// Where the searches begin. Without suppression that is the most general recoding, or nothing: what
// one cell of all rows breaks, every recoding breaks. Where rows may be left out, a finer one may
// keep in its cells, with some of them left out, what one cell does not. Internal to the publisher.

#include <cstdint>
#include <optional>
#include <span>

#include "reissue/core/progress.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::models::k::internal {

// So many rows of a cell are left out in every recoding, whichever they are: a lower bound, exact
// but for the parts of rows that it counts. Rests on merging: the rows that stay keep the promise
// together. t and β are not looked at, they are measured against the rows that stay.
std::uint64_t MustLeaveOut(std::span<const Bin> cell, const Guarantee& guarantee);

struct Start {
  std::optional<Recoding> recoding;  // leaves out no more than the limit; nothing: none was found
  bool all_seen = false;             // there is none
};

// The first recoding of a walk through all of them that leaves out no more than the limit. The walk
// does not depend on the limit: whoever allows more finds something no later. Fewest rows left out
// first, depth first; passes over what must leave out more than the best so far. Ends after a fixed
// number of tuple visits.
Start FindStart(const Problem& problem, Progress& progress);

}  // namespace reissue::models::k::internal
