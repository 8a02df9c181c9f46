#pragma once
// Random and exhaustive tiny cases, as the oracle sees them and as the library sees them. For
// tests.

#include <memory>
#include <string>
#include <vector>

#include "oracle.h"
#include "recoding.h"
#include "reissue/core/random.h"
#include "reissue/models/k/adversary/attack.h"
#include "reissue/models/k/publisher/publish.h"

namespace oracle::k {

// s0, s1, …: a value's number is its code in the library.
std::vector<std::string> SensitiveValues(std::size_t number);

// A table to publish. Without a sensitive column `values` has one entry that every row holds;
// without a class column `labels` is empty.
struct Problem {
  std::vector<std::shared_ptr<const reissue::taxonomy::Taxonomy>> taxonomies;
  std::vector<Tree> trees;  // the same trees
  Rows rows;
  std::vector<std::string> values;
  std::vector<std::string> labels;
};

// Rows with `columns` quasi-identifiers of at most three values each.
Rows RandomRows(reissue::Random& random, std::size_t rows, std::size_t columns,
                const std::vector<std::string>& values);
// One promise or several together; half of the thresholds are fractions that small classes hit
// exactly.
Promise RandomPromise(reissue::Random& random, const std::vector<std::string>& values);
// Two or three quasi-identifiers, uneven trees with chains of single children, some of them
// numeric, at most `combinations` combinations of cuts.
Problem RandomProblem(reissue::Random& random, std::size_t combinations);
// Like RandomPromise; nine times out of ten one that the table keeps where it is published as one
// class.
Promise RandomFeasiblePromise(reissue::Random& random, const Problem& problem);
bool Feasible(const Problem& problem, const Promise& promise);

// The library's words for the same things.
reissue::models::k::Guarantee ToGuarantee(const Promise& promise,
                                          const std::vector<std::string>& values);
reissue::models::k::PublishedCells ToPublished(const Rows& release, std::size_t columns,
                                               const std::vector<std::string>& values);
reissue::models::k::LeafCells ToLeafCells(const Problem& problem);
Combination FromOutcome(const Problem& problem, const reissue::models::k::Outcome& outcome);
std::set<std::vector<std::string>> LeftOut(const Problem& problem,
                                           const reissue::models::k::Outcome& outcome);

// For messages of failing tests (all data here is made up).
std::string Describe(const Rows& rows);
std::string Describe(const Promise& promise);
std::string Describe(const Problem& problem);

}  // namespace oracle::k
