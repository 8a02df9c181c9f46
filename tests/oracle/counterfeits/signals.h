#pragma once
// What may give a counterfeit away, as numbers per row of a release. Slow and obvious.

#include <string>
#include <vector>

#include "published.h"
#include "tracks.h"

namespace oracle::counterfeits {

struct Signals {
  std::vector<std::string> names;
  // Per release and row, one number per name.
  std::vector<std::vector<std::vector<double>>> of_row;
};

// How a row looks beside the others of its release and its group, and how it has moved so far.
Signals Looks(const Series& series, const std::vector<Track>& tracks);

// When a row appears and vanishes, and where: the publisher's doing, however rows look.
Signals Lifetimes(const Series& series, const std::vector<Track>& tracks);

}  // namespace oracle::counterfeits
