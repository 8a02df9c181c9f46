#pragma once
// People who leave and come back, entered into the histories of their buckets; and the merging of
// moments that no attack can tell apart, which keeps the histories small.

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "reissue/models/invariance/publisher/publish.h"

namespace reissue::models::invariance::internal {

// The history is no longer kept: too many people have come back since moments were merged.
bool GivenUp(const Bucket& bucket);

// Adds people to the stay of the same moments.
void AddStay(History& history, const Stay& stay);

// Collects who leaves and who comes back at one moment; Finish enters them. `buckets` stays where
// it is until then.
class Movement {
 public:
  Movement(std::vector<Bucket>& buckets, Moment now);
  void Leave(Member& member);
  void ComeBack(Member& member);
  void Finish();

 private:
  struct Counts {
    std::vector<std::uint64_t> leave, back;  // per stay of the history
    std::uint64_t afresh = 0;  // came back, and the earlier stay says nothing any more
  };
  std::size_t Find(const Member& member) const;
  // Moves a member of a return into the one that goes on so.
  void Continue(Member& member, bool leaves);
  std::uint32_t Opened(std::uint32_t bucket, std::pair<Moment, Moment> first);

  std::vector<Bucket>* buckets_;
  Moment now_;
  std::vector<Counts> counts_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> continued_;
  std::map<std::tuple<std::uint32_t, Moment, Moment>, std::uint32_t> opened_;
};

// Merges moments where that changes nothing, renumbers members, and gives up the histories that can
// no longer be relied on. Returns what was merged. O(members + histories).
std::vector<MergedMoment> Compact(State& state, std::uint64_t e);

// Stays without those that have become nothing, and joined where one goes on as the next.
std::vector<std::pair<Moment, Moment>> Reduced(std::span<const std::pair<Moment, Moment>> stays);

// Takes members out; the new index of each, kNewcomer for those that are gone.
template <typename Drop>
std::vector<std::uint32_t> DropMembers(State& state, Drop drop) {
  std::vector<std::uint32_t> to(state.members.size(), kNewcomer);
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < state.members.size(); ++i) {
    if (drop(state.members[i])) continue;
    to[i] = next;
    state.members[next++] = state.members[i];
  }
  state.members.resize(next);
  return to;
}

}  // namespace reissue::models::invariance::internal
