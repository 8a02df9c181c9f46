#include "reissue/models/invariance/publisher/coherent.h"

#include <algorithm>
#include <functional>
#include <span>

#include "reissue/models/invariance/publisher/at_hand.h"
#include "reissue/models/invariance/publisher/movement.h"

namespace reissue::models::invariance {
namespace {

// Of one bucket, over all releases: sums and products of so many stay exact.
constexpr std::uint64_t kMostPeople = std::uint64_t{1} << 31;

using Moments = std::pair<Moment, Moment>;  // came, left

bool AreMoments(const Moments& stay, Moment last) {
  return stay.first != kStillThere && stay.first <= last && stay.second <= last;
}

// Sums up in `people`, and stops before it is too large for anything.
bool Counted(std::uint64_t more, std::uint64_t& people) {
  if (more > kMostPeople) return false;
  people += more;
  return people <= kMostPeople;
}

bool AreReturns(std::span<const Moments> stays, Moment last) {
  if (stays.size() < 2) return false;
  return std::ranges::all_of(stays, [&](const Moments& stay) {
    return AreMoments(stay, last) && (stay.second != kStillThere || &stay == &stays.back());
  });
}

bool IsHistory(const History& history, Moment last) {
  std::uint64_t people = 0;
  Moments before{};
  for (const Stay& stay : history.stays) {
    const Moments now(stay.came, stay.left);
    if (!AreMoments(now, last) || stay.came == stay.left || now <= before) return false;
    if (stay.people == 0 || !Counted(stay.people, people)) return false;
    before = now;
  }
  return std::ranges::all_of(history.returns, [&](const Return& person) {
    return AreReturns(person.stays, last) && Counted(person.people, people);
  });
}

bool IsBucket(const Bucket& bucket, Moment last) {
  const std::vector<Value>& values = bucket.signature;
  if (values.size() < 2) return false;
  if (std::ranges::adjacent_find(values, std::ranges::greater_equal()) != values.end())
    return false;
  if (internal::GivenUp(bucket))
    return bucket.history.stays.empty() && bucket.history.returns.empty();
  return IsHistory(bucket.history, last);
}

// The members of all buckets, as they are seen one by one. What there is of a bucket (values,
// stays, returns) is counted in places of its own in one list.
class Register {
 public:
  explicit Register(const State& state) : state_(state) {
    for (const Bucket& bucket : state.buckets) {
      Begin& begin = begins_.emplace_back();
      begin.given_up = internal::GivenUp(bucket);
      begin.values = MakeRoom(bucket.signature.size());
      begin.stays = MakeRoom(bucket.history.stays.size());
      begin.returns = MakeRoom(bucket.history.returns.size());
      for (const Stay& stay : bucket.history.stays) most_[begin.stays++] = stay.people;
      begin.stays -= bucket.history.stays.size();
      for (const Return& people : bucket.history.returns) most_[begin.returns++] = people.people;
      begin.returns -= bucket.history.returns.size();
    }
  }

  bool Enter(const Member& member) {
    if (member.bucket >= begins_.size()) return false;
    const Begin& begin = begins_[member.bucket];
    const std::uint32_t value =
        values_.Of({member.bucket, member.value, 0}, [&] { return ValueOf(begin, member); });
    if (value == kNowhere) return false;
    counts_[value] += member.left == kStillThere;
    if (!AreMoments({member.came, member.left}, state_.release)) return false;
    if (member.stays != kOneStay) return !member.counterfeit && EnterReturn(begin, member);
    return begin.given_up || member.came == member.left || EnterStay(begin, member);
  }

  bool Balanced() const {
    for (std::size_t b = 0; b < begins_.size(); ++b) {
      const auto first = counts_.begin() + static_cast<std::ptrdiff_t>(begins_[b].values);
      const std::ptrdiff_t values = std::ssize(state_.buckets[b].signature);
      if (std::count(first, first + values, *first) != values) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  struct Begin {
    bool given_up = false;
    std::size_t values = 0, stays = 0, returns = 0;  // places
  };

  std::size_t MakeRoom(std::size_t places) {
    counts_.resize(counts_.size() + places);
    most_.resize(counts_.size());
    return counts_.size() - places;
  }

  std::uint32_t ValueOf(const Begin& begin, const Member& member) const {
    const std::vector<Value>& values = state_.buckets[member.bucket].signature;
    const auto at = std::ranges::lower_bound(values, member.value);
    if (at == values.end() || *at != member.value) return kNowhere;
    return static_cast<std::uint32_t>(begin.values + static_cast<std::size_t>(at - values.begin()));
  }
  std::uint32_t StayOf(const Begin& begin, const Member& member) const {
    const std::vector<Stay>& stays = state_.buckets[member.bucket].history.stays;
    const Moments moments(member.came, member.left);
    const auto at = std::ranges::lower_bound(
        stays, moments, {}, [](const Stay& stay) { return Moments(stay.came, stay.left); });
    if (at == stays.end() || Moments(at->came, at->left) != moments) return kNowhere;
    return static_cast<std::uint32_t>(begin.stays + static_cast<std::size_t>(at - stays.begin()));
  }
  bool EnterStay(const Begin& begin, const Member& member) {
    const std::uint32_t at =
        stays_.Of({member.bucket, member.came, member.left}, [&] { return StayOf(begin, member); });
    return at != kNowhere && ++counts_[at] <= most_[at];
  }
  bool EnterReturn(const Begin& begin, const Member& member) {
    const std::vector<Return>& returns = state_.buckets[member.bucket].history.returns;
    if (member.stays >= returns.size()) return false;
    const bool there = returns[member.stays].stays.back().second == kStillThere;
    const std::size_t at = begin.returns + member.stays;
    return (member.left == kStillThere) == there && ++counts_[at] <= most_[at];
  }

  const State& state_;
  std::vector<Begin> begins_;          // per bucket
  std::vector<std::uint64_t> counts_;  // per place: who is still there with a value, else everybody
  std::vector<std::uint64_t> most_;    // per place, as in the history
  internal::AtHand values_, stays_;
};

}  // namespace

bool Coherent(const State& state) {
  const auto is_bucket = [&](const Bucket& bucket) { return IsBucket(bucket, state.release); };
  if (!std::ranges::all_of(state.buckets, is_bucket)) return false;
  Register seen(state);
  for (const Member& member : state.members) {
    if (!seen.Enter(member)) return false;
  }
  return seen.Balanced();
}

}  // namespace reissue::models::invariance
