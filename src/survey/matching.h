#pragma once
// One file before a reader who knows the raw values x of somebody in it. The rows that can be
// theirs are the rows that match x: all of their labels contain it. Of the person of a row, x may
// be anything within its labels; so all is told as from–to (docs/design/0011).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/survey/meeting.h"
#include "reissue/survey/published.h"

namespace reissue::survey {

// How much work may be done; the results depend on it, and not on the number of threads.
struct Effort {
  std::uint64_t of_cell = 50'000;  // steps of the first round
  // Shared by the cells that were not done then.
  std::uint64_t of_rest = 1'000'000'000;
};

// For all x, or for some.
struct Whether {
  bool surely = false, possibly = false;
};

// What matches the people of one cell.
struct CellMatch {
  // Rows whose labels overlap those of the cell: at most these match any x. Upper bound: all rows
  // of the file where the work was too much.
  std::uint64_t overlapping = 0;
  FromTo least;                  // the fewest rows that match some x of the cell
  Whether singled_out;           // one row matches
  std::vector<Whether> certain;  // per sensitive column: what matches has one value
  bool complete = true;
};

struct Matching {
  std::vector<CellMatch> cells;
  FromTo singled_out;           // rows
  std::vector<FromTo> certain;  // rows, per sensitive column
  FromTo value_certain;         // rows with some column of which the value is certain
  FromTo exposed;               // rows that are singled out or whose value is certain
  FromTo least;                 // the fewest rows that match anybody
  std::uint64_t fewest_overlapping = 0;
  std::uint64_t incomplete = 0;  // cells
};

Matching Match(const Columns& columns, const Published& file, const OverlapTable& overlaps,
               ThreadPool& pool, const Effort& effort = {});

// Calls work(cell, steps) for each of `cells` with the steps of the first round, then for those for
// which it returned false with their part of the rest. On all threads.
template <typename Work>
void InRounds(std::size_t cells, const Effort& effort, ThreadPool& pool, Work&& work) {
  constexpr std::size_t kChunk = 32;
  std::vector<std::uint32_t> waiting(cells);
  for (std::size_t i = 0; i < cells; ++i) waiting[i] = static_cast<std::uint32_t>(i);
  for (int round = 0; round < 2 && !waiting.empty(); ++round) {
    const std::uint64_t steps = round == 0 ? effort.of_cell : effort.of_rest / waiting.size();
    if (round == 1 && steps <= effort.of_cell) break;
    std::vector<char> done(waiting.size(), 0);
    pool.Run((waiting.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
      const std::size_t end = std::min(waiting.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < end; ++i) {
        done[i] = work(waiting[i], steps) ? 1 : 0;
      }
    });
    std::vector<std::uint32_t> rest;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (done[i] == 0) rest.push_back(waiting[i]);
    }
    waiting = std::move(rest);
  }
}

}  // namespace reissue::survey
