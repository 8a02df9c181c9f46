#include "reissue/survey/published.h"

namespace reissue::survey {

Published::Published(std::size_t columns, std::size_t sensitive, const Cells& rows)
    : columns_(columns), values_(sensitive), all_rows_(rows.rows()) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  const auto collect = [&](std::size_t which) {
    keys.clear();
    counts.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto key = rows.key(CellId(i));
      keys.insert(keys.end(), key.begin(), key.begin() + static_cast<std::ptrdiff_t>(columns));
      if (which < sensitive) keys.push_back(key[columns + which]);
      counts.push_back(rows.count(CellId(i)));
    }
    return CollectCells(columns + (which < sensitive ? 1 : 0), keys, counts);
  };
  const Cells plain = collect(sensitive);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto key = plain.key(CellId(i));
    keys_.insert(keys_.end(), key.begin(), key.end());
    rows_.push_back(plain.count(CellId(i)));
  }
  for (std::size_t s = 0; s < sensitive; ++s) {
    const Cells groups = collect(s);
    Histogram& histogram = values_[s];
    std::size_t cell = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto group = groups.key(CellId(i));
      while (!std::equal(group.begin(), group.end() - 1, key(cell).begin())) {
        histogram.first.push_back(histogram.values.size());
        ++cell;
      }
      histogram.values.push_back({group.back(), groups.count(CellId(i))});
    }
    histogram.first.resize(cells() + 1, histogram.values.size());
  }
}

Published Published::Project(std::span<const std::size_t> columns) const {
  Published narrow;
  narrow.columns_ = columns.size();
  narrow.all_rows_ = all_rows_;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  const auto append = [&](std::size_t cell) {
    for (const std::size_t column : columns) keys.push_back(key(cell)[column]);
  };
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    append(cell);
    counts.push_back(rows(cell));
  }
  const Cells plain = CollectCells(columns.size(), keys, counts);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto key = plain.key(CellId(i));
    narrow.keys_.insert(narrow.keys_.end(), key.begin(), key.end());
    narrow.rows_.push_back(plain.count(CellId(i)));
  }
  for (std::size_t s = 0; s < sensitive(); ++s) {
    keys.clear();
    counts.clear();
    for (std::size_t cell = 0; cell < cells(); ++cell) {
      for (const Value& value : values(cell, s)) {
        append(cell);
        keys.push_back(value.code);
        counts.push_back(value.rows);
      }
    }
    narrow.values_.push_back(
        Published(columns.size(), 1, CollectCells(columns.size() + 1, keys, counts)).values_[0]);
  }
  return narrow;
}

}  // namespace reissue::survey
