#pragma once
// The matrix form of the equivalence attack (Definitions 9 and 10 of He, Barman and Naughton, ICDE
// 2011), for groups of any shape: weights W per group with W·U = 0, W·S whole, and the least
// ‖W·S‖₁ > 0. As in Definition 10, W·S must be whole, W need not be: {a,b}, {b,c}, {a,c} with the
// weights ½, -½, ½ single out a. For bucket histories in which nobody returned whole weights do
// (Lemma 2); for groups in general they do not. Thread-safe.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

struct GroupEquality {
  std::uint64_t size = 0;
  std::vector<std::int64_t> weights;  // per group, times `divisor`
  std::int64_t divisor = 1;
};

struct LeastGroupEquality {
  std::optional<std::uint64_t> lower, upper;  // both nothing: none exists
  std::optional<GroupEquality> witness;       // of the upper bound
};

struct GroupLimits {
  std::uint64_t nodes = 20'000;   // of branch and bound in all
  std::size_t exact_groups = 60;  // dimensions; beyond: bounds by lattice reduction and cuts only
  bool reduce = true;  // begin with short vectors; without, the answer is the same, later
};

// `cap`: equalities of `cap` people or more need not be told apart (0: no cap); the answer is then
// exact below the cap, and lower >= cap says that there is none below it.
LeastGroupEquality LeastAmong(const std::vector<PublishedGroup>& groups, std::uint64_t cap,
                              const GroupLimits& limits = {});

// Sides of an equality: people, repeated as often as they count.
struct Sides {
  std::vector<Person> left, right;
};
Sides SidesOf(const std::vector<PublishedGroup>& groups, const GroupEquality& equality);

}  // namespace reissue::models::invariance
