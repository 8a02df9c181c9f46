#include "reissue/models/invariance/adversary/deduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "reissue/core/random.h"
#include "reissue/models/invariance/adversary/deduce_equal.h"
#include "reissue/models/invariance/adversary/deduce_search.h"

namespace reissue::models::invariance {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A release from its groups; values per person.
Snapshot Release(const std::vector<std::vector<Person>>& groups,
                 const std::vector<Value>& value_of) {
  Snapshot snapshot;
  for (const auto& people : groups) {
    for (const Person person : people) {
      snapshot.rows.push_back({person, snapshot.groups, value_of[person]});
    }
    ++snapshot.groups;
  }
  return snapshot;
}

Series SeriesOf(const std::vector<std::vector<std::vector<Person>>>& releases,
                const std::vector<Value>& value_of) {
  Series series;
  series.persons = static_cast<std::uint32_t>(value_of.size());
  series.values = 1 + *std::ranges::max_element(value_of);
  for (const auto& groups : releases) series.releases.push_back(Release(groups, value_of));
  return series;
}

// Alice 0, Bob 1, Chris 2, Dan 3, Ellen 4, Frank 5, Greg 6, Harry 7, Ian 8, Jane 9, c1 10, Kate 11;
// cancer 0, flu 1, measles 2.
const std::vector<Value> kPaperValues = {0, 1, 0, 1, 2, 0, 1, 0, 2, 0, 1, 1};

TEST(Deduce, Introduction) {
  const Series series =
      SeriesOf({{{0, 1}, {2, 3}, {4, 5}}, {{0, 6}, {2, 10}, {4, 7}, {8, 9}}}, kPaperValues);
  EXPECT_THAT(Deduce(series, {}).follow, IsEmpty());
  const Consequences bob = Deduce(series, {{1, 1}});
  EXPECT_FALSE(bob.contradiction);
  EXPECT_TRUE(bob.complete);
  // Alice has cancer, Greg flu; nothing of anybody else.
  EXPECT_THAT(bob.follow, ElementsAre(KnownValue{0, 0}, KnownValue{6, 1}));
  EXPECT_EQ(bob.possible[2], 2);
}

TEST(Deduce, KateAtT3) {
  const Series series = SeriesOf(
      {{{0, 1}, {2, 3}, {4, 5}}, {{0, 6}, {2, 10}, {4, 7}, {8, 9}}, {{0, 11}, {2, 10}, {8, 9}}},
      kPaperValues);
  const Consequences bob = Deduce(series, {{1, 1}});
  EXPECT_THAT(bob.follow, ElementsAre(KnownValue{0, 0}, KnownValue{6, 1}, KnownValue{11, 1}));
  // The other way round, too.
  const Consequences kate = Deduce(series, {{11, 1}});
  EXPECT_THAT(kate.follow, ElementsAre(KnownValue{0, 0}, KnownValue{1, 1}, KnownValue{6, 1}));
}

TEST(Deduce, NaiveSeriesNeedsNoKnowledge) {
  // Tables Ib and IIb: Alice is with {cancer, flu}, then with {cancer, measles}.
  const Series series = SeriesOf({{{0, 1}, {2, 3, 4, 5}}, {{0, 4}, {2, 6, 7, 8, 9}}}, kPaperValues);
  const Consequences nothing = Deduce(series, {});
  EXPECT_THAT(nothing.follow,
              testing::IsSupersetOf({KnownValue{0, 0}, KnownValue{1, 1}, KnownValue{4, 2}}));
}

TEST(Deduce, MergedBuckets) {
  // Tables IV to VI: Frank and Harry have the same value; three releases are needed to see it.
  const Series series =
      SeriesOf({{{0, 1, 2, 3}, {4, 5}}, {{0, 2, 6, 10}, {4, 7, 8, 9}}, {{0, 2, 6, 10}, {8, 9}}},
               kPaperValues);
  const Consequences frank = Deduce(series, {{5, 0}});
  EXPECT_TRUE(frank.complete);
  EXPECT_THAT(frank.follow, ElementsAre(KnownValue{4, 2}, KnownValue{7, 0}));
}

TEST(Deduce, Contradictions) {
  const Series series = SeriesOf({{{0, 1}}, {{0, 6}}}, kPaperValues);
  EXPECT_TRUE(Deduce(series, {{1, 2}}).contradiction);          // measles was not there
  EXPECT_TRUE(Deduce(series, {{1, 1}, {6, 0}}).contradiction);  // they are equal
  EXPECT_TRUE(Deduce(series, {{1, 1}, {1, 0}}).contradiction);
  EXPECT_THAT(Deduce(series, {{1, 1}, {6, 0}}).follow, IsEmpty());
  EXPECT_FALSE(Deduce(series, {{1, 1}, {6, 1}, {0, 0}}).contradiction);
}

TEST(Deduce, NobodyAndNowhere) {
  EXPECT_THAT(Deduce({}, {}).follow, IsEmpty());
  Series series = SeriesOf({{{0, 1}}}, {0, 1, 1});
  const Consequences result = Deduce(series, {{2, 1}});
  EXPECT_FALSE(result.contradiction);
  EXPECT_THAT(result.follow, IsEmpty());
  EXPECT_THAT(result.possible, ElementsAre(2, 2, 1));
}

// Two people of a group share two values between them, so the other two have the other ones: no
// value by itself shows that.
TEST(Deduce, SeveralValuesOfAGroup) {
  const std::vector<Value> values = {0, 1, 2, 3, 1, 0};
  const Series series = SeriesOf({{{0, 4}, {1, 5}}, {{0, 1, 2, 3}}}, values);
  EXPECT_THAT(Deduce(series, {}).possible, ElementsAre(2, 2, 2, 2, 2, 2));
  EXPECT_THAT(Deduce(series, {{2, 2}}).follow, ElementsAre(KnownValue{3, 3}));
}

// 2 left and 3 came; 4 came, too, but the values are others.
TEST(Deduce, WhoTakesWhosePlace) {
  const std::vector<std::pair<Value, std::uint64_t>> values = {{0, 1}, {1, 1}, {2, 1}};
  const std::vector<PublishedGroup> groups = {{0, 0, {0, 1, 2}, values},
                                              {1, 0, {0, 1, 3}, values},
                                              {2, 0, {0, 1, 4}, {{0, 2}, {1, 1}}},
                                              {3, 0, {0, 5, 6}, values}};
  EXPECT_THAT(EqualPeople(groups, {true, true, true, true}), ElementsAre(testing::Pair(2, 3)));
  EXPECT_THAT(EqualPeople(groups, {true, false, true, true}), IsEmpty());
}

// One of any two of three people: halves would do, whole numbers do not.
TEST(Deduce, TryingIsInWholeNumbers) {
  std::uint64_t nodes = 100;
  const SmallAnswer none = Try({{1, 1, 1}, {{0, 2}, {0, 1}, {1, 2}}, {1, 1, 1}}, nodes);
  EXPECT_TRUE(none.answered);
  EXPECT_FALSE(none.possible);
  // One of the first two, both of the last two.
  const SmallAnswer some = Try({{1, 1, 1}, {{0}, {0, 1}, {1}}, {1, 2}}, nodes);
  EXPECT_TRUE(some.answered && some.possible);
  EXPECT_THAT(some.can_be_some, ElementsAre(false, true, true));
  EXPECT_THAT(some.can_be_less, ElementsAre(true, false, false));
}

// All worlds: values per person that fit all groups and what is known.
class Worlds {
 public:
  Worlds(const Series& series, const std::vector<KnownValue>& known)
      : series_(series), value_(series.persons), possible(series.persons) {
    for (std::uint32_t r = 0; r < series.releases.size(); ++r) {
      for (PublishedGroup& group : GroupsOf(series, r)) groups_.push_back(std::move(group));
    }
    for (const KnownValue& fact : known) known_[fact.person] = fact.value;
    Extend(0);
  }

