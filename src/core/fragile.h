#pragma once
// Objects of a library that cannot be taken apart once memory has run out in one of its calls
// (Clp frees some of its own twice, LEMON waits for itself). They are left lying while an exception
// passes.

#include <exception>
#include <memory>
#include <utility>

namespace reissue {

template <typename T>
struct LeaveLying {
  void operator()(T* object) const {
    if (std::uncaught_exceptions() == 0) delete object;
  }
};

template <typename T>
using Fragile = std::unique_ptr<T, LeaveLying<T>>;

template <typename T, typename... Arguments>
Fragile<T> MakeFragile(Arguments&&... arguments) {
  return Fragile<T>(new T(std::forward<Arguments>(arguments)...));
}

}  // namespace reissue
