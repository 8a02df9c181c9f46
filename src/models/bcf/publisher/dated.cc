#include "reissue/models/bcf/publisher/dated.h"

#include <algorithm>

namespace reissue::models::bcf {
namespace {

// Somebody with a leaf that hides values of several ages is in every release that may have her:
// there its labels are `*`, and `before` where none of the new ones was there.
std::uint32_t AgeOfLeaf(const std::vector<std::uint32_t>& came, std::uint32_t change) {
  return std::ranges::any_of(came, [&](std::uint32_t release) { return release < change; })
             ? kBefore
             : kSince;
}

Series Extended(const Series& earlier, const Ages& ages, std::span<const AgeColumn> columns) {
  std::vector<Cells> published;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    published.push_back(WithAges(earlier.taxonomies(), earlier.release(i).AsCells(),
                                 static_cast<std::uint32_t>(i), ages, columns));
  }
  auto series = Series::Make(WithAges(earlier.taxonomies(), columns), published);
  REISSUE_CHECK(series.has_value());
  return std::move(series).value();
}

}  // namespace

k::LeafCells WithAges(const k::LeafCells& table, const Ages& ages,
                      std::span<const AgeColumn> columns) {
  const std::size_t width = table.taxonomies.size(), origins = table.cells.origins();
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    table.cells.ForEachPart(CellId(i), [&](const Cells::Part& part) {
      keys.insert(keys.end(), key.begin(), key.begin() + static_cast<std::ptrdiff_t>(width));
      for (const AgeColumn& each : columns) {
        keys.push_back(AgeOfLeaf(ages[each.column][key[each.column]], each.change));
      }
      keys.push_back(key[width]);
      if (origins > 1) keys.push_back(part.origin);
      counts.push_back(part.rows);
    });
  }
  k::LeafCells extended;
  extended.taxonomies = WithAges(table.taxonomies, columns);
  extended.cells = CollectCells(width + columns.size() + 1, keys, counts, origins);
  extended.sensitive_values = table.sensitive_values;
  return extended;
}

namespace internal {

DatedReader::Past::Past(const Task& task, const Ages& ages, std::span<const AgeColumn> columns)
    : series(Extended(task.earlier, ages, columns)), formulas(series), history(series) {
  if (task.options.targets == Targets::kReal) table = WithAges(task.table, ages, columns);
}

DatedReader::DatedReader(const Task& task, const Ages& ages)
    : task_(task), ages_(ages), columns_(AgeColumns(ages)), told_before_(columns_.size(), 0) {
  for (std::size_t i = 0; i < task.earlier.size() && !columns_.empty(); ++i) {
    FindTelling(task.earlier.taxonomies(), task.earlier.release(i).AsCells(),
                static_cast<std::uint32_t>(i), ages, columns_, told_before_);
  }
}

Judgement DatedReader::Ask(const Cells& published, Effort effort) const {
  const auto release = static_cast<std::uint32_t>(task_.earlier.size());
  std::vector<char> telling = told_before_;
  FindTelling(task_.earlier.taxonomies(), published, release, ages_, columns_, telling);
  std::vector<AgeColumn> columns;
  for (std::size_t a = 0; a < columns_.size(); ++a) {
    if (telling[a] != 0) columns.push_back(columns_[a]);
  }
  if (columns.empty()) return {true, published.size()};
  const std::lock_guard lock(mutex_);
  Past& past = PastOf(columns);
  const auto series =
      past.series.With(WithAges(task_.earlier.taxonomies(), published, release, ages_, columns));
  REISSUE_CHECK(series.has_value());
  const Task dated{past.table, past.series, task_.guarantee, task_.options};
  return SeriesKeeps(dated, *series, Formulas(*series, past.formulas),
                     History(*series, past.history), effort, task_.options.earlier_kept,
                     &past.memo);
}

DatedReader::Past& DatedReader::PastOf(const std::vector<AgeColumn>& columns) const {
  std::unique_ptr<Past>& past = pasts_[columns];
  if (!past) past = std::make_unique<Past>(task_, ages_, columns);
  return *past;
}

}  // namespace internal
}  // namespace reissue::models::bcf
