#pragma once
// The file as a random sample of a population: how many of its people are unique there too, and how
// likely somebody is found who may not be in the file. All of it is estimated from the sizes of
// groups of equal rows, by Pitman's sampling formula (Hoshino, "Applying Pitman's sampling formula
// to microdata disclosure risk assessment", 2001).

#include <cstdint>
#include <map>
#include <optional>

namespace reissue::survey {

// How many groups there are of each size.
using Sizes = std::map<std::uint64_t, std::uint64_t>;

// The next person joins a group of m with a chance of (m − alpha) / (theta + people so far), and
// founds one otherwise.
struct Pitman {
  double alpha = 0, theta = 0;
  double rows = 0;  // of the sample
};
// The parameters that make the sizes likeliest. None where there is one group, or where all have
// one row: then anything fits.
std::optional<Pitman> FitPitman(const Sizes& sizes);

// Expected number of uniques among `population` people.
double PitmanUniques(const Pitman& fit, double population);
// Zayatz 1991: populations have groups of the same sizes, as often as the sample has; a unique of
// the sample is one of the population as likely as that makes it. Too many in small samples.
double ZayatzUniques(const Sizes& sizes, double population);

// The expected chance to pick somebody among all people of the population who look like them, of
// whom `rows` are in the sample: E(1/F), where F − rows is beta-binomial.
double FoundInPopulation(const Pitman& fit, std::uint64_t rows, double population);

struct PopulationEstimate {
  const char* estimator = "";       // "Pitman", "Zayatz"
  double uniques = 0;               // of the population
  double sample_uniques = 0;        // rows of the file that are unique in the population
  double highest = 0, average = 0;  // chance to find somebody: FoundInPopulation over the rows
};
// Uniques: Pitman's up to a tenth of the population, the fewer of the two above (as Dankar, El
// Emam, Neisa and Roffey choose, 2012), and Zayatz's where Pitman's formula has no answer; the
// chances are then those of the sample. In simulated populations (population_test.cc) they are
// rather too many: mostly by a tenth to a half, up to two or three times as many where few are
// unique; the average chance is within a third from a twentieth of the population on. `population`
// ≥ rows.
PopulationEstimate EstimatePopulation(const Sizes& sizes, double population);

}  // namespace reissue::survey
