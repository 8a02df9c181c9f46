#pragma once
// What a series of releases proves, by trying everything: a world gives everybody a value so that
// every group has its values as often as published.

#include <map>
#include <set>
#include <vector>

#include "published.h"

namespace oracle::invariance {

using World = std::vector<int>;  // value per person
using Known = std::map<int, int>;

// All worlds in which `known` people have their values; at most `limit` (then `complete` is false).
struct Worlds {
  std::vector<World> worlds;
  bool complete = true;
};
Worlds WorldsOf(const Published& published, const Known& known, std::size_t limit);

// A basis of all x such that in every world every value occurs as often on either side.
Matrix TrueEqualities(int people, int values, const std::vector<World>& worlds);

// The values everybody has in some world.
std::vector<std::set<int>> PossibleIn(int people, const std::vector<World>& worlds);

// The values that are left to everybody if one value is looked at at a time, again and again: who
// can be among its people, who must. Everybody without a value: a contradiction.
std::vector<std::set<int>> PossibleByOneValue(const Published& published, const Known& known);

}  // namespace oracle::invariance
