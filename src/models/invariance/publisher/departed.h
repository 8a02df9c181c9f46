#pragma once
// People who have left, taken out of the state, so that a release takes as long as there are people
// in it, however many there were; and put back when they return. Whoever is put back is as if never
// taken out (proof in the README): the same buckets, the same counterfeits.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/models/invariance/publisher/publish.h"

namespace reissue::models::invariance {

struct Departed {
  std::uint32_t bucket = 0;
  Value value = 0;
  // All of them, over; in the moments of the state that they were taken from. Never empty.
  std::vector<std::pair<Moment, Moment>> stays;
  auto operator<=>(const Departed&) const = default;
};

// Takes out everybody who has left, and the counterfeits that are gone.
struct Dismissal {
  std::vector<std::uint32_t> to;  // per member: the new index; kNewcomer for who is taken out
  std::vector<std::pair<std::uint32_t, Departed>> people;  // by their old index, ascending
};
Dismissal Dismiss(State& state);

// What moments have become by the releases since somebody left.
class MomentsSince {
 public:
  // Plan::merged of the release before all of those that were added.
  void AddEarlier(std::span<const MergedMoment> merged);
  Moment Now(std::uint32_t bucket, Moment moment) const;
  void Renumber(Departed& person) const;

 private:
  std::unordered_map<std::uint64_t, Moment> now_;  // bucket and moment
};

// Puts people back, in the moments of the state, as members who have left; their indices. kMachine
// where the histories do not know of such people; the state is then of no use.
Result<std::vector<std::uint32_t>> Restore(State& state, std::span<const Departed> people);

}  // namespace reissue::models::invariance
