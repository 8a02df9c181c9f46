#pragma once
// The safety net of the publisher: measures a recoding from scratch, without any structure of the
// searches. Internal to the publisher.

#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::k::internal {

struct Settled {
  std::vector<std::vector<NodeId>> suppressed;  // cells that break the promise, as nodes; sorted
  std::uint64_t suppressed_rows = 0;
};

// Recodes the table by the cuts and leaves out what breaks the promise, again and again until what
// remains keeps it (t and β are measured against what remains). O(cells log cells · rounds).
Settled Settle(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts,
               const Guarantee& guarantee);

// The error of a promise that even one cell of all rows does not keep; Ok where it does.
Status CheckRoot(const Overall& overall, const Guarantee& guarantee);

}  // namespace reissue::models::k::internal
