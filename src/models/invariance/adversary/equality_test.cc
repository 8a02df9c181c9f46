#include "reissue/models/invariance/adversary/equality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

#include "reissue/core/random.h"
#include "reissue/models/invariance/adversary/exposed.h"

namespace reissue::models::invariance {
namespace {

using testing::ElementsAre;

std::vector<PublishedGroup> AllGroups(const Series& series) {
  std::vector<PublishedGroup> all;
  for (std::uint32_t r = 0; r < series.releases.size(); ++r) {
    for (PublishedGroup& group : GroupsOf(series, r)) all.push_back(std::move(group));
  }
  return all;
}

// A group of these people, whose values are given.
PublishedGroup Group(std::uint32_t release, std::vector<Person> people,
                     const std::vector<Value>& value_of) {
  PublishedGroup group{release, 0, std::move(people), {}};
  std::map<Value, std::uint64_t> counts;
  for (const Person person : group.people) ++counts[value_of[person]];
  group.values.assign(counts.begin(), counts.end());
  return group;
}

// Arithmetic modulo a prime, for ranks by another way than the code under test.
constexpr std::int64_t kPrime = 1'000'000'007;
std::int64_t Power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (base = (base % kPrime + kPrime) % kPrime; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base % kPrime;
    base = base * base % kPrime;
  }
  return result;
}
std::size_t Rank(std::vector<std::vector<std::int64_t>> rows) {
  std::size_t rank = 0;
  const std::size_t columns = rows.empty() ? 0 : rows[0].size();
  for (std::size_t c = 0; c < columns && rank < rows.size(); ++c) {
    std::size_t at = rank;
    while (at < rows.size() && rows[at][c] % kPrime == 0) ++at;
    if (at == rows.size()) continue;
    std::swap(rows[at], rows[rank]);
    const std::int64_t inverse = Power(rows[rank][c], kPrime - 2);
    for (std::size_t r = rank + 1; r < rows.size(); ++r) {
      const std::int64_t times = rows[r][c] * inverse % kPrime;
      if (times == 0) continue;
      for (std::size_t k = c; k < columns; ++k) {
        rows[r][k] = ((rows[r][k] - times * rows[rank][k]) % kPrime + kPrime) % kPrime;
      }
    }
    ++rank;
  }
  return rank;
}

// From Definition 10: all vectors of whole numbers for the people, smallest first; a vector is an
// equality if it, with zeros for the values, is a combination of the rows [S U].
class Enumeration {
 public:
  Enumeration(const std::vector<PublishedGroup>& groups, std::size_t people, std::size_t values)
      : people_(people) {
    for (const PublishedGroup& group : groups) {
      std::vector<std::int64_t>& row = rows_.emplace_back(people + values, 0);
      for (const Person person : group.people) row[person] = 1;
      for (const auto& [value, count] : group.values) {
        row[people + value] = static_cast<std::int64_t>(count);
      }
    }
    rank_ = Rank(rows_);
    std::vector<std::vector<std::int64_t>> only_values;
    for (const auto& row : rows_) {
      only_values.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(people), row.end());
    }
    exists_ = rank_ > Rank(only_values);
  }
  bool exists() const { return exists_; }
  // The least size, if it is at most `most`; else 0.
  std::uint64_t Least(std::uint64_t most) {
    for (std::uint64_t size = 1; size <= most; ++size) {
      vector_.assign(people_, 0);
      if (Extend(0, size, size)) return size;
    }
    return 0;
  }

 private:
  bool Extend(std::size_t at, std::uint64_t plus, std::uint64_t minus) {
    if (at == people_) return plus == 0 && minus == 0 && IsEquality();
    for (std::int64_t x = -static_cast<std::int64_t>(minus); x <= static_cast<std::int64_t>(plus);
         ++x) {
      vector_[at] = x;
      if (Extend(at + 1, plus - static_cast<std::uint64_t>(std::max<std::int64_t>(x, 0)),
                 minus - static_cast<std::uint64_t>(std::max<std::int64_t>(-x, 0))))
        return true;
    }
    vector_[at] = 0;
    return false;
  }
  bool IsEquality() const {
    auto rows = rows_;
    std::vector<std::int64_t> row(rows_[0].size(), 0);
    std::ranges::copy(vector_, row.begin());
    rows.push_back(row);
    return Rank(rows) == rank_;
  }

  std::size_t people_;
  std::vector<std::vector<std::int64_t>> rows_;
  std::size_t rank_ = 0;
  bool exists_ = false;
  std::vector<std::int64_t> vector_;
};

