#include "reissue/models/similarity/release/series.h"

#include <gtest/gtest.h>

namespace reissue::models::similarity {
namespace {

TEST(Similarity, DivergenceIsNothingAmongEqualsAndOneBitAmongOpposites) {
  const Distribution a = {1, 0}, b = {0, 1}, even = {0.5, 0.5};
  EXPECT_NEAR(Divergence({&even, &even, &even}), 0, 1e-12);
  EXPECT_NEAR(Divergence({&a, &b}), 1, 1e-12);
  EXPECT_NEAR(Divergence({&a, &a, &b, &b}), 1, 1e-12);
  EXPECT_NEAR(Divergence({&a}), 0, 1e-12);
}

TEST(Similarity, BetaIsTheLargestRelativeRise) {
  // Shares in the table 0.5, 0.3, 0.2; in the group 0.5, 0, 0.5.
  EXPECT_NEAR(BetaLikeness({1, 0, 1}, {5, 3, 2}), 1.5, 1e-12);
  EXPECT_NEAR(BetaLikeness({5, 3, 2}, {5, 3, 2}), 0, 1e-12);
}

TEST(Similarity, ClosenessMovesWhatIsTooMuch) {
  EXPECT_NEAR(Closeness({2, 0, 0}, {1, 0, 1}, false), 0.5, 1e-12);
  EXPECT_NEAR(Closeness({2, 0, 0}, {2, 1, 1}, true), 0.375, 1e-12);  // a quarter, by 1 and 2 of 2
  // Values that no row has are no steps: whoever has the release does not know of them.
  EXPECT_NEAR(Closeness({2, 0, 0}, {1, 0, 1}, true), 0.5, 1e-12);
  EXPECT_NEAR(Closeness({2, 0, 0}, {1, 1, 0}, true), 0.5, 1e-12);
  EXPECT_NEAR(Closeness({0, 2, 0}, {0, 1, 0}, true), 0, 1e-12);
}

TEST(Similarity, AShapeKeepsWhatIsAskedForAlone) {
  const Shape shape{.k = 3, .j = 0.5, .beta = 4, .t = 0.9};
  EXPECT_TRUE(shape.Keeps({.k = 3, .j = 0.5, .beta = 4, .t = 0, .ordered = false}));
  EXPECT_FALSE(shape.Keeps({.k = 4, .j = 0.5, .beta = 4, .t = 0, .ordered = false}));
  EXPECT_FALSE(shape.Keeps({.k = 3, .j = 0.4, .beta = 4, .t = 0, .ordered = false}));
  EXPECT_FALSE(shape.Keeps({.k = 3, .j = 0.5, .beta = 3, .t = 0, .ordered = false}));
  EXPECT_FALSE(shape.Keeps({.k = 3, .j = 0.5, .beta = 4, .t = 0.5, .ordered = false}));
}

TEST(Similarity, TransitionsFallBackOnShorterContexts) {
  Transition transition;
  transition.steps = 2;
  transition.after = {{{0}, {0.1, 0.9}}, {{1, 0}, {0.6, 0.4}}};
  const std::vector<Value> both = {1, 0}, other = {0, 0}, unknown = {0, 1};
  EXPECT_EQ(*transition.After(both), (Distribution{0.6, 0.4}));
  EXPECT_EQ(*transition.After(other), (Distribution{0.1, 0.9}));
  EXPECT_EQ(transition.After(unknown), nullptr);
}

TEST(Similarity, ValidateFindsWhatIsNoDistribution) {
  Knowledge knowledge{.values = 2, .prior = {{0.5, 0.5}}, .transition = {}};
  EXPECT_TRUE(Validate(knowledge).has_value());
  knowledge.prior.push_back({0.5, 0.6});
  EXPECT_FALSE(Validate(knowledge).has_value());
  knowledge.prior.back() = {1.5, -0.5};
  EXPECT_FALSE(Validate(knowledge).has_value());
  knowledge.prior.back() = {1};
  EXPECT_FALSE(Validate(knowledge).has_value());
  knowledge.prior.pop_back();
  knowledge.transition.after[{0, 1}] = {0.5, 0.5};
  EXPECT_FALSE(Validate(knowledge).has_value());  // two values where there is one step
  const Snapshot twice{.groups = 1, .rows = {{0, 0, 0, 0}, {0, 0, 1, 0}}};
  EXPECT_FALSE(Validate(twice, 1, knowledge).has_value());
}

}  // namespace
}  // namespace reissue::models::similarity
