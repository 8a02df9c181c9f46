#pragma once
// Equalities among fine partitions: groups of one set of values, several per release. Any two
// releases are a graph: groups are nodes, who is in both is an edge between two of them, who is in
// one of the releases only an edge to a common node; balanced cuts are equalities, and in two
// releases there are no others of fewer people than there are values. Internal to the adversary.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reissue/models/invariance/adversary/series_index.h"

namespace reissue::models::invariance {

// Weights of groups, times the divisor; the sides are who has more, and less, than 0 in all.
struct Weights {
  std::uint64_t size = 0;
  std::vector<std::pair<GroupId, std::int64_t>> groups;
  std::int64_t divisor = 1;
};

// The group of everybody in each release; kNoGroup: not there.
inline constexpr std::uint32_t kNoGroup = 0xffffffffu;
using GroupOfPerson = std::vector<std::vector<std::uint32_t>>;
GroupOfPerson GroupsOfPeople(const Series& series, ThreadPool& pool);

struct FineAnswer {
  std::uint64_t lower = 1;
  Weights best;  // of the smallest equality found
  std::vector<char>
      exposed;           // per person of the part: in an equality of fewer than e that was found
  bool complete = true;  // `exposed` misses nobody
};

// `pairs`: of releases that are looked at, at least the neighbouring ones.
FineAnswer AttackFine(const Part& part, const GroupOfPerson& group_of, std::uint64_t e,
                      std::uint64_t pairs, std::uint64_t steps);

}  // namespace reissue::models::invariance
