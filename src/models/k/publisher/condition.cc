#include "reissue/models/k/publisher/condition.h"

namespace reissue::models::k::internal {

bool AllKeep(ConditionCheck& check, const Partition& partition) {
  for (std::size_t cell = 0; cell < partition.cells(); ++cell) {
    if (check.AskCell(partition, cell) != Answer::kKeeps) return false;
  }
  return true;
}

}  // namespace reissue::models::k::internal
