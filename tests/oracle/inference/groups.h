#pragma once
// Random groups, and the product asked about them. For tests only.

#include <string>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/inference/estimators.h"
#include "worlds.h"

namespace oracle::inference {

namespace product = reissue::inference;

struct GroupShape {
  int people = 4;
  int values = 3;         // at most
  double alike = 0.3;     // chance that somebody believes the same of all, or of another person
  double impossible = 0;  // chance that a value is impossible to somebody
  bool coarse = false;    // sixteenths, so that totals tie
  bool outside = false;   // values that are not in the group take a part
  bool sharp = false;     // some beliefs are very small
};

Group DrawGroup(const GroupShape& shape, reissue::Random& random);

// Records of any value of the group; at most one per person and value, all of a person together at
// most 1.
std::vector<Told> DrawTold(const Group& group, double chance, reissue::Random& random);

product::BeliefGroup ProductGroup(const Group& group);
std::vector<product::Hint> ProductHints(const std::vector<Told>& told);
Table AsTable(const std::vector<double>& belief, int values);
std::string Describe(const Group& group, const std::vector<Told>& told);

// Mean, median, 95 % and the largest.
std::string Spread(std::vector<double> numbers);

}  // namespace oracle::inference
