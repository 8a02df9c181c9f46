#include "reissue/models/invariance/adversary/swaps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "reissue/models/invariance/adversary/deduce_network.h"
#include "reissue/models/invariance/adversary/worlds.h"

namespace reissue::models::invariance {
namespace {

// People around somebody, who may have other values than the true ones.
constexpr std::size_t kAround = 40, kFromGroup = 6;
constexpr std::uint64_t kNodesEach = 200;
// Worlds from which exchanges are looked for.
constexpr int kRounds = 12, kCycles = 16;

class Swaps {
 public:
  Swaps(const Web& web, const SwapLimits& limits)
      : groups_(web.groups),
        world_(web.truth),
        limits_(limits),
        nodes_left_(limits.nodes),
        random_(Random::Seeded(web.people.size())),
        of_(web.truth.size()),
        found_(web.truth.size()) {
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      for (const Person person : groups_[g].people) of_[person].push_back(g);
    }
  }

  std::vector<std::vector<Value>> Run() {
    for (Person person = 0; person < of_.size(); ++person) {
      found_[person].push_back(world_[person]);
    }
    Draw();
    return std::move(found_);
  }

 private:
  bool Enough(Person person) const { return found_[person].size() >= limits_.enough; }
  void Add(Person person, Value value) {
    if (Enough(person) || std::ranges::count(found_[person], value) > 0) return;
    found_[person].push_back(value);
  }

  // Nodes and arcs: between releases, or between the groups of one and those of all others.
  void Draw() {
    std::vector<std::uint32_t> releases;
    for (const PublishedGroup& group : groups_) releases.push_back(group.release);
    const bool one_each = std::ranges::adjacent_find(releases) == releases.end();
    releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
    const std::vector<Value> truth = world_;
    bool all = false;  // the network has all exchanges of two values
    for (int round = 0; round < kRounds && !EverybodyHasEnough(); ++round) {
      if (round > 0) Wander();
      all = one_each && DrawStays(releases);
      if (one_each) Exchange();
      for (std::size_t i = 0; i < releases.size() && !all; ++i) {
        DrawApart(releases[i]);
        Exchange();
        all = releases.size() == 2;  // the other one gives the same
      }
    }
    world_ = truth;
    if (!all) SearchAround();
  }

  bool EverybodyHasEnough() const {
    return std::ranges::all_of(found_,
                               [&](const auto& values) { return values.size() >= limits_.enough; });
  }

  // On to another world: people who are always together change places, and some exchange along
  // cycles of the network.
  void Wander() {
    std::map<std::vector<std::uint32_t>, std::vector<Person>> kinds;
    for (Person person = 0; person < of_.size(); ++person) kinds[of_[person]].push_back(person);
    for (const auto& [groups, people] : kinds) {
      std::vector<Value> values;
      for (const Person person : people) values.push_back(world_[person]);
      random_.Shuffle(values);
      for (std::size_t i = 0; i < people.size(); ++i) Set(people[i], values[i]);
    }
    for (int i = 0; i < kCycles; ++i) {
      const auto first = static_cast<Person>(random_.Below(world_.size()));
      const auto second = static_cast<Person>(random_.Below(world_.size()));
      if (world_[first] != world_[second]) ExchangeAlong(first, world_[first], world_[second]);
    }
  }
  void Set(Person person, Value value) {
    world_[person] = value;
    Add(person, value);
  }

  // The first cycle through somebody with value a, if there is any.
  void ExchangeAlong(Person first, Value a, Value b) {
    std::vector<std::vector<Person>> out(nodes_);
    auto ends = [&](Person person) {
      const auto& [from, to] = arcs_[person];
      return world_[person] == a ? std::pair(from, to) : std::pair(to, from);
    };
    for (Person person = 0; person < world_.size(); ++person) {
      if (world_[person] == a || world_[person] == b) out[ends(person).first].push_back(person);
    }
    const auto [begin, end] = ends(first);
    std::vector<std::optional<Person>> by(nodes_);
    std::vector<std::uint32_t> queue = {end};
    for (std::size_t next = 0; next < queue.size() && !by[begin]; ++next) {
      for (const Person person : out[queue[next]]) {
        const std::uint32_t to = ends(person).second;
        if (to == end || by[to]) continue;
        by[to] = person;
        queue.push_back(to);
      }
    }
    if (begin != end && !by[begin]) return;
    std::vector<Person> cycle = {first};
    for (std::uint32_t at = begin; at != end; at = ends(*by[at]).first) cycle.push_back(*by[at]);
    for (const Person person : cycle) Set(person, world_[person] == a ? b : a);
  }

