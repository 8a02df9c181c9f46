#include "reissue/models/bcf/publisher/real.h"

#include <algorithm>

namespace reissue::models::bcf {
namespace {

// Of boxes that do not overlap there is one at most.
std::optional<std::uint32_t> BoxOfLeaves(const Series& series, std::size_t release,
                                         std::span<const std::uint32_t> leaves) {
  std::vector<std::uint32_t> key;
  for (std::size_t j = 0; j < series.columns(); ++j) {
    key.push_back(series.tree(j).leaf(leaves[j]).raw());
  }
  const auto cells = series.ComparableCells(release, key);
  if (cells.empty()) return std::nullopt;
  return cells[0];
}

bool Disjoint(const Series& series, std::size_t release) {
  if (series.recoding(release).global()) return true;
  const Release& cells = series.release(release);
  for (std::size_t cell = 0; cell < cells.cells(); ++cell) {
    if (series.ComparableCells(release, cells.key(cell)).size() > 1) return false;
  }
  return true;
}

}  // namespace

std::optional<std::uint32_t> CellOfLeaves(const Series& series, std::size_t release,
                                          std::span<const std::uint32_t> leaves) {
  if (!series.recoding(release).global()) return BoxOfLeaves(series, release, leaves);
  std::vector<std::uint32_t> key;
  for (std::size_t j = 0; j < series.columns(); ++j) {
    key.push_back(series.recoding(release).cuts[j].NodeOfLeaf(leaves[j]).raw());
  }
  const auto cell = series.release(release).FindCell(key);
  if (!cell) return std::nullopt;
  return static_cast<std::uint32_t>(*cell);
}

std::optional<std::vector<std::vector<std::vector<std::uint32_t>>>> RealTargets(
    const k::LeafCells& table, const Series& series) {
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (!Disjoint(series, i)) return std::nullopt;
  }
  const Cells& cells = table.cells;
  const bool births = cells.origins() > 1;
  std::vector<std::vector<std::vector<std::uint32_t>>> real(series.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells.count(CellId(i)) == 0) continue;
    const auto leaves = cells.key(CellId(i)).first(series.columns());
    std::vector<std::uint32_t> tuple;  // from the last release backwards
    for (std::size_t birth = series.size(); birth-- > 0;) {
      const auto cell = CellOfLeaves(series, birth, leaves);
      if (!cell) break;
      tuple.push_back(*cell);
      if (births && cells.count(CellId(i), birth) == 0) continue;
      real[birth].emplace_back(tuple.rbegin(), tuple.rend());
    }
  }
  for (auto& tuples : real) {
    std::sort(tuples.begin(), tuples.end());
    tuples.erase(std::unique(tuples.begin(), tuples.end()), tuples.end());
  }
  return real;
}

}  // namespace reissue::models::bcf
