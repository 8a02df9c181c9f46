#include "reissue/models/invariance/adversary/swaps.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "reissue/models/invariance/adversary/deduce_network.h"
#include "reissue/models/invariance/adversary/worlds.h"

namespace reissue::models::invariance {
namespace {

// People around somebody, who may have other values than the true ones.
constexpr std::size_t kAround = 40, kFromGroup = 6;
constexpr std::uint64_t kNodesEach = 2000;

class Swaps {
 public:
  Swaps(const Web& web, const SwapLimits& limits)
      : groups_(web.groups),
        truth_(web.truth),
        limits_(limits),
        nodes_left_(limits.nodes),
        of_(web.truth.size()),
        found_(web.truth.size()) {
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      for (const Person person : groups_[g].people) of_[person].push_back(g);
    }
  }

  std::vector<std::vector<Value>> Run() {
    for (Person person = 0; person < of_.size(); ++person) {
      found_[person].push_back(truth_[person]);
    }
    Draw();
    Exchange();
    if (!network_) SearchAround();
    return std::move(found_);
  }

 private:
  bool Enough(Person person) const { return found_[person].size() >= limits_.enough; }
  void Add(Person person, Value value) {
    if (Enough(person) || std::ranges::count(found_[person], value) > 0) return;
    found_[person].push_back(value);
  }

  // Nodes and arcs: between releases, between the groups of two, or of people always together.
  void Draw() {
    std::vector<std::uint32_t> releases;
    for (const PublishedGroup& group : groups_) releases.push_back(group.release);
    const bool one_each = std::ranges::adjacent_find(releases) == releases.end();
    releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
    network_ = one_each ? DrawStays(releases) : releases.size() == 2;
    if (network_ && one_each) return;
    arcs_.clear();
    if (network_) return DrawPairs(releases);
    std::map<std::vector<std::uint32_t>, std::uint32_t> kinds;
    for (const auto& groups : of_) {
      const auto kind =
          kinds.emplace(groups, static_cast<std::uint32_t>(2 * kinds.size())).first->second;
      arcs_.emplace_back(kind, kind + 1);
    }
    nodes_ = static_cast<std::uint32_t>(2 * kinds.size());
  }

  // From arrival to departure; false where somebody returned.
  bool DrawStays(const std::vector<std::uint32_t>& releases) {
    for (const auto& groups : of_) {
      const auto came = static_cast<std::uint32_t>(
          std::ranges::lower_bound(releases, groups_[groups.front()].release) - releases.begin());
      const auto left = static_cast<std::uint32_t>(
          std::ranges::lower_bound(releases, groups_[groups.back()].release) - releases.begin() +
          1);
      if (left - came != groups.size()) return false;
      arcs_.emplace_back(came, left);
    }
    nodes_ = static_cast<std::uint32_t>(releases.size() + 1);
    return true;
  }

  // From the group in one release to that in the other; node 0 is elsewhere.
  void DrawPairs(const std::vector<std::uint32_t>& releases) {
    for (const auto& groups : of_) {
      std::pair<std::uint32_t, std::uint32_t> arc;
      for (const std::uint32_t g : groups) {
        (groups_[g].release == releases[0] ? arc.first : arc.second) = g + 1;
      }
      arcs_.push_back(arc);
    }
    nodes_ = static_cast<std::uint32_t>(groups_.size() + 1);
  }

  void Exchange() {
    std::map<Value, std::vector<Person>> having;
    for (Person person = 0; person < truth_.size(); ++person)
      having[truth_[person]].push_back(person);
    for (auto a = having.begin(); a != having.end(); ++a) {
      for (auto b = std::next(a); b != having.end(); ++b) {
        auto enough = [this](Person person) { return Enough(person); };
        if (std::ranges::all_of(a->second, enough) && std::ranges::all_of(b->second, enough))
          continue;
        ExchangeTwo(*a, *b);
      }
    }
  }

