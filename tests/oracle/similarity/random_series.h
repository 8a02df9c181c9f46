#pragma once
// Random knowledge and series of releases, for the product's reader and for ours.

#include <cstdint>
#include <vector>

#include "chain.h"
#include "reissue/core/random.h"
#include "reissue/models/similarity/release/series.h"

namespace oracle::similarity {

namespace product = reissue::models::similarity;

// A value is impossible with that probability; at least one is not.
Belief DrawBelief(int values, double impossible, reissue::Random& random);

// Everything of one random series.
struct World {
  Known known;
  product::Knowledge knowledge;
  std::vector<product::Snapshot> releases;
  std::vector<std::vector<product::Statement>> statements;
  std::uint32_t people = 0;
};

World DrawKnowledge(int values, int steps, double impossible, reissue::Random& random);

// People come, go and return; groups of at most `most` people.
void DrawReleases(World& world, int releases, std::size_t most, double told,
                  reissue::Random& random);

}  // namespace oracle::similarity
