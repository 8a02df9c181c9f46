#pragma once
// Correspondence attacks by the letter of the paper: all generators (Section 3.1) are enumerated,
// and the crack sizes of Definitions 3.1, 3.3 and 3.5 are minima over them. Factorial: for at most
// six rows or so.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "domain.h"

namespace oracle::bcf {

// One person of a generator: a row in every release from the birth on, each the buddy of the one
// before, and the places at which all of them can be instantiated. The choice among those places is
// free for each chain, so it is not enumerated: a chain can be a target's record exactly if the
// target's place is among them.
struct Chain {
  std::size_t birth = 1;
  std::vector<std::size_t> rows;  // of releases birth, birth + 1, …
  Places places;
};
using Generator = std::vector<Chain>;

// All generators of a series: all injective assignments of the rows of each release to rows of the
// next with the same sensitive value, such that every chain has a common instantiation. None: the
// files are not one growing series.
void ForEachGenerator(const Domain& domain, const Series& series,
                      const std::function<void(const Generator&)>& visit);

// A target of the attacks on two releases: a person's quasi-identifiers and the cells they match.
struct PairTarget {
  Quasi person, first, second;  // `first` is empty for a target born in release 2
  friend auto operator<=>(const PairTarget&, const PairTarget&) = default;
};
using ByValue = std::map<std::string, long>;

// Crack sizes of the groups of a cell, by sensitive value.
struct Cracks {
  bool possible = false;                   // is there any generator
  std::map<PairTarget, ByValue> forward;   // groups of the first cell (Definition 3.1)
  std::map<PairTarget, ByValue> cross;     // groups of the second cell (Definition 3.3)
  std::map<PairTarget, ByValue> backward;  // groups of the second cell (Definition 3.5)
};
// Where the releases are not global recodings and a person matches several cells of one release, a
// row counts as the target's only if its buddy is in the other cell of the pair (for cuts that
// follows, Theorem 4.1).
Cracks CrackSizes(const Domain& domain, const Release& r1, const Release& r2);

// Definitions 3.2, 3.4 and 3.6. Pairs and cells in which nothing is left have no target and are
// skipped; null where nothing remains.
struct Anonymity {
  std::optional<long> forward, cross, backward;
  friend bool operator==(const Anonymity&, const Anonymity&) = default;
};
Anonymity AnonymityByDefinition(const Domain& domain, const Release& r1, const Release& r2);

// Sum over all values; 0 for none.
long Total(const ByValue& sizes);

// The smaller, where null is nothing.
void TakeLess(std::optional<long>& least, long candidate);

}  // namespace oracle::bcf
