#include "reissue/models/invariance/publisher/movement.h"

#include <algorithm>
#include <set>

namespace reissue::models::invariance::internal {
namespace {

// Histories with no more moments than this are left alone: they are small enough, and as long as
// nothing is merged people may come back as they like.
constexpr std::size_t kMomentsLeftAlone = 12;
// With more moments than this more of them are merged, and fewer people may come back.
constexpr std::size_t kMomentsAtEase = 48;
constexpr std::uint64_t kLittleSlack = 4;
// With still more the history is given up.
constexpr std::size_t kMostMoments = 96;

auto Place(std::vector<Stay>& stays, const Stay& stay) {
  return std::lower_bound(stays.begin(), stays.end(), stay, [](const Stay& a, const Stay& b) {
    return std::pair(a.came, a.left) < std::pair(b.came, b.left);
  });
}

std::set<Moment> MomentsOf(const History& history) {
  std::set<Moment> moments;
  for (const Stay& stay : history.stays) moments.insert({stay.came, stay.left});
  for (const Return& people : history.returns) {
    for (const auto& [came, left] : people.stays) moments.insert({came, left});
  }
  moments.erase(kStillThere);
  return moments;
}

// How the members of one bucket are renumbered.
struct Renumbering {
  bool any = false;
  bool given_up = false;
  std::vector<Moment> moments;                    // by old moment
  std::vector<std::pair<Moment, Moment>> merged;  // the moments that became others
  std::vector<std::uint32_t> returns;             // by old index; kOneStay: one stay is left
  std::vector<std::pair<Moment, Moment>> single;  // by old index: that stay
};

Moment Renumbered(const Renumbering& to, Moment moment) {
  return moment < to.moments.size() ? to.moments[moment] : moment;
}

std::vector<std::pair<Moment, Moment>> Shortened(std::vector<std::pair<Moment, Moment>> stays,
                                                 const Renumbering& to) {
  for (auto& [came, left] : stays) {
    came = Renumbered(to, came);
    left = Renumbered(to, left);
  }
  return Reduced(stays);
}

void RenumberHistory(History& history, Renumbering& to) {
  History merged;
  for (const Stay& stay : history.stays) {
    const Stay moved{Renumbered(to, stay.came), Renumbered(to, stay.left), stay.people};
    if (moved.came != moved.left && moved.people > 0) AddStay(merged, moved);
  }
  std::map<std::vector<std::pair<Moment, Moment>>, std::uint32_t> known;
  for (const Return& people : history.returns) {
    const auto stays = Shortened(people.stays, to);
    to.returns.push_back(kOneStay);
    const Moment last = Renumbered(to, people.stays.back().second);
    to.single.push_back(stays.empty() ? std::pair(last, last) : stays.front());
    if (people.people == 0 || stays.empty()) continue;
    if (stays.size() == 1) {
      AddStay(merged, {stays[0].first, stays[0].second, people.people});
      continue;
    }
    const auto [at, fresh] =
        known.emplace(stays, static_cast<std::uint32_t>(merged.returns.size()));
    if (fresh) merged.returns.push_back({stays, 0});
    merged.returns[at->second].people += people.people;
    to.returns.back() = at->second;
  }
  history = std::move(merged);
}

// Merges and renumbers; says whether any moments were merged.
bool Merge(Bucket& bucket, std::uint64_t e, std::uint64_t slack, Moment now, Renumbering& to) {
  const auto classes = Mergeable(bucket.history, e, slack);
  const bool merges =
      std::ranges::any_of(classes, [](const auto& pair) { return pair.first != pair.second; });
  const bool idle = std::ranges::any_of(bucket.history.returns,
                                        [](const Return& people) { return people.people == 0; });
  if (!merges && !idle) return false;
  to.any = true;
  to.moments.resize(now + 1);
  for (Moment moment = 0; moment <= now; ++moment) to.moments[moment] = moment;
  for (const auto& [moment, leader] : classes) to.moments[moment] = leader;
  to.merged = classes;
  RenumberHistory(bucket.history, to);
  bucket.merged = bucket.merged || merges;
  return merges;
}

Renumbering Shrink(Bucket& bucket, std::uint64_t e, Moment now) {
  Renumbering to;
  const std::size_t moments = GivenUp(bucket) ? 0 : MomentsOf(bucket.history).size();
  if (moments > kMostMoments) {
    bucket.merged = true;
    bucket.returned = kReturnSlack + 1;
  }
  if (GivenUp(bucket)) {
    to.given_up = to.any = !bucket.history.stays.empty() || !bucket.history.returns.empty();
    bucket.history = {};
  } else if (moments > kMomentsAtEase) {
    const std::uint64_t slack = std::min(kReturnSlack - bucket.returned, kLittleSlack);
    if (Merge(bucket, e, slack, now, to)) bucket.returned = kReturnSlack - slack;
  } else if (moments > kMomentsLeftAlone && !FewInHistory(bucket.history)) {
    Merge(bucket, e, kReturnSlack - bucket.returned, now, to);
  }
  return to;
}

void RenumberMember(Member& member, const Renumbering& to) {
  if (to.given_up) {
    member.stays = kOneStay;
    return;
  }
  if (member.stays != kOneStay) {
    const std::uint32_t before = member.stays;
    member.stays = to.returns[before];
    if (member.stays == kOneStay) {
      std::tie(member.came, member.left) = to.single[before];
      return;
    }
  }
  member.came = Renumbered(to, member.came);
  member.left = Renumbered(to, member.left);
}

}  // namespace

bool GivenUp(const Bucket& bucket) { return bucket.merged && bucket.returned > kReturnSlack; }

void AddStay(History& history, const Stay& stay) {
  if (stay.people == 0) return;
  const auto place = Place(history.stays, stay);
  if (place != history.stays.end() && place->came == stay.came && place->left == stay.left) {
    place->people += stay.people;
  } else {
    history.stays.insert(place, stay);
  }
}

Movement::Movement(std::vector<Bucket>& buckets, Moment now)
    : buckets_(&buckets), now_(now), counts_(buckets.size()) {
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    counts_[b].leave.resize(buckets[b].history.stays.size());
    counts_[b].back.resize(buckets[b].history.stays.size());
  }
}