void ExpectWitness(const std::vector<PublishedGroup>& groups, const LeastGroupEquality& least) {
  ASSERT_TRUE(least.witness.has_value());
  EXPECT_EQ(least.witness->size, *least.upper);
  std::map<Value, std::int64_t> values;
  std::map<Person, std::int64_t> people;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::int64_t weight = least.witness->weights[g];
    for (const auto& [value, rows] : groups[g].values) {
      values[value] += weight * static_cast<std::int64_t>(rows);
    }
    for (const Person person : groups[g].people) people[person] += weight;
  }
  for (const auto& [value, sum] : values) EXPECT_EQ(sum, 0);
  std::int64_t left = 0, right = 0;
  for (const auto& [person, sum] : people) {
    EXPECT_EQ(sum % least.witness->divisor, 0);
    (sum > 0 ? left : right) += std::abs(sum) / least.witness->divisor;
  }
  EXPECT_EQ(left, right);
  EXPECT_EQ(static_cast<std::uint64_t>(left), least.witness->size);
  const Sides sides = SidesOf(groups, *least.witness);
  EXPECT_EQ(sides.left.size(), least.witness->size);
  EXPECT_EQ(sides.right.size(), least.witness->size);
}

// A random series: everybody is there or not, in a random group. Tiny groups, also of one.
Series RandomSeries(Random& random, std::uint32_t people, std::uint32_t values,
                    std::uint32_t releases, std::uint32_t groups) {
  Series series;
  series.persons = people;
  series.values = values;
  std::vector<Value> value_of;
  for (std::uint32_t p = 0; p < people; ++p) {
    value_of.push_back(static_cast<Value>(random.Below(values)));
  }
  for (std::uint32_t r = 0; r < releases; ++r) {
    Snapshot snapshot;
    std::map<std::uint64_t, std::uint32_t> numbers;
    for (Person p = 0; p < people; ++p) {
      if (random.Below(3) == 0) continue;
      const auto [at, added] = numbers.emplace(random.Below(groups), snapshot.groups);
      if (added) ++snapshot.groups;
      snapshot.rows.push_back({p, at->second, value_of[p]});
    }
    if (!snapshot.rows.empty()) series.releases.push_back(std::move(snapshot));
  }
  return series;
}

// Alice 0, Bob 1, Chris 2, Dan 3, Ellen 4, Frank 5, Greg 6, Harry 7, Ian 8, Jane 9, c1 10;
// cancer 0, flu 1, measles 2.
const std::vector<Value> kPaper = {0, 1, 0, 1, 2, 0, 1, 0, 2, 0, 1};

TEST(Equality, Example6) {
  const std::vector<PublishedGroup> groups = {
      Group(0, {0, 1, 2, 3}, kPaper),  Group(0, {4, 5}, kPaper),
      Group(1, {0, 2, 6, 10}, kPaper), Group(1, {4, 7, 8, 9}, kPaper),
      Group(2, {0, 2, 6, 10}, kPaper), Group(2, {8, 9}, kPaper)};
  const LeastGroupEquality least = LeastAmong(groups, 0);
  EXPECT_EQ(least.lower, 1);
  EXPECT_EQ(least.upper, 1);
  ExpectWitness(groups, least);
  Sides sides = SidesOf(groups, *least.witness);
  if (sides.left.front() > sides.right.front()) std::swap(sides.left, sides.right);
  EXPECT_THAT(sides.left, ElementsAre(5));
  EXPECT_THAT(sides.right, ElementsAre(7));
  // The one of two people is an equality too.
  const Sides two = SidesOf(groups, {2, {0, 1, 0, 0, 0, -1}, 1});
  EXPECT_THAT(two.left, ElementsAre(4, 5));
  EXPECT_THAT(two.right, ElementsAre(8, 9));
}

TEST(Equality, FinePartitionsOfTheIntroduction) {
  const std::vector<PublishedGroup> groups = {Group(0, {0, 1}, kPaper),  Group(0, {2, 3}, kPaper),
                                              Group(0, {4, 5}, kPaper),  Group(1, {0, 6}, kPaper),
                                              Group(1, {2, 10}, kPaper), Group(1, {4, 7}, kPaper),
                                              Group(1, {8, 9}, kPaper)};
  const LeastGroupEquality least = LeastAmong(groups, 2);
  EXPECT_EQ(least.upper, 1);
  EXPECT_EQ(least.lower, 1);
  ExpectWitness(groups, least);
}

TEST(Equality, WeightsMayHaveToBeFractions) {
  const std::vector<Value> values = {0, 1, 2, 0, 1, 2};
  const std::vector<PublishedGroup> groups = {Group(0, {0, 1}, values), Group(0, {3, 4}, values),
                                              Group(1, {1, 2}, values), Group(1, {4, 5}, values),
                                              Group(2, {0, 2}, values), Group(2, {3, 5}, values)};
  const LeastGroupEquality least = LeastAmong(groups, 0);
  EXPECT_EQ(least.upper, 1);
  EXPECT_EQ(least.witness->divisor, 2);
  ExpectWitness(groups, least);
}

