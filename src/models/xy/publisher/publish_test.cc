#include "reissue/models/xy/publisher/publish.h"

#include <gtest/gtest.h>

#include "reissue/models/xy/publisher/linked_people.h"

namespace reissue::models::xy {
namespace {

using testing::AskAll;
using testing::Instance;
using testing::People;
using testing::RandomRequirement;
using testing::Shape;
using testing::SlowDescent;

Result<Outcome> Run(const Instance& instance, PublishOptions options = {},
                    std::size_t threads = 1) {
  ThreadPool pool(threads);
  Progress progress;
  return Publish(instance.source, instance.prior, instance.joins, instance.inconsistent,
                 instance.requirements, options, pool, progress);
}

// As published: nodes without rows do not show.
void ExpectSamePublished(const Instance& instance, const Outcome& a, const Outcome& b) {
  const Cells x = Published(instance.source, a).cells, y = Published(instance.source, b).cells;
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_TRUE(std::ranges::equal(x.key(CellId(i)), y.key(CellId(i))));
    ASSERT_EQ(x.count(CellId(i)), y.count(CellId(i)));
  }
}

// The fast descent takes the very steps of the slow one, which asks the adversary about everything.
// The slow one looks at all candidates after every step, so this includes that the end is maximal.
struct Totals {
  int kept = 0, broken = 0;
  std::uint64_t steps = 0, reexamined = 0;
};
Totals CompareWithSlow(std::uint64_t seed, const Shape& shape, std::size_t requirements,
                       int instances) {
  Totals totals;
  Random random = Random::Seeded(seed);
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE(i);
    Instance instance = People(random, shape).Make();
    for (std::size_t r = 0; r < requirements; ++r) {
      instance.requirements.push_back(RandomRequirement(random, instance));
    }
    PublishOptions options;
    options.gain = static_cast<Gain>(random.Below(3));
    SlowDescent slow(instance, options.gain);
    const std::optional<Outcome> expected = slow.Run();
    const Result<Outcome> outcome = Run(instance, options);
    EXPECT_EQ(outcome.has_value(), expected.has_value());
    if (!outcome || !expected) {
      ++totals.broken;
      if (!outcome) {
        EXPECT_EQ(outcome.error().code, ErrorCode::kPromise);
      }
      continue;
    }
    ++totals.kept;
    totals.steps += outcome->steps;
    totals.reexamined += outcome->reexamined;
    EXPECT_TRUE(AskAll(instance, *outcome).satisfied);
    EXPECT_EQ(outcome->steps, slow.steps);
    ExpectSamePublished(instance, *outcome, *expected);
    if (::testing::Test::HasFailure()) break;
  }
  return totals;
}

TEST(Publish, OnePriorTakesTheStepsOfTheSlowDescent) {
  const Totals totals = CompareWithSlow(1, {}, 1, 400);
  EXPECT_GT(totals.kept, 100);
  EXPECT_GT(totals.broken, 20);
  EXPECT_GT(totals.steps, 200u);
}

TEST(Publish, SeveralRequirements) {
  const Totals totals = CompareWithSlow(2, {}, 2, 300);
  EXPECT_GT(totals.kept, 40);
  EXPECT_GT(totals.steps, 100u);
}

TEST(Publish, SeveralPriors) {
  Shape shape;
  shape.people = 12;
  shape.priors = 2;
  const Totals totals = CompareWithSlow(3, shape, 1, 150);
  EXPECT_GT(totals.kept, 40);
}

TEST(Publish, InconsistentPairs) {
  Shape shape;
  shape.inconsistent = true;
  const Totals totals = CompareWithSlow(4, shape, 1, 300);
  EXPECT_GT(totals.kept, 60);
}

TEST(Publish, PriorsThatAreNoGlobalRecodings) {
  Shape shape;
  shape.global = false;
  const Totals totals = CompareWithSlow(5, shape, 1, 300);
  EXPECT_GT(totals.kept, 60);
}

TEST(Publish, RowsThatDangle) {
  Shape shape;
  shape.same_people = false;
  shape.people = 15;
  const Totals totals = CompareWithSlow(6, shape, 1, 300);
  EXPECT_GT(totals.kept, 60);
}

TEST(Publish, ContinuousColumns) {
  Shape shape;
  shape.continuous = true;
  const Totals totals = CompareWithSlow(7, shape, 1, 300);
  EXPECT_GT(totals.kept, 60);
}

TEST(Publish, EverythingAtOnce) {
  Shape shape;
  shape.people = 14;
  shape.priors = 2;
  shape.global = shape.same_people = false;
  shape.inconsistent = shape.continuous = true;
  const Totals totals = CompareWithSlow(8, shape, 2, 200);
  EXPECT_GT(totals.kept, 30);
}

}  // namespace
}  // namespace reissue::models::xy
