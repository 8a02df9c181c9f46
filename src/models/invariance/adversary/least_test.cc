#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "reissue/models/invariance/adversary/equality.h"
#include "small_history.h"

namespace reissue::models::invariance {
namespace {

// What the witness proves, counted person by person; nothing where it proves nothing.
std::optional<std::uint64_t> ProvenBy(const std::vector<Life>& lives, const Equality& equality,
                                      std::uint32_t releases) {
  Potentials potentials(releases + 1, 0);
  for (const auto& [moment, potential] : equality.potentials) potentials.at(moment) = potential;
  for (const Life& life : lives) {
    if (StandingOf(life, potentials) % equality.divisor != 0) return std::nullopt;
  }
  const auto size = SizeOf(lives, potentials);
  if (!size) return std::nullopt;
  return *size / static_cast<std::uint64_t>(equality.divisor);
}

std::optional<std::uint64_t> LeastOfAll(const std::vector<Life>& lives, std::uint32_t releases,
                                        std::int64_t box) {
  std::optional<std::uint64_t> least;
  ForAllPotentials(releases, box, [&](const Potentials& potentials) {
    const auto size = SizeOf(lives, potentials);
    if (size) least = std::min(*size, least.value_or(*size));
  });
  return least;
}

std::vector<PublishedGroup> GroupsOf(const std::vector<Life>& lives, std::uint32_t releases,
                                     std::uint64_t values) {
  std::vector<PublishedGroup> groups;
  for (Moment now = 1; now <= releases; ++now) {
    PublishedGroup group{now - 1, 0, {}, {}};
    for (Person person = 0; person < lives.size(); ++person) {
      for (const auto& [came, left] : lives[person]) {
        if (came <= now && (left == kStillThere || now < left)) group.people.push_back(person);
      }
    }
    if (group.people.empty()) continue;
    for (Value value = 0; value < values; ++value)
      group.values.emplace_back(value, group.people.size() / values);
    groups.push_back(std::move(group));
  }
  return groups;
}

TEST(Least, TheFigures) {
  // Figure 3: Frank (1, 2) and Harry (2, 3).
  const LeastEquality least = Least({{{1, 3, 1}, {1, 2, 1}, {2, 3, 1}, {2, kStillThere, 2}}, {}});
  EXPECT_EQ(least.lower, 1u);
  EXPECT_EQ(least.upper, 1u);
  // Figure 4.
  const LeastEquality safe =
      Least({{{1, 3, 1}, {1, 2, 3}, {2, 3, 1}, {2, kStillThere, 2}, {3, kStillThere, 2}}, {}});
  EXPECT_EQ(safe.lower, 2u);
  EXPECT_EQ(safe.upper, 2u);
}

TEST(Least, OneSnapshotProvesNothing) {
  EXPECT_EQ(Least({}).upper, std::nullopt);
  const LeastEquality one = Least({{{1, kStillThere, 6}}, {}});
  EXPECT_EQ(one.lower, std::nullopt);
  EXPECT_EQ(one.upper, std::nullopt);
}

TEST(Least, AgreesWithAllWeightsAndWithTheMatrixForm) {
  Random random = Random::Seeded(21);
  std::uint64_t exact = 0, open = 0, none = 0, tight = 0, with_returns = 0, fractions = 0;
  for (int round = 0; round < 2500; ++round) {
    SmallOptions options{static_cast<std::uint32_t>(2 + random.Below(4)), 1 + random.Below(4), 0,
                         round % 3 == 2 ? 40u : 0u};
    options.most = options.values * (1 + random.Below(4));
    const std::vector<Life> lives = RandomLives(random, options);
    const History history = HistoryOf(lives);
    with_returns += !history.returns.empty();
    const LeastEquality least = Least(history);
    const auto brute = LeastOfAll(lives, options.releases, options.releases <= 3 ? 6 : 3);
    const LeastGroupEquality groups =
        LeastAmong(GroupsOf(lives, options.releases, options.values), 0);
    ASSERT_EQ(least.upper.has_value(), groups.upper.has_value()) << round;
    if (!least.upper) {
      ASSERT_FALSE(brute) << round;
      ++none;
      continue;
    }
    ASSERT_LE(*least.lower, *least.upper);
    ASSERT_EQ(ProvenBy(lives, *least.witness, options.releases), *least.upper) << round;
    if (brute) {
      ASSERT_GE(*brute, *least.lower) << round << Describe(lives);
      ASSERT_GE(*brute, *least.upper) << round;
    }
    ASSERT_LE(*least.lower, *groups.upper) << round;
    ASSERT_GE(*least.upper, *groups.lower) << round;
    (least.lower == least.upper ? exact : open) += 1;
    fractions += least.witness->divisor > 1;
    if (history.returns.empty()) {
      ASSERT_LE(*LeastCut(history), 2 * *least.upper) << round;
      tight += *LeastCut(history) == 2 * *least.upper;
    }
  }
  std::printf(
      "exact %lu, open %lu, none %lu; with returns %lu, fractions %lu; the cut is tight %lu\n",
      exact, open, none, with_returns, fractions, tight);
  EXPECT_EQ(open, 0u);
  EXPECT_GT(none, 50u);
  EXPECT_GT(with_returns, 200u);
}

TEST(Least, WithACapTellsWhatIsBelowIt) {
  Random random = Random::Seeded(22);
  for (int round = 0; round < 500; ++round) {
    SmallOptions options{4, 2, 12, 0};
    const History history = HistoryOf(RandomLives(random, options));
    const LeastEquality least = Least(history);
    for (const std::uint64_t cap : {1, 2, 3}) {
      const LeastEquality capped = Least(history, {.nodes = 20'000, .cap = cap});
      ASSERT_EQ(capped.upper.has_value(), least.upper.has_value());
      if (!least.upper) continue;
      ASSERT_LE(*capped.lower, *least.upper);
      if (*least.upper < cap) {
        ASSERT_EQ(*capped.upper, *least.upper) << round;
        ASSERT_EQ(*capped.lower, *least.upper) << round;
      } else {
        ASSERT_GE(*capped.lower, cap) << round;
      }
    }
  }
}

// A bucket of thousands with a steady turnover: bounds at once.
TEST(Least, LargeHistories) {
  Random random = Random::Seeded(23);
  std::vector<Life> lives;
  for (Moment now = 1; now <= 20; ++now) {
    std::uint64_t present = 0;
    for (Life& life : lives) {
      if (life.back().second == kStillThere && random.Below(10) == 0) life.back().second = now;
      present += life.back().second == kStillThere;
    }
    for (; present < 2000; ++present) lives.push_back({{now, kStillThere}});
  }
  const History history = HistoryOf(lives);
  const LeastEquality least = Least(history);
  ASSERT_TRUE(least.upper);
  EXPECT_EQ(ProvenBy(lives, *least.witness, 20), *least.upper);
  EXPECT_GE(2 * *least.lower, *LeastCut(history));
  std::printf("cut %lu, least equality %lu … %lu\n", *LeastCut(history), *least.lower,
              *least.upper);
}

}  // namespace
}  // namespace reissue::models::invariance