// Fine partitions of a 3-invariant series: whole weights prove no less than two people.
TEST(Equality, WeightsOfAThreeInvariantSeries) {
  const std::vector<Value> values = {0, 0, 1, 1, 2, 2};
  const std::vector<PublishedGroup> groups = {
      Group(0, {0, 2, 4}, values), Group(1, {0, 3, 5}, values), Group(2, {1, 2, 5}, values),
      Group(3, {1, 3, 4}, values)};
  const LeastGroupEquality least = LeastAmong(groups, 0);
  EXPECT_EQ(least.lower, 1);
  EXPECT_EQ(least.upper, 1);
  EXPECT_EQ(least.witness->divisor, 2);
  ExpectWitness(groups, least);
  for (std::int64_t a = -3; a <= 3; ++a) {
    for (std::int64_t b = -3; b <= 3; ++b) {
      for (std::int64_t c = -3; c <= 3; ++c) {
        const std::int64_t d = -a - b - c;  // the values cancel out
        const std::int64_t sum = std::abs(a + b) + std::abs(c + d) + std::abs(a + c) +
                                 std::abs(b + d) + std::abs(a + d) + std::abs(b + c);
        EXPECT_TRUE(sum == 0 || sum >= 4);
      }
    }
  }
}

TEST(Equality, NoneExists) {
  const std::vector<Value> values = {0, 1, 0, 2};
  EXPECT_FALSE(LeastAmong({}, 0).lower.has_value());
  EXPECT_FALSE(LeastAmong({Group(0, {0, 1}, values)}, 0).upper.has_value());
  // The same group again proves nothing.
  const LeastGroupEquality again =
      LeastAmong({Group(0, {0, 1}, values), Group(1, {0, 1}, values)}, 3);
  EXPECT_FALSE(again.lower.has_value() || again.upper.has_value() || again.witness.has_value());
  // Groups of one with different values.
  EXPECT_FALSE(LeastAmong({Group(0, {1}, values), Group(0, {3}, values)}, 0).upper.has_value());
  // With the same value.
  EXPECT_EQ(LeastAmong({Group(0, {0}, values), Group(0, {2}, values)}, 0).upper, 1);
}

TEST(Equality, RandomSeriesAgainstEnumeration) {
  constexpr int kCases = 3000;
  Random random = Random::Seeded(11);
  std::map<std::uint64_t, int> sizes;
  int fractions = 0, none = 0, above = 0;
  for (int i = 0; i < kCases; ++i) {
    const auto people = static_cast<std::uint32_t>(2 + random.Below(6));
    const auto values = static_cast<std::uint32_t>(1 + random.Below(3));
    const Series series =
        RandomSeries(random, people, values, static_cast<std::uint32_t>(1 + random.Below(3)),
                     static_cast<std::uint32_t>(1 + random.Below(2)));
    const std::vector<PublishedGroup> groups = AllGroups(series);
    if (groups.empty()) continue;
    const LeastGroupEquality least = LeastAmong(groups, 0);
    Enumeration all(groups, people, values);
    ASSERT_EQ(least.upper.has_value(), all.exists()) << i;
    ASSERT_EQ(least.lower.has_value(), all.exists()) << i;
    if (!all.exists()) {
      ++none;
      continue;
    }
    ASSERT_EQ(least.lower, least.upper) << i;
    ExpectWitness(groups, least);
    fractions += least.witness->divisor > 1 ? 1 : 0;
    const std::uint64_t most = std::min<std::uint64_t>(*least.upper, 3);
    const std::uint64_t truth = all.Least(most);
    if (*least.upper > 3) {
      EXPECT_EQ(truth, 0) << i;
      ++above;
    } else {
      ASSERT_EQ(truth, *least.upper) << i;
    }
    ++sizes[*least.upper];
    // The search has to find by itself what short vectors would have shown.
    const LeastGroupEquality alone = LeastAmong(groups, 0, {.reduce = false});
    ASSERT_EQ(alone.upper, least.upper) << i;
    ASSERT_EQ(alone.lower, least.lower) << i;
    ExpectWitness(groups, alone);
    // What the bounds say without branching, and up to a cap.
    const LeastGroupEquality rough = LeastAmong(groups, 0, {.nodes = 0});
    EXPECT_LE(*rough.lower, *least.lower) << i;
    EXPECT_GE(*rough.upper, *least.upper) << i;
    const std::uint64_t cap = 1 + random.Below(4);
    const LeastGroupEquality capped = LeastAmong(groups, cap);
    if (*least.upper < cap) {
      EXPECT_EQ(capped.lower, least.lower) << i;
      EXPECT_EQ(capped.upper, least.upper) << i;
    } else {
      EXPECT_GE(*capped.lower, cap) << i;
      EXPECT_LE(*capped.lower, *least.lower) << i;
    }
  }
  EXPECT_GT(none, 50);
  EXPECT_GT(sizes[1], 50);
  EXPECT_GT(sizes[2], 50);
  EXPECT_GT(sizes[3] + above, 5);
  EXPECT_GT(fractions, 0);
  std::printf("none %d; sizes:", none);
  for (const auto& [size, count] : sizes) {
    std::printf(" %d x %d", static_cast<int>(size), count);
  }
  std::printf("; with fractions %d\n", fractions);
}

