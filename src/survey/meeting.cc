#include "reissue/survey/meeting.h"

#include <algorithm>
#include <numeric>

namespace reissue::survey {

OverlapTable::OverlapTable(const Columns& columns) {
  std::vector<double> met;  // labels that overlap one, as a share of all
  for (const labels::ColumnLabels& column : columns) {
    overlaps_.push_back(labels::Overlaps(column));
    std::size_t pairs = 0;
    for (const auto& near : overlaps_.back()) pairs += near.size();
    const auto size = static_cast<double>(column.labels.size());
    met.push_back(static_cast<double>(pairs) / (size * size));
  }
  order_.resize(columns.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return met[a] < met[b]; });
}

Meeting::Meeting(const Published& file, const OverlapTable& overlaps)
    : overlaps_(overlaps), width_(file.columns()), cells_(file.cells()) {
  std::iota(cells_.begin(), cells_.end(), std::uint32_t{0});
  const auto& order = overlaps_.order();
  std::sort(cells_.begin(), cells_.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const std::size_t column : order) {
      if (file.key(a)[column] != file.key(b)[column])
        return file.key(a)[column] < file.key(b)[column];
    }
    return false;
  });
  sorted_.reserve(cells_.size() * width_);
  for (const std::uint32_t cell : cells_) {
    for (const std::size_t column : order) sorted_.push_back(file.key(cell)[column]);
  }
}

bool Meeting::Find(std::span<const std::uint32_t> key, std::uint64_t& steps,
                   std::vector<std::uint32_t>& found) const {
  return Walk(key, 0, 0, cells_.size(), steps, found);
}

bool Meeting::Walk(std::span<const std::uint32_t> key, std::size_t depth, std::size_t first,
                   std::size_t last, std::uint64_t& steps,
                   std::vector<std::uint32_t>& found) const {
  if (depth == width_) {
    for (std::size_t place = first; place < last; ++place) found.push_back(cells_[place]);
    return true;
  }
  const std::size_t column = overlaps_.order()[depth];
  const auto near = overlaps_.of(column, key[column]);
  auto wanted = near.begin();
  // The first place from `from` on whose label is not below `label`: close ones are found first.
  const auto seek = [&](std::size_t from, std::uint32_t label) {
    std::size_t stride = 1;
    while (from + stride < last && Label(from + stride, depth) < label) stride *= 2;
    std::size_t low = from + stride / 2, high = std::min(from + stride, last);
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (Label(middle, depth) < label) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  for (std::size_t place = first; place < last;) {
    if (steps == 0) return false;
    --steps;
    const std::uint32_t label = Label(place, depth);
    if (*wanted < label) wanted = std::lower_bound(wanted, near.end(), label);
    if (wanted == near.end()) break;
    if (*wanted > label) {
      place = seek(place, *wanted);
      continue;
    }
    const std::size_t end = seek(place, label + 1);
    if (!Walk(key, depth + 1, place, end, steps, found)) return false;
    place = end;
  }
  return true;
}

}  // namespace reissue::survey
