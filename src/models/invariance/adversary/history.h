#pragma once
// What the snapshots of one bucket prove about the people in it, where each release publishes the
// bucket as one group and all its values occur equally often: the history graph of He, Barman and
// Naughton (ICDE 2011, section VI). Mathematics in docs/design/0004.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace reissue::models::invariance {

// Snapshot numbers are positive and ascend with time; they need not be without gaps.
using Moment = std::uint32_t;
inline constexpr Moment kStillThere = 0;

// People who came and left together; `left` is the first release without them.
struct Stay {
  Moment came = 0;
  Moment left = kStillThere;
  std::uint64_t people = 1;
  auto operator<=>(const Stay&) const = default;
};

// People who came, left and came again at the same times: two or more stays each.
struct Return {
  std::vector<std::pair<Moment, Moment>> stays;  // came, left; the last may be kStillThere
  std::uint64_t people = 1;
};

struct History {
  std::vector<Stay> stays;  // of people with one stay each
  std::vector<Return> returns;
};

// An equality of two sides of `size` people: potentials per moment (0 where not named), times
// `divisor`. A person stands on the left as often as Σ over the stays of (w[came] - w[left]) is
// positive. The divisor is 1 unless somebody returned.
struct Equality {
  std::uint64_t size = 0;
  std::vector<std::pair<Moment, std::int64_t>> potentials;
  std::int64_t divisor = 1;
};

// The least cut that separates anybody: the least over the connected components with at least two
// moments; nothing where nobody ever was. Only with `returns` empty does 2 · least equality >= this
// hold as it stands; with them see Holds.
std::optional<std::uint64_t> LeastCut(const History& history);

// Bounds of the least equality. Both nothing: none exists, whatever its size. `witness` proves the
// upper bound.
struct LeastEquality {
  std::optional<std::uint64_t> lower, upper;
  std::optional<Equality> witness;
};
struct EqualityLimits {
  std::uint64_t nodes = 20'000;  // of branch and bound, and cuts looked at
  // Least only: equalities of so many people or more need not be told apart (0: no cap); lower >=
  // cap says that there is none below it.
  std::uint64_t cap = 0;
};
LeastEquality Least(const History& history, const EqualityLimits& limits = {});

// Whether no equality of fewer than e people exists; `values` is the number of values of the
// bucket, e <= values. Exact where nobody returned (beyond the limits, and where somebody did, it
// may say no although the truth is yes, never the other way round).
bool Holds(const History& history, std::uint64_t values, std::uint64_t e,
           const EqualityLimits& limits = {});

// Few enough people and moments for trying all worlds.
bool FewInHistory(const History& history);
// Whether no equality of fewer than e people holds in all worlds: by trying, also where only whole
// numbers prove it. Nothing where there are too many for that. `values` as above; no moments may
// have been merged.
std::optional<bool> HoldsInWorlds(const History& history, std::uint64_t values, std::uint64_t e,
                                  const EqualityLimits& limits = {});

// Everybody who stands on a side of some equality of fewer than e people (e <= values), as indices
// of stays (nobody may have returned). At most limits.nodes cuts are looked at; `complete` says
// whether that was enough.
struct Compromised {
  std::vector<std::size_t> stays;
  bool complete = true;
};
Compromised CompromisedStays(const History& history, std::uint64_t values, std::uint64_t e,
                             const EqualityLimits& limits = {});

// Which moments have equal potentials in every equality of fewer than e people, now and after any
// further releases in which at most `slack` people of the history come back: every moment that is
// not the smallest of its class, with the smallest; ascending. Only finished stays count.
// kStillThere is never merged.
std::vector<std::pair<Moment, Moment>> Mergeable(const History& history, std::uint64_t e,
                                                 std::uint64_t slack);

}  // namespace reissue::models::invariance
