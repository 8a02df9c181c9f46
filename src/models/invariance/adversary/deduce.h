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
  // By person; without what was known, with what nobody had to tell. Nothing at a contradiction.
  std::vector<KnownValue> follow;
  // Number of possible values per person, after all that.
  std::vector<std::uint32_t> possible;
  // Which: sets of values, ascending, and per person the number of one (kNeverThere: in no group).
  static constexpr std::uint32_t kNeverThere = 0xffffffffu;
  std::vector<std::vector<Value>> sets;
  std::vector<std::uint32_t> set_of;
  bool contradiction = false;  // what is known cannot be
  // Every value that is said to follow does. Complete: all that follow by the counts of one value
  // at a time, again and again, are found. Always so for bucket histories in which nobody returned,
  // for two releases, and usually where few people are linked by groups; elsewhere some may be
  // missed.
  bool complete = true;
};

// Near linear in the rows, times the number of times that something new follows for all.
Consequences Deduce(const Series& series, const std::vector<KnownValue>& known);

}  // namespace reissue::models::invariance
