#pragma once
// The safety net of the publisher: measures a recoding from scratch, without any structure of the
// searches. Internal to the publisher.

#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::k::internal {

struct Settled {
  std::vector<std::vector<NodeId>> suppressed;  // cells that break the promise, as nodes; sorted
  std::uint64_t suppressed_rows = 0;
};

// Recodes the table by the cuts and leaves out what breaks the promise by itself, then what breaks
// it against what remains (t and β), again and again until nothing does. O(cells log cells ·
// rounds).
Settled Settle(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts,
               const Guarantee& guarantee);

// The error of a promise that even one cell of all rows does not keep, nor what may be left of it;
// Ok where it does, or where a search may find what to leave out.
Status CheckRoot(const Overall& overall, const Guarantee& guarantee, std::uint64_t limit);
// The error where a search has not: of all recodings, or of those that it has seen.
Error NothingFound(const Overall& overall, const Guarantee& guarantee, std::uint64_t limit,
                   bool all_seen);

}  // namespace reissue::models::k::internal
