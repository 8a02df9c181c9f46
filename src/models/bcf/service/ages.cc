#include "reissue/models/bcf/service/ages.h"

namespace reissue::models::bcf::service {

Ages LeafAges(const contract::Ages& ages, const Taxonomies& trees) {
  Ages of_leaf(trees.size());
  for (std::size_t q = 0; q < trees.size(); ++q) {
    if (ages.changes(q).empty()) continue;
    for (std::uint32_t rank = 0; rank < trees[q]->leaves(); ++rank) {
      std::vector<std::uint32_t> came = ages.Below(q, trees[q]->label(trees[q]->leaf(rank)));
      for (std::uint32_t& release : came) --release;
      if (came.empty()) came.push_back(0);
      of_leaf[q].push_back(std::move(came));
    }
  }
  return of_leaf;
}

Result<std::optional<DatedSeries>> WithAges(const BoundSeries& bound, const Ages& ages) {
  const Taxonomies& trees = bound.series.taxonomies();
  const std::vector<AgeColumn> columns = AgeColumns(ages);
  std::vector<char> telling(columns.size(), 0);
  for (std::uint32_t i = 0; i < bound.cells.size(); ++i) {
    FindTelling(trees, bound.cells[i], i, ages, columns, telling);
  }
  DatedSeries dated;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    if (telling[a] != 0) dated.columns.push_back(columns[a]);
  }
  if (dated.columns.empty()) return std::optional<DatedSeries>();
  std::vector<Cells> published;
  for (std::uint32_t i = 0; i < bound.cells.size(); ++i) {
    published.push_back(bcf::WithAges(trees, bound.cells[i], i, ages, dated.columns));
  }
  dated.series = REISSUE_TRY(Series::Make(bcf::WithAges(trees, dated.columns), published));
  return std::optional<DatedSeries>(std::move(dated));
}

}  // namespace reissue::models::bcf::service
