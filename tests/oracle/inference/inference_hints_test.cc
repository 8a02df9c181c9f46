// Compromised records: which of them count, how they change a prior, what is gained.

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>

#include "groups.h"

namespace oracle::inference {
namespace {

std::map<std::pair<int, int>, double> Keyed(const std::vector<Told>& told) {
  std::map<std::pair<int, int>, double> keyed;
  for (const Told& one : told) keyed[{one.person, one.value}] += one.confidence;
  return keyed;
}

std::vector<Told> AsTold(const std::vector<product::Hint>& hints) {
  std::vector<Told> told;
  for (const auto& hint : hints)
    told.push_back({int(hint.person), int(hint.value), hint.confidence});
  return told;
}

bool SameTold(const std::vector<Told>& a, const std::vector<Told>& b) {
  const auto one = Keyed(a), other = Keyed(b);
  if (one.size() != other.size() || a.size() != b.size()) return false;
  for (const auto& [key, confidence] : one) {
    const auto found = other.find(key);
    if (found == other.end() || std::abs(found->second - confidence) > 1e-12) return false;
  }
  return true;
}

// Example 4 with the numbers of Table 9: values cancer-II, GERD, depression; Cayla, Dior, Elisa.
TEST(InferenceHints, ExampleFour) {
  Group group;
  group.rows = {1, 1, 1};
  group.prior = {{0.74, 0.007, 0.25}, {0.003, 0.96, 0.037}, {0.003, 0.96, 0.037}};
  const std::vector<Told> stated = {{1, 1, 0.97}, {2, 0, 0.02}, {2, 1, 0.03}};
  const std::vector<Told> counting = Counting(group, stated);
  EXPECT_TRUE(SameTold(counting, {{1, 1, 0.97}, {2, 2, 0.95}}));
  EXPECT_TRUE(SameTold(AsTold(product::HintsThatCount(ProductGroup(group), ProductHints(stated))),
                       counting));
  const Answers answers = Enumerate(group, counting);
  EXPECT_EQ(answers.best.size(), 2u);
  EXPECT_NEAR(answers.total, 9.84, 1e-12);
  // Cayla has cancer-II in pm0 and pm1.
  EXPECT_NEAR(answers.Bayes({0, 1, 2})[0][0], (2.92 + 1 + 1) / 10.84, 1e-12);
}

TEST(InferenceHints, AsDefinitionSixReads) {
  std::size_t groups = 0, above = 0, equal = 0, below = 0, made = 0, differ = 0, not_counting = 0;
  for (std::uint64_t number = 0; number < 20000; ++number) {
    reissue::Random random = reissue::Random::Seeded(number);
    GroupShape shape;
    shape.people = 1 + int(random.Below(5));
    shape.values = 1 + int(random.Below(5));
    shape.impossible = random.Below(3) == 0 ? 0.3 : 0;
    shape.outside = random.Below(2) == 0;
    shape.coarse = random.Below(4) == 0;
    const Group group = DrawGroup(shape, random);
    const std::vector<Told> told = DrawTold(group, 0.35, random);
    ++groups;
    for (const Told& one : told) {
      const double prior = group.prior[std::size_t(one.person)][std::size_t(one.value)];
      ++(one.confidence > prior ? above : one.confidence == prior ? equal : below);
    }
    const std::vector<Told> own = Counting(group, told);
    const std::vector<Told> theirs =
        AsTold(product::HintsThatCount(ProductGroup(group), ProductHints(told)));
    made += own.size();
    if (SameTold(own, theirs)) continue;
    ++differ;
    for (const Told& one : theirs) {
      const double prior = group.prior[std::size_t(one.person)][std::size_t(one.value)];
      not_counting += one.confidence <= prior ? 1 : 0;
    }
    if (differ == 1) std::cout << Describe(group, told) << Describe({}, theirs);
  }
  std::cout << groups << " groups; statements above the prior " << above << ", equal " << equal
            << ", below " << below << "; what counts: " << made << "; groups that differ " << differ
            << " (hints that do not exceed the prior: " << not_counting << ")\n";
  EXPECT_EQ(differ, 0u);
}

TEST(InferenceHints, MixAndGain) {
  double largest = 0, gain = 0;
  for (std::uint64_t number = 0; number < 20000; ++number) {
    reissue::Random random = reissue::Random::Seeded(number);
    std::vector<double> prior(1 + random.Below(6));
    double total = 0;
    for (double& p : prior) total += p = random.Below(4) == 0 ? 1e-9 : random.Unit();
    for (double& p : prior) p /= total;
    const std::size_t value = random.Below(prior.size());
    const double confidence = random.Below(5) == 0 ? 0 : random.Unit();
    const std::vector<double> own = Compromised(prior, int(value), confidence);
    std::vector<double> theirs = prior;
    product::MixHint(theirs, value, confidence);
    largest = std::max(largest, LargestDifference({own}, {theirs}));
    const int people = 1 + int(random.Below(9)),
              rows = 1 + int(random.Below(std::uint64_t(people)));
    const double belief = random.Unit();
    gain =
        std::max(gain, std::abs(GainOf(belief, rows, people) -
                                product::Gain(belief, std::uint32_t(rows), std::size_t(people))));
  }
  std::cout << "equation 5: differences of at most " << largest << "; equation 8: " << gain << '\n';
  EXPECT_LE(largest, 1e-15);
  EXPECT_LE(gain, 1e-14);
}

// Do identical beliefs give zero gain? For every estimator but bayes, whose best assignment is one
// of n! equally good ones: exactly 1 / (n! + 1) for whom it gives the true value, and
// m / (n - m) / (n! + 1) for others; 0 where ties share.
TEST(InferenceHints, IdenticalBeliefs) {
  std::map<product::Estimator, double> largest;
  double shared = 0, by_formula = 0;
  std::size_t groups = 0, bayes_gains = 0;
  for (std::uint64_t number = 0; number < 6000; ++number) {
    reissue::Random random = reissue::Random::Seeded(number);
    GroupShape shape;
    shape.people = 1 + int(random.Below(8));
    shape.values = 1 + int(random.Below(std::uint64_t(shape.people)));
    shape.alike = 0;
    shape.sharp = random.Below(3) == 0;
    shape.outside = random.Below(3) == 0;
    Group group = DrawGroup(shape, random);
    for (auto& prior : group.prior) prior = group.prior[0];
    ++groups;
    const int n = group.people();
    const double factorial = std::tgamma(n + 1.0);
    for (const auto estimator :
         {product::Estimator::kBayes, product::Estimator::kSum, product::Estimator::kExact,
          product::Estimator::kOmega, product::Estimator::kScaling}) {
      product::EstimateOptions options;
      options.seed = number;
      const Table belief = AsTable(
          product::Estimate(ProductGroup(group), estimator, {}, options).belief, group.values());
      for (std::size_t v = 0; v < belief.size(); ++v) {
        for (std::size_t s = 0; s < group.rows.size(); ++s) {
          const int rows = group.rows[s];
          const double gain = GainOf(belief[v][s], rows, n);
          largest[estimator] = std::max(largest[estimator], gain);
          if (estimator != product::Estimator::kBayes || rows == n) continue;
          const double hit = 1 / (factorial + 1), miss = double(rows) / (n - rows) * hit;
          bayes_gains += gain > 1e-12 ? 1 : 0;
          by_formula = std::max(by_formula, std::min(std::abs(gain - hit), std::abs(gain - miss)));
        }
      }
      if (estimator != product::Estimator::kBayes) continue;
      options.share_ties = true;
      const Table tied = AsTable(
          product::Estimate(ProductGroup(group), estimator, {}, options).belief, group.values());
      for (std::size_t v = 0; v < tied.size(); ++v) {
        for (std::size_t s = 0; s < group.rows.size(); ++s) {
          shared = std::max(shared, GainOf(tied[v][s], group.rows[s], n));
        }
      }
    }
  }
  std::cout << groups << " groups of identical beliefs; largest gain:";
  for (const auto& [estimator, gain] : largest) {
    std::cout << ' ' << product::NameOf(estimator) << ' ' << gain;
  }
  std::cout << "; bayes off its formula by at most " << by_formula << ", sharing ties " << shared
            << '\n';
  EXPECT_GT(bayes_gains, 1000u);
  EXPECT_LE(by_formula, 1e-12);
  EXPECT_LE(shared, 1e-12);
  for (const auto& [estimator, gain] : largest) {
    if (estimator != product::Estimator::kBayes) {
      EXPECT_LE(gain, 1e-9) << product::NameOf(estimator);
    }
  }
}

}  // namespace
}  // namespace oracle::inference
