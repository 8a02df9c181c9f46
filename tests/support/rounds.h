#pragma once
// How often a random test is repeated: sanitizers look for other faults, and take ten times as
// long.

namespace reissue {

template <typename Number>
constexpr Number Rounds(Number rounds) {
#ifdef REISSUE_SANITIZED
  return rounds / 10;
#else
  return rounds;
#endif
}

}  // namespace reissue
