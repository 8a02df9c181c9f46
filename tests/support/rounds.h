#pragma once
// How often a random test is repeated: sanitizers look for other faults, and take ten times as
// long.

namespace reissue {

#ifdef REISSUE_SANITIZED
inline constexpr bool kAllRounds = false;
#else
inline constexpr bool kAllRounds = true;
#endif

template <typename Number>
constexpr Number Rounds(Number all) {
  return kAllRounds ? all : (all + 24) / 25;
}

// How often something must have happened in all rounds; in a few of them chance decides.
template <typename Number>
constexpr Number LeastSeen(Number in_all) {
  return kAllRounds ? in_all : 0;
}

}  // namespace reissue
