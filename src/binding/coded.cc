#include "reissue/binding/coded.h"

#include <algorithm>
#include <utility>

#include "reissue/binding/scale.h"

namespace reissue::binding {
namespace {

// Both files' values in one coding, whatever order they are in.
void CodeValues(const Sensitive& raw, const Table& table, Coded& coded) {
  coded.table.values.assign(table.rows(), 0);
  coded.table.weights = table.weights();
  if (!raw.column) return;
  coded.sensitive = table[*raw.column].name();
  const auto values = table[*raw.column].values();
  std::transform(values.begin(), values.end(), coded.table.values.begin(),
                 [](ValueId value) { return value.raw(); });
}

// Labels that stand for the same are one. Returns where each has gone.
std::vector<std::uint32_t> SortLabels(std::vector<metrics::Coverage>& labels) {
  const std::vector<metrics::Coverage> given = labels;
  const auto before = [](const metrics::Coverage& a, const metrics::Coverage& b) {
    return std::ranges::lexicographical_compare(
        a, b, [](const metrics::CodeRange& x, const metrics::CodeRange& y) {
          return x.first != y.first ? x.first < y.first : x.last > y.last;
        });
  };
  std::ranges::sort(labels, before);
  labels.erase(std::ranges::unique(labels).begin(), labels.end());
  std::vector<std::uint32_t> places;
  for (const metrics::Coverage& label : given) {
    const auto at = std::ranges::lower_bound(labels, label, before);
    places.push_back(static_cast<std::uint32_t>(at - labels.begin()));
  }
  return places;
}

std::vector<std::uint32_t> ValueCodes(const Sensitive& raw, const Sensitive& published) {
  std::vector<std::uint32_t> codes;
  auto next = static_cast<std::uint32_t>(raw.values->size());
  for (const std::string_view text : published.values->strings()) {
    const auto known = raw.values->Find(text);
    codes.push_back(known ? known->raw() : next++);
  }
  return codes;
}

}  // namespace

metrics::Worth MeasureWorth(const Coded& coded, std::uint64_t queries, std::uint64_t seed) {
  metrics::Worth worth;
  worth.queries = metrics::MeasureQueries(coded.table, coded.domain, coded.release, queries, seed);
  for (std::size_t q = 0; q < coded.names.size(); ++q) {
    worth.columns.push_back(
        metrics::MeasureInformation(coded.table, coded.release, q, coded.domain[q]));
    worth.columns.back().name = coded.names[q];
  }
  const auto name = [&](std::size_t column) {
    return column < coded.names.size() ? coded.names[column] : coded.sensitive;
  };
  const auto found = metrics::MeasureCorrelations(coded.table, coded.release, coded.domain);
  for (const auto& pair : found.pairs) {
    worth.pairs.push_back({name(pair.first), name(pair.second), pair.raw, pair.published});
  }
  worth.mean_difference = found.mean_difference;
  worth.worst_pair = found.worst;
  return worth;
}

Result<Coded> CodeColumns(const HolderTable& holder, const Table& release) {
  Coded coded;
  const std::size_t columns = holder.quasi.size(), rows = holder.table.rows();
  coded.table.columns = columns;
  coded.table.codes.resize(rows * columns);
  for (std::size_t q = 0; q < columns; ++q) {
    const Quasi& quasi = holder.quasi[q];
    const ColumnId id = *release.Find(quasi.policy->name);
    const ColumnScale scale(quasi, holder.table[quasi.column], release[id]);
    coded.names.push_back(quasi.policy->name);
    coded.domain.push_back(scale.codes());
    const auto exact = REISSUE_TRY(scale.CoveragesOf(holder.table, quasi.column));
    const auto values = holder.table[quasi.column].values();
    for (std::size_t row = 0; row < rows; ++row) {
      coded.table.codes[row * columns + q] = exact[values[row].index()].front().first;
    }
    auto found = REISSUE_TRY(scale.CoveragesOf(release, id));
    coded.label_of_value.push_back(SortLabels(found));
    coded.release.labels.push_back(std::move(found));
  }
  return coded;
}

Result<Coded> CodeRecoded(const HolderTable& holder, const ReleaseTable& release,
                          ThreadPool& pool) {
  Coded coded = REISSUE_TRY(CodeColumns(holder, release.table));
  CodeValues(holder.sensitive, holder.table, coded);
  const auto code_of = ValueCodes(holder.sensitive, release.sensitive);
  const Cells cells = ReleaseCells(release, pool);
  metrics::CodedRelease& out = coded.release;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    const auto labels = key.first(release.quasi.size());
    const bool fresh =
        i == 0 || !std::ranges::equal(labels, cells.key(CellId(i - 1)).first(release.quasi.size()));
    if (fresh) {
      for (std::size_t q = 0; q < labels.size(); ++q) {
        out.shown.push_back(coded.label_of_value[q][labels[q]]);
      }
      out.group.push_back(static_cast<std::uint32_t>(out.group.size()));
      out.rows.push_back(0);
    }
    out.rows.back() += cells.count(CellId(i));
    out.counts.push_back({out.group.back(), code_of[key.back()], cells.count(CellId(i))});
  }
  return coded;
}

}  // namespace reissue::binding
