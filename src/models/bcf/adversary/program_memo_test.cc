#include "reissue/models/bcf/adversary/program_memo.h"

#include <gtest/gtest.h>

#include "reissue/core/random.h"

namespace reissue::models::bcf {
namespace {

// Equations that have a solution, of so many variables in two or three rows each.
struct Equations {
  std::vector<std::uint64_t> right;
  std::vector<std::uint32_t> begin = {0}, rows;

  static Equations Some(Random& random) {
    Equations equations;
    const std::size_t lines = 3 + random.Below(4);
    equations.right.assign(lines, 0);
    for (std::size_t v = 0; v < 4 + 2 * lines; ++v) {
      const std::uint64_t people = random.Below(5);
      for (std::uint32_t line = 0; line < lines; ++line) {
        if (random.Below(lines) >= 2) continue;
        equations.rows.push_back(line);
        equations.right[line] += people;
      }
      if (equations.rows.size() == equations.begin.back()) {
        equations.rows.push_back(0);
        equations.right[0] += people;
      }
      equations.begin.push_back(static_cast<std::uint32_t>(equations.rows.size()));
    }
    return equations;
  }

  Program Make(ProgramMemo* memo) const { return Program(right, begin, rows, {}, memo); }
};

// Questions that depend on the seed alone.
void AskSome(std::uint64_t seed, Program& program) {
  Random random = Random::Seeded(seed);
  std::vector<Program::Wish> wishes;
  for (std::size_t i = 0; i < 3; ++i) {
    wishes.push_back({random.Below(program.variables()), 1 + random.Below(4)});
  }
  if (random.Below(2) == 0) program.Please(wishes);
  for (std::size_t i = 0; i < random.Below(4); ++i) {
    program.Solve(random.Below(program.variables()), 1 + random.Below(6));
  }
}

void ExpectSame(const Program& a, const Program& b) {
  EXPECT_EQ(a.state(), b.state());
  for (std::size_t v = 0; v < a.variables(); ++v) {
    EXPECT_EQ(a.lower(v), b.lower(v));
    EXPECT_EQ(a.upper(v), b.upper(v));
  }
  EXPECT_EQ(a.statistics().solved, b.statistics().solved);
  EXPECT_EQ(a.statistics().steps, b.statistics().steps);
  EXPECT_EQ(a.statistics().fractional, b.statistics().fractional);
}

TEST(ProgramMemoTest, SaysWhatTheProgramWouldSay) {
  Random random = Random::Seeded(31);
  std::size_t spared = 0;
  for (int round = 0; round < 60; ++round) {
    const Equations equations = Equations::Some(random);
    ProgramMemo memo;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Program alone = equations.Make(nullptr), other = equations.Make(&memo);
      AskSome(seed % 3, alone);
      const std::size_t before = memo.size();
      AskSome(seed % 3, other);
      spared += seed >= 3 && memo.size() == before;
      ExpectSame(alone, other);
      // From here on nobody has been: the solver catches up.
      AskSome(100 + seed, alone);
      AskSome(100 + seed, other);
      ExpectSame(alone, other);
      EXPECT_EQ(alone.Witness(0), other.Witness(0));
    }
  }
  EXPECT_EQ(spared, 180u);  // whatever was asked before
}

TEST(ProgramMemoTest, OtherEquationsAreOthers) {
  ProgramMemo memo;
  const Equations three{{3, 3}, {0, 1, 2, 4}, {0, 1, 0, 1}};
  const Equations four{{4, 3}, {0, 1, 2, 4}, {0, 1, 0, 1}};
  Program first = three.Make(&memo), second = four.Make(&memo);
  first.Solve(0);
  second.Solve(0);
  EXPECT_EQ(first.lower(0), 3u);
  EXPECT_EQ(second.lower(0), 4u);
}

TEST(ProgramMemoTest, FullIsNoHarm) {
  Random random = Random::Seeded(32);
  for (int round = 0; round < 20; ++round) {
    const Equations equations = Equations::Some(random);
    ProgramMemo memo(2'000);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Program alone = equations.Make(nullptr), other = equations.Make(&memo);
      AskSome(seed % 2, alone);
      AskSome(seed % 2, other);
      ExpectSame(alone, other);
    }
    EXPECT_LT(memo.size(), 6u);
  }
}

}  // namespace
}  // namespace reissue::models::bcf
