#include "reissue/models/bcf/adversary/implied.h"

namespace reissue::models::bcf {

bool Implied(const Series& series, const Formulas& formulas, std::size_t release) {
  const Release& before = series.release(release - 1);
  const Pair& pair = formulas.pair(release - 1, release);
  for (std::size_t cell = 0; cell < before.cells(); ++cell) {
    const auto after = pair.ComparableCells(cell);
    if (after.size() != 1) return false;
    for (std::size_t j = 0; j < series.columns(); ++j) {
      const NodeId wide = series.release(release).node(after[0], j);
      if (!series.tree(j).IsAncestor(wide, before.node(cell, j))) return false;
    }
  }
  return true;
}

std::size_t NeedingWorlds(const Series& series, const Formulas& formulas) {
  std::size_t length = series.size();
  while (length > 1 && Implied(series, formulas, length - 1)) --length;
  return length;
}

}  // namespace reissue::models::bcf
