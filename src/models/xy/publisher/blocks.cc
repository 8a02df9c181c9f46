#include "reissue/models/xy/publisher/blocks.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace reissue::models::xy::internal {

Blocks::Blocks(const Source& source, const Places& places, const Choice& choice) {
  std::vector<std::uint32_t> carried_moving, carried_fixed;
  for (const std::uint32_t column : choice.grouped) {
    (places.generalised(column) ? moving_ : fixed_).push_back(column);
  }
  grouped_ = moving_.size();
  const std::size_t fixed_grouped = fixed_.size();
  for (const std::uint32_t column : choice.carried) {
    (places.generalised(column) ? moving_ : fixed_).push_back(column);
  }
  Collect(source, choice);
  Group(places, fixed_grouped);
}

void Blocks::Collect(const Source& source, const Choice& choice) {
  std::vector<std::uint32_t> columns = fixed_;
  columns.insert(columns.end(), choice.y.begin(), choice.y.end());
  columns.insert(columns.end(), moving_.begin(), moving_.end());
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  keys.reserve(source.cells.size() * columns.size());
  for (std::size_t i = 0; i < source.cells.size(); ++i) {
    if (source.cells.count(CellId(i)) == 0) continue;
    const auto key = source.cells.key(CellId(i));
    for (const std::uint32_t column : columns) keys.push_back(key[column]);
    if (!choice.y_counts_as.empty()) {
      std::uint32_t& y = keys[keys.size() - columns.size() + fixed_.size()];
      y = choice.y_counts_as[y];
    }
    counts.push_back(source.cells.count(CellId(i)));
  }
  const Cells cells = CollectCells(columns.size(), keys, counts);
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    const auto y_begin = key.begin() + static_cast<std::ptrdiff_t>(fixed_.size());
    const auto y_end = y_begin + static_cast<std::ptrdiff_t>(choice.y.size());
    fixed_codes_.insert(fixed_codes_.end(), key.begin(), y_begin);
    std::vector<std::uint32_t> codes(y_begin, y_end);
    const auto next = static_cast<std::uint32_t>(numbers.size());
    const auto [number, added] = numbers.emplace(codes, next);
    if (added) y_codes_.push_back(std::move(codes));
    y_.push_back(number->second);
    ranks_.insert(ranks_.end(), y_end, key.end());
    rows_.push_back(cells.count(CellId(i)));
  }
}

// Blocks of atoms that agree on the fixed columns grouped by; everything else is at the root.
void Blocks::Group(const Places& places, std::size_t fixed_grouped) {
  order_.resize(atoms());
  std::iota(order_.begin(), order_.end(), 0u);
  const auto codes = [&](std::uint32_t atom) {
    return std::span(fixed_codes_).subspan(atom * fixed_.size(), fixed_grouped);
  };
  std::ranges::sort(order_, [&](std::uint32_t a, std::uint32_t b) {
    const auto order = std::lexicographical_compare_three_way(codes(a).begin(), codes(a).end(),
                                                              codes(b).begin(), codes(b).end());
    if (order != 0) return order < 0;
    return y_[a] != y_[b] ? y_[a] < y_[b] : a < b;
  });
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    if (i > 0 && std::ranges::equal(codes(order_[i - 1]), codes(order_[i]))) {
      end_.back() = i + 1;
      continue;
    }
    begin_.push_back(i);
    end_.push_back(i + 1);
    for (std::size_t m = 0; m < grouped_; ++m) places_.push_back(places.root(moving_[m]));
  }
}

std::span<const std::uint32_t> Blocks::Split(std::size_t block, std::size_t m,
                                             const Places& places) {
  const Spot spot = place(block, m);
  const Fork fork = places.fork(spot);
  const std::uint32_t fan_out = places.fan_out(spot);
  starts_.assign(fan_out + 1, 0);
  for (const std::uint32_t atom : atoms(block)) ++starts_[fork.Of(rank(atom, m)) + 1];
  for (std::uint32_t i = 0; i < fan_out; ++i) starts_[i + 1] += starts_[i];
  sorted_.resize(atoms(block).size());
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  for (const std::uint32_t atom : atoms(block)) sorted_[next[fork.Of(rank(atom, m))]++] = atom;
  const std::uint32_t begin = begin_[block];
  std::ranges::copy(sorted_, order_.begin() + begin);
  parts_.assign(fan_out, kNone);
  bool kept = false;
  for (std::uint32_t i = 0; i < fan_out; ++i) {
    if (starts_[i] == starts_[i + 1]) continue;
    std::size_t part = block;
    if (kept) {
      part = size();
      begin_.push_back(0);
      end_.push_back(0);
      for (std::size_t j = 0; j < grouped_; ++j) places_.push_back(place(block, j));
    }
    kept = true;
    begin_[part] = begin + starts_[i];
    end_[part] = begin + starts_[i + 1];
    places_[part * grouped_ + m] = places.child(spot, i);
    parts_[i] = static_cast<std::uint32_t>(part);
  }
  return parts_;
}

}  // namespace reissue::models::xy::internal