std::size_t Movement::Find(const Member& member) const {
  std::vector<Stay>& stays = (*buckets_)[member.bucket].history.stays;
  const auto place = Place(stays, {member.came, member.left});
  REISSUE_CHECK(place != stays.end() && place->came == member.came && place->left == member.left);
  return static_cast<std::size_t>(place - stays.begin());
}

void Movement::Continue(Member& member, bool leaves) {
  std::vector<Return>& returns = (*buckets_)[member.bucket].history.returns;
  const auto [at, fresh] = continued_.try_emplace({member.bucket, member.stays, leaves});
  if (fresh) {
    at->second = static_cast<std::uint32_t>(returns.size());
    Return people{returns[member.stays].stays, 0};
    if (leaves) {
      people.stays.back().second = now_;
    } else {
      people.stays.emplace_back(now_, kStillThere);
    }
    returns.push_back(std::move(people));
  }
  --returns[member.stays].people;
  ++returns[at->second].people;
  member.stays = at->second;
}

std::uint32_t Movement::Opened(std::uint32_t bucket, std::pair<Moment, Moment> first) {
  std::vector<Return>& returns = (*buckets_)[bucket].history.returns;
  const auto [at, fresh] = opened_.try_emplace({bucket, first.first, first.second});
  if (fresh) {
    at->second = static_cast<std::uint32_t>(returns.size());
    returns.push_back({{first, {now_, kStillThere}}, 0});
  }
  ++returns[at->second].people;
  return at->second;
}

void Movement::Leave(Member& member) {
  if (!GivenUp((*buckets_)[member.bucket])) {
    if (member.stays != kOneStay) {
      Continue(member, true);
    } else {
      ++counts_[member.bucket].leave[Find(member)];
    }
  }
  member.left = now_;
}

void Movement::ComeBack(Member& member) {
  Bucket& bucket = (*buckets_)[member.bucket];
  if (!GivenUp(bucket)) {
    if (member.stays != kOneStay) {
      Continue(member, false);
    } else if (member.came == member.left) {
      ++counts_[member.bucket].afresh;
    } else {
      ++counts_[member.bucket].back[Find(member)];
      member.stays = Opened(member.bucket, {member.came, member.left});
    }
  }
  member.came = now_;
  member.left = kStillThere;
}

void Movement::Finish() {
  for (std::size_t b = 0; b < counts_.size(); ++b) {
    const Counts& counts = counts_[b];
    History& history = (*buckets_)[b].history;
    std::vector<Stay> ended;
    for (std::size_t i = 0; i < counts.leave.size(); ++i) {
      Stay& stay = history.stays[i];
      if (counts.leave[i] > 0) ended.push_back({stay.came, now_, counts.leave[i]});
      stay.people -= counts.leave[i] + counts.back[i];
    }
    std::erase_if(history.stays, [](const Stay& stay) { return stay.people == 0; });
    for (const Stay& stay : ended) AddStay(history, stay);
    AddStay(history, {now_, kStillThere, counts.afresh});
  }
}

std::vector<MergedMoment> Compact(State& state, std::uint64_t e) {
  std::vector<Renumbering> to;
  std::vector<MergedMoment> merged;
  to.reserve(state.buckets.size());
  for (Bucket& bucket : state.buckets) {
    const auto number = static_cast<std::uint32_t>(to.size());
    to.push_back(Shrink(bucket, e, state.release));
    for (const auto& [from, leader] : to.back().merged) merged.push_back({number, from, leader});
  }
  if (std::ranges::none_of(to, &Renumbering::any)) return merged;
  for (Member& member : state.members) {
    if (to[member.bucket].any) RenumberMember(member, to[member.bucket]);
  }
  return merged;
}

std::vector<std::pair<Moment, Moment>> Reduced(std::span<const std::pair<Moment, Moment>> stays) {
  std::vector<std::pair<Moment, Moment>> shorter;
  for (const std::pair<Moment, Moment>& stay : stays) {
    if (stay.first == stay.second) continue;
    if (!shorter.empty() && shorter.back().second == stay.first) {
      shorter.back().second = stay.second;
      if (shorter.back().first == shorter.back().second) shorter.pop_back();
    } else {
      shorter.push_back(stay);
    }
  }
  return shorter;
}

}  // namespace reissue::models::invariance::internal
