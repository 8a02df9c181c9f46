#pragma once
// Tables and recodings for the tests of the slow twin of model `bcf`.

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "domain.h"
#include "reissue/core/random.h"

namespace oracle::bcf {

using Cut = std::map<std::string, std::string>;  // leaf → node of the cut above it
using Recoding = std::vector<Cut>;               // one cut per quasi-identifier

Taxonomy TwoLeaves();   // * over a and b
Taxonomy FourLeaves();  // * over A and B; A over a1 and a2; B over b1 and b2

std::vector<Cut> AllCuts(const Taxonomy& taxonomy);
std::vector<Recoding> AllRecodings(const Domain& domain);
// All recodings that replace one node of one cut by its children.
std::vector<Recoding> Specialised(const Domain& domain, const Recoding& recoding);
// The tuples of nodes that a recoding can publish.
std::vector<Quasi> CellsOf(const Domain& domain, const Recoding& recoding);

// All multisets of at most `most` of the given rows.
std::vector<Release> AllReleases(const std::vector<Row>& rows, std::size_t most);

// Release i has everybody born in 1 … i.
Series Publish(const std::vector<Person>& people, const std::vector<Recoding>& recodings);

// A release written as cells with one letter per row for the sensitive value.
Release FromText(const std::vector<std::pair<Quasi, std::string>>& cells);

struct RandomSeries {
  std::vector<Person> people;
  std::vector<Recoding> recodings;
  Series series() const { return Publish(people, recodings); }
};
// Recodings drawn from `recodings`, somebody in release 1.
RandomSeries DrawSeries(const Domain& domain, const std::vector<Recoding>& recodings,
                        std::size_t releases, std::size_t people, std::size_t values,
                        reissue::Random& random);

}  // namespace oracle::bcf
