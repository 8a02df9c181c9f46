#include "reissue/models/bcf/adversary/program.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <functional>

#include "reissue/core/random.h"

namespace reissue::models::bcf {
namespace {

struct Small {
  std::vector<std::uint64_t> right;
  std::vector<std::uint32_t> begin = {0}, rows;
  void Add(std::vector<std::uint32_t> of) {
    rows.insert(rows.end(), of.begin(), of.end());
    begin.push_back(static_cast<std::uint32_t>(rows.size()));
  }
  std::size_t variables() const { return begin.size() - 1; }
  Program Make() const { return Program(right, begin, rows, {}); }
};

// The largest value of each variable by trying everything; empty: no solution.
std::vector<std::uint64_t> ByEnumeration(const Small& small) {
  std::vector<std::uint64_t> best, z(small.variables()), rest = small.right;
  std::function<void(std::size_t)> visit = [&](std::size_t v) {
    if (v == small.variables()) {
      if (std::any_of(rest.begin(), rest.end(), [](std::uint64_t r) { return r != 0; })) return;
      if (best.empty()) best = z;
      for (std::size_t i = 0; i < z.size(); ++i) best[i] = std::max(best[i], z[i]);
      return;
    }
    std::uint64_t most = 100;
    for (std::uint32_t i = small.begin[v]; i < small.begin[v + 1]; ++i) {
      most = std::min(most, rest[small.rows[i]]);
    }
    for (std::uint64_t x = 0; x <= most; ++x) {
      z[v] = x;
      visit(v + 1);
      for (std::uint32_t i = small.begin[v]; i < small.begin[v + 1]; ++i) --rest[small.rows[i]];
    }
    for (std::uint32_t i = small.begin[v]; i < small.begin[v + 1]; ++i) {
      rest[small.rows[i]] += most + 1;
    }
    z[v] = 0;
  };
  visit(0);
  return best;
}

TEST(ProgramTest, OddCycleIsNotWhole) {
  // x + y = 1, y + z = 1, x + z = 1: halves only.
  Small small;
  small.right = {1, 1, 1};
  small.Add({0, 2});
  small.Add({0, 1});
  small.Add({1, 2});
  EXPECT_EQ(small.Make().state(), Program::State::kImpossible);
}

TEST(ProgramTest, ImpossibleHasAProof) {
  Small small;
  small.right = {3, 2};
  small.Add({0, 1});
  small.Add({1});
  const Program program = small.Make();
  ASSERT_EQ(program.state(), Program::State::kImpossible);
  const auto& proof = program.proof();
  ASSERT_EQ(proof.size(), 2u);
  EXPECT_GE(proof[0] + proof[1], 0);
  EXPECT_GE(proof[1], 0);
  EXPECT_LT(3 * proof[0] + 2 * proof[1], 0);
}

void ExpectAsByEnumeration(int rounds) {
  Random random = Random::Seeded(11);
  std::size_t feasible = 0, fractional = 0;
  for (int round = 0; round < rounds; ++round) {
    Small small;
    const std::size_t lines = 2 + random.Below(5);
    const std::size_t variables = 2 + random.Below(6);
    std::vector<std::uint64_t> sums(lines, 0);
    for (std::size_t v = 0; v < variables; ++v) {
      std::vector<std::uint32_t> of;
      const std::uint64_t people = random.Below(3);
      for (std::uint32_t r = 0; r < lines; ++r) {
        if (random.Below(2) == 0) of.push_back(r);
      }
      if (of.empty()) of.push_back(static_cast<std::uint32_t>(random.Below(lines)));
      for (const std::uint32_t r : of) sums[r] += people;
      small.Add(of);
    }
    if (random.Below(4) == 0) sums[random.Below(lines)] += 1;
    small.right = sums;
    const auto expected = ByEnumeration(small);
    Program program = small.Make();
    if (expected.empty()) {
      EXPECT_EQ(program.state(), Program::State::kImpossible);
      continue;
    }
    ++feasible;
    ASSERT_EQ(program.state(), Program::State::kFeasible);
    for (std::size_t v = 0; v < variables; ++v) {
      program.Solve(v);
      EXPECT_EQ(program.lower(v), expected[v]);
      EXPECT_EQ(program.upper(v), expected[v]);
      const auto witness = program.Witness(v);
      ASSERT_EQ(witness.size(), variables);
      EXPECT_EQ(witness[v], expected[v]);
      std::vector<std::uint64_t> check(lines, 0);
      for (std::size_t u = 0; u < variables; ++u) {
        for (std::uint32_t i = small.begin[u]; i < small.begin[u + 1]; ++i) {
          check[small.rows[i]] += witness[u];
        }
      }
      EXPECT_EQ(check, small.right);
    }
    fractional += program.statistics().fractional;
  }
  EXPECT_GT(feasible, static_cast<std::size_t>(rounds) / 2);
  EXPECT_GT(fractional, static_cast<std::size_t>(rounds) / 60);
}

TEST(ProgramTest, RandomProgramsAsByEnumeration) { ExpectAsByEnumeration(3000); }

// Where the best corner is not whole, another one that is as good mostly is: no boxes are needed.
TEST(ProgramTest, OtherCornersAreTriedBeforeBoxes) {
  Random random = Random::Seeded(12);
  std::size_t asked = 0, answered = 0, reached = 0;
  for (int round = 0; round < 400; ++round) {
    Small small;
    const std::uint32_t of_each = 3;  // groups of three releases
    small.right.assign(3 * of_each, 0);
    for (int v = 0; v < 14; ++v) {
      std::vector<std::uint32_t> of;
      const std::uint64_t people = random.Below(30);
      for (std::uint32_t i = 0; i < 3; ++i) {
        of.push_back(i * of_each + static_cast<std::uint32_t>(random.Below(of_each)));
        small.right[of.back()] += people;
      }
      small.Add(of);
    }
    Program boxes = small.Make();
    Program corners(small.right, small.begin, small.rows, {.nodes = 1});
    if (corners.state() != Program::State::kFeasible) continue;
    for (std::size_t v = 0; v < small.variables(); ++v) {
      const std::uint64_t fractional = corners.statistics().fractional;
      corners.Solve(v);
      if (corners.statistics().fractional == fractional) continue;
      boxes.Solve(v);
      ++asked;
      answered += corners.lower(v) == boxes.lower(v) ? 1 : 0;
      EXPECT_LE(corners.lower(v), boxes.lower(v));
      EXPECT_GE(corners.upper(v), boxes.lower(v));
      // Whoever asks for less than the most learns nothing false about the most.
      const std::uint64_t enough = boxes.lower(v) / 2;
      Program less(small.right, small.begin, small.rows, {.nodes = 1});
      less.Solve(v, enough);
      EXPECT_GE(less.upper(v), boxes.lower(v));
      reached += less.lower(v) >= enough ? 1 : 0;
    }
  }
  EXPECT_GT(asked, 100u);
  EXPECT_GT(answered, asked * 9 / 10) << asked;
  EXPECT_GT(reached, asked * 9 / 10) << asked;
}

// A table with many sensitive values has a program for each of them and each part of the table.
TEST(ProgramTest, VeryManyProgramsTakeLittleMemoryAndAnswerTheSame) {
  Small small;
  small.right = {2, 3, 3, 2};
  for (std::uint32_t a = 0; a < 2; ++a) {
    for (std::uint32_t b = 2; b < 4; ++b) small.Add({a, b});
  }
  std::vector<Program> crowd;
  const auto grow = [&](std::size_t programs) {
    const std::size_t before = mallinfo2().uordblks;
    for (std::size_t i = 0; i < programs; ++i) crowd.push_back(small.Make());
    const std::size_t after = mallinfo2().uordblks;
    return after > before ? (after - before) / programs : 0;
  };
  grow(1500);
  EXPECT_LT(grow(500), 20'000u);
  ExpectAsByEnumeration(600);
  crowd.back().Solve(0);
  EXPECT_EQ(crowd.back().lower(0), 2u);
}

}  // namespace
}  // namespace reissue::models::bcf
