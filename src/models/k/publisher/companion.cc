#include "reissue/models/k/publisher/companion.h"

namespace reissue::models::k::internal {

bool AllKeep(Watch& watch, const Partition& partition) {
  for (std::size_t cell = 0; cell < partition.cells(); ++cell) {
    if (watch.AskCell(partition, cell) != Answer::kKeeps) return false;
  }
  return true;
}

}  // namespace reissue::models::k::internal
