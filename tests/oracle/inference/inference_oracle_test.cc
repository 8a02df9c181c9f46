// Every estimator against all n! assignments.

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "groups.h"

namespace oracle::inference {
namespace {

constexpr double kEqual = 1e-12;

GroupShape AnyShape(std::uint64_t number, reissue::Random& random) {
  GroupShape shape;
  shape.people = 1 + int(random.Below(6));
  if (number % 100 == 0) shape.people = 7;
  if (number % 1000 == 1) shape.people = 8;
  shape.values = 1 + int(random.Below(std::uint64_t(shape.people) + 1));
  shape.alike = random.Below(3) == 0 ? 1 : 0.3;
  shape.impossible = random.Below(3) == 0 ? 0.4 : 0;
  shape.coarse = random.Below(3) == 0;
  shape.outside = random.Below(3) == 0;
  shape.sharp = random.Below(6) == 0;
  return shape;
}

Table Ask(const Group& group, product::Estimator estimator, const std::vector<Told>& told = {},
          const product::EstimateOptions& options = {}) {
  const std::vector<product::Hint> hints = ProductHints(told);
  return AsTable(product::Estimate(ProductGroup(group), estimator, hints, options).belief,
                 group.values());
}

bool IsDistribution(const Table& table) {
  for (const auto& row : table) {
    double total = 0;
    for (const double entry : row) {
      if (!(entry >= 0 && entry <= 1 + 1e-9)) return false;
      total += entry;
    }
    if (std::abs(total - 1) > 1e-9) return false;
  }
  return true;
}

struct Counts {
  std::size_t groups = 0, people = 0, repeated = 0, told = 0, several = 0, ties = 0;
  std::size_t impossible = 0, many_ties_single = 0, shared = 0;
  std::size_t largest_shared = 0, least_single = 1000000;
  double sum = 0, exact = 0, bayes = 0, omega = 0;
  std::vector<double> omega_error, scaling_error, exact_gap;
};

bool OneOfTheBest(const Answers& answers, const Table& belief, double& error) {
  double nearest = 1;
  for (const auto& best : answers.best) {
    nearest = std::min(nearest, LargestDifference(answers.Bayes(best), belief));
  }
  error = std::max(error, nearest);
  return nearest <= kEqual;
}

void CheckBayes(const Group& group, const std::vector<Told>& told, const Answers& answers,
                std::uint64_t seed, Counts& counts) {
  product::EstimateOptions options;
  options.seed = seed;
  const Table chosen = Ask(group, product::Estimator::kBayes, told, options);
  ASSERT_TRUE(OneOfTheBest(answers, chosen, counts.bayes)) << Describe(group, told);
  ASSERT_EQ(chosen, Ask(group, product::Estimator::kBayes, told, options));
  options.share_ties = true;
  const Table shared = Ask(group, product::Estimator::kBayes, told, options);
  const std::size_t best = answers.best.size();
  if (best > 1) ++counts.ties;
  if (LargestDifference(shared, answers.BayesShared()) <= kEqual) {
    ++counts.shared;
    counts.largest_shared = std::max(counts.largest_shared, best);
  } else {
    // Too many to share: then one of them.
    double error = 0;
    ASSERT_TRUE(OneOfTheBest(answers, shared, error)) << best << '\n' << Describe(group, told);
    ++counts.many_ties_single;
    counts.least_single = std::min(counts.least_single, best);
  }
}

void CheckExact(const Group& group, const Answers& answers, Counts& counts) {
  const product::Posterior exact =
      product::Estimate(ProductGroup(group), product::Estimator::kExact, {});
  const Table belief = AsTable(exact.belief, group.values());
  const Table scaling = Ask(group, product::Estimator::kScaling);
  ASSERT_TRUE(IsDistribution(scaling)) << Describe(group, {});
  if (!answers.exact) {
    ++counts.impossible;
    ASSERT_TRUE(IsDistribution(belief)) << Describe(group, {});
    ASSERT_EQ(exact.by, product::Estimator::kScaling) << Describe(group, {});
    return;
  }
  ASSERT_EQ(exact.by, product::Estimator::kExact);
  const double gap = LargestDifference(belief, *answers.exact);
  counts.exact = std::max(counts.exact, gap);
  ASSERT_LE(gap, kEqual) << Describe(group, {});
  const std::optional<Table> roots = ExactByRoots(group);
  if (roots) counts.exact_gap.push_back(LargestDifference(*roots, *answers.exact));
  counts.scaling_error.push_back(LargestDifference(scaling, *answers.exact));
}

void CheckGroup(std::uint64_t number, Counts& counts) {
  reissue::Random random = reissue::Random::Seeded(number);
  const Group group = DrawGroup(AnyShape(number, random), random);
  const std::vector<Told> told = DrawTold(group, random.Below(2) == 0 ? 0 : 0.3, random);
  const Answers answers = Enumerate(group, told);
  ++counts.groups;
  counts.people += group.prior.size();
  counts.repeated += group.values() < group.people() ? 1 : 0;
  counts.told += told.empty() ? 0 : 1;
  for (std::size_t i = 1; i < told.size(); ++i) {
    if (told[i].person == told[i - 1].person) {
      ++counts.several;
      break;
    }
  }
  CheckBayes(group, told, answers, number, counts);
  const double sum = LargestDifference(Ask(group, product::Estimator::kSum), answers.sum);
  counts.sum = std::max(counts.sum, sum);
  ASSERT_LE(sum, kEqual) << Describe(group, told);
  CheckExact(group, answers, counts);
  const Table omega = Ask(group, product::Estimator::kOmega);
  ASSERT_TRUE(IsDistribution(omega)) << Describe(group, told);
  const std::optional<Table> own = Omega(group);
  if (own) {
    const double difference = LargestDifference(*own, omega);
    counts.omega = std::max(counts.omega, difference);
    ASSERT_LE(difference, kEqual) << Describe(group, told);
    if (answers.exact) counts.omega_error.push_back(LargestDifference(omega, *answers.exact));
  }
}

// Exactly what the product is asked for: 20,000 groups and more.
TEST(InferenceOracle, AllAssignments) {
  Counts counts;
  for (std::uint64_t number = 0; number < 24000 && !HasFailure(); ++number) {
    CheckGroup(number, counts);
  }
  std::cout << counts.groups << " groups of " << counts.people << " people, with repeated values "
            << counts.repeated << ", with compromised records " << counts.told
            << " (several of a person: " << counts.several << "), ties " << counts.ties
            << "; largest differences: bayes " << counts.bayes << ", sum " << counts.sum
            << ", exact " << counts.exact << ", omega by hand " << counts.omega
            << "\nno possible assignment: " << counts.impossible << "\nties shared: up to "
            << counts.largest_shared << " assignments; left to one of them in "
            << counts.many_ties_single << " groups (at least " << counts.least_single
            << " assignments)\nomega against exact: " << Spread(counts.omega_error)
            << "\nscaling against exact: " << Spread(counts.scaling_error)
            << "\nroots of unity against enumeration: " << Spread(counts.exact_gap) << '\n';
  EXPECT_GE(counts.groups, 20000u);
  EXPECT_GT(counts.several, 1000u);
  EXPECT_GT(counts.ties, 2000u);
  EXPECT_GT(counts.impossible, 100u);
}

// Scaling is a matrix of the form p(v,s)·a_v·b_s with the sums that the group shows, where there is
// one with everything positive.
TEST(InferenceOracle, ScalingKeepsItsSums) {
  double rows_off = 0, form_off = 0;
  std::size_t groups = 0;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    reissue::Random random = reissue::Random::Seeded(5'000'000 + number);
    GroupShape shape;
    shape.people = 2 + int(random.Below(20));
    shape.values = 2 + int(random.Below(5));
    const Group group = DrawGroup(shape, random);
    const Table belief = Ask(group, product::Estimator::kScaling);
    ASSERT_TRUE(IsDistribution(belief));
    ++groups;
    for (std::size_t s = 0; s < group.rows.size(); ++s) {
      double column = 0;
      for (const auto& row : belief) column += row[s];
      rows_off = std::max(rows_off, std::abs(column - group.rows[s]));
      for (std::size_t v = 1; v < belief.size(); ++v) {
        const double left = belief[v][s] * belief[0][0] * group.prior[v][0] * group.prior[0][s];
        const double right = belief[v][0] * belief[0][s] * group.prior[v][s] * group.prior[0][0];
        const double size = std::max(left, right);
        if (size > 1e-12) form_off = std::max(form_off, std::abs(left - right) / size);
      }
    }
  }
  std::cout << groups << " groups scaled; off the sums by at most " << rows_off
            << ", off the form by at most " << form_off << '\n';
  EXPECT_LE(rows_off, 1e-6);
  EXPECT_LE(form_off, 1e-6);
}

// Who stands where in a group does not matter.
TEST(InferenceOracle, OrderOfPeople) {
  double largest = 0;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    reissue::Random random = reissue::Random::Seeded(6'000'000 + number);
    GroupShape shape = AnyShape(number, random);
    const Group group = DrawGroup(shape, random);
    const std::vector<Told> told = DrawTold(group, 0.2, random);
    std::vector<int> place(group.prior.size());  // of each person, afterwards
    for (std::size_t v = 0; v < place.size(); ++v) place[v] = int(v);
    random.Shuffle(place);
    Group turned = group;
    for (std::size_t v = 0; v < place.size(); ++v) {
      turned.prior[std::size_t(place[v])] = group.prior[v];
    }
    std::vector<Told> told_turned = told;
    for (Told& one : told_turned) one.person = place[std::size_t(one.person)];
    const std::size_t best = Enumerate(group, told).best.size();
    for (const auto estimator :
         {product::Estimator::kBayes, product::Estimator::kSum, product::Estimator::kExact,
          product::Estimator::kOmega, product::Estimator::kScaling}) {
      if (estimator == product::Estimator::kBayes && best > 1) continue;
      const Table one = Ask(group, estimator, told), other = Ask(turned, estimator, told_turned);
      Table back = one;
      for (std::size_t v = 0; v < place.size(); ++v) back[v] = other[std::size_t(place[v])];
      const double difference = LargestDifference(one, back);
      largest = std::max(largest, difference);
      ASSERT_LE(difference, 1e-9) << int(estimator) << '\n' << Describe(group, told);
    }
  }
  std::cout << "order of people: differences of at most " << largest << '\n';
}

}  // namespace
}  // namespace oracle::inference
