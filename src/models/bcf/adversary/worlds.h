#pragma once
// The exact adversary of a series of any length: all worlds that explain the published groups.
//
// Sensitive values are independent. For one value a world says how many people of each birth take
// each tuple of cells, so that every group has its published size (docs/design/0002). Left to a
// target is the most people that some world puts at its birth and tuple.
//
// A release is asked about those alone whom it tells something new of (history.h).
//
// Groups of a value that share no possible person fall apart into components. A component in which
// all groups of different releases are comparable has a closed form; any other is an integer
// program: linear relaxation by CLP, whose whole-number vertices are worlds, and branch and bound
// where a vertex is not whole. Every lower bound is a world that was checked in whole numbers.
// Every upper bound of the relaxation is a dual solution that was checked in whole numbers.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "reissue/models/bcf/adversary/formulas.h"
#include "reissue/models/bcf/adversary/history.h"
#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf {

// A number that is at least `lower` and at most `upper`.
struct Interval {
  std::uint64_t lower = 0, upper = 0;
  bool exact() const { return lower == upper; }
  bool operator==(const Interval&) const = default;
};

// Somebody of known birth, known to be in these cells of release birth, birth + 1, … (from 0).
struct Target {
  std::size_t birth = 0;
  std::vector<std::uint32_t> cells;
  bool operator==(const Target&) const = default;
};

// People of one value in a world: how many have this birth and take these cells.
struct Share {
  Target target;
  std::uint64_t people = 0;
};
// Shares of at least one person, of one component of one value.
using World = std::vector<Share>;

// Groups of one value that no world explains. Each counts so many times; adding up, what must be
// there exceeds what is: Σ times · rows < 0, although every possible person counts ≥ 0 in the sum.
struct Impossible {
  struct Term {
    std::size_t release = 0;
    std::uint32_t cell = 0;
    std::uint64_t rows = 0;
    std::int64_t times = 0;
  };
  std::uint32_t value = 0;
  // Empty: no small proof of this kind. It may not exist at all: in whole numbers there is no
  // world, although there is one with fractions of people.
  std::vector<Term> terms;
};

class ProgramMemo;

struct WorldLimits {
  // Variables of one integer program. What is larger keeps the bounds of the formulas.
  std::size_t variables = 100'000;
  // Simplex steps per component, and of all components together.
  std::uint64_t steps = 20'000;
  std::uint64_t all_steps = 400'000;
  // Nodes of branch and bound per question.
  std::uint64_t nodes = 2'000;
  // The caller knows that there is a world (the holder's own table): whether there is one is not
  // looked at, and only components that are asked about are solved.
  bool possible = false;
  // Worlds of this birth and later ones: those before are settled (History::FirstUnsettled).
  std::size_t first_birth = 0;
  // What programs of other series found out; null: each finds out by itself. Must outlive what is
  // asked. Numbers and statistics are the same either way.
  ProgramMemo* memo = nullptr;
};

struct WorldStatistics {
  std::uint64_t components = 0;  // of all values
  std::uint64_t closed = 0;      // with a closed form
  std::uint64_t programs = 0;    // integer programs
  std::uint64_t too_large = 0;   // bounds only
  std::uint64_t solved = 0;      // linear programs solved
  std::uint64_t fractional = 0;  // of these not whole
  std::uint64_t steps = 0;       // simplex steps
  // Of these what the memo did not know.
  std::uint64_t solved_anew = 0, steps_anew = 0;
};

// Answers are remembered, so functions are not const; one Worlds belongs to one thread. The series
// and the formulas must outlive it.
class Worlds {
 public:
  Worlds(const Series& series, const Formulas& formulas, WorldLimits limits = {});
  Worlds(const Series& series, const Formulas& formulas, History history, WorldLimits limits);
  ~Worlds();
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  // Not empty: the files are not releases of one growing table. Then nothing below means anything.
  const std::vector<Impossible>& impossible() const;

  const History& history() const;

  // What is known of left(target, value) without solving anything new. `groups` are the groups of
  // the value in the cells of the target, in the releases that tell of the birth.
  Interval Known(std::size_t birth, std::span<const std::size_t> groups);
  // The same after solving: exact, or at least `enough`, unless a limit was reached.
  Interval Left(std::size_t birth, std::span<const std::size_t> groups,
                std::uint64_t enough = std::numeric_limits<std::uint64_t>::max());

  // Tries to raise many lower bounds at once: Wish for each, then GrantWishes. See Program::Please.
  void Wish(std::size_t birth, std::span<const std::size_t> groups, std::uint64_t enough);
  void GrantWishes();

  // A world of all releases that reaches the lower bound of Left: the whole component of the value.
  // `groups`: in all releases from the birth on.
  World Witness(std::size_t birth, std::span<const std::size_t> groups);

  const WorldStatistics& statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::unique_ptr<Impl> whole_;  // of all that was published, for witnesses
};

}  // namespace reissue::models::bcf