  // From arrival to departure. Who returned can exchange with those who did so likewise; says
  // whether nobody did.
  bool DrawStays(const std::vector<std::uint32_t>& releases) {
    arcs_.clear();
    nodes_ = static_cast<std::uint32_t>(releases.size() + 1);
    std::map<std::vector<std::uint32_t>, std::uint32_t> returned;
    auto place = [&](std::uint32_t g) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(releases, groups_[g].release) -
                                        releases.begin());
    };
    for (const auto& groups : of_) {
      const std::uint32_t came = place(groups.front()), left = place(groups.back()) + 1;
      if (left - came == groups.size()) {
        arcs_.emplace_back(came, left);
        continue;
      }
      const auto [at, added] = returned.emplace(groups, nodes_);
      if (added) nodes_ += 2;
      arcs_.emplace_back(at->second, at->second + 1);
    }
    return returned.empty();
  }

  // From the group in one release to those in all others, together. With two releases these are
  // all exchanges that there are.
  void DrawApart(std::uint32_t release) {
    arcs_.clear();
    std::map<std::vector<std::uint32_t>, std::uint32_t> nodes;
    auto node = [&](std::vector<std::uint32_t> groups) {
      return nodes.emplace(std::move(groups), static_cast<std::uint32_t>(nodes.size()))
          .first->second;
    };
    constexpr std::uint32_t kElsewhere = 0xffffffffu;
    for (const auto& groups : of_) {
      std::vector<std::uint32_t> here = {kElsewhere}, others = {kElsewhere, kElsewhere};
      for (const std::uint32_t g : groups) {
        if (groups_[g].release == release) {
          here.front() = g;
        } else {
          others.push_back(g);
        }
      }
      const std::uint32_t from = node(std::move(here));
      arcs_.emplace_back(from, node(std::move(others)));
    }
    nodes_ = static_cast<std::uint32_t>(nodes.size());
  }

  void Exchange() {
    std::map<Value, std::vector<Person>> having;
    for (Person person = 0; person < world_.size(); ++person)
      having[world_[person]].push_back(person);
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
    for (Person person = 0; person < world_.size(); ++person) {
      std::set<Value> tried(found_[person].begin(), found_[person].end());
      for (const auto& [value, rows] : groups_[of_[person].front()].values) {
        if (Enough(person) || nodes_left_ == 0 || !tried.insert(value).second) continue;
        SearchWith(person, value);
      }
    }
  }

  // Of those around who have one of the two values, the others keep theirs.
  void SearchWith(Person person, Value value) {
    const std::vector<Person> around = Around(person, value);
    std::map<std::uint32_t, PublishedGroup> reduced;
    std::vector<Value> truth;
    for (const Person other : around) {
      truth.push_back(world_[other]);
      for (const std::uint32_t g : of_[other]) {
        PublishedGroup& group = reduced[g];
        group.people.push_back(other);
        const auto at =
            std::ranges::find(group.values, world_[other], &std::pair<Value, std::uint64_t>::first);
        if (at != group.values.end()) {
          ++at->second;
        } else {
          group.values.emplace_back(world_[other], 1);
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
                    &like, random_, nodes, found);
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
          if (world_[other] != value && world_[other] != world_[person]) continue;
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
  std::vector<Value> world_;  // one of those that are known
  SwapLimits limits_;
  std::uint64_t nodes_left_;  // of searches
  Random random_;
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