  std::uint64_t count = 0;

 private:
  void Extend(Person person) {
    if (person == series_.persons) {
      if (!Fits()) return;
      ++count;
      for (Person p = 0; p < series_.persons; ++p) possible[p].insert(value_[p]);
      return;
    }
    for (Value v = 0; v < series_.values; ++v) {
      const auto at = known_.find(person);
      if (at != known_.end() && at->second != v) continue;
      value_[person] = v;
      Extend(person + 1);
    }
  }
  bool Fits() const {
    for (const PublishedGroup& group : groups_) {
      std::map<Value, std::uint64_t> counts;
      for (const Person person : group.people) ++counts[value_[person]];
      if (!std::ranges::equal(counts, group.values, [](const auto& a, const auto& b) {
            return a.first == b.first && a.second == b.second;
          }))
        return false;
    }
    return true;
  }

  const Series& series_;
  std::vector<PublishedGroup> groups_;
  std::map<Person, Value> known_;
  std::vector<Value> value_;

 public:
  std::vector<std::set<Value>> possible;
};

// One value at a time, by trying all sets of people who might have it, until nothing changes.
std::vector<std::set<Value>> OneValueAtATime(const Series& series,
                                             const std::vector<KnownValue>& known) {
  std::vector<std::set<Value>> possible(series.persons);
  std::vector<PublishedGroup> groups;
  for (std::uint32_t r = 0; r < series.releases.size(); ++r) {
    for (PublishedGroup& group : GroupsOf(series, r)) groups.push_back(std::move(group));
  }
  for (auto& values : possible) {
    for (Value v = 0; v < series.values; ++v) values.insert(v);
  }
  for (const KnownValue& fact : known) possible[fact.person] = {fact.value};
  for (bool changed = true; changed;) {
    changed = false;
    for (Value v = 0; v < series.values; ++v) {
      std::uint32_t ever = 0, always = ~0U;
      for (std::uint32_t who = 0; who < (1U << series.persons); ++who) {
        bool fits = true;
        for (Person p = 0; p < series.persons && fits; ++p) {
          const bool has = (who >> p & 1) != 0;
          if (has && !possible[p].contains(v)) fits = false;
          if (!has && possible[p] == std::set<Value>{v}) fits = false;
        }
        for (std::size_t g = 0; g < groups.size() && fits; ++g) {
          std::uint64_t rows = 0, wanted = 0;
          for (const Person p : groups[g].people) rows += who >> p & 1;
          for (const auto& [value, count] : groups[g].values) wanted += value == v ? count : 0;
          fits = rows == wanted;
        }
        if (!fits) continue;
        ever |= who;
        always &= who;
      }
      for (Person p = 0; p < series.persons; ++p) {
        if ((ever >> p & 1) == 0) changed = possible[p].erase(v) > 0 || changed;
        if ((always >> p & 1) != 0 && possible[p].size() > 1) {
          possible[p] = {v};
          changed = true;
        }
      }
    }
  }
  return possible;
}

// One bucket in which all values occur equally often; people come and go.
Series RandomBucket(Random& random, bool returns) {
  const auto values = static_cast<std::uint32_t>(2 + random.Below(2));
  const std::uint32_t people = values == 2 ? 8 : 7;
  std::vector<Value> value_of;
  for (std::uint32_t p = 0; p < people; ++p) {
    value_of.push_back(static_cast<Value>(random.Below(values)));
  }
  Series series;
  series.persons = people;
  series.values = values;
  enum class State { kNew, kThere, kGone };
  std::vector<State> state(people, State::kNew);
  const std::uint64_t releases = 2 + random.Below(4);
  for (std::uint64_t r = 0; r < releases; ++r) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      std::vector<State> next = state;
      std::vector<std::uint64_t> counts(values, 0);
      for (Person p = 0; p < people; ++p) {
        const bool may_come = state[p] == State::kNew || (state[p] == State::kGone && returns);
        if (state[p] == State::kThere && random.Below(3) == 0) next[p] = State::kGone;
        if (may_come && random.Below(2) == 0) next[p] = State::kThere;
        if (next[p] == State::kThere) ++counts[value_of[p]];
      }
      if (counts[0] == 0 || std::ranges::adjacent_find(counts, std::not_equal_to{}) != counts.end())
        continue;
      state = next;
      Snapshot snapshot{1, {}};
      for (Person p = 0; p < people; ++p) {
        if (state[p] == State::kThere) snapshot.rows.push_back({p, 0, value_of[p]});
      }
      series.releases.push_back(std::move(snapshot));
      break;
    }
  }
  return series;
}

