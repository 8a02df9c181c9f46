#include "reissue/survey/population.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace reissue::survey {
namespace {

// Zipf-like: value i with weight (i + 1)^−skew.
std::discrete_distribution<std::uint64_t> Skewed(int values, double skew) {
  std::vector<double> weights;
  for (int i = 0; i < values; ++i) weights.push_back(std::pow(i + 1, -skew));
  return {weights.begin(), weights.end()};
}

struct World {
  std::vector<std::uint64_t> people;
  std::map<std::uint64_t, std::uint64_t> groups;
};
World Draw(std::mt19937_64& random, int ages, int places, int jobs) {
  auto age = Skewed(ages, 0.5), place = Skewed(places, 1.2), job = Skewed(jobs, 1.0);
  World world;
  for (int i = 0; i < 40'000; ++i) {
    world.people.push_back((age(random) * 1000 + place(random)) * 1000 + job(random));
    ++world.groups[world.people.back()];
  }
  return world;
}

struct Truth {
  Sizes sizes;
  double uniques = 0, average = 0;  // of the sample: unique in the population, and mean of 1/F
};
Truth Sample(World& world, double fraction, std::mt19937_64& random) {
  std::shuffle(world.people.begin(), world.people.end(), random);
  const auto rows = static_cast<std::size_t>(static_cast<double>(world.people.size()) * fraction);
  std::map<std::uint64_t, std::uint64_t> sample;
  for (std::size_t i = 0; i < rows; ++i) ++sample[world.people[i]];
  Truth truth;
  for (const auto& [key, size] : sample) {
    ++truth.sizes[size];
    truth.uniques += world.groups[key] == 1 ? 1 : 0;
    truth.average += static_cast<double>(size) / static_cast<double>(world.groups[key]);
  }
  truth.average /= static_cast<double>(rows);
  return truth;
}

// How far estimates are from the truth, over populations and samples; few are unique in the third.
TEST(EstimatePopulation, IsNearSimulatedPopulations) {
  std::mt19937_64 random(11);
  for (const auto& [ages, places, jobs] : {std::tuple(70, 60, 16), {15, 100, 30}, {70, 10, 8}}) {
    World world = Draw(random, ages, places, jobs);
    for (const double fraction : {0.05, 0.1, 0.2, 0.5}) {
      const Truth truth = Sample(world, fraction, random);
      const PopulationEstimate estimate = EstimatePopulation(truth.sizes, 40'000);
      const double ratio = estimate.sample_uniques / truth.uniques;
      EXPECT_GT(ratio, 0.9) << ages << " " << fraction;
      EXPECT_LT(ratio, places == 10 ? 3.5 : 2.0) << ages << " " << fraction;
      EXPECT_NEAR(estimate.average / truth.average, 1.1, 0.25) << ages << " " << fraction;
    }
  }
}

TEST(EstimatePopulation, WholePopulation) {
  const Sizes sizes = {{1, 30}, {2, 10}, {5, 4}};
  const PopulationEstimate estimate = EstimatePopulation(sizes, 70);
  EXPECT_NEAR(estimate.sample_uniques, 30, 1e-9);
  EXPECT_NEAR(estimate.highest, 1, 1e-9);
  EXPECT_NEAR(estimate.average, 44.0 / 70, 1e-9);
}

TEST(EstimatePopulation, NoUniquesInTheFileNoneInThePopulation) {
  const PopulationEstimate estimate = EstimatePopulation({{5, 30}, {8, 10}}, 23'000);
  EXPECT_EQ(estimate.sample_uniques, 0);
  // Groups grow with the population.
  EXPECT_NEAR(estimate.highest, 1.0 / 500, 1.0 / 500);
}

TEST(EstimatePopulation, NothingFits) {
  EXPECT_FALSE(FitPitman({{7, 1}}).has_value());
  EXPECT_FALSE(FitPitman({{1, 7}}).has_value());
  const PopulationEstimate estimate = EstimatePopulation({{1, 7}}, 700);
  EXPECT_STREQ(estimate.estimator, "Zayatz");
  EXPECT_EQ(estimate.sample_uniques, 7);
  EXPECT_EQ(estimate.highest, 1);
}

TEST(ZayatzUniques, WorkedExample) {
  // Half of 8 people: 2 single rows, and a group of 2. P(1 of a group of 1 is drawn) = 1/2; of 2:
  // 2 · C(6,3) / C(8,4) = 40/70. So a single is one of 1 with (2/2) / (2/2 + 4/7) = 7/11.
  EXPECT_NEAR(ZayatzUniques({{1, 2}, {2, 1}}, 8), 2 * 2 * 7.0 / 11, 1e-9);
}

// A population drawn by the formula itself: what was put in comes out.
TEST(FitPitman, FindsWhatThePopulationWasDrawnWith) {
  std::mt19937_64 random(5);
  const double alpha = 0.4, theta = 50;
  std::vector<std::uint64_t> groups;
  std::vector<std::size_t> of_person;
  for (int i = 0; i < 20'000; ++i) {
    std::uniform_real_distribution<double> place(0, theta + i);
    double at = place(random) - theta - alpha * static_cast<double>(groups.size());
    if (at < 0) {
      of_person.push_back(groups.size());
      groups.push_back(1);
      continue;
    }
    // A random earlier person's group has the chance m; m − alpha by refusing alpha / m of them.
    std::size_t group = 0;
    do {
      group = of_person[random() % of_person.size()];
    } while (std::uniform_real_distribution<double>(0, 1)(random) <
             alpha / static_cast<double>(groups[group]));
    of_person.push_back(group);
    ++groups[group];
  }
  Sizes sizes;
  for (const std::uint64_t size : groups) ++sizes[size];
  const auto fit = FitPitman(sizes);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->alpha, alpha, 0.05);
  EXPECT_NEAR(fit->theta, theta, 25);
}

}  // namespace
}  // namespace reissue::survey
