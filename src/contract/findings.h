#pragma once
// What only one model has to say, carried by reports that all models share. Plain values of any
// type; whoever asks for another type than was put in has a bug.

#include <any>
#include <utility>

#include "reissue/core/result.h"

namespace reissue::contract {

class Findings {
 public:
  Findings() = default;
  template <typename T>
  static Findings Of(T value) {
    Findings findings;
    findings.any_ = std::move(value);
    return findings;
  }
  template <typename T>
  const T& As() const {
    const T* const found = If<T>();
    REISSUE_CHECK(found != nullptr);
    return *found;
  }
  template <typename T>
  T& As() {
    return const_cast<T&>(std::as_const(*this).As<T>());
  }
  // Null where it is something else, or nothing.
  template <typename T>
  const T* If() const {
    return std::any_cast<T>(&any_);
  }

 private:
  std::any any_;
};

}  // namespace reissue::contract
