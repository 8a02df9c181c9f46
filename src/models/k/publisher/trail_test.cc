#include "reissue/models/k/publisher/trail.h"

#include <gtest/gtest.h>

#include "random_problem.h"
#include "reissue/models/k/publisher/descent.h"

namespace reissue::models::k {
namespace {

using internal::Partition;
using internal::Problem;
using internal::Recoding;
using internal::Spot;
using internal::States;
using internal::Trail;

constexpr Score kEveryScore[] = {Score::kDiscernibility, Score::kDistortion, Score::kLoss,
                                 Score::kClass};

// What may be specialised, in the order in which a descent looks at it.
template <typename Course>
std::vector<Spot> AllowedIn(Course& course) {
  std::vector<Spot> allowed;
  for (const Spot place : course.open()) {
    if (course.Allowed(place)) allowed.push_back(place);
  }
  return allowed;
}

// The slow twin is a partition made anew.
void ExpectAsSeenAnew(Trail& trail) {
  Partition anew(trail.problem());
  anew.Reset(trail.recoding());
  ASSERT_EQ(anew.recoding(), trail.recoding());
  ASSERT_EQ(anew.suppressed_rows(), trail.suppressed_rows());
  ASSERT_EQ(anew.valid(), trail.valid());
  ASSERT_NEAR(anew.Cost(), trail.Cost(), 1e-12);
  for (Spot place = 0; place < trail.problem().places(); ++place) {
    ASSERT_EQ(anew.Allowed(place), trail.Allowed(place)) << place;
    if (!anew.Allowed(place)) continue;
    ASSERT_EQ(anew.lost(place), trail.lost(place));
    ASSERT_NEAR(anew.Gain(place), trail.Gain(place), 1e-9);
  }
}

// As lanes do: takes something back, keeps it closed or not, and goes down again.
Recoding SomethingTakenBack(const Problem& problem, Recoding recoding, Random& random,
                            std::vector<std::uint8_t>& closed) {
  closed.assign(problem.places(), 0);
  for (std::uint64_t times = random.Below(3); times > 0; --times) {
    const Spot place = static_cast<Spot>(random.Below(problem.places()));
    if (recoding[place] == 0) continue;
    problem.Undo(place, recoding);
    closed[place] = static_cast<std::uint8_t>(random.Below(2));
  }
  return recoding;
}

struct Drawn {
  LeafCells table;
  Guarantee guarantee;
  Score score;
  std::uint64_t limit;
};

Drawn Draw(Random& random, int round) {
  Drawn drawn;
  drawn.table = testing::RandomTable(
      random, {1 + random.Below(3), 3 + random.Below(3), 20 + random.Below(60), 3});
  drawn.guarantee.k = 2 + random.Below(4);
  if (round % 3 == 1) drawn.guarantee = testing::RandomGuarantee(random, 3);
  drawn.score = kEveryScore[round % 4];
  drawn.limit = round % 2 == 0 ? 0 : 1 + random.Below(20);
  return drawn;
}

// Two trails that tell each other what they have seen.
TEST(Trail, KnowsWhatAPartitionSees) {
  Random random = Random::Seeded(41);
  std::uint64_t work = 0, looked = 0, steps = 0;
  for (int round = 0; round < 300; ++round) {
    const Drawn drawn = Draw(random, round);
    const Problem problem(drawn.table, drawn.guarantee, drawn.score, drawn.limit);
    States known;
    Trail trails[] = {Trail(problem, known), Trail(problem, known)};
    Recoding recoding = problem.Root();
    for (int way = 0; way < 12; ++way) {
      Trail& trail = trails[way % 2];
      Partition partition(problem);
      std::vector<std::uint8_t> closed;
      recoding = SomethingTakenBack(problem, std::move(recoding), random, closed);
      trail.Reset(recoding, closed);
      partition.Reset(recoding, closed);
      ExpectAsSeenAnew(trail);
      while (true) {
        const std::vector<Spot> allowed = AllowedIn(trail);
        ASSERT_EQ(allowed, AllowedIn(partition));
        if (allowed.empty()) break;
        const Spot place = allowed[random.Below(allowed.size())];
        if (problem.reference_moves()) {
          Recoding after = trail.recoding();
          after[place] = 1;
          trail.Reset(after);
          partition.Reset(after);
        } else {
          trail.Specialise(place);
          partition.Specialise(place);
        }
        ++steps;
        ExpectAsSeenAnew(trail);
      }
      work += partition.work();
      recoding = trail.recoding();
      if (random.Below(2) == 0) known.TakeOver(trail.seen());
    }
    for (const Trail& trail : trails) looked += trail.looked();
  }
  EXPECT_GT(steps, 1000);
  EXPECT_LT(looked, work);  // most of it was known
}

// With the same random numbers, where nothing is rounded on the way: step by step the same.
TEST(Trail, DescentsEndWhereThoseOfAPartitionEnd) {
  Random random = Random::Seeded(42);
  int different = 0;
  for (int round = 0; round < 80; ++round) {
    const Drawn drawn = Draw(random, round);
    const Problem problem(drawn.table, drawn.guarantee, drawn.score, drawn.limit);
    if (problem.by_nodes() && drawn.limit > 0) continue;
    States known;
    Trail trail(problem, known);
    Recoding first, recoding = problem.Root();
    for (int way = 0; way < 8; ++way) {
      std::vector<std::uint8_t> closed;
      recoding = SomethingTakenBack(problem, std::move(recoding), random, closed);
      Partition partition(problem);
      partition.Reset(recoding, closed);
      trail.Reset(recoding, closed);
      const std::uint64_t seed = random.Next();
      Random one = Random::Seeded(seed), other = Random::Seeded(seed);
      internal::DescentOptions options;
      options.noise = way % 2 == 0 ? 0 : 0.7;
      options.random = &one;
      Descend(partition, options);
      options.random = &other;
      Descend(trail, options);
      ASSERT_EQ(partition.recoding(), trail.recoding()) << "round " << round;
      ASSERT_EQ(partition.Cost(), trail.Cost());
      recoding = trail.recoding();
      if (first.empty()) first = recoding;
      different += first != recoding;
    }
  }
  EXPECT_GT(different, 30);
}

}  // namespace
}  // namespace reissue::models::k
