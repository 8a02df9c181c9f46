#include "reissue/models/invariance/publisher/departed.h"

#include <algorithm>
#include <map>

#include "reissue/models/invariance/publisher/coherent.h"
#include "reissue/models/invariance/publisher/movement.h"

namespace reissue::models::invariance {
namespace {

using Stays = std::vector<std::pair<Moment, Moment>>;

std::uint64_t MomentKey(std::uint32_t bucket, Moment moment) {
  return std::uint64_t{bucket} << 32 | moment;
}

Departed DepartedOf(const State& state, const Member& member) {
  if (member.stays == kOneStay) {
    return {member.bucket, member.value, {{member.came, member.left}}};
  }
  return {member.bucket, member.value,
          state.buckets[member.bucket].history.returns[member.stays].stays};
}

// Finds who came back by their stays.
class ReturnIndex {
 public:
  explicit ReturnIndex(const State& state) : state_(state), of_(state.buckets.size()) {}

  // kOneStay: nobody has such stays.
  std::uint32_t Find(std::uint32_t bucket, const Stays& stays) {
    auto& known = of_[bucket];
    const std::vector<Return>& returns = state_.buckets[bucket].history.returns;
    if (known.empty()) {
      for (std::uint32_t i = 0; i < returns.size(); ++i) {
        if (returns[i].people > 0) known.emplace(returns[i].stays, i);
      }
    }
    const auto at = known.find(stays);
    return at == known.end() ? kOneStay : at->second;
  }

 private:
  const State& state_;
  std::vector<std::map<Stays, std::uint32_t>> of_;  // per bucket; filled when first asked
};

bool HasStay(const History& history, const std::pair<Moment, Moment>& stay) {
  return std::ranges::binary_search(history.stays, stay, {},
                                    [](const Stay& s) { return std::pair(s.came, s.left); });
}

// False: the history does not know of such a person.
bool FindMember(const State& state, const Departed& person, ReturnIndex& returns, Member& member) {
  if (person.bucket >= state.buckets.size() || person.stays.empty() ||
      person.stays.back().second == kStillThere) {
    return false;
  }
  const Bucket& bucket = state.buckets[person.bucket];
  member.bucket = person.bucket;
  member.value = person.value;
  std::tie(member.came, member.left) = person.stays.back();
  if (!std::ranges::binary_search(bucket.signature, person.value)) return false;
  if (internal::GivenUp(bucket)) return true;
  const Stays stays = internal::Reduced(person.stays);
  if (stays.empty()) {
    member.came = member.left;
    return true;
  }
  std::tie(member.came, member.left) = stays.back();
  if (stays.size() == 1) return HasStay(bucket.history, stays[0]);
  member.stays = returns.Find(person.bucket, stays);
  return member.stays != kOneStay;
}

}  // namespace

Dismissal Dismiss(State& state) {
  Dismissal dismissal;
  for (std::uint32_t i = 0; i < state.members.size(); ++i) {
    const Member& member = state.members[i];
    if (member.left == kStillThere || member.counterfeit) continue;
    dismissal.people.emplace_back(i, DepartedOf(state, member));
  }
  dismissal.to =
      internal::DropMembers(state, [](const Member& member) { return member.left != kStillThere; });
  return dismissal;
}

void MomentsSince::AddEarlier(std::span<const MergedMoment> merged) {
  // First all are read: the moments that others are merged into are those of afterwards.
  std::vector<Moment> now;
  now.reserve(merged.size());
  for (const MergedMoment& one : merged) now.push_back(Now(one.bucket, one.to));
  for (std::size_t i = 0; i < merged.size(); ++i) {
    now_[MomentKey(merged[i].bucket, merged[i].from)] = now[i];
  }
}

Moment MomentsSince::Now(std::uint32_t bucket, Moment moment) const {
  const auto at = now_.find(MomentKey(bucket, moment));
  return at == now_.end() ? moment : at->second;
}

void MomentsSince::Renumber(Departed& person) const {
  if (now_.empty()) return;
  for (auto& [came, left] : person.stays) {
    came = Now(person.bucket, came);
    left = Now(person.bucket, left);
  }
}

Result<std::vector<std::uint32_t>> Restore(State& state, std::span<const Departed> people) {
  const auto unknown =
      MachineError("somebody who came back is not known to the history of their group");
  ReturnIndex returns(state);
  std::vector<std::uint32_t> indices;
  indices.reserve(people.size());
  for (const Departed& person : people) {
    Member member;
    if (!FindMember(state, person, returns, member)) return unknown;
    indices.push_back(static_cast<std::uint32_t>(state.members.size()));
    state.members.push_back(member);
  }
  // No more of them than the history knows of.
  if (!people.empty() && !Coherent(state)) return unknown;
  return indices;
}

}  // namespace reissue::models::invariance
