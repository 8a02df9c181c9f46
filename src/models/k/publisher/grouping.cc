// The cells of a recoding, from scratch.

#include <algorithm>
#include <limits>

#include "reissue/core/let_go.h"
#include "reissue/models/k/publisher/partition.h"

namespace reissue::models::k::internal {
namespace {

// Keys below are numbered by a table, others by hashing.
constexpr std::size_t kLargestTable = std::size_t{1} << 18;
// Keys stay below that.
constexpr std::uint64_t kLargestKey = std::numeric_limits<std::uint64_t>::max() / 2;

std::uint64_t Scattered(std::uint64_t key) {
  key *= 0x9e3779b97f4a7c15;
  return key ^ (key >> 29);
}

}  // namespace

// Cells are numbered by their first tuples.
void Partition::Group() {
  const std::size_t tuples = problem_.tuples(), columns = problem_.columns();
  order_.resize(tuples);
  cell_of_tuple_.assign(tuples, 0);
  std::uint32_t cells = 1;
  leaf_places_.resize(columns);
  parts_of_key_.clear();
  std::uint64_t keys = 1;
  for (std::size_t j = 0; j < columns; ++j) {
    const std::uint64_t nodes = FindPlaces(j);
    if (recoding_[problem_.root(j)] == 0) continue;
    work_ += tuples;
    if (keys > kLargestKey / cells / nodes) NumberCells(keys, cells);
    parts_of_key_.push_back({static_cast<std::uint32_t>(j), keys});
    keys *= nodes;
  }
  if (!parts_of_key_.empty()) NumberCells(keys, cells);

  cells_.assign(cells, Cell{});
  Cell* cell = cells_.data();
  for (std::size_t t = 0; t < tuples; ++t) {
    ++cell[cell_of_tuple_[t]].end;
    cell[cell_of_tuple_[t]].rows += problem_.rows(t);
  }
  std::uint32_t begin = 0;
  for (Cell& c : cells_) {
    const std::uint32_t size = c.end;
    c.begin = c.end = begin;
    begin += size;
  }
  for (std::uint32_t t = 0; t < tuples; ++t) order_[cell[cell_of_tuple_[t]].end++] = t;
  work_ += tuples;

  FreeLargeScratch();
  if (bare_) {
    LetGo(cell_places_);
    LetGo(effects_);
    LetGo(next_at_);
    return;
  }
  cell_places_.resize(cells * columns);
  effects_.assign(cells * columns, Effect{});
  for (std::size_t c = 0; c < cells; ++c) {
    const auto leaves = problem_.leaves(order_[cells_[c].begin]);
    for (std::size_t j = 0; j < columns; ++j) place_of(c, j) = leaf_places_[j][leaves[j]].place;
  }
  if (tuples < kLargestTable) return;
  for (std::vector<LeafPlace>& places : leaf_places_) LetGo(places);
}

// What is only needed to group: of large tables more than the cells.
void Partition::FreeLargeScratch() {
  if (problem_.tuples() < kLargestTable) return;
  LetGo(numbers_);
  LetGo(key_of_cell_);
  if (bare_) LetGo(cell_of_tuple_);
}

// The places of the cut by leaves, and how many there are.
std::uint64_t Partition::FindPlaces(std::size_t column) {
  const taxonomy::Taxonomy& tree = problem_.tree(column);
  std::vector<LeafPlace>& places = leaf_places_[column];  // all of it is written anew
  places.resize(tree.leaves());
  std::uint32_t nodes = 0;
  const Spot root = problem_.root(column);
  for (Spot p = root; p < problem_.end(root);) {
    if (recoding_[p] != 0) {
      ++p;
      continue;
    }
    const NodeId node = problem_.node(p);
    for (std::uint32_t r = tree.first_leaf(node); r < tree.last_leaf(node); ++r) {
      places[r] = {p, nodes};
    }
    ++nodes;
    p = problem_.end(p);
  }
  return nodes;
}

// Refines the grouping by the columns of the key, which has so many values, and clears it.
void Partition::NumberCells(std::uint64_t& keys, std::uint32_t& cells) {
  const std::size_t tuples = problem_.tuples();
  struct Part {
    std::size_t column;
    std::uint64_t times;
    const LeafPlace* places;
  };
  std::vector<Part> parts;
  for (const KeyPart& part : parts_of_key_) {
    parts.push_back({part.column, part.times, leaf_places_[part.column].data()});
  }
  std::uint32_t* cell_of_tuple = cell_of_tuple_.data();
  const auto key = [&](std::size_t t) {
    const std::uint32_t* leaves = problem_.leaves(t).data();
    std::uint64_t sum = cell_of_tuple[t] * keys;
    for (const Part& part : parts) sum += part.times * part.places[leaves[part.column]].number;
    return sum;
  };
  std::uint32_t next = 0;
  if (keys * cells <= std::max<std::uint64_t>(kLargestTable, 4 * tuples)) {
    numbers_.assign(keys * cells, kNobody);
    std::uint32_t* numbers = numbers_.data();
    for (std::size_t t = 0; t < tuples; ++t) {
      std::uint32_t& number = numbers[key(t)];
      if (number == kNobody) number = next++;
      cell_of_tuple[t] = number;
    }
  } else {
    std::size_t room = 16;
    while (room < 2 * tuples) room *= 2;
    numbers_.assign(room, kNobody);
    key_of_cell_.clear();
    for (std::size_t t = 0; t < tuples; ++t) {
      const std::uint64_t wanted = key(t);
      std::size_t at = Scattered(wanted) & (room - 1);
      while (numbers_[at] != kNobody && key_of_cell_[numbers_[at]] != wanted) {
        at = (at + 1) & (room - 1);
      }
      if (numbers_[at] == kNobody) {
        numbers_[at] = next++;
        key_of_cell_.push_back(wanted);
      }
      cell_of_tuple[t] = numbers_[at];
    }
  }
  cells = next;
  keys = 1;
  parts_of_key_.clear();
}

}  // namespace reissue::models::k::internal
