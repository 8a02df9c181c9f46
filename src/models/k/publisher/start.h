#pragma once
// Where the searches begin. That is the most general recoding where it keeps the promise; what one
// cell of all rows breaks, every recoding breaks. Two things can make that otherwise: where rows
// may be left out, a finer recoding may keep in its cells, with some of them left out, what one
// cell does not; and a condition may be kept by something finer alone. Internal to the publisher.

#include <cstdint>
#include <optional>
#include <span>

#include "reissue/core/progress.h"
#include "reissue/models/k/publisher/condition.h"
#include "reissue/models/k/publisher/front.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::models::k::internal {

// So many rows of a cell are left out in every recoding, whichever they are: a lower bound, exact
// but for the parts of rows that it counts. Rests on merging: the rows that stay keep the promise
// together. t and β are not looked at, they are measured against the rows that stay.
std::uint64_t MustLeaveOut(std::span<const Bin> cell, const Guarantee& guarantee);

struct Start {
  std::optional<Recoding> recoding;  // nothing: none was found
  bool all_seen = false;             // there is none
  std::uint64_t work = 0;            // tuple visits
};

// The first recoding of a walk through all of them that leaves out no more than the limit and keeps
// the condition (null: none). The walk does not depend on the limit: whoever allows more finds
// something no later. Fewest rows left out first, depth first; passes over what must leave out more
// than the best so far, and what is hopeless. Ends after a fixed number of tuple visits.
Start FindStart(const Problem& problem, const Condition* condition, Progress& progress);

struct Starts {
  Front front;            // what the walk has seen
  bool all_seen = false;  // nothing leaves out fewer rows
  std::uint64_t work = 0;
};

// The same walk, without condition, to its end: the same for every limit above 0.
Starts FindStarts(const Problem& problem, Progress& progress);

}  // namespace reissue::models::k::internal
