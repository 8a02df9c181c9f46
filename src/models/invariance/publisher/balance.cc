#include "reissue/models/invariance/publisher/balance.h"

#include <algorithm>
#include <numeric>

#include "reissue/models/invariance/publisher/movement.h"

namespace reissue::models::invariance::internal {
namespace {

// Work that may be spent to find out that no counterfeit is needed.
constexpr std::uint64_t kNodes = 2000;

}  // namespace

std::uint64_t Work::people_in_all() const {
  return std::accumulate(people.begin(), people.end(), std::uint64_t{0});
}
std::uint64_t Work::most_people() const { return *std::ranges::max_element(people); }

bool Judge::Safe(const Bucket& bucket, const History& history, std::uint64_t arrivals) const {
  if (everything_is_safe()) return true;
  if (GivenUp(bucket)) return arrivals >= options_.e;
  History after = history;
  AddStay(after, {now_, kStillThere, arrivals});
  // Whoever comes first in the state must not matter, not even where a limit is reached.
  std::ranges::sort(after.returns, {}, &Return::stays);
  if (!SafeByWeights(bucket, after, arrivals)) return false;
  if (after.returns.empty() || bucket.merged) return true;
  // With people who came back, whole numbers may prove more: in small buckets they do.
  return HoldsInWorlds(after, bucket.signature.size(), options_.e, {.nodes = kNodes})
      .value_or(true);
}

bool Judge::SafeByWeights(const Bucket& bucket, const History& after,
                          std::uint64_t arrivals) const {
  if (options_.rule == Rule::kExact || !after.returns.empty()) {
    if (arrivals >= options_.e) return true;
  }
  if (options_.rule == Rule::kPaper) {
    const auto cut = LeastCut(after);
    return !cut.has_value() || *cut > 2 * (options_.e - 1);
  }
  if (Holds(after, bucket.signature.size(), options_.e)) return true;
  // People who came back may hold things together that are loose without them.
  if (after.returns.empty()) return false;
  const LeastEquality least = Least(after, {.nodes = kNodes, .cap = options_.e});
  return least.lower.has_value() ? *least.lower >= options_.e : !least.upper.has_value();
}

History Judge::Without(const Bucket& bucket, const std::vector<Member>& members,
                       const std::vector<std::uint32_t>& counterfeits) const {
  History history = bucket.history;
  if (GivenUp(bucket)) return history;
  for (const std::uint32_t member : counterfeits) {
    AddStay(history, {members[member].came, now_, 1});
    for (Stay& stay : history.stays) {
      if (stay.came == members[member].came && stay.left == kStillThere) --stay.people;
    }
  }
  std::erase_if(history.stays, [](const Stay& stay) { return stay.people == 0; });
  return history;
}

bool Judge::SafeAfresh(const Bucket& bucket, const Work& work, const History& gone,
                       std::uint64_t rows) const {
  const std::uint64_t arrivals = work.open(rows);
  if (!work.moved() && work.counterfeits.empty() && arrivals == 0) return true;
  return Safe(bucket, gone, arrivals);
}

void Judge::Settle(const Bucket& bucket, const std::vector<Member>& members, Work& work) const {
  const std::uint64_t least = work.most_people();
  const std::uint64_t before = work.people[0] + work.fakes[0];  // if nothing moved
  work.rows = least;
  if (!work.moved() && (work.counterfeits.empty() || options_.rule == Rule::kPaper)) {
    work.rows = before;
    work.still = true;
    return;
  }
  if (everything_is_safe()) return;
  const History gone = Without(bucket, members, work.counterfeits);
  while (!SafeAfresh(bucket, work, gone, work.rows)) {
    if (!work.moved() && work.rows == before) {
      work.still = true;
      break;
    }
    ++work.rows;
  }
  work.topped_up = work.rows > least && !work.still;
}

}  // namespace reissue::models::invariance::internal
