#pragma once
// Groups that share people, of any releases: what is possible in one web does not depend on the
// others. Internal to the adversary.

#include <vector>

#include "reissue/models/invariance/adversary/series_index.h"

namespace reissue::models::invariance {

struct Web {
  std::vector<PublishedGroup> groups;  // in order; people are numbers within the web
  std::vector<Person> people;          // ascending
  std::vector<Value> truth;            // per person of the web; empty: somebody has two values
};

// Of the groups of these parts.
std::vector<Web> WebsOf(const Series& series, const std::vector<const Part*>& parts);

}  // namespace reissue::models::invariance
