#pragma once
// Everything there is to say about two releases, as plain values, once by the oracle and once by
// the product, so that one == compares them. For tests only.

#include <array>
#include <map>
#include <string>
#include <utility>

#include "generators.h"
#include "product.h"
#include "reissue/models/bcf/adversary/pair.h"

namespace oracle::bcf {

struct PairAnswers {
  bool possible = false;  // where not, everything else is empty
  // Crack sizes of the groups of a cell, by value: of the first cell of a pair (F), of the second
  // (C), of a cell of the later release (B).
  std::map<std::pair<Quasi, Quasi>, ByValue> forward, cross;
  std::map<Quasi, ByValue> backward;
  Anonymity anonymity;
  std::array<long, 3> exposed = {};  // F, C, B: rows in cells that leave fewer than k to somebody
  bool satisfied = false;
  friend bool operator==(const PairAnswers&, const PairAnswers&) = default;
};

// By all generators (Definitions 3.1 to 3.6).
PairAnswers AnswersByGenerators(const Domain& domain, const Release& r1, const Release& r2, long k);
// By all worlds: what is left instead of what is excluded. Faster, for more rows.
PairAnswers AnswersByWorlds(const Domain& domain, const Release& r1, const Release& r2, long k);
// By Pair, AttackPair and Explain; `series` is what the product makes of the two. Also checks what
// only the product says: contradictions prove themselves, findings are sorted. `complaint` has the
// first fault of that kind.
PairAnswers AnswersOfProduct(const Translator& translator, const model::Series& series,
                             const Release& r1, const Release& r2, long k, bool flow_even_if_global,
                             std::string& complaint);

// Works out anonymity, exposed and satisfied from the crack sizes.
void Summarise(const Release& r1, const Release& r2, long k, PairAnswers& answers);

std::string Describe(const Series& series);
std::string Describe(const PairAnswers& answers);

}  // namespace oracle::bcf
