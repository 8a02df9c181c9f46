#include "reissue/models/invariance/adversary/swaps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "reissue/core/random.h"

namespace reissue::models::invariance {
namespace {

// People, some of whom are there in each release, in groups at random.
Web RandomWeb(Random& random, std::uint32_t releases, std::uint32_t groups, Value values) {
  Web web;
  const auto people = static_cast<Person>(4 + random.Below(5));
  for (Person p = 0; p < people; ++p) {
    web.people.push_back(p);
    web.truth.push_back(static_cast<Value>(random.Below(values)));
  }
  for (std::uint32_t r = 0; r < releases; ++r) {
    std::map<std::uint32_t, PublishedGroup> here;
    std::map<std::uint32_t, std::map<Value, std::uint64_t>> counts;
    for (Person p = 0; p < people; ++p) {
      if (random.Below(4) == 0 && r > 0) continue;
      const auto g = static_cast<std::uint32_t>(random.Below(groups));
      here[g].people.push_back(p);
      ++counts[g][web.truth[p]];
    }
    for (auto& [g, group] : here) {
      group.release = r;
      group.group = g;
      group.values.assign(counts[g].begin(), counts[g].end());
      web.groups.push_back(group);
    }
  }
  return web;
}

std::vector<std::set<Value>> TryEverything(const Web& web, Value values) {
  std::vector<std::set<Value>> possible(web.people.size());
  std::vector<Value> world(web.people.size(), 0);
  while (true) {
    const bool fits = std::ranges::all_of(web.groups, [&](const PublishedGroup& group) {
      std::map<Value, std::uint64_t> counts;
      for (const Person person : group.people) ++counts[world[person]];
      return std::vector<std::pair<Value, std::uint64_t>>(counts.begin(), counts.end()) ==
             group.values;
    });
    for (std::size_t p = 0; fits && p < world.size(); ++p) possible[p].insert(world[p]);
    std::size_t i = 0;
    while (i < world.size() && world[i] + 1 == values) world[i++] = 0;
    if (i == world.size()) return possible;
    ++world[i];
  }
}

// Whatever is exchanged, it is a world; with two values and a network nothing is missed.
TEST(Swaps, AgreeWithAllWorlds) {
  Random random = Random::Seeded(71);
  std::size_t found = 0, missed = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto releases = static_cast<std::uint32_t>(1 + random.Below(4));
    const Value values = static_cast<Value>(2 + random.Below(2));
    const Web web = RandomWeb(random, releases, 1 + static_cast<std::uint32_t>(round % 3), values);
    const auto possible = TryEverything(web, values);
    const auto swapped = SwappedValues(web, {.enough = values, .nodes = 10'000});
    ASSERT_EQ(swapped.size(), web.people.size());
    for (std::size_t p = 0; p < swapped.size(); ++p) {
      ASSERT_EQ(swapped[p].front(), web.truth[p]);
      const std::set<Value> distinct(swapped[p].begin(), swapped[p].end());
      ASSERT_EQ(distinct.size(), swapped[p].size());
      ASSERT_TRUE(std::ranges::includes(possible[p], distinct)) << round << " person " << p;
      found += distinct.size();
      missed += possible[p].size() - distinct.size();
      if (values == 2 && releases <= 2) {
        ASSERT_EQ(distinct, possible[p]) << round;
      }
    }
  }
  std::printf("%zu values found, %zu missed\n", found, missed);
  EXPECT_LT(missed, found / 100);
}

}  // namespace
}  // namespace reissue::models::invariance
