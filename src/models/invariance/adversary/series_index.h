#pragma once
// A series in the shape the attack wants it: value sets with numbers, what everybody may have, and
// the parts in which equalities are looked for. Internal to the adversary.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/models/invariance/adversary/history.h"
#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

using SetId = std::uint32_t;  // of a set of values
inline constexpr SetId kNoSet = 0xffffffffu;

struct GroupId {
  std::uint32_t release = 0, group = 0;
  auto operator<=>(const GroupId&) const = default;
};

struct SeriesIndex {
  std::vector<std::vector<Value>> sets;          // ascending values
  std::vector<std::vector<SetId>> set_of_group;  // by release and group
  std::vector<std::vector<char>> even;           // all values of the group equally often
  std::vector<SetId> possible;                   // per person; kNoSet: never seen
  std::vector<SetId> home;  // the only set that the person's groups have; kNoSet: several, or never
};

SeriesIndex IndexOf(const Series& series, ThreadPool& pool);

// Groups that equalities are looked for in.
struct Part {
  // kBucket: one group per release. kFine: several. Both: all groups have the same set of values,
  // all equally often, and nobody is ever in a group of another set. kMixed: anything else.
  enum class Kind { kBucket, kFine, kMixed };
  Kind kind = Kind::kMixed;
  std::vector<Value> values;
  std::vector<GroupId> groups;  // ascending
  std::vector<Person> people;   // ascending
};

// All parts; kMixed groups are together where they share people or values, others never.
std::vector<Part> PartsOf(const Series& series, const SeriesIndex& index);

// The stays of everybody; moment t is release t − 1.
struct Lives {
  std::vector<Moment> came, left;  // per person, of the first stay
  std::map<Person, std::vector<std::pair<Moment, Moment>>> returned;  // all stays of who came back
};
Lives LivesOf(const Series& series);

std::vector<std::pair<Moment, Moment>> StaysOf(const Lives& lives, Person person);

// The history of people who are always in the same bucket.
History HistoryOf(const Lives& lives, const std::vector<Person>& people);

}  // namespace reissue::models::invariance
