#pragma once
// Whole-number solutions z ≥ 0 of A·z = g, with A of zeros and ones: how large can one variable be?
// Linear relaxation by CLP, warm from question to question; branch and bound where it is not whole.
// Nothing of the solver's arithmetic is believed: lower bounds are solutions, upper bounds are dual
// solutions, both checked in whole numbers. Only that a branch has no solution is taken from the
// solver where it has no small whole-number proof. Internal to the adversary; not thread-safe.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace reissue::models::bcf {

struct ProgramLimits {
  std::uint64_t steps = 200'000;  // simplex steps, all questions together
  std::uint64_t nodes = 2'000;    // of branch and bound, per question
};

struct ProgramStatistics {
  std::uint64_t solved = 0, fractional = 0, steps = 0;
  void CountRun(int iterations) {
    ++solved;
    steps += static_cast<std::uint64_t>(iterations > 1 ? iterations : 1);
  }
};

class ProgramMemo;

class Program {
 public:
  // Variable v stands in the rows rows[begin[v] … begin[v + 1]). With a memo, which must outlive
  // it, nothing is solved that a program of the same equations has solved: numbers and statistics
  // are the same as without.
  Program(std::vector<std::uint64_t> right_hand_side, std::vector<std::uint32_t> begin,
          std::vector<std::uint32_t> rows, ProgramLimits limits, ProgramMemo* memo = nullptr);
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  std::size_t variables() const;

  enum class State { kOpen, kFeasible, kImpossible };
  // Feasible: a whole solution is known. Impossible: there is none. Open: a limit was reached.
  State state() const;
  // Impossible: multipliers of the rows with Σ ≥ 0 for each variable and Σ · g < 0. Empty where no
  // small whole numbers do.
  const std::vector<std::int64_t>& proof() const;

  std::uint64_t lower(std::size_t variable) const;
  std::uint64_t upper(std::size_t variable) const;
  // Makes the bounds of a variable meet, or the lower one reach `enough`, unless a limit is
  // reached. Bounds of others may improve.
  void Solve(std::size_t variable,
             std::uint64_t enough = std::numeric_limits<std::uint64_t>::max());
  // Raises the lower bounds of many variables at once, each towards its `enough`: a few solutions
  // that please as many of them as possible. No promise that any is reached.
  struct Wish {
    std::size_t variable = 0;
    std::uint64_t enough = 0;
  };
  void Please(std::span<const Wish> wishes);
  // A solution in which the variable is as large as its lower bound says; empty where a limit is
  // reached before one is found again.
  std::vector<std::uint64_t> Witness(std::size_t variable);

  const ProgramStatistics& statistics() const;
  // What this one has solved itself, and not the memo.
  const ProgramStatistics& spent() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace reissue::models::bcf
