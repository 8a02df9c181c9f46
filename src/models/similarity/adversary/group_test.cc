#include "reissue/models/similarity/adversary/group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "reissue/core/random.h"

namespace reissue::models::similarity {
namespace {

using inference::Estimator;

constexpr Estimator kAll[] = {Estimator::kBayes, Estimator::kSum, Estimator::kExact,
                              Estimator::kOmega, Estimator::kScaling};

// A group that owns what its suspects point to.
struct Owned {
  std::vector<Value> value;
  std::vector<Distribution> prior;
  std::vector<std::vector<Statement>> said = {};

  std::vector<Suspect> Suspects() const {
    std::vector<Suspect> suspects;
    for (std::size_t i = 0; i < value.size(); ++i) {
      suspects.push_back({value[i], &prior[i], {}});
      if (!said.empty()) suspects.back().statements = said[i];
    }
    return suspects;
  }
  GroupJudgement Judged(const Bounds& bounds, Estimator estimator = Estimator::kExact) const {
    ReaderOptions options{.estimator = estimator, .cascade = {}, .estimate = {}};
    options.estimate.all_choices = true;
    const std::vector<Suspect> suspects = Suspects();
    const auto values = static_cast<std::uint32_t>(prior[0].size());
    return Judge(suspects, Consider(suspects, values, options, 1), bounds);
  }
};

// Planted bug that this notices: a bound on the belief in the true value alone.
TEST(GroupJudgement, ABeliefInAFalseValueCountsAsMuch) {
  // She takes the first for the one with value 0, and it is the second.
  const Owned group{.value = {1, 0}, .prior = {{0.9, 0.1}, {0.5, 0.5}}};
  const GroupJudgement judged = group.Judged({.max_belief = 0.8, .max_gain = std::nullopt});
  EXPECT_NEAR(judged.judged.belief, 0.9, 1e-12);
  EXPECT_FALSE(judged.judged.KeepsBelief({.max_belief = 0.8, .max_gain = std::nullopt}));
}

TEST(GroupJudgement, WhatSheBelievedBeforeIsAllowedAndNoMore) {
  const Bounds bounds{.max_belief = 0.8, .max_gain = std::nullopt};
  const std::vector<Distribution> sure(4, Distribution{0.9, 0.1});
  // Three of four: less than she believed. All of four: certain.
  const GroupJudgement less = Owned{.value = {0, 1, 0, 0}, .prior = sure}.Judged(bounds);
  EXPECT_TRUE(less.judged.KeepsBelief(bounds));
  EXPECT_EQ(less.judged.beyond, 0u);
  const GroupJudgement more = Owned{.value = {0, 0, 0, 0}, .prior = sure}.Judged(bounds);
  EXPECT_FALSE(more.judged.KeepsBelief(bounds));
  EXPECT_EQ(more.judged.beyond, 4u);
  // Of the first as much as before, and so of the second, of whom she believed nothing.
  const Owned two{.value = {0, 1}, .prior = {{0.9, 0.1}, {0.5, 0.5}}};
  const GroupJudgement other = two.Judged(bounds);
  EXPECT_LE(other.excess[0], 1e-12);
  EXPECT_NEAR(other.excess[1], 0.1, 1e-12);
}

// Planted bug that this notices: a group of one value, where every gain is 0.
TEST(GroupJudgement, CertaintyIsNoSmallGain) {
  const Bounds bounds{.max_belief = std::nullopt, .max_gain = 1};
  for (const Estimator estimator : kAll) {
    const Owned group{.value = {1, 1, 1}, .prior = {3, {0.5, 0.5}}};
    const GroupJudgement judged = group.Judged(bounds, estimator);
    EXPECT_EQ(judged.judged.gain, 0);
    EXPECT_EQ(judged.judged.certain, 3u);
    EXPECT_FALSE(judged.judged.KeepsGain(bounds)) << inference::NameOf(estimator);
    // She knew: by her prior, or because she was told.
    const Owned known{.value = {1, 1, 1}, .prior = {3, {0, 1}}};
    EXPECT_TRUE(known.Judged(bounds, estimator).judged.KeepsGain(bounds));
    const Owned told{
        .value = {1, 1}, .prior = {2, {0.5, 0.5}}, .said = {{{0, 1, 0, 1}}, {{1, 1, 0, 1}}}};
    EXPECT_TRUE(told.Judged(bounds, estimator).judged.KeepsGain(bounds));
  }
}

TEST(GroupJudgement, PeopleToldForCertainStandOutsideAndTellOfOthers) {
  const Bounds bounds{.max_belief = std::nullopt, .max_gain = 0.5};
  const Owned group{
      .value = {0, 1, 1, 0}, .prior = {4, {0.5, 0.5}}, .said = {{{0, 0, 0, 1}}, {}, {}, {}}};
  const GroupJudgement judged = group.Judged(bounds);
  EXPECT_NEAR(judged.judged.gain, 1.0 / 3, 1e-12);  // two in three, of one in two
  EXPECT_TRUE(judged.judged.KeepsGain(bounds));
  EXPECT_EQ(judged.excess[0], -1);
}

TEST(GroupJudgement, WhereHerPriorsExcludeTheGroupNothingIsProven) {
  const Bounds bounds{.max_belief = 0.9, .max_gain = std::nullopt};
  const Owned group{.value = {0, 1, 2}, .prior = {{0.5, 0.5, 0}, {0.5, 0.5, 0}, {0.5, 0.5, 0}}};
  for (const Estimator estimator : {Estimator::kExact, Estimator::kScaling}) {
    const GroupJudgement judged = group.Judged(bounds, estimator);
    EXPECT_EQ(judged.judged.unsettled, 1u);
    EXPECT_GT(judged.excess[0], 0);
  }
}

// Of several best assignments she takes one; whichever it is, it is no more than the judgement has.
TEST(GroupJudgement, CountsEveryChoiceAmongBestAssignments) {
  const Owned group{.value = {0, 1}, .prior = {2, {0.5, 0.5}}};
  EXPECT_NEAR(group.Judged({}, Estimator::kBayes).judged.belief, 2.0 / 3, 1e-12);
}

Owned RandomGroup(Random& random, std::uint32_t values) {
  Owned group;
  const std::size_t people = 2 + random.Below(5);
  group.said.resize(people);
  for (std::size_t i = 0; i < people; ++i) {
    group.value.push_back(static_cast<Value>(random.Below(values)));
    Distribution prior(values);
    for (double& p : prior) p = random.Below(6) == 0 ? 0 : 0.01 + random.Unit();
    const double sum = std::accumulate(prior.begin(), prior.end(), 0.0);
    for (double& p : prior) p = sum > 0 ? p / sum : 1.0 / values;
    group.prior.push_back(prior);
    if (random.Below(6) == 0) group.said[i] = {{Person(i), group.value[i], 0, 1}};
  }
  return group;
}

TEST(GroupJudgement, ExceedsWhereTheJudgementDoes) {
  Random random = Random::Seeded(32);
  int beyond = 0, kept = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::uint32_t values = 2 + static_cast<std::uint32_t>(random.Below(3));
    const Owned group = RandomGroup(random, values);
    Bounds bounds;
    if (round % 3 > 0) bounds.max_belief = 0.4 + 0.6 * random.Unit();
    if (round % 3 < 2) bounds.max_gain = 0.2 + 0.8 * random.Unit();
    for (const Estimator estimator : kAll) {
      const std::vector<double> excess = group.Judged(bounds, estimator).excess;
      const bool expected = std::ranges::max(excess) > 1e-9;
      ReaderOptions options{.estimator = estimator, .cascade = {}, .estimate = {}};
      options.estimate.all_choices = true;
      EXPECT_EQ(Exceeds(group.Suspects(), values, options, 1, bounds, 1e-9), expected);
      ++(expected ? beyond : kept);
    }
  }
  EXPECT_GT(beyond, 1000);
  EXPECT_GT(kept, 500);
}

// Whoever has which value: she sees the same.
TEST(GroupJudgement, IsAFunctionOfWhatTheReaderHas) {
  Random random = Random::Seeded(31);
  int beyond = 0, kept = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::uint32_t values = 2 + static_cast<std::uint32_t>(random.Below(3));
    const Owned group = RandomGroup(random, values);
    const Bounds bounds{.max_belief = 0.4 + 0.6 * random.Unit(),
                        .max_gain = 0.2 + 0.8 * random.Unit()};
    Owned other = group;
    random.Shuffle(other.value);
    for (const Estimator estimator : kAll) {
      const GroupJudgement one = group.Judged(bounds, estimator);
      const GroupJudgement two = other.Judged(bounds, estimator);
      EXPECT_EQ(one.excess, two.excess);
      EXPECT_EQ(one.judged.belief, two.judged.belief);
      EXPECT_EQ(one.judged.gain, two.judged.gain);
      EXPECT_EQ(one.judged.unsettled, two.judged.unsettled);
      ++(one.judged.beyond > 0 ? beyond : kept);
    }
  }
  EXPECT_GT(beyond, 1000);
  EXPECT_GT(kept, 500);
}

}  // namespace
}  // namespace reissue::models::similarity