Series RandomGroups(Random& random) {
  const auto people = static_cast<std::uint32_t>(3 + random.Below(5));
  const auto values = static_cast<std::uint32_t>(2 + random.Below(2));
  std::vector<Value> value_of;
  for (std::uint32_t p = 0; p < people; ++p) {
    value_of.push_back(static_cast<Value>(random.Below(values)));
  }
  Series series;
  series.persons = people;
  series.values = values;
  const std::uint64_t releases = 1 + random.Below(3);
  const std::uint64_t groups = 1 + random.Below(3);
  for (std::uint64_t r = 0; r < releases; ++r) {
    std::map<std::uint64_t, std::vector<Person>> members;
    for (Person p = 0; p < people; ++p) {
      if (random.Below(4) != 0) members[random.Below(groups)].push_back(p);
    }
    std::vector<std::vector<Person>> all;
    for (auto& [group, some] : members) all.push_back(std::move(some));
    series.releases.push_back(Release(all, value_of));
  }
  return series;
}

// What people really have, of one or two of them; now and then something else.
std::vector<KnownValue> RandomKnowledge(Random& random, const Series& series) {
  std::vector<KnownValue> known;
  for (std::uint64_t i = random.Below(3); i > 0; --i) {
    const Snapshot& release = series.releases[random.Below(series.releases.size())];
    if (release.rows.empty()) continue;
    const Row& row = release.rows[random.Below(release.rows.size())];
    const bool invented = random.Below(10) == 0;
    const Value value = invented ? static_cast<Value>(random.Below(series.values)) : row.value;
    if (std::ranges::find(known, row.person, &KnownValue::person) == known.end()) {
      known.push_back({row.person, value});
    }
  }
  return known;
}

