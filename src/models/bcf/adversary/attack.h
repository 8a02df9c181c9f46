#pragma once
// The correspondence attacks of a reader of two releases: forward (F: excludes rows of the earlier
// release), cross (C: excludes rows of the later one) for somebody who was in the earlier release,
// backward (B) for somebody who was added later. Sees published cells only. Fung, Wang, Fu and Pei
// (EDBT 2008), sections 3 and 4.

#include <cstdint>
#include <optional>
#include <vector>

#include "reissue/models/bcf/adversary/pair.h"
#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf {

enum class AttackKind { kForward, kCross, kBackward };

// "F", "C" or "B".
const char* Letter(AttackKind kind);

// How one group of the attacked cell loses rows.
struct GroupCrack {
  std::uint32_t value = 0;
  std::uint64_t size = 0;
  std::uint64_t excluded = 0;                        // its crack size
  std::uint64_t counterpart = 0;                     // F, C: rows of the value in the other cell
  std::uint64_t class_earlier = 0, class_later = 0;  // B: N1 and N2
};

// What is left of a cell under an attack. Releases count from 0.
struct Finding {
  AttackKind kind = AttackKind::kForward;
  std::size_t born = 0;                // release in which the target first appears
  std::size_t release = 0;             // the attacked release
  std::size_t against = 0;             // the release that gives rows away
  std::uint32_t cell = 0;              // of the attacked release
  std::optional<std::uint32_t> other;  // F, C: the target's cell in the other release
  std::uint64_t size = 0;              // = excluded + left
  std::uint64_t excluded = 0;
  std::uint64_t left = 0;
  std::vector<GroupCrack> groups;  // by value
};

// One attack over all targets.
struct AttackSummary {
  // The least that is left for any target; where nothing can be left there is no target. Null
  // without targets: F and C for an empty earlier release, B where nobody was added.
  std::optional<std::uint64_t> anonymity;
  // Rows of the attacked release in cells that leave fewer than k to some target. A cell with
  // several groups of targets counts once.
  std::uint64_t exposed = 0;
};

struct PairReport {
  std::size_t earlier = 0, later = 0;
  Method method = Method::kEnvelope;
  // Not empty: the later release does not contain the rows of the earlier one. Then there are no
  // other numbers.
  std::vector<Contradiction> contradictions;
  AttackSummary forward, cross, backward;
  bool satisfied = true;       // consistent, and no anonymity below k
  std::vector<Finding> worst;  // cells that leave fewer than k: least left first, then F, C, B,
                               // then by cell; at most `limit`
};

// O(comparable pairs of cells · groups) after Pair::Solve.
PairReport AttackPair(const Series& series, const Pair& pair, std::uint64_t k,
                      std::size_t limit = 10);

// The groups of a cell under an attack, with what they lose: the numbers behind a finding. `other`
// is the cell in the other release; ignored for B.
Finding Explain(const Series& series, const Pair& pair, AttackKind kind, std::uint32_t cell,
                std::uint32_t other = 0);

}  // namespace reissue::models::bcf
