#include "reissue/models/k/publisher/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "random_problem.h"

namespace reissue::models::k {
namespace {

using internal::Partition;
using internal::Problem;
using internal::Recoding;
using internal::Spot;

// Σ over the rows of what each costs by discernibility, from the cells themselves.
std::int64_t SquaresOf(const Partition& partition) {
  std::int64_t squares = 0;
  for (std::size_t cell = 0; cell < partition.cells(); ++cell) {
    const std::uint64_t rows = partition.rows(cell);
    squares += static_cast<std::int64_t>(
        rows * (partition.kept(cell) ? rows : partition.problem().rows()));
  }
  return squares;
}

std::uint64_t RowsLeftOut(const Partition& partition, std::uint64_t k) {
  std::uint64_t left_out = 0;
  for (std::size_t cell = 0; cell < partition.cells(); ++cell) {
    if (partition.rows(cell) < k) left_out += partition.rows(cell);
  }
  return left_out;
}

struct Foretold {
  int allowed = 0, refused = 0, left_out = 0;
};

// What is said of each specialisation, beside a partition that was made with it.
void ExpectForetold(Partition& now, Foretold& count) {
  const Problem& problem = now.problem();
  for (const Spot place : now.open()) {
    Recoding recoding = now.recoding();
    recoding[place] = 1;
    Partition after(problem);
    after.Reset(std::move(recoding));
    ASSERT_EQ(now.Allowed(place), after.valid());
    ++(after.valid() ? count.allowed : count.refused);
    if (problem.suppression_limit() == 0) continue;
    const auto lost = static_cast<std::int64_t>(after.suppressed_rows()) -
                      static_cast<std::int64_t>(now.suppressed_rows());
    ASSERT_EQ(now.lost(place), lost);
    count.left_out += lost != 0 ? 1 : 0;
    if (problem.score() != Score::kDiscernibility) continue;
    ASSERT_DOUBLE_EQ(now.Gain(place), static_cast<double>(SquaresOf(now) - SquaresOf(after)));
  }
}

// Rows may be left out, so a cell of fewer than k is one that costs, and not one that ends the way.
TEST(Partition, ForetellsWhatASpecialisationDoes) {
  Random random = Random::Seeded(67);
  Foretold count;
  for (int round = 0; round < 400; ++round) {
    const LeafCells table = testing::RandomTable(
        random, {1 + random.Below(3), 3 + random.Below(3), 20 + random.Below(60), 3});
    Guarantee guarantee;
    guarantee.k = 2 + random.Below(5);
    const bool only_k = round % 3 != 1;
    if (!only_k) guarantee = testing::RandomGuarantee(random, 3);
    const std::uint64_t limit = round % 4 == 3 ? 0 : 1 + random.Below(25);
    const Problem problem(table, guarantee, round % 2 == 0 ? Score::kDiscernibility : Score::kLoss,
                          limit);
    if (problem.reference_moves()) continue;
    Partition now(problem);
    now.Reset(problem.Root());
    while (true) {
      ExpectForetold(now, count);
      if (HasFatalFailure()) return;
      if (only_k) {
        ASSERT_EQ(now.suppressed_rows(), RowsLeftOut(now, guarantee.k));
      }
      std::vector<Spot> allowed;
      for (const Spot place : now.open()) {
        if (now.Allowed(place)) allowed.push_back(place);
      }
      if (allowed.empty()) break;
      now.Specialise(allowed[random.Below(allowed.size())]);
    }
  }
  EXPECT_GT(count.allowed, 1000);
  EXPECT_GT(count.refused, 30);  // most are off the list by then
  EXPECT_GT(count.left_out, 300);
}

// What one thread counts, and what four do, at every step of a way down.
TEST(Partition, SharedIsTheSame) {
  Random random = Random::Seeded(71);
  ThreadPool pool(4);
  std::size_t steps = 0;
  for (const std::uint64_t limit : {0, 2'000}) {
    const LeafCells table = testing::RandomTable(random, {8, 40, 60'000, 3});
    Guarantee guarantee;
    guarantee.k = 3;
    const Problem problem(table, guarantee, Score::kDiscernibility, limit);
    ASSERT_GT(problem.tuples(), 30'000u);
    Partition alone(problem), shared(problem);
    shared.ShareWith(pool);
    alone.Reset(problem.Root());
    shared.Reset(problem.Root());
    while (true) {
      const std::vector<Spot> open(alone.open().begin(), alone.open().end());
      ASSERT_TRUE(std::ranges::equal(open, shared.open()));
      ASSERT_EQ(alone.work(), shared.work());
      ASSERT_EQ(alone.Cost(), shared.Cost());
      std::optional<Spot> next;
      for (const Spot place : open) {
        ASSERT_EQ(alone.Gain(place), shared.Gain(place));
        ASSERT_EQ(alone.lost(place), shared.lost(place));
        ASSERT_EQ(alone.Allowed(place), shared.Allowed(place));
        if (alone.Allowed(place)) next = place;
      }
      if (!next) break;
      alone.Specialise(*next);
      shared.Specialise(*next);
      ++steps;
    }
  }
  EXPECT_GT(steps, 4u);
}

}  // namespace
}  // namespace reissue::models::k