  using Having = std::pair<const Value, std::vector<Person>>;
  void ExchangeTwo(const Having& a, const Having& b) {
    std::vector<std::vector<std::uint32_t>> next(nodes_);
    for (const Person person : a.second) next[arcs_[person].first].push_back(arcs_[person].second);
    for (const Person person : b.second) next[arcs_[person].second].push_back(arcs_[person].first);
    const std::vector<std::uint32_t> component = StronglyConnected(next);
    auto take = [&](const Having& from, Value other) {
      for (const Person person : from.second) {
        if (component[arcs_[person].first] == component[arcs_[person].second]) Add(person, other);
      }
    };
    take(a, b.first);
    take(b, a.first);
  }

  void SearchAround() {
    Random random = Random::Seeded(truth_.size());
    for (Person person = 0; person < truth_.size(); ++person) {
      std::set<Value> tried(found_[person].begin(), found_[person].end());
      for (const auto& [value, rows] : groups_[of_[person].front()].values) {
        if (Enough(person) || nodes_left_ == 0 || !tried.insert(value).second) continue;
        SearchWith(person, value, random);
      }
    }
  }

  // Of those around who have one of the two values, the others keep theirs.
  void SearchWith(Person person, Value value, Random& random) {
    const std::vector<Person> around = Around(person, value);
    std::map<std::uint32_t, PublishedGroup> reduced;
    std::vector<Value> truth;
    for (const Person other : around) {
      truth.push_back(truth_[other]);
      for (const std::uint32_t g : of_[other]) {
        PublishedGroup& group = reduced[g];
        group.people.push_back(other);
        const auto at =
            std::ranges::find(group.values, truth_[other], &std::pair<Value, std::uint64_t>::first);
        if (at != group.values.end()) {
          ++at->second;
        } else {
          group.values.emplace_back(truth_[other], 1);
        }
      }
    }
    std::vector<PublishedGroup> groups;
    for (auto& [g, group] : reduced) groups.push_back(std::move(group));
    const Worlds worlds(groups);
    if (worlds.values().size() < 2) return;
    auto number = [](const auto& all, std::uint32_t one) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(all, one) - all.begin());
    };
    Worlds::World like, found;
    for (const Value v : truth) like.push_back(number(worlds.values(), v));
    std::uint64_t nodes = std::min(nodes_left_, kNodesEach);
    const std::uint64_t given = nodes;
    const auto answer =
        worlds.Find({{{number(worlds.people(), person), number(worlds.values(), value)}}, {}},
                    &like, random, nodes, found);
    nodes_left_ -= given - nodes;
    if (answer != Worlds::Answer::kFound) return;
    for (std::size_t i = 0; i < around.size(); ++i) Add(around[i], worlds.values()[found[i]]);
  }

  // Ascending.
  std::vector<Person> Around(Person person, Value value) const {
    std::vector<Person> around = {person};
    std::set<Person> known = {person};
    for (std::size_t next = 0; next < around.size() && around.size() < kAround; ++next) {
      for (const std::uint32_t g : of_[around[next]]) {
        std::size_t here = 0;
        for (const Person other : groups_[g].people) {
          if (truth_[other] != value && truth_[other] != truth_[person]) continue;
          if (around.size() == kAround || here == kFromGroup) break;
          if (!known.insert(other).second) continue;
          around.push_back(other);
          ++here;
        }
      }
    }
    std::ranges::sort(around);
    return around;
  }

  const std::vector<PublishedGroup>& groups_;
  const std::vector<Value>& truth_;
  SwapLimits limits_;
  std::uint64_t nodes_left_;  // of searches
  bool network_ = false;      // cycles are all there is
  std::uint32_t nodes_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs_;  // per person
  std::vector<std::vector<std::uint32_t>> of_;                 // groups per person
  std::vector<std::vector<Value>> found_;
};

}  // namespace

std::vector<std::vector<Value>> SwappedValues(const Web& web, const SwapLimits& limits) {
  return Swaps(web, limits).Run();
}

}  // namespace reissue::models::invariance
