// The attack on a series against all worlds, tried one after the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "reissue/models/invariance/adversary/random_series.h"

namespace reissue::models::invariance {
namespace {

// Values per person.
std::vector<std::vector<Value>> AllWorldsOf(const Series& series) {
  std::vector<PublishedGroup> groups;
  for (std::uint32_t r = 0; r < series.releases.size(); ++r) {
    for (PublishedGroup& group : GroupsOf(series, r)) groups.push_back(std::move(group));
  }
  std::vector<std::vector<Value>> worlds;
  std::vector<Value> world(series.persons, 0);
  while (true) {
    const bool fits = std::ranges::all_of(groups, [&](const PublishedGroup& group) {
      std::map<Value, std::uint64_t> counts;
      for (const Person person : group.people) ++counts[world[person]];
      return std::vector<std::pair<Value, std::uint64_t>>(counts.begin(), counts.end()) ==
             group.values;
    });
    if (fits) worlds.push_back(world);
    std::size_t i = 0;
    while (i < world.size() && world[i] + 1 == series.values) world[i++] = 0;
    if (i == world.size()) return worlds;
    ++world[i];
  }
}

// Everybody on a side of an equality of fewer than e people in all worlds: two multisets of at most
// two, without anybody in both.
std::set<Person> EqualInAllWorlds(const Series& series, std::uint64_t e,
                                  const std::vector<std::vector<Value>>& worlds) {
  std::vector<std::vector<Person>> sides;
  for (Person p = 0; p < series.persons; ++p) {
    if (e > 1) sides.push_back({p});
    for (Person q = p; e > 2 && q < series.persons; ++q) sides.push_back({p, q});
  }
  auto values = [](const std::vector<Person>& side, const std::vector<Value>& world) {
    std::vector<Value> found;
    for (const Person p : side) found.push_back(world[p]);
    std::ranges::sort(found);
    return found;
  };
  std::set<Person> exposed;
  for (const auto& left : sides) {
    for (const auto& right : sides) {
      if (std::ranges::find_first_of(left, right) != left.end()) continue;
      const bool equal = std::ranges::all_of(worlds, [&](const std::vector<Value>& world) {
        return values(left, world) == values(right, world);
      });
      if (equal) exposed.insert(left.begin(), left.end());
    }
  }
  return exposed;
}

TEST(AttackWorlds, AgreesWithAllWorlds) {
  Random random = Random::Seeded(43);
  std::uint64_t kept = 0, broken = 0, cases = 0, certain = 0;
  for (int round = 0; round < 900; ++round) {
    const Series series = RandomSeries(random, round % 3);
    if (series.persons > 8) continue;
    const auto worlds = AllWorldsOf(series);
    ASSERT_FALSE(worlds.empty());
    const std::uint64_t e = 1 + random.Below(3), m = 2 + random.Below(2);
    const Findings findings = Look(series, m, e);
    std::uint64_t least = series.values, fewer = 0, one = 0;
    for (Person p = 0; p < series.persons; ++p) {
      std::set<Value> values;
      for (const auto& world : worlds) values.insert(world[p]);
      least = std::min<std::uint64_t>(least, values.size());
      fewer += values.size() < m;
      one += values.size() == 1;
    }
    const auto equal = EqualInAllWorlds(series, e, worlds);
    ++cases;
    ASSERT_EQ(findings.least_values, least) << round;
    ASSERT_EQ(findings.exposed_by_association, fewer) << round;
    ASSERT_EQ(findings.certain, one) << round;
    ASSERT_TRUE(findings.exposed_complete) << round;
    ASSERT_EQ(findings.exposed_by_equivalence, equal.size()) << round << " e " << e;
    ASSERT_EQ(findings.kept, fewer == 0 && equal.empty()) << round;
    ASSERT_EQ(findings.broken, !findings.kept) << round;
    (findings.kept ? kept : broken) += 1;
    certain += one;
  }
  std::printf("%lu series, kept %lu, broken %lu, %lu values certain\n", cases, kept, broken,
              certain);
  EXPECT_GT(kept, 50u);
  EXPECT_GT(certain, 100u);
}

// Subtraction: a, b and c have u, v, u; when d comes for c, a v has come for a u.
TEST(AttackWorlds, WhatSubtractionProves) {
  const Series series{
      4, 2, {}, {{1, {{0, 0, 0}, {1, 0, 1}, {2, 0, 0}}}, {1, {{0, 0, 0}, {1, 0, 1}, {3, 0, 1}}}}};
  const Findings findings = Look(series, 2, 2);
  EXPECT_TRUE(findings.broken);
  EXPECT_FALSE(findings.kept);
  EXPECT_EQ(findings.certain, 2u);
  EXPECT_EQ(findings.least_values, 1u);
}

// All values are the same; the equalities do not depend on it.
TEST(AttackWorlds, NobodyIsMissedWhereTheSearchIsComplete) {
  const Series series{8,
                      1,
                      {},
                      {{1, {{0, 0, 0}, {1, 0, 0}}},
                       {3, {{2, 0, 0}, {3, 1, 0}, {4, 2, 0}, {1, 2, 0}}},
                       {2, {{0, 0, 0}, {5, 0, 0}, {6, 1, 0}}}}};
  for (const std::uint64_t e : {2u, 3u}) {
    const Findings findings = Look(series, 2, e);
    EXPECT_TRUE(findings.exposed_complete);
    EXPECT_EQ(findings.exposed_by_equivalence, 7u);
  }
}

}  // namespace
}  // namespace reissue::models::invariance
