// A reader who knows this code: she runs the publisher on every table that is possible, with many
// seeds, and keeps those that can give what was published.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "reissue/core/random.h"
#include "reissue/models/invariance/publisher/publish.h"

namespace reissue::models::invariance {
namespace {

// Who is in the table, per release.
using Presence = std::vector<std::vector<int>>;

// What readers see: who is with whom, counterfeits by when they came, and how often each value
// occurs. Empty: a release was refused.
std::string Seen(const Presence& presence, const std::vector<Value>& value_of,
                 const PublishOptions& options) {
  std::string text;
  State state;
  std::map<int, std::uint32_t> member_of;
  for (const std::vector<int>& table : presence) {
    std::vector<Present> today;
    for (const int person : table) {
      const auto known = member_of.find(person);
      today.push_back({known == member_of.end() ? kNewcomer : known->second,
                       value_of[static_cast<std::size_t>(person)]});
    }
    const auto plan = Publish(state, today, options);
    if (!plan) return "";
    std::map<std::uint32_t, std::multiset<std::string>> groups, values;
    for (std::size_t i = 0; i < table.size(); ++i) {
      member_of[table[i]] = plan->member[i];
      groups[plan->bucket[i]].insert(std::to_string(table[i]));
      values[plan->bucket[i]].insert(std::to_string(today[i].value));
    }
    for (const std::uint32_t member : plan->counterfeits) {
      const Member& counterfeit = plan->state.members[member];
      groups[counterfeit.bucket].insert("c" + std::to_string(counterfeit.came));
      values[counterfeit.bucket].insert(std::to_string(counterfeit.value));
    }
    std::set<std::string> release;
    for (const auto& [bucket, people] : groups) {
      std::string group;
      for (const std::string& person : people) group += person + " ";
      group += ":";
      for (const std::string& value : values[bucket]) group += " " + value;
      release.insert(group);
    }
    for (const std::string& group : release) text += group + "; ";
    text += "| ";
    state = plan->state;
  }
  return text;
}

struct Rates {
  double people = 0, certain = 0, newcomers = 0, newcomers_certain = 0;
};

Rates WhatSheKnows(const Presence& presence, int people, Value values, PublishOptions options,
                   int seeds) {
  std::map<std::string, std::map<std::vector<Value>, int>> worlds_of;
  std::vector<Value> world(static_cast<std::size_t>(people), 0);
  while (true) {
    for (int seed = 0; seed < seeds; ++seed) {
      options.seed = DeriveSeed(77, static_cast<std::uint64_t>(seed));
      const std::string seen = Seen(presence, world, options);
      if (!seen.empty()) ++worlds_of[seen][world];
    }
    std::size_t i = 0;
    while (i < world.size() && world[i] + 1 == values) world[i++] = 0;
    if (i == world.size()) break;
    ++world[i];
  }
  std::set<int> first(presence[0].begin(), presence[0].end());
  Rates rates;
  for (const auto& [seen, worlds] : worlds_of) {
    int times = 0;
    for (const auto& [one, count] : worlds) times += count;
    for (int p = 0; p < people; ++p) {
      std::set<Value> possible;
      for (const auto& [one, count] : worlds) possible.insert(one[static_cast<std::size_t>(p)]);
      const bool newcomer = !first.contains(p);
      rates.people += times;
      rates.certain += possible.size() == 1 ? times : 0;
      rates.newcomers += newcomer ? times : 0;
      rates.newcomers_certain += newcomer && possible.size() == 1 ? times : 0;
    }
  }
  return rates;
}

// In tables of five she knows many newcomers, and nobody else: a value that was never shown is a
// newcomer's, and a newcomer whose value fits a gap is there. docs/limits.md has the rates of
// larger tables.
TEST(KnownPublisher, OneLeavesAndOneArrives) {
  for (const std::uint64_t e : {1u, 2u}) {
    PublishOptions options;
    options.m = 2;
    options.e = e;
    const Rates rates = WhatSheKnows({{0, 1, 2, 3}, {1, 2, 3, 4}}, 5, 3, options, 4);
    std::printf("e = %lu: certain of %.1f %%, of newcomers %.1f %%\n", e,
                100 * rates.certain / rates.people,
                100 * rates.newcomers_certain / rates.newcomers);
    EXPECT_GT(rates.people, 0);
    if (e == 2) {
      EXPECT_EQ(rates.certain, rates.newcomers_certain);
    }
  }
}

// The value that a new bucket needs and nobody brings: any is as likely, whoever has left.
TEST(KnownPublisher, FillersTellNothing) {
  constexpr int kSeeds = 600;
  for (const std::vector<Value>& world :
       {std::vector<Value>{0, 0, 1, 1, 2}, std::vector<Value>{1, 1, 0, 0, 2}}) {
    std::map<std::string, int> times;
    for (int seed = 0; seed < kSeeds; ++seed) {
      PublishOptions options;
      options.m = options.e = 2;
      options.seed = static_cast<std::uint64_t>(seed);
      const std::string seen = Seen({{0, 1, 2, 3}, {1, 2, 3, 4}}, world, options);
      ++times[seen.substr(seen.find("4 c2"))];
    }
    ASSERT_EQ(times.size(), 2u);
    for (const auto& [bucket, count] : times) EXPECT_NEAR(count, kSeeds / 2, 75) << bucket;
  }
}

}  // namespace
}  // namespace reissue::models::invariance
