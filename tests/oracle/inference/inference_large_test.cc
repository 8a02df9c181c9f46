// Groups that nobody can enumerate: the exact posterior against a polynomial's coefficients.

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <numeric>

#include "groups.h"

namespace oracle::inference {
namespace {

// People with beliefs over `values` values whose values are drawn from the beliefs, so that what
// the group shows is nothing out of the ordinary. Values that nobody has fall away.
Group DrawNatural(int people, int values, double sharpness, reissue::Random& random) {
  Table prior;
  std::vector<int> count(std::size_t(values), 0);
  for (int v = 0; v < people; ++v) {
    std::vector<double> belief;
    double total = 0;
    for (int s = 0; s < values; ++s) {
      belief.push_back(std::pow(random.Unit(), sharpness));
      total += belief.back();
    }
    for (double& entry : belief) entry /= total;
    if (v > 0 && random.Below(4) == 0) belief = prior[random.Below(prior.size())];
    double u = random.Unit();
    std::size_t s = 0;
    while (s + 1 < belief.size() && (u -= belief[s]) > 0) ++s;
    ++count[s];
    prior.push_back(belief);
  }
  Group group;
  group.prior.resize(prior.size());
  for (std::size_t s = 0; s < count.size(); ++s) {
    if (count[s] == 0) continue;
    group.rows.push_back(count[s]);
    for (std::size_t v = 0; v < prior.size(); ++v) group.prior[v].push_back(prior[v][s]);
  }
  return group;
}

double States(const Group& group) {
  double states = 1;
  for (const int rows : group.rows) states *= rows + 1;
  return states;
}

double RootWork(const Group& group) {
  const int rarest = *std::min_element(group.rows.begin(), group.rows.end());
  return States(group) / (rarest + 1) * group.people() * group.values();
}

TEST(InferenceLarge, ExactByDynamicProgramming) {
  std::vector<double> exact, omega, scaling;
  double largest_states = 0;
  int largest_people = 0, sharp = 0;
  std::size_t most_values = 0;
  for (std::uint64_t number = 0; exact.size() < 400; ++number) {
    reissue::Random random = reissue::Random::Seeded(number);
    const int people = 9 + int(random.Below(16));
    const double sharpness = random.Below(3) == 0 ? 4 : 1;
    const Group group =
        DrawNatural(people, 2 + int(random.Below(std::uint64_t(people))), sharpness, random);
    const bool heavy = RootWork(group) > 2e6;
    if (States(group) > 1e6 || RootWork(group) > 5e7 || (heavy && number % 16 != 0)) continue;
    const product::Posterior answer =
        product::Estimate(ProductGroup(group), product::Estimator::kExact, {});
    ASSERT_EQ(answer.by, product::Estimator::kExact);
    const std::optional<Table> own = ExactByRoots(group);
    if (!own) continue;
    exact.push_back(LargestDifference(AsTable(answer.belief, group.values()), *own));
    ASSERT_LE(exact.back(), 1e-10) << Describe(group, {});
    for (const auto estimator : {product::Estimator::kOmega, product::Estimator::kScaling}) {
      const Table other =
          AsTable(product::Estimate(ProductGroup(group), estimator, {}).belief, group.values());
      (estimator == product::Estimator::kOmega ? omega : scaling)
          .push_back(LargestDifference(other, *own));
    }
    largest_states = std::max(largest_states, States(group));
    largest_people = std::max(largest_people, people);
    most_values = std::max(most_values, group.rows.size());
    sharp += sharpness > 1 ? 1 : 0;
  }
  std::cout << "groups of 9 to " << largest_people << " people, up to " << most_values
            << " values, " << largest_states << " states; with sharp beliefs " << sharp
            << "\nexact against roots of unity: " << Spread(exact)
            << "\nomega against exact: " << Spread(omega)
            << "\nscaling against exact: " << Spread(scaling) << '\n';
  EXPECT_EQ(largest_people, 24);
  EXPECT_GT(largest_states, 1e5);
}

// 24 people with 12 values of two rows each; 20 people of whom all but two have a value of their
// own.
TEST(InferenceLarge, MostStates) {
  std::vector<int> singles(18, 1);
  singles.push_back(2);
  for (const auto& rows : {std::vector<int>(12, 2), singles}) {
    reissue::Random random = reissue::Random::Seeded(rows.size());
    Group group;
    group.rows = rows;
    for (int v = 0; v < std::accumulate(rows.begin(), rows.end(), 0); ++v) {
      group.prior.emplace_back();
      for (std::size_t s = 0; s < rows.size(); ++s) {
        group.prior.back().push_back(0.02 + random.Unit());
      }
    }
    const product::Posterior answer =
        product::Estimate(ProductGroup(group), product::Estimator::kExact, {});
    ASSERT_EQ(answer.by, product::Estimator::kExact);
    const double difference =
        LargestDifference(AsTable(answer.belief, group.values()), *ExactByRoots(group));
    std::cout << group.people() << " people, " << group.values() << " values, " << States(group)
              << " states: difference " << difference << '\n';
    EXPECT_LE(difference, 1e-10);
  }
}

TEST(InferenceLarge, BeyondTheLimitScaling) {
  std::size_t beyond = 0, within = 0;
  for (std::uint64_t number = 0; number < 600; ++number) {
    reissue::Random random = reissue::Random::Seeded(77'000 + number);
    const Group group = DrawNatural(4 + int(random.Below(12)), 2 + int(random.Below(6)), 1, random);
    product::EstimateOptions options;
    options.exact_states = 1 + random.Below(400);
    const product::BeliefGroup asked = ProductGroup(group);
    const product::Posterior answer =
        product::Estimate(asked, product::Estimator::kExact, {}, options);
    if (States(group) > double(options.exact_states)) {
      ++beyond;
      ASSERT_EQ(answer.by, product::Estimator::kScaling);
      ASSERT_EQ(answer.belief, product::Estimate(asked, product::Estimator::kScaling, {}).belief);
    } else {
      ++within;
      ASSERT_EQ(answer.by, product::Estimator::kExact);
    }
  }
  std::cout << "limit of states: " << within << " groups within, " << beyond << " beyond\n";
  EXPECT_GT(within, 50u);
  EXPECT_GT(beyond, 50u);
}

// Whatever the weights of assignments are, each of them gives every row to one person.
TEST(InferenceLarge, ColumnsAddUp) {
  double worst = 0;
  std::size_t groups = 0;
  for (std::uint64_t number = 0; number < 1500; ++number) {
    reissue::Random random = reissue::Random::Seeded(88'000 + number);
    const Group group =
        DrawNatural(10 + int(random.Below(190)), 2 + int(random.Below(5)), 3, random);
    std::vector<Told> told = DrawTold(group, 0.02, random);
    ++groups;
    for (const auto estimator :
         {product::Estimator::kBayes, product::Estimator::kSum, product::Estimator::kExact}) {
      if (estimator == product::Estimator::kExact && group.values() > 3) continue;
      const auto answer =
          product::Estimate(ProductGroup(group), estimator, ProductHints(told)).belief;
      const Table belief = AsTable(answer, group.values());
      for (std::size_t s = 0; s < group.rows.size(); ++s) {
        double column = 0;
        for (const auto& row : belief) column += row[s];
        worst = std::max(worst, std::abs(column - group.rows[s]));
      }
    }
  }
  std::cout << groups << " groups of up to 199 people: columns off by at most " << worst << '\n';
  EXPECT_LE(worst, 1e-8);
}

}  // namespace
}  // namespace oracle::inference
