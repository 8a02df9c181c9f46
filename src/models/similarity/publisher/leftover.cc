#include "reissue/models/similarity/publisher/leftover.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace reissue::models::similarity::internal {
namespace {

constexpr std::size_t kLargest = 16;      // groups that are always tried
constexpr std::size_t kNear = 64;         // near ones that are tried in large tables
constexpr std::size_t kTryAll = 400'000;  // rows times groups up to which all are
constexpr std::size_t kNearToJoin = 24;

std::vector<double> MiddlesOf(const Draft& draft) {
  std::vector<double> middles;
  for (const Bunch& bunch : draft.groups) {
    if (!bunch.rows.empty()) draft.AppendMiddle(bunch, middles);
  }
  return middles;
}

// How much more than the guarantee allows, each in its own terms.
double Harm(const Shape& shape, const Guarantee& guarantee) {
  double harm = std::max(0.0, shape.j - guarantee.j);
  if (guarantee.beta > 0) {
    harm = std::max(harm, (shape.beta - guarantee.beta) / (1 + guarantee.beta));
  }
  if (guarantee.t > 0) harm = std::max(harm, shape.t - guarantee.t);
  return harm;
}

// One by one, groups that could take the row, the cheapest first.
class Placement {
 public:
  Placement(Draft& draft, Leftover rule)
      : draft_(draft),
        rule_(rule),
        all_(draft.out.size() * draft.groups.size() <= kTryAll),
        near_(draft),
        trial_(draft.Empty()) {}

  bool Place(std::uint32_t row) {
    FindCandidates(row);
    for (const auto& [cost, group] : candidates_) {
      if (Try(row, group, draft_.shown[row])) return true;
    }
    if (rule_ == Leftover::kRelax) return JoinWithLeastHarm(row);
    if (rule_ == Leftover::kSuppress) return false;
    for (const auto& [cost, group] : candidates_) {
      if (TryOthers(row, group)) return true;
    }
    return false;
  }

 private:
  void FindCandidates(std::uint32_t row) {
    if (all_) {
      found_.resize(draft_.groups.size());
      for (std::uint32_t g = 0; g < found_.size(); ++g) found_[g] = g;
    } else {
      near_.Of(draft_.table().points.of(row), kNear, found_);
    }
    candidates_.clear();
    for (const std::uint32_t group : found_) {
      const Bunch& bunch = draft_.groups[group];
      if (!bunch.rows.empty()) candidates_.push_back({draft_.CostOfAdding(bunch, row), group});
    }
    std::ranges::sort(candidates_);
  }

  bool Try(std::uint32_t row, std::uint32_t group, Value as) {
    trial_ = draft_.groups[group];
    draft_.Add(trial_, row, as);
    if (!draft_.Keeps(trial_)) return false;
    std::swap(draft_.groups[group], trial_);
    draft_.shown[row] = as;
    return true;
  }

  // Values that the group has least of, compared with the table, come first.
  bool TryOthers(std::uint32_t row, std::uint32_t group) {
    std::vector<std::pair<double, Value>> others;
    for (Value value = 0; value < draft_.table().values; ++value) {
      if (value != draft_.table().value[row]) {
        others.push_back({-draft_.RoomFor(draft_.groups[group], value), value});
      }
    }
    std::ranges::sort(others);
    return std::ranges::any_of(others,
                               [&](const auto& other) { return Try(row, group, other.second); });
  }

  bool JoinWithLeastHarm(std::uint32_t row) {
    std::pair<double, std::uint32_t> best{std::numeric_limits<double>::infinity(), 0};
    for (const auto& [cost, group] : candidates_) {
      trial_ = draft_.groups[group];
      draft_.Add(trial_, row);
      const double harm = Harm(draft_.ShapeOf(trial_), draft_.guarantee());
      if (harm < best.first) best = {harm, group};
    }
    Bunch& bunch = draft_.groups[best.second];
    draft_.Add(bunch, row);
    draft_.Relax(draft_.ShapeOf(bunch));
    return true;
  }

