#pragma once
// Rows that go on from release to release, as a reader sees it: people keep their bucket, and the
// bucket of a row is known by its values. Within a bucket rows are matched by how little they have
// changed; what most rows do (everybody is a year older) is no change.

#include <cstddef>
#include <vector>

#include "published.h"

namespace oracle::counterfeits {

struct Track {
  std::size_t first = 0;          // release
  std::vector<std::size_t> rows;  // one per release from there on
  std::size_t last() const { return first + rows.size() - 1; }
};

std::vector<Track> Follow(const Series& series);

// Per release and row: the release in which its track begins.
std::vector<std::vector<std::size_t>> FirstSeen(const Series& series,
                                                const std::vector<Track>& tracks);

// What most rows do from one release to the next.
struct Moves {
  std::vector<double> usual;  // per column: the difference that numbers have most often
  std::vector<bool> stamp;    // per column: everybody has a new text
  double Cost(const Series& series, const std::vector<std::string>& before,
              const std::vector<std::string>& after) const;
};
Moves UsualMoves(const Series& series, std::size_t release);

}  // namespace oracle::counterfeits
