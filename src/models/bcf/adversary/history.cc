#include "reissue/models/bcf/adversary/history.h"

#include <algorithm>
#include <optional>

namespace reissue::models::bcf {
namespace {

// For each cell of the earlier release the one of the later that it lies in; nullopt where some
// cell lies in none, or meets others.
std::optional<std::vector<std::uint32_t>> CellsAfter(const Series& series, std::size_t earlier,
                                                     std::size_t later) {
  const Release& before = series.release(earlier);
  const Release& after = series.release(later);
  std::vector<std::uint32_t> cells(before.cells());
  for (std::size_t cell = 0; cell < before.cells(); ++cell) {
    const auto met = series.ComparableCells(later, before.key(cell));
    if (met.size() != 1 || !series.LiesIn(before.key(cell), after.key(met[0]))) {
      return std::nullopt;
    }
    cells[cell] = met[0];
  }
  return cells;
}

}  // namespace

History::History(const Series& series) {
  for (std::size_t i = 0; i < series.size(); ++i) Add(series, i, false);
}

History::History(const Series& series, const History& earlier) : History(earlier) {
  REISSUE_CHECK(earlier.size() + 1 == series.size());
  Add(series, earlier.size(), false);
}

History History::Whole(const Series& series) {
  History history;
  for (std::size_t i = 0; i < series.size(); ++i) history.Add(series, i, true);
  return history;
}

void History::Add(const Series& series, std::size_t release, bool whole) {
  const Release& published = series.release(release);
  auto told = std::make_shared<Told>();
  for (std::size_t g = 0; g < published.groups(); ++g) {
    told->rows.push_back(published.rows_of_group(g));
  }
  for (std::size_t p = release; p-- > 0 && !whole;) {
    auto cells = CellsAfter(series, p, release);
    if (!cells) continue;
    told->first_birth = p + 1;
    told->cell_after = *std::move(cells);
    const Release& before = series.release(p);
    for (std::size_t g = 0; g < before.groups(); ++g) {
      const auto after =
          published.FindGroup(told->cell_after[before.cell_of_group(g)], before.value(g));
      // Where there are fewer than before, the two releases contradict each other.
      if (after) told->rows[*after] -= std::min(told->rows[*after], before.rows_of_group(g));
    }
    break;
  }
  telling_.emplace_back();
  for (std::size_t birth = told->first_birth; birth <= release; ++birth) {
    telling_[birth].push_back(static_cast<std::uint32_t>(release));
  }
  told_.push_back(std::move(told));
}

bool History::whole() const {
  return std::ranges::all_of(told_, [](const auto& told) { return told->first_birth == 0; });
}

std::size_t History::FirstUnsettled() const {
  std::size_t first = first_birth(size() - 1);
  for (std::size_t i = size() - 1; i-- > first;) first = std::min(first, first_birth(i));
  return first;
}

std::vector<std::uint32_t> History::Expand(std::size_t birth,
                                           std::span<const std::uint32_t> cells) const {
  std::vector<std::uint32_t> all;
  auto next = cells.begin();
  for (std::size_t i = birth; i < size(); ++i) {
    const Told& told = *told_[i];
    all.push_back(told.first_birth <= birth ? *next++
                                            : told.cell_after[all[told.first_birth - 1 - birth]]);
  }
  return all;
}

}  // namespace reissue::models::bcf