  Draft& draft_;
  Leftover rule_;
  bool all_;
  NearGroups near_;
  std::vector<std::uint32_t> found_;
  std::vector<std::pair<double, std::uint32_t>> candidates_;
  Bunch trial_;
};

// With the near group that makes a valid one of both at the least cost.
bool JoinWithNear(Draft& draft, std::uint32_t group, const NearGroups& near) {
  std::vector<std::uint32_t> found;
  near.OfGroup(group, kNearToJoin, found);
  std::vector<std::pair<double, std::uint32_t>> candidates;
  for (const std::uint32_t other : found) {
    if (other == group || draft.groups[other].rows.empty()) continue;
    candidates.push_back({draft.CostOfJoining(draft.groups[group], draft.groups[other]), other});
  }
  std::ranges::sort(candidates);
  for (const auto& [cost, other] : candidates) {
    Bunch both = draft.groups[other];
    draft.Join(both, draft.groups[group]);
    if (!draft.Keeps(both)) continue;
    draft.groups[other] = std::move(both);
    draft.groups[group] = draft.Empty();
    return true;
  }
  return false;
}

}  // namespace

NearGroups::NearGroups(const Draft& draft)
    : middle_(MiddlesOf(draft)),
      columns_(draft.table().points.columns.size()),
      tree_(draft.table().points.columns, middle_) {
  item_.assign(draft.groups.size(), 0);
  for (std::uint32_t g = 0; g < draft.groups.size(); ++g) {
    if (draft.groups[g].rows.empty()) continue;
    item_[g] = static_cast<std::uint32_t>(group_.size());
    group_.push_back(g);
  }
  largest_ = group_;
  const std::size_t kept = std::min(kLargest, largest_.size());
  std::ranges::partial_sort(largest_, largest_.begin() + static_cast<std::ptrdiff_t>(kept),
                            [&](std::uint32_t a, std::uint32_t b) {
                              const std::size_t left = draft.groups[a].rows.size(),
                                                right = draft.groups[b].rows.size();
                              return left != right ? left > right : a < b;
                            });
  largest_.resize(kept);
}

void NearGroups::Of(std::span<const double> place, std::size_t count,
                    std::vector<std::uint32_t>& found) const {
  std::vector<PlaceTree::Found> near;
  tree_.Nearest(place, count, near);
  found = largest_;
  for (const PlaceTree::Found& next : near) found.push_back(group_[next.item]);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

void NearGroups::OfGroup(std::uint32_t group, std::size_t count,
                         std::vector<std::uint32_t>& found) const {
  Of({middle_.data() + item_[group] * columns_, columns_}, count, found);
}

void PlaceLeftovers(Draft& draft, Leftover rule) {
  if (draft.groups.empty() && rule == Leftover::kRelax && !draft.out.empty()) {
    Bunch all = draft.Empty();
    for (const std::uint32_t row : std::exchange(draft.out, {})) draft.Add(all, row);
    draft.Relax(draft.ShapeOf(all));
    draft.groups.push_back(std::move(all));
  }
  if (draft.out.empty() || draft.groups.empty()) return;
  Placement placement(draft, rule);
  std::erase_if(draft.out, [&](std::uint32_t row) { return placement.Place(row); });
}

void Settle(Draft& draft, Leftover rule) {
  while (true) {
    draft.Recount();
    std::vector<std::uint32_t> broken;
    for (std::uint32_t g = 0; g < draft.groups.size(); ++g) {
      if (!draft.groups[g].rows.empty() && !draft.Keeps(draft.groups[g])) broken.push_back(g);
    }
    if (broken.empty()) return draft.Tidy();
    const NearGroups near(draft);
    for (const std::uint32_t group : broken) {
      Bunch& bunch = draft.groups[group];
      if (bunch.rows.empty() || draft.Keeps(bunch) || JoinWithNear(draft, group, near)) continue;
      std::ranges::copy(draft.Dissolve(bunch), std::back_inserter(draft.out));
    }
    std::ranges::sort(draft.out);
    PlaceLeftovers(draft, rule);
  }
}

}  // namespace reissue::models::similarity::internal
