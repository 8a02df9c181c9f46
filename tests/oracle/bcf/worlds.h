#pragma once
// Worlds of a series of any length (docs/design/0002-growing-tables.md), all of them, one after
// another; what they leave to a target; and the closed forms of the paper, to be compared with
// them. Exponential: for tiny series.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "domain.h"
#include "generators.h"

namespace oracle::bcf {

// A birth and one cell per release from the birth on that all have a place in common.
struct Target {
  std::size_t birth = 1;
  std::vector<Quasi> cells;
  friend auto operator<=>(const Target&, const Target&) = default;
};
// For readers who know since when values are there (docs/design/0012): per column the release, from
// 1, that a leaf came with. Leaves that are not named have always been there. Whoever is in a
// release has leaves that were there then, so the cells of a target must have a place in common
// that was there at its birth.
using Since = std::vector<std::map<std::string, std::size_t>>;
std::vector<Target> AllTargets(const Domain& domain, const Series& series, const Since& since = {});

struct Worlds {
  bool exist = false;              // for every sensitive value: else not one growing series
  std::map<Target, ByValue> left;  // the most that any world has; empty without worlds
};
Worlds EnumerateWorlds(const Domain& domain, const Series& series, const Since& since = {});
// The same from chains of rows (generators of n releases): slower still.
Worlds EnumerateChains(const Domain& domain, const Series& series);

// Exact anonymity, targets "any": least sum over all targets that have something left.
std::optional<long> ExactAnonymity(const Worlds& worlds);
// Targets "real": least sum over the targets of the given people.
std::optional<long> RealAnonymity(const Domain& domain, const Worlds& worlds,
                                  const std::vector<Person>& people);
// Is this the target of this person? For global recodings exactly one is.
bool IsTargetOf(const Domain& domain, const Target& target, const Person& person);

// Section 7.1 of the paper: what the attacks on pairs of releases and their two compositions leave
// of the cells of a target. Sums over the sensitive values.
struct PaperLeft {
  long forward = 0;         // of the cell of the birth, by the best F-attack for each group
  long backward = 0;        // of the cell of the birth, by the best B-attack for each group
  long composed = 0;        // of the cell of the birth, by B-attack, then F-attack
  std::vector<long> cross;  // of each later cell, by C-attack
  std::vector<long> composed_cross;  // of each later cell, by B-attack, then C-attack
  long least() const;                // of all of them
};
PaperLeft PaperLeftFor(const Domain& domain, const Series& series, const Target& target);
// Theorem 4.4: how many rows of a group of a later release must come from an earlier one.
long BackwardCrack(const Domain& domain, const Release& earlier, const Release& later,
                   const Row& group);
// Least over all targets, those with nothing left skipped; by attack, and by all with compositions.
struct PaperAnonymity {
  Anonymity by_attack;
  std::optional<long> composed;
};
PaperAnonymity PaperAnonymityOf(const Domain& domain, const Series& series);

// Can two global recodings belong together: in every class of comparable groups the earlier release
// has no more rows than the later one.
bool FitTogether(const Domain& domain, const Release& earlier, const Release& later);

}  // namespace oracle::bcf
