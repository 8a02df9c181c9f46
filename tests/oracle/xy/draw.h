#pragma once
// Random tiny tables that are joined, and random promises about them. For tests only.

#include <cstddef>
#include <vector>

#include "join.h"
#include "reissue/core/random.h"

namespace oracle::xy {

// How a table of a drawn world came about.
enum class Recoding { kLeaves, kCuts, kLocal };

struct DrawnWorld {
  World raw;    // all tables at their leaves
  World world;  // as published
  std::vector<Recoding> recodings;
  bool one_table = false;  // all tables are projections of one
};

// Two to four tables of a few rows, one to three join columns that not every table has, up to two
// columns more per table, taxonomies of depth one to three, with or without pairs that are
// forbidden.
DrawnWorld DrawWorld(reissue::Random& random);

// X and Y are disjoint. `fixed` columns are never in X.
Promise DrawPromise(const World& world, const std::vector<Place>& fixed, reissue::Random& random);
bool IsPlain(const World& world, const Promise& promise);
std::vector<Place> AllPlaces(const World& world);

// For each leaf the node that stands for it (−1 for inner nodes).
using Cut = std::vector<Label>;
Cut RandomCut(const Tree& tree, reissue::Random& random);
// A cut of one node replaced by its children.
Cut Specialised(const Tree& tree, const Cut& cut, Label node);
void Recode(World& world, const Place& place, const Cut& cut);

}  // namespace oracle::xy
