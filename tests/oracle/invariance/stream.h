#pragma once
// Random tables whose rows come, go, return and change their value; and what the publisher makes of
// them. For tests only.

#include <string>
#include <vector>

#include "published.h"
#include "reissue/core/random.h"
#include "reissue/models/invariance/publisher/publish.h"

namespace oracle::invariance {

namespace model = reissue::models::invariance;

// Identities that are in the table, per release; every table is m-eligible.
struct Stream {
  int m = 2, e = 1;
  int values = 2;
  std::vector<int> value_of;  // per identity
  std::vector<std::vector<int>> tables;
};

struct StreamShape {
  int rows = 12;              // about so many per release
  int releases = 30;          // at most
  double return_share = 0.2;  // of those who come
  double change = 0.05;       // chance that a row's value changes (a new identity)
};
Stream DrawStream(const StreamShape& shape, reissue::Random& random);

// What one rule publishes for it. Identities of the stream come first, counterfeits after them.
struct Outcome {
  Published published;
  std::size_t counterfeits = 0;  // shown, over all releases
  std::string wrong;             // with the plan or the state; nothing if they are right
};

// What may be done to the state between two releases.
struct Meddling {
  bool forget_histories = false;  // buckets no longer know who was there when
  bool returned_are_new = false;  // whoever returns is taken for somebody new
  bool compact = true;
};
Outcome PublishStream(const Stream& stream, model::Rule rule, int e, std::uint64_t seed,
                      const Meddling& meddling = {});

}  // namespace oracle::invariance