// A merged bucket of m values over many releases: the graph's problem, in matrix form.
std::vector<PublishedGroup> Bucket(Random& random, std::uint32_t values, std::uint32_t rows,
                                   std::uint32_t releases, std::uint32_t change) {
  std::vector<PublishedGroup> groups;
  std::vector<Value> value_of;
  std::vector<std::vector<Person>> present(values);
  auto arrive = [&](Value value) {
    present[value].push_back(static_cast<Person>(value_of.size()));
    value_of.push_back(value);
  };
  for (Value v = 0; v < values; ++v) {
    for (std::uint32_t i = 0; i < rows; ++i) arrive(v);
  }
  for (std::uint32_t r = 0; r < releases; ++r) {
    std::vector<Person> people;
    for (const auto& some : present) people.insert(people.end(), some.begin(), some.end());
    std::ranges::sort(people);
    groups.push_back(Group(r, people, value_of));
    for (std::uint32_t i = 0; i < change; ++i) {
      const auto value = static_cast<Value>(random.Below(values));
      std::vector<Person>& some = present[value];
      some.erase(some.begin() + static_cast<std::ptrdiff_t>(random.Below(some.size())));
      arrive(value);
    }
  }
  return groups;
}

TEST(Equality, BucketsOfManyReleases) {
  Random random = Random::Seeded(5);
  for (const std::uint32_t change : {1U, 2U, 6U, 12U}) {
    const std::vector<PublishedGroup> groups = Bucket(random, 5, 12, 20, change);
    const LeastGroupEquality capped = LeastAmong(groups, 5);
    ASSERT_TRUE(capped.lower.has_value());
    ExpectWitness(groups, capped);
    EXPECT_TRUE(*capped.lower >= 5 || capped.lower == capped.upper) << change;
    // A snapshot against the next is an equality of at most as many as were replaced.
    EXPECT_LE(*capped.upper, change);
  }
}

// Many fine partitions: bounds with a witness.
TEST(Equality, ManyGroups) {
  constexpr std::uint32_t kPeople = 3000, kValues = 3;
  Random random = Random::Seeded(8);
  std::vector<Value> value_of;
  for (std::uint32_t p = 0; p < kPeople; ++p) value_of.push_back(p % kValues);
  std::vector<PublishedGroup> groups;
  for (std::uint32_t r = 0; r < 2; ++r) {
    std::vector<std::vector<Person>> by_value(kValues);
    for (Person p = 0; p < kPeople; ++p) by_value[value_of[p]].push_back(p);
    // The second release moves a few people only.
    for (std::uint32_t i = 0; i < (r == 0 ? 0 : 500U); ++i) {
      auto& people = by_value[random.Below(kValues)];
      std::swap(people[random.Below(people.size())], people[random.Below(people.size())]);
    }
    for (std::size_t i = 0; i < by_value[0].size(); ++i) {
      std::vector<Person> people = {by_value[0][i], by_value[1][i], by_value[2][i]};
      std::ranges::sort(people);
      groups.push_back(Group(r, people, value_of));
    }
  }
  const LeastGroupEquality least = LeastAmong(groups, 3);
  EXPECT_EQ(least.upper, 1);
  EXPECT_EQ(least.lower, 1);
  ExpectWitness(groups, least);
}

// A rounded solution of one person's program may be an equality without that person.
TEST(Equality, NobodyIsMissed) {
  const std::vector<Value> same(9, 0);
  const std::vector<PublishedGroup> groups = {Group(0, {2, 5}, same), Group(1, {7}, same),
                                              Group(1, {8}, same),    Group(1, {1, 2}, same),
                                              Group(2, {3, 5}, same), Group(2, {6}, same)};
  const Exposed exposed = ExposedAmong(groups, {1, 2, 3, 5, 6, 7, 8}, 2, 20'000);
  EXPECT_TRUE(exposed.complete);
  EXPECT_THAT(exposed.who, ElementsAre(1, 1, 1, 1, 1, 1, 1));
}

}  // namespace
}  // namespace reissue::models::invariance
