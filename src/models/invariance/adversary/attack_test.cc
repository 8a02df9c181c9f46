#include "reissue/models/invariance/adversary/attack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "reissue/core/random.h"
#include "reissue/models/invariance/adversary/equality.h"
#include "reissue/models/invariance/adversary/random_series.h"

namespace reissue::models::invariance {
namespace {

enum : Value { kCancer, kFlu, kMeasles };
enum : Person {
  kAlice,
  kBob,
  kChris,
  kDan,
  kEllen,
  kFrank,
  kGreg,
  kHarry,
  kIan,
  kJane,
  kC1,
  kC2,
  kC3,
  kC4,
  kC5,
  kPeople
};

Value DiseaseOf(Person person) {
  switch (person) {
    case kBob:
    case kDan:
    case kGreg:
    case kC1:
      return kFlu;
    case kEllen:
    case kIan:
    case kC2:
    case kC4:
      return kMeasles;
    default:
      return kCancer;
  }
}

using Groups = std::vector<std::vector<Person>>;
Series SeriesOf(const std::vector<Groups>& releases) {
  Series series{kPeople, 3, std::vector<bool>(kPeople, false), {}};
  for (Person p = kC1; p < kPeople; ++p) series.counterfeit[p] = true;
  for (const Groups& groups : releases) {
    Snapshot& snapshot = series.releases.emplace_back();
    for (const auto& group : groups) {
      for (const Person person : group)
        snapshot.rows.push_back({person, snapshot.groups, DiseaseOf(person)});
      ++snapshot.groups;
    }
  }
  EXPECT_TRUE(Validate(series).has_value());
  return series;
}

const Groups kTable1 = {{kAlice, kBob}, {kChris, kDan}, {kEllen, kFrank}};
const Groups kTable2 = {{kAlice, kEllen}, {kChris, kGreg, kHarry, kIan, kJane}};
const Groups kTable3 = {{kAlice, kGreg}, {kChris, kC1}, {kEllen, kHarry}, {kIan, kJane}};
const Groups kTable4 = {{kAlice, kBob, kChris, kDan}, {kEllen, kFrank}};
const Groups kTable5 = {{kAlice, kGreg, kChris, kC1}, {kEllen, kHarry, kIan, kJane}};
const Groups kTable6 = {{kAlice, kGreg, kChris, kC1}, {kIan, kJane}};
const Groups kTable7a = {{kAlice, kBob, kChris, kDan}, {kEllen, kFrank, kC2, kC3}};
const Groups kTable7c = {{kAlice, kGreg, kChris, kC1}, {kIan, kJane, kC4, kC5}};

using People = std::vector<Person>;
bool Between(const EqualityFound& found, const People& a, const People& b) {
  return (found.left == a && found.right == b) || (found.left == b && found.right == a);
}

// Tables I and II: Alice can only have cancer.
TEST(Attack, NaiveSeries) {
  const Findings findings = Look(SeriesOf({kTable1, kTable2}), 2, 1);
  EXPECT_EQ(findings.least_values, 1u);
  ASSERT_FALSE(findings.fewest.empty());
  EXPECT_EQ(findings.fewest[0].person, kAlice);
  EXPECT_EQ(findings.fewest[0].values, (std::vector<Value>{kCancer}));
  EXPECT_TRUE(findings.broken);
  EXPECT_FALSE(findings.kept);
}

// Tables I and III, Examples 1 and 3: 2-invariant, but Bob and Greg have the same disease.
TEST(Attack, FinePartitions) {
  const Findings findings = Look(SeriesOf({kTable1, kTable3}), 2, 2);
  EXPECT_EQ(findings.least_values, 2u);
  EXPECT_EQ(findings.exposed_by_association, 0u);
  EXPECT_EQ(findings.lower, 1u);
  EXPECT_EQ(findings.upper, 1u);
  EXPECT_TRUE(findings.broken);
  ASSERT_EQ(findings.histories.size(), 2u);
  for (const HistoryFinding& history : findings.histories) {
    EXPECT_FALSE(history.bucket);
    ASSERT_TRUE(history.found);
    EXPECT_EQ(history.found->releases, (std::vector<std::uint32_t>{0, 1}));
    if (history.values == std::vector<Value>{kCancer, kFlu}) {
      EXPECT_TRUE(Between(*history.found, {kBob}, {kGreg}) ||
                  Between(*history.found, {kDan}, {kC1}));
    } else {
      EXPECT_TRUE(Between(*history.found, {kFrank}, {kHarry}));
    }
  }
  // Bob, Dan, Greg; Frank, Harry. The counterfeit c1 is no person.
  EXPECT_EQ(findings.exposed_by_equivalence, 5u);
  EXPECT_TRUE(findings.exposed_complete);
  EXPECT_EQ(findings.counterfeits, (std::vector<std::uint64_t>{0, 1}));
}

// A single release of fine partitions: two of them have the same values.
TEST(Attack, OneReleaseOfFinePartitions) {
  const Findings findings = Look(SeriesOf({kTable1}), 2, 2);
  EXPECT_EQ(findings.lower, 2u);
  EXPECT_EQ(findings.upper, 2u);
  EXPECT_TRUE(findings.kept);
}

// Tables IV, V and VI, Examples 4, 6, 7 and 9: Frank and Harry.
TEST(Attack, MergedBuckets) {
  const Series series = SeriesOf({kTable4, kTable5, kTable6});
  const Findings findings = Look(series, 2, 2);
  EXPECT_EQ(findings.least_values, 2u);
  EXPECT_EQ(findings.lower, 1u);
  EXPECT_EQ(findings.upper, 1u);
  EXPECT_TRUE(findings.broken);
  ASSERT_EQ(findings.histories.size(), 2u);
  const HistoryFinding& worst = findings.histories[0];
  EXPECT_TRUE(worst.bucket);
  EXPECT_EQ(worst.cut, 2u);
  EXPECT_EQ(worst.people, 5u);
  EXPECT_EQ(worst.values, (std::vector<Value>{kCancer, kMeasles}));
  ASSERT_TRUE(worst.found);
  EXPECT_TRUE(Between(*worst.found, {kFrank}, {kHarry}));
  EXPECT_EQ(worst.found->releases, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(worst.found->bucket, worst.values);
  const HistoryFinding& other = findings.histories[1];
  EXPECT_EQ(other.cut, 4u);
  EXPECT_EQ(other.upper, 2u);
  EXPECT_EQ(findings.exposed_by_equivalence, 2u);
  // Up to T2 nothing can be proven of fewer than two.
  EXPECT_TRUE(Look(SeriesOf({kTable4, kTable5}), 2, 2).kept);
}

// The second bucket of Tables IV and V by itself: nothing below e, and still the least is found.
// Potentials x and -x are the balanced ones: Ellen and twice Frank against Harry, Ian, Jane.
TEST(Attack, TheLeastBeyondThePromise) {
  const Findings findings = Look(SeriesOf({{kTable4[1]}, {kTable5[1]}}), 2, 2);
  EXPECT_TRUE(findings.kept);
  EXPECT_EQ(findings.lower, 3u);
  EXPECT_EQ(findings.upper, 3u);
}

// Groups of one release with the same values, unequally often: any two are an equality of three.
TEST(Attack, ManyMixedGroupsAreLookedAtInPart) {
  auto look = [](std::uint32_t groups) {
    Series series{3 * groups, 2, {}, {{groups, {}}}};
    for (Person p = 0; p < series.persons; ++p)
      series.releases[0].rows.push_back({p, p / 3, p % 3 == 0 ? 1u : 0u});
    return Look(series, 2, 4);
  };
  const Findings few = look(60);
  EXPECT_EQ(few.lower, 3u);
  EXPECT_EQ(few.upper, 3u);
  EXPECT_TRUE(few.exposed_complete);
  EXPECT_EQ(few.exposed_by_equivalence, 180u);
  // At least who is in the least one, and it says so.
  const Findings many = look(61);
  EXPECT_EQ(many.upper, 3u);
  EXPECT_FALSE(many.exposed_complete);
  EXPECT_EQ(many.exposed_by_equivalence, 6u);
}

// Example 6: the weights W3 and W4, and what they prove.
TEST(Attack, WeightsOfExample6) {
  const Series series = SeriesOf({kTable4, kTable5, kTable6});
  std::vector<PublishedGroup> groups;
  for (std::uint32_t r = 0; r < 3; ++r) {
    for (PublishedGroup& group : GroupsOf(series, r)) groups.push_back(std::move(group));
  }
  const Sides two = SidesOf(groups, {2, {0, 1, 0, 0, 0, -1}});
  EXPECT_EQ(two.left, (People{kEllen, kFrank}));
  EXPECT_EQ(two.right, (People{kIan, kJane}));
  const Sides one = SidesOf(groups, {1, {0, 1, 0, -1, 0, 1}});
  EXPECT_EQ(one.left, (People{kFrank}));
  EXPECT_EQ(one.right, (People{kHarry}));
}

// Table VII, Example 10: the promise m = 2, e = 2 is kept.
TEST(Attack, Table7) {
  const Findings findings = Look(SeriesOf({kTable7a, kTable5, kTable7c}), 2, 2);
  EXPECT_EQ(findings.least_values, 2u);
  EXPECT_EQ(findings.lower, 2u);
  EXPECT_EQ(findings.upper, 2u);
  EXPECT_TRUE(findings.kept);
  EXPECT_FALSE(findings.broken);
  EXPECT_EQ(findings.exposed_by_equivalence, 0u);
  EXPECT_EQ(findings.counterfeits, (std::vector<std::uint64_t>{2, 1, 3}));
  for (const HistoryFinding& history : findings.histories) EXPECT_EQ(history.cut, 4u);
}

TEST(Attack, NobodyAndContradictions) {
  const Findings nobody = Look({}, 2, 2);
  EXPECT_EQ(nobody.least_values, 0u);
  EXPECT_TRUE(nobody.kept);
  EXPECT_EQ(nobody.upper, std::nullopt);
  // The same person with other values: the releases contradict one another.
  Series series{2, 4, {}, {{1, {{0, 0, 0}, {1, 0, 1}}}, {1, {{0, 0, 2}, {1, 0, 3}}}}};
  const Findings findings = Look(series, 2, 1);
  EXPECT_EQ(findings.least_values, 0u);
  EXPECT_EQ(findings.exposed_by_association, 2u);
  EXPECT_TRUE(findings.broken);
}

// Buckets {0,1}, {1,2}, {2,3}, {0,3} of one release: together they prove an equality of four.
TEST(Attack, AcrossBuckets) {
  Series series{8, 4, {}, {{4, {}}}};
  for (std::uint32_t g = 0; g < 4; ++g) {
    series.releases[0].rows.push_back({2 * g, g, g});
    series.releases[0].rows.push_back({2 * g + 1, g, (g + 1) % 4});
  }
  const Findings findings = Look(series, 2, 2);
  EXPECT_EQ(findings.lower, 4u);
  EXPECT_EQ(findings.upper, 4u);
  EXPECT_TRUE(findings.kept);
}

// --- random series against all weights in a box, halves included ---

struct BruteSeries {
  std::optional<std::uint64_t> least;
  std::map<Person, std::uint64_t> worst;
};
BruteSeries TryAllSeries(const Series& series) {
  std::vector<PublishedGroup> groups;
  for (std::uint32_t r = 0; r < series.releases.size(); ++r) {
    for (PublishedGroup& group : GroupsOf(series, r)) groups.push_back(std::move(group));
  }
  BruteSeries brute;
  std::vector<std::int64_t> twice(groups.size(), -4);
  while (true) {
    std::map<Value, std::int64_t> values;
    std::vector<std::int64_t> people(series.persons, 0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const auto& [value, rows] : groups[g].values)
        values[value] += twice[g] * static_cast<std::int64_t>(rows);
      for (const Person person : groups[g].people) people[person] += twice[g];
    }
    const bool cancels = std::ranges::all_of(values, [](const auto& v) { return v.second == 0; });
    const bool whole = std::ranges::all_of(people, [](std::int64_t x) { return x % 2 == 0; });
    std::uint64_t size = 0;
    for (const std::int64_t x : people) size += static_cast<std::uint64_t>(std::abs(x)) / 2;
    if (cancels && whole && size > 0) {
      size /= 2;
      brute.least = std::min(size, brute.least.value_or(size));
      for (Person p = 0; p < series.persons; ++p) {
        if (people[p] == 0) continue;
        const auto at = brute.worst.emplace(p, size).first;
        at->second = std::min(at->second, size);
      }
    }
    std::size_t i = 0;
    while (i < twice.size() && twice[i] == 4) twice[i++] = -4;
    if (i == twice.size()) return brute;
    ++twice[i];
  }
}

// With nothing promised of equalities, weights alone are looked at.
TEST(Attack, AgreesWithAllWeights) {
  Random random = Random::Seeded(41);
  std::uint64_t exact = 0, open = 0, none = 0;
  for (int round = 0; round < 450; ++round) {
    const Series series = RandomSeries(random, round % 3);
    ASSERT_TRUE(Validate(series).has_value());
    std::size_t groups = 0;
    for (const Snapshot& release : series.releases) groups += release.groups;
    if (groups > 5) continue;
    const BruteSeries brute = TryAllSeries(series);
    const Findings findings = Look(series, 2, 1);
    if (!findings.upper) {
      ASSERT_FALSE(brute.least) << round;
      ++none;
      continue;
    }
    ASSERT_LE(*findings.lower, *findings.upper) << round;
    if (brute.least) {
      ASSERT_LE(*findings.lower, *brute.least) << round;
      if (findings.lower == findings.upper) {
        ASSERT_EQ(*findings.upper, *brute.least) << round;
      }
    }
    (findings.lower == findings.upper ? exact : open) += 1;
  }
  std::printf("exact %lu, open %lu, none %lu\n", exact, open, none);
  EXPECT_EQ(open, 0u);
}

TEST(Attack, TheSameForAnyNumberOfThreads) {
  Random random = Random::Seeded(42);
  for (int round = 0; round < 30; ++round) {
    const Series series = RandomSeries(random, round % 3);
    const Findings one = Look(series, 2, 2, 1), three = Look(series, 2, 2, 3);
    ASSERT_EQ(one.lower, three.lower);
    ASSERT_EQ(one.upper, three.upper);
    ASSERT_EQ(one.exposed_by_equivalence, three.exposed_by_equivalence);
    ASSERT_EQ(one.histories.size(), three.histories.size());
    for (std::size_t i = 0; i < one.histories.size(); ++i) {
      ASSERT_EQ(one.histories[i].values, three.histories[i].values);
      ASSERT_EQ(one.histories[i].found.has_value(), three.histories[i].found.has_value());
      if (one.histories[i].found) {
        ASSERT_EQ(one.histories[i].found->left, three.histories[i].found->left);
        ASSERT_EQ(one.histories[i].found->releases, three.histories[i].found->releases);
      }
    }
  }
}

}  // namespace
}  // namespace reissue::models::invariance
