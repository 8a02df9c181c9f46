#include <set>

#include "reissue/models/invariance/adversary/all_worlds.h"
#include "reissue/models/invariance/adversary/history.h"

namespace reissue::models::invariance {
namespace {

using Stays = std::vector<std::pair<Moment, Moment>>;

bool There(const Stays& stays, Moment moment) {
  for (const auto& [came, left] : stays) {
    if (came <= moment && (left == kStillThere || moment < left)) return true;
  }
  return false;
}

// People with the same stays, and how many.
using Kinds = std::vector<std::pair<Stays, std::uint64_t>>;
Kinds KindsOf(const History& history) {
  Kinds kinds;
  for (const Stay& stay : history.stays) kinds.push_back({{{stay.came, stay.left}}, stay.people});
  for (const Return& back : history.returns) kinds.push_back({back.stays, back.people});
  return kinds;
}

std::pair<std::uint64_t, std::set<Moment>> ExtentOf(const Kinds& kinds) {
  std::pair<std::uint64_t, std::set<Moment>> size;
  for (const auto& [stays, count] : kinds) {
    size.first += count;
    for (const auto& [came, left] : stays) size.second.insert({came, left});
  }
  size.second.erase(kStillThere);
  return size;
}

}  // namespace

bool FewInHistory(const History& history) {
  const auto [people, moments] = ExtentOf(KindsOf(history));
  return AllWorlds::Few(people, moments.size());
}

std::optional<bool> HoldsInWorlds(const History& history, std::uint64_t values, std::uint64_t e,
                                  const EqualityLimits& limits) {
  const Kinds kinds = KindsOf(history);
  const auto [all_people, moments] = ExtentOf(kinds);
  if (!AllWorlds::Few(all_people, moments.size())) return std::nullopt;
  std::vector<PublishedGroup> groups;
  for (const Moment moment : moments) {
    PublishedGroup group{moment, 0, {}, {}};
    Person next = 0;
    for (const auto& [stays, count] : kinds) {
      const bool there = There(stays, moment);
      for (std::uint64_t i = 0; i < count; ++i, ++next) {
        if (there) group.people.push_back(next);
      }
    }
    if (group.people.empty()) continue;
    for (Value value = 0; value < values; ++value)
      group.values.emplace_back(value, group.people.size() / values);
    groups.push_back(std::move(group));
  }
  const AllWorlds::Equalities found = AllWorlds(groups, limits.nodes).Below(e);
  return found.decided && found.size == 0;
}

}  // namespace reissue::models::invariance
