#include "reissue/inference/scaling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reissue/core/random.h"
#include "reissue/inference/assignment.h"
#include "reissue/inference/support.h"

namespace reissue::inference {
namespace {

// Pairs that some order of the rows gives, if all of it is possible.
std::vector<char> UsedByEnumeration(const BeliefGroup& group) {
  const std::size_t values = group.values();
  std::vector<std::uint32_t> value_of;
  for (std::uint32_t s = 0; s < values; ++s) value_of.insert(value_of.end(), group.rows[s], s);
  std::vector<char> used(group.prior.size(), 0);
  do {
    bool possible = true;
    for (std::size_t v = 0; v < group.people; ++v) {
      possible = possible && group.prior[v * values + value_of[v]] > 0;
    }
    for (std::size_t v = 0; possible && v < group.people; ++v) used[v * values + value_of[v]] = 1;
  } while (std::ranges::next_permutation(value_of).found);
  return used;
}

// Everybody has some possible value; `sharpness` makes beliefs differ by powers of ten.
BeliefGroup DrawWithZeros(Random& random, std::size_t most_people, double sharpness) {
  BeliefGroup group;
  group.people = 2 + random.Below(most_people - 1);
  for (std::size_t left = group.people; left > 0; left -= group.rows.back()) {
    group.rows.push_back(static_cast<std::uint32_t>(1 + random.Below(left)));
  }
  const std::uint64_t zeros = 2 + random.Below(4);
  for (std::size_t v = 0; v < group.people; ++v) {
    const std::size_t sure = random.Below(group.values());
    for (std::size_t s = 0; s < group.values(); ++s) {
      const double p = std::pow(10, -sharpness * random.Unit());
      group.prior.push_back(s != sure && random.Below(zeros) == 0 ? 0 : p);
    }
  }
  return group;
}

// In groups too large to enumerate.
bool HasAssignment(BeliefGroup group) {
  for (double& p : group.prior) p = p > 0 ? 1 : 0;
  std::vector<std::uint32_t> order(group.people);
  std::iota(order.begin(), order.end(), 0);
  const auto value_of = internal::BestAssignment(group, order).value_of;
  for (std::size_t v = 0; v < group.people; ++v) {
    if (group.prior[v * group.values() + value_of[v]] == 0) return false;
  }
  return true;
}

void ExpectMargins(const BeliefGroup& group, const std::vector<double>& belief) {
  for (std::size_t v = 0; v < group.people; ++v) {
    const double* const begin = &belief[v * group.values()];
    EXPECT_NEAR(std::accumulate(begin, begin + group.values(), 0.0), 1, 1e-12);
  }
  for (std::size_t s = 0; s < group.values(); ++s) {
    double sum = 0;
    for (std::size_t v = 0; v < group.people; ++v) sum += belief[v * group.values() + s];
    EXPECT_NEAR(sum, group.rows[s], 1e-9);
  }
}

TEST(Scaling, AValueThatSomebodyElseMustHaveIsReachedAtOnce) {
  // The second person can only have the second value: rows and columns in turn come near as 1/n.
  const BeliefGroup group{.people = 2, .rows = {1, 1}, .prior = {0.5, 0.5, 0, 1}};
  const Posterior posterior = Estimate(group, Estimator::kScaling, {});
  EXPECT_TRUE(posterior.converged);
  EXPECT_EQ(posterior.belief, (std::vector<double>{1, 0, 0, 1}));
}

TEST(Scaling, FitsTheMarginsWhereverAnAssignmentIsPossible) {
  Random random = Random::Seeded(11);
  int possible = 0, impossible = 0, narrowed = 0;
  for (int round = 0; round < 6000; ++round) {
    const BeliefGroup group = DrawWithZeros(random, 6, round % 3 == 0 ? 12 : 1);
    const std::vector<char> used = UsedByEnumeration(group);
    const Posterior posterior = Estimate(group, Estimator::kScaling, {});
    const bool some = std::ranges::count(used, 1) > 0;
    ASSERT_EQ(posterior.converged, some) << round;
    if (!some) {
      ++impossible;
      continue;
    }
    ++possible;
    ExpectMargins(group, posterior.belief);
    const std::size_t values = group.values();
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) {
        EXPECT_EQ(posterior.belief[i], 0);
        narrowed += group.prior[i] > 0;
      }
    }
    // prior · row factor · column factor: ratios within two rows and two columns are the prior's.
    for (std::size_t v = 0; v + 1 < group.people; ++v) {
      for (std::size_t s = 0; s + 1 < values; ++s) {
        const std::size_t a = v * values + s, b = a + values;
        if (!used[a] || !used[a + 1] || !used[b] || !used[b + 1]) continue;
        const auto ratio = [&](const std::vector<double>& of) {
          return std::log(of[a]) + std::log(of[b + 1]) - std::log(of[a + 1]) - std::log(of[b]);
        };
        EXPECT_NEAR(ratio(posterior.belief), ratio(group.prior), 1e-9);
      }
    }
  }
  EXPECT_GT(possible, 2000);
  EXPECT_GT(impossible, 300);
  EXPECT_GT(narrowed, 500);
}

TEST(Scaling, FitsTheMarginsOfBeliefsThatDifferByHundredsOfPowersOfTen) {
  Random random = Random::Seeded(12);
  int converged = 0;
  for (int round = 0; round < 1000; ++round) {
    const BeliefGroup group = DrawWithZeros(random, 60, 250);
    const Posterior posterior = Estimate(group, Estimator::kScaling, {});
    EXPECT_EQ(posterior.converged, HasAssignment(group)) << round;
    if (!posterior.converged) continue;
    ++converged;
    ExpectMargins(group, posterior.belief);
  }
  EXPECT_GT(converged, 700);
}

TEST(Scaling, ExactSaysWhereNothingIsPossible) {
  // Two people who can only have the first value, which one row has.
  const BeliefGroup group{.people = 2, .rows = {1, 1}, .prior = {1, 0, 1, 0}};
  for (const Estimator estimator : {Estimator::kExact, Estimator::kScaling}) {
    EXPECT_FALSE(Estimate(group, estimator, {}).converged);
  }
  for (const Estimator estimator : {Estimator::kBayes, Estimator::kSum, Estimator::kOmega}) {
    EXPECT_TRUE(Estimate(group, estimator, {}).converged);
  }
}

TEST(Support, IsWhatEnumerationFinds) {
  Random random = Random::Seeded(13);
  for (int round = 0; round < 3000; ++round) {
    const BeliefGroup group = DrawWithZeros(random, 7, 1);
    const std::vector<char> used = UsedByEnumeration(group);
    if (std::ranges::count(used, 1) == 0) continue;
    std::vector<char> allowed;
    for (const double p : group.prior) allowed.push_back(p > 0);
    // Any assignment will do: one person after the other takes what leaves one for the others.
    BeliefGroup rest = group;
    std::vector<std::uint32_t> value_of;
    for (std::size_t v = 0; v < group.people; ++v) {
      const std::vector<char> left = UsedByEnumeration(rest);
      const auto begin = left.begin() + static_cast<std::ptrdiff_t>(v * group.values());
      value_of.push_back(static_cast<std::uint32_t>(std::find(begin, left.end(), 1) - begin));
      for (std::size_t s = 0; s < group.values(); ++s) {
        rest.prior[v * group.values() + s] = s == value_of.back() ? 1 : 0;
      }
    }
    EXPECT_EQ(internal::UsablePairs(allowed, value_of, group.values()), used);
  }
}

}  // namespace
}  // namespace reissue::inference
