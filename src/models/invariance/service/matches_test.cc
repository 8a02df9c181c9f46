#include "reissue/models/invariance/service/matches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reissue/core/random.h"

namespace reissue::models::invariance::service {
namespace {

using Keys = std::vector<ledger::PersonKey>;
using Positions = std::vector<std::uint32_t>;

ledger::PersonKey KeyOf(std::uint64_t number) {
  ledger::PersonKey key{};
  std::memcpy(key.data(), &number, sizeof number);
  return key;
}

Positions Found(const Matches& matches, const Keys& asked, std::size_t i) {
  Positions found;
  matches.ForEach(i, asked[i], [&](std::uint32_t at) { found.push_back(at); });
  return found;
}

Positions Looked(const Keys& known, const ledger::PersonKey& key) {
  Positions found;
  for (std::uint32_t at = 0; at < known.size(); ++at) {
    if (key != ledger::PersonKey{} && known[at] == key) found.push_back(at);
  }
  return found;
}

// Some are nobody's, some are there twice.
Keys SomeKnown(std::size_t size, Random& random) {
  Keys known;
  for (std::size_t i = 0; i < size; ++i) {
    const bool again = !known.empty() && random.Below(20) == 0;
    known.push_back(again ? known[random.Below(known.size())] : KeyOf(random.Below(3 * size)));
  }
  return known;
}

// Each at most once: in the order in which they are known, with others between, or in any.
Keys SomeAsked(const Keys& known, bool in_order, Random& random) {
  Keys asked;
  std::set<ledger::PersonKey> there;
  for (const ledger::PersonKey& key : known) {
    const auto other = KeyOf(random.Below(3 * known.size()));
    for (const auto& one : {key, other}) {
      if (random.Below(4) > 0 && there.insert(one).second) asked.push_back(one);
    }
    if (random.Below(10) == 0 && random.Below(10) == 0) asked.resize(asked.size() / 2);
  }
  if (!in_order) random.Shuffle(asked);
  return asked;
}

TEST(MatchesTest, AreThoseThatASearchOfAllFindsInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random = Random::Seeded(seed);
    const Keys known = SomeKnown(random.Below(seed < 20 ? 10 : 300), random);
    const Keys asked = SomeAsked(known, seed % 2 == 0, random);
    const Matches matches(known, asked);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      EXPECT_EQ(Found(matches, asked, i), Looked(known, asked[i])) << seed << ", " << i;
    }
  }
}

}  // namespace
}  // namespace reissue::models::invariance::service