struct Tally {
  int cases = 0, contradictions = 0, unnoticed = 0, follow = 0, beyond = 0, beyond_one_value = 0;
  int complete = 0;
};

void Compare(const Series& series, const std::vector<KnownValue>& known, Tally& tally) {
  const Consequences result = Deduce(series, known);
  const Worlds worlds(series, known);
  ++tally.cases;
  if (worlds.count == 0) {
    ++tally.contradictions;
    tally.unnoticed += result.contradiction ? 0 : 1;
    return;
  }
  ASSERT_FALSE(result.contradiction);
  ASSERT_EQ(result.possible.size(), series.persons);
  const std::vector<std::set<Value>> one = OneValueAtATime(series, known);
  tally.complete += result.complete ? 1 : 0;
  for (Person p = 0; p < series.persons; ++p) {
    ASSERT_GE(result.possible[p], worlds.possible[p].size());
    if (result.complete) {
      ASSERT_LE(result.possible[p], one[p].size()) << "missed";
    }
    tally.beyond += result.possible[p] > worlds.possible[p].size() ? 1 : 0;
    tally.beyond_one_value += result.possible[p] < one[p].size() ? 1 : 0;
  }
  for (const KnownValue& fact : result.follow) {
    ASSERT_THAT(worlds.possible[fact.person], ElementsAre(fact.value));
    ++tally.follow;
  }
}

