#pragma once
// The chain reaction: if readers come to know somebody's value, whose values follow from what was
// published?

#include <cstdint>
#include <vector>

#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

struct KnownValue {
  Person person = 0;
  Value value = 0;
  auto operator<=>(const KnownValue&) const = default;
};

struct Consequences {
  std::vector<KnownValue>
      follow;  // by person; without what was known, with what nobody had to tell
  // Number of possible values per person, after all that.
  std::vector<std::uint32_t> possible;
  bool contradiction = false;  // what is known cannot be
  // Every value that is said to follow does. For bucket histories in which nobody returned all that
  // follow by one value's counts at a time are found; elsewhere some may be missed.
  bool complete = true;
};

Consequences Follow(const Series& series, const std::vector<KnownValue>& known);

}  // namespace reissue::models::invariance
