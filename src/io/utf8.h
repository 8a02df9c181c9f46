#pragma once
// Which bytes are text: UTF-8 without overlong forms, surrogates, code points above U+10FFFF, and
// without NUL. Pure functions.

#include <cstddef>

namespace reissue::io::internal {

// Bytes of the well-formed character that begins at `at` (before `end`); 0 if there is none, or if
// it is NUL.
std::size_t CharacterLength(const char* at, const char* end);

// The first place in [begin, stop) where no well-formed character begins, or nullptr. `end` (at or
// after `stop`) bounds what may be looked at. O(stop − begin), fast over ASCII.
const char* FirstIllFormed(const char* begin, const char* stop, const char* end);

}  // namespace reissue::io::internal