void Print(const char* what, const Tally& tally) {
  std::printf(
      "%s: %d series, %d contradictions (%d not noticed), %d complete; %d values follow; "
      "people of whom all worlds show more: %d, and one value at a time less: %d\n",
      what, tally.cases, tally.contradictions, tally.unnoticed, tally.complete, tally.follow,
      tally.beyond, tally.beyond_one_value);
}

// The same series beside so many others of the same values that nothing can be tried out.
Series WithCrowd(const Series& series) {
  constexpr std::uint32_t kCrowd = 30;
  Series crowded = series;
  crowded.persons += kCrowd * series.values;
  for (Snapshot& release : crowded.releases) {
    for (std::uint32_t i = 0; i < kCrowd * series.values; ++i) {
      release.rows.push_back({series.persons + i, release.groups, i % series.values});
    }
    ++release.groups;
  }
  return crowded;
}

void CompareCrowded(const Series& series, const std::vector<KnownValue>& known, Tally& tally) {
  const Consequences result = Deduce(WithCrowd(series), known);
  const Worlds worlds(series, known);
  ++tally.cases;
  if (worlds.count == 0) {
    ++tally.contradictions;
    tally.unnoticed += result.contradiction ? 0 : 1;
    return;
  }
  ASSERT_FALSE(result.contradiction);
  tally.complete += result.complete ? 1 : 0;
  for (Person p = 0; p < series.persons; ++p) {
    ASSERT_GE(result.possible[p], worlds.possible[p].size());
    tally.beyond += result.possible[p] > worlds.possible[p].size() ? 1 : 0;
  }
  for (const KnownValue& fact : result.follow) {
    ASSERT_LT(fact.person, series.persons);
    ASSERT_THAT(worlds.possible[fact.person], ElementsAre(fact.value));
    ++tally.follow;
  }
}

TEST(Deduce, BucketHistoriesAgainstAllWorlds) {
  Random random = Random::Seeded(21);
  Tally tally;
  while (tally.cases < 3000) {
    const Series series = RandomBucket(random, /*returns=*/false);
    if (series.releases.empty()) continue;
    ASSERT_NO_FATAL_FAILURE(Compare(series, RandomKnowledge(random, series), tally));
  }
  Print("bucket histories", tally);
  EXPECT_EQ(tally.complete, tally.cases - tally.contradictions);
  EXPECT_GT(tally.follow, 1000);
}

TEST(Deduce, ReturnsAgainstAllWorlds) {
  Random random = Random::Seeded(22);
  Tally tally;
  while (tally.cases < 1500) {
    const Series series = RandomBucket(random, /*returns=*/true);
    if (series.releases.empty()) continue;
    ASSERT_NO_FATAL_FAILURE(Compare(series, RandomKnowledge(random, series), tally));
  }
  Print("with returns", tally);
  EXPECT_GT(tally.follow, 500);
}

TEST(Deduce, AnyGroupsAgainstAllWorlds) {
  Random random = Random::Seeded(23);
  Tally tally;
  while (tally.cases < 3000) {
    const Series series = RandomGroups(random);
    ASSERT_NO_FATAL_FAILURE(Compare(series, RandomKnowledge(random, series), tally));
  }
  Print("any groups", tally);
  EXPECT_GT(tally.follow, 1000);
}

// The networks alone: nothing wrong, and little missed.
TEST(Deduce, CrowdsAgainstAllWorlds) {
  Random random = Random::Seeded(24);
  Tally tally;
  while (tally.cases < 2000) {
    const Series series =
        random.Below(2) == 0 ? RandomGroups(random) : RandomBucket(random, /*returns=*/true);
    if (series.releases.empty()) continue;
    ASSERT_NO_FATAL_FAILURE(CompareCrowded(series, RandomKnowledge(random, series), tally));
  }
  Print("in a crowd", tally);
  EXPECT_GT(tally.cases, tally.complete + 200);
  EXPECT_GT(tally.follow, 1000);
  EXPECT_LT(tally.beyond, tally.follow / 10);
}

}  // namespace
}  // namespace reissue::models::invariance
