#pragma once
// Memory that is not needed any more.

#include <utility>

namespace reissue {

// Leaves nothing of it. Other than `held = {}`, which empties a vector or a string and keeps its
// memory.
template <typename T>
void LetGo(T& held) {
  [[maybe_unused]] const T gone(std::move(held));
  held = T();
}

}  // namespace reissue
