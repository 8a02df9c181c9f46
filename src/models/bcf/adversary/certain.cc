#include "reissue/models/bcf/adversary/certain.h"

#include <algorithm>

namespace reissue::models::bcf {

CertainRows::CertainRows(const Series& series, const History& history)
    : series_(&series), history_(&history) {
  for (std::size_t i = 0; i < series.size(); ++i) {
    cells_.emplace_back(series.release(i).cells());
    groups_.emplace_back(series.release(i).groups());
  }
}

void CertainRows::Add(const TargetView& view) {
  if (view.left.upper == 0) return;
  const auto telling = history_->releases(view.birth);
  for (std::size_t a = 0; a < view.cells.size(); ++a) {
    Room& room = cells_[telling[a]][view.cells[a]];
    room.Add(view.left.upper, view.left.upper == 1, view.left.lower < 2);
  }
  std::size_t sure = 0, possible = 0;
  for (const Strand& strand : view.strands) {
    sure += strand.left.lower > 0;
    possible += strand.left.upper > 0;
  }
  decided_ &= (view.left.lower > 1 || view.left.exact()) && (sure > 1 || sure == possible);
  for (const Strand& strand : view.strands) {
    if (strand.left.upper == 0) continue;
    const bool another = sure > (strand.left.lower > 0 ? 1u : 0u);
    for (std::size_t a = 0; a < strand.groups.size(); ++a) {
      Room& room = groups_[telling[a]][strand.groups[a]];
      room.Add(strand.left.upper, possible == 1, !another);
    }
  }
}

// Those whom a release does not tell of have their cells from an earlier one.
void CertainRows::End() {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Release& after = series_->release(i);
    history_->ForEachCarried(i, [&](std::uint32_t from, std::uint32_t to) {
      const std::size_t p = history_->first_birth(i) - 1;
      cells_[i][to].Add(cells_[p][from]);
      ForEachCommonValue(
          series_->release(p), from, after, to,
          [&](std::uint32_t, std::size_t a, std::size_t b) { groups_[i][b].Add(groups_[p][a]); });
    });
  }
}

Interval CertainRows::SingledOut() const {
  return Sum(cells_,
             [](const Release& release, std::size_t cell) { return release.rows_of_cell(cell); });
}

Interval CertainRows::ValueCertain() const {
  return Sum(groups_, [](const Release& release, std::size_t group) {
    return release.rows_of_group(group);
  });
}

// Everybody is in the newest release; those of an earlier one are some of them.
template <typename Rows>
Interval CertainRows::Sum(const std::vector<std::vector<Room>>& rooms, const Rows& rows_of) const {
  Interval found;
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    Interval sum;
    for (std::size_t r = 0; r < rooms[i].size(); ++r) {
      const std::uint64_t rows = rows_of(series_->release(i), r);
      sum.lower += rows - std::min(rows, rooms[i][r].otherwise);
      sum.upper += std::min(rows, rooms[i][r].so);
    }
    found = {std::max(found.lower, sum.lower), sum.upper};
  }
  return found;
}

}  // namespace reissue::models::bcf
