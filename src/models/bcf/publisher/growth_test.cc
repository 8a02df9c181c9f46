#include "reissue/models/bcf/publisher/growth.h"

#include <gtest/gtest.h>

#include <map>

#include "growing_table.h"

namespace reissue::models::bcf {
namespace {

using internal::Growth;
using internal::GrowthOf;
using Counts = std::map<std::vector<std::uint32_t>, std::uint64_t>;

// People who were there up to a birth, as a release with these cuts shows them.
Counts Shown(const testing::GrowingTable& table, const testing::Cuts& cuts, std::size_t born) {
  Counts counts;
  for (const testing::Person& person : table.people) {
    if (person.born > born) continue;
    std::vector<std::uint32_t> key;
    for (std::size_t j = 0; j < cuts.size(); ++j) {
      key.push_back(cuts[j].NodeOfLeaf(person.leaves[j]).raw());
    }
    key.push_back(person.value);
    ++counts[key];
  }
  return counts;
}

Growth Slow(const testing::GrowingTable& table, const Series& series, std::size_t r, bool births) {
  const Release& release = series.release(r);
  const testing::Cuts& cuts = series.recoding(r).cuts;
  const Counts now = Shown(table, cuts, series.size()), then = Shown(table, cuts, r);
  Counts published;
  for (std::size_t g = 0; g < release.groups(); ++g) {
    const auto nodes = release.key(release.cell_of_group(g));
    std::vector<std::uint32_t> key(nodes.begin(), nodes.end());
    key.push_back(release.value(g));
    published[key] = release.rows_of_group(g);
  }
  Growth growth;
  for (const auto& [key, rows] : published) {
    const auto there = now.find(key);
    const std::uint64_t has = there == now.end() ? 0 : there->second;
    growth.missing += rows > has ? rows - has : 0;
  }
  growth.births_differ = births && then != published;
  return growth;
}

// Somebody is gone, has another value, lives elsewhere, or came at another time.
void Bend(Random& random, testing::GrowingTable& table, std::size_t releases) {
  testing::Person& person = table.people[random.Below(table.people.size())];
  switch (random.Below(4)) {
    case 0:
      table.people.erase(table.people.begin() + (&person - table.people.data()));
      break;
    case 1:
      person.value = static_cast<std::uint32_t>(random.Below(4));
      break;
    case 2:
      person.leaves[0] = static_cast<std::uint32_t>(random.Below(4));
      break;
    default:
      person.born = random.Below(releases + 1);
  }
}

TEST(GrowthOf, IsWhatCountingSays) {
  Random random = Random::Seeded(7);
  constexpr std::size_t kReleases = 6;
  std::size_t grown = 0, missing = 0, differ = 0;
  for (int round = 0; round < 2000; ++round) {
    testing::GrowingTable table =
        testing::RandomTable(random, 2, 4, 4 + random.Below(30), 3, kReleases + 1);
    std::vector<testing::Cuts> some, cuts;  // a series comes back to its cuts
    for (int i = 0; i < 2; ++i) some.push_back(testing::RandomCuts(random, table.trees));
    for (std::size_t i = 0; i < kReleases; ++i) cuts.push_back(some[random.Below(some.size())]);
    table.people[0].born = 0;  // no release is empty
    const Series series = testing::Publish(table, cuts);
    if (random.Below(3) > 0) Bend(random, table, kReleases);
    const bool births = random.Below(2) == 0;
    const auto growth = GrowthOf(testing::TableAt(table, kReleases, births, 4), series, births);
    ASSERT_EQ(growth.size(), kReleases);
    for (std::size_t r = 0; r < kReleases; ++r) {
      const Growth slow = Slow(table, series, r, births);
      ASSERT_EQ(growth[r], slow) << "round " << round << ", release " << r;
      grown += slow == Growth{};
      missing += slow.missing > 0;
      differ += slow.missing == 0 && slow.births_differ;
    }
  }
  EXPECT_GT(grown, 1000u);
  EXPECT_GT(missing, 1000u);
  EXPECT_GT(differ, 100u);
}

}  // namespace
}  // namespace reissue::models::bcf
