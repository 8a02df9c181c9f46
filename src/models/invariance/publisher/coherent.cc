#include "reissue/models/invariance/publisher/coherent.h"

#include <algorithm>
#include <functional>
#include <span>

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

// The members of one bucket, as they are seen one by one.
class Register {
 public:
  explicit Register(const Bucket& bucket)
      : bucket_(bucket),
        there_(bucket.signature.size()),
        stays_(bucket.history.stays.size()),
        returns_(bucket.history.returns.size()) {}

  bool Enter(const Member& member, Moment last) {
    const auto slot = std::ranges::lower_bound(bucket_.signature, member.value);
    if (slot == bucket_.signature.end() || *slot != member.value) return false;
    if (member.left == kStillThere)
      ++there_[static_cast<std::size_t>(slot - bucket_.signature.begin())];
    if (!AreMoments({member.came, member.left}, last)) return false;
    if (member.stays != kOneStay) return !member.counterfeit && EnterReturn(member);
    return internal::GivenUp(bucket_) || member.came == member.left || EnterStay(member);
  }
  bool Balanced() const { return std::ranges::count(there_, there_[0]) == std::ssize(there_); }

 private:
  bool EnterStay(const Member& member) {
    const std::vector<Stay>& stays = bucket_.history.stays;
    const Moments moments(member.came, member.left);
    const auto at = std::ranges::lower_bound(
        stays, moments, {}, [](const Stay& stay) { return Moments(stay.came, stay.left); });
    if (at == stays.end() || Moments(at->came, at->left) != moments) return false;
    return ++stays_[static_cast<std::size_t>(at - stays.begin())] <= at->people;
  }
  bool EnterReturn(const Member& member) {
    if (member.stays >= returns_.size()) return false;
    const Return& person = bucket_.history.returns[member.stays];
    return (member.left == kStillThere) == (person.stays.back().second == kStillThere) &&
           ++returns_[member.stays] <= person.people;
  }

  const Bucket& bucket_;
  std::vector<std::uint64_t> there_;            // per value
  std::vector<std::uint64_t> stays_, returns_;  // as in the history
};

}  // namespace

bool Coherent(const State& state) {
  const auto is_bucket = [&](const Bucket& bucket) { return IsBucket(bucket, state.release); };
  if (!std::ranges::all_of(state.buckets, is_bucket)) return false;
  std::vector<Register> registers(state.buckets.begin(), state.buckets.end());
  for (const Member& member : state.members) {
    if (member.bucket >= registers.size()) return false;
    if (!registers[member.bucket].Enter(member, state.release)) return false;
  }
  return std::ranges::all_of(registers, &Register::Balanced);
}

}  // namespace reissue::models::invariance
