#pragma once
// The file as a sample of a population: how many of its people are unique there too, and how likely
// somebody is found who may not be in the file. All of it is estimated from the sizes of groups of
// equal rows.

#include <cstdint>
#include <map>
#include <optional>

namespace reissue::survey {

// How many groups there are of each size.
using Sizes = std::map<std::uint64_t, std::uint64_t>;

// Expected number of people who are unique in a population of `population`.
//
// Pitman's sampling formula (Hoshino 2001), with the parameters that make the sizes likeliest; for
// samples of at most a tenth. None where they fit no such model.
std::optional<double> PitmanUniques(const Sizes& sizes, double population);
// Zayatz 1991: populations have groups of the same sizes, as often as the sample has; a unique of
// the sample is one of the population as likely as that makes it.
double ZayatzUniques(const Sizes& sizes, double population);

struct PopulationEstimate {
  const char* estimator = "";  // "Pitman", "Zayatz"
  double uniques = 0;          // of the population
  double sample_uniques = 0;   // rows of the file that are unique in the population
};
// Pitman's up to a tenth, Zayatz's otherwise, and where Pitman's has no answer; as Dankar, El Emam,
// Neisa and Roffey (2012) found best of such rules. `population` ≥ rows.
PopulationEstimate EstimateUniques(const Sizes& sizes, double population);

// E(1/F) where F people of the population look like `rows` of the file, and F is negative binomial
// (Benedetti and Franconi 1998). 0 < fraction ≤ 1.
double FoundInPopulation(std::uint64_t rows, double fraction);

}  // namespace reissue::survey
