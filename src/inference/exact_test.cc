#include "reissue/inference/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "reissue/core/random.h"

namespace reissue::inference::internal {
namespace {

using Used =
    std::vector<std::uint32_t>;  // rows per value, the last value first: in order of states

// The same sums, layer by layer in maps: what every faster way must give to the last bit.
class PlainLayers {
 public:
  explicit PlainLayers(const BeliefGroup& group) : group_(group) {}

  std::optional<std::vector<double>> Solve() const {
    std::vector<Layer> forward = {{{Used(group_.values(), 0), 1.0}}};
    for (std::size_t person = 0; person < group_.people; ++person) {
      Layer& next = forward.emplace_back();
      for (const auto& [used, weight] : forward[person]) {
        Each(used, person,
             [&](std::size_t, const Used& then, double prior) { next[then] += weight * prior; });
      }
      Scale(next);
    }
    Layer after = {{Used(group_.rows.rbegin(), group_.rows.rend()), 1.0}};
    std::vector<double> belief(group_.people * group_.values(), 0);
    for (std::size_t person = group_.people; person-- > 0;) {
      double sum = 0;
      Layer before;
      double* own = &belief[person * group_.values()];
      for (const auto& [used, weight] : forward[person]) {
        double& rest = before[used];
        Each(used, person, [&](std::size_t value, const Used& then, double prior) {
          own[value] += weight * prior * after[then];
          sum += weight * prior * after[then];
          rest += prior * after[then];
        });
      }
      if (!(sum > 0)) return std::nullopt;
      for (std::size_t s = 0; s < group_.values(); ++s) own[s] /= sum;
      Scale(before);
      after = std::move(before);
    }
    return belief;
  }

 private:
  using Layer = std::map<Used, double>;

  template <typename Next>
  void Each(const Used& used, std::size_t person, const Next& next) const {
    for (std::size_t s = 0; s < group_.values(); ++s) {
      Used then = used;
      if (then[group_.values() - 1 - s]++ == group_.rows[s]) continue;
      next(s, then, group_.prior[person * group_.values() + s]);
    }
  }

  static void Scale(Layer& layer) {
    double largest = 0;
    for (const auto& [used, weight] : layer) largest = std::max(largest, weight);
    if (largest == 0) return;
    for (auto& [used, weight] : layer) weight /= largest;
  }

  const BeliefGroup& group_;
};

BeliefGroup Drawn(Random& random, std::size_t values, std::size_t most_rows, bool zeros) {
  BeliefGroup group;
  for (std::size_t s = 0; s < values; ++s) {
    group.rows.push_back(static_cast<std::uint32_t>(1 + random.Below(most_rows)));
    group.people += group.rows.back();
  }
  for (std::size_t i = 0; i < group.people * values; ++i) {
    const double p = 0.001 + random.Unit();
    group.prior.push_back(zeros && random.Below(4) == 0 ? 0 : p);
  }
  return group;
}

TEST(ExactBelief, IsTheSameToTheLastBitAsInPlainLayers) {
  Random random = Random::Seeded(11);
  std::size_t impossible = 0;
  for (int round = 0; round < 600; ++round) {
    const std::size_t values = 1 + random.Below(6);
    const BeliefGroup group = Drawn(random, values, 1 + random.Below(4), round % 2 == 1);
    const auto expected = PlainLayers(group).Solve();
    EXPECT_EQ(ExactBelief(group, 1'000'000), expected);
    impossible += !expected;
  }
  EXPECT_GT(impossible, 10u);
}

TEST(ExactBelief, IsTheSameInLargeGroups) {
  Random random = Random::Seeded(12);
  const std::vector<std::vector<std::uint32_t>> shapes = {
      {300},  {1, 400}, {400, 1},   {60, 40},      {1, 1, 900},  std::vector<std::uint32_t>(13, 1),
      {2000}, {900, 3}, {5, 5, 20}, {2, 1, 80, 3}, {9, 1, 1, 9}, {3, 3, 3, 3, 3, 3}};
  for (const std::vector<std::uint32_t>& rows : shapes) {
    BeliefGroup group;
    group.rows = rows;
    group.people = std::accumulate(rows.begin(), rows.end(), std::size_t{0});
    for (std::size_t i = 0; i < group.people * group.values(); ++i) {
      group.prior.push_back(0.001 + random.Unit());
    }
    EXPECT_EQ(ExactBelief(group, 1'000'000), PlainLayers(group).Solve());
  }
}

TEST(ExactBelief, TellsOfPeopleFromTheLastOnUntilThatIsEnough) {
  Random random = Random::Seeded(15);
  const BeliefGroup group = Drawn(random, 4, 2, false);
  const auto all = ExactBelief(group, 1'000);
  ASSERT_TRUE(all);
  for (std::size_t last = 0; last < group.people; ++last) {
    std::vector<double> told(all->size(), 0);
    const auto answer =
        ExactBelief(group, 1'000, [&](std::size_t person, std::span<const double> belief) {
          std::ranges::copy(belief, told.begin() + static_cast<std::ptrdiff_t>(person * 4));
          return person == last;
        });
    EXPECT_EQ(answer, std::vector<double>());
    for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i], i < last * 4 ? 0 : (*all)[i]);
  }
}

TEST(ExactBelief, HasAnswersForAsManyValuesAsThereMayBeStates) {
  Random random = Random::Seeded(13);
  const BeliefGroup group = Drawn(random, 18, 1, false);
  EXPECT_EQ(ExactBelief(group, (1 << 18) - 1), std::nullopt);
  const auto belief = ExactBelief(group, 1 << 18);
  ASSERT_TRUE(belief);
  for (std::size_t s = 0; s < 18; ++s) {  // every value has one person
    double people = 0;
    for (std::size_t v = 0; v < 18; ++v) people += (*belief)[v * 18 + s];
    EXPECT_NEAR(people, 1, 1e-9);
  }
}

TEST(ExactBelief, LeavesGroupsOfManyValuesToOthersWhateverIsAllowed) {
  Random random = Random::Seeded(14);
  for (const std::size_t values : {32u, 40u, 63u, 64u, 65u, 200u}) {
    const BeliefGroup group = Drawn(random, values, 1, false);
    EXPECT_EQ(ExactBelief(group, ~std::uint64_t{0}), std::nullopt);
    EXPECT_EQ(Estimate(group, Estimator::kExact, {}).by, Estimator::kScaling);
  }
}

}  // namespace
}  // namespace reissue::inference::internal
