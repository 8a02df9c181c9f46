#include "reissue/models/k/publisher/condition.h"

namespace reissue::models::k::internal {

bool Within(const Fence& fence, const Recoding& recoding) {
  for (std::size_t place = 0; place < fence.size(); ++place) {
    if (fence[place] != 0 && recoding[place] != 0) return false;
  }
  return true;
}

bool AllKeep(ConditionCheck& check, const Partition& partition) {
  for (std::size_t cell = 0; cell < partition.cells(); ++cell) {
    if (check.AskCell(partition, cell) != Answer::kKeeps) return false;
  }
  return true;
}

}  // namespace reissue::models::k::internal
