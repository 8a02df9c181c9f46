#include "reissue/models/invariance/adversary/deduce.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reissue/core/result.h"
#include "reissue/models/invariance/adversary/deduce_equal.h"
#include "reissue/models/invariance/adversary/deduce_network.h"
#include "reissue/models/invariance/adversary/deduce_search.h"
#include "reissue/models/invariance/adversary/deduce_sets.h"

namespace reissue::models::invariance {
namespace {

// Groups whose people are never in groups elsewhere. Per release, taken together, they are one
// large group; where nobody returns, the people are arcs from arrival to departure.
struct Chain {
  std::vector<std::vector<std::uint32_t>> groups;  // per release in which there are any
  std::vector<std::uint32_t> releases;
  std::vector<Person> people;
  bool simple = true;  // one group per release, and nobody returns
  // One signature, of which every group has all values equally often. As long as nothing else is
  // known, everybody may have any of them: one m-th of each is a flow that no arc limits.
  bool uniform = true;
  bool dirty = false;
  bool complete = true;  // nothing is missed that one value at a time can show
  // Neither one group per release without returns nor two releases, but small: solved by trying.
  bool tried = false;
};

// Arrivals and departures, in numbers of a chain's releases.
using Stays = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// What all worlds agree on, as far as the rules below see.
class Deduction {
 public:
  Deduction(const Series& series, const std::vector<KnownValue>& known) : series_(series) {
    ReadGroups();
    MakeChains();
    FindEqualPeople();
    for (const KnownValue& fact : known) {
      REISSUE_CHECK(fact.person < series.persons);
      Narrow(fact.person, sets_.Of({fact.value}));
    }
  }

  void Run() {
    for (bool more = true; more && !contradiction_;) {
      RunGroups();
      RunEqualPeople();
      RunChains();
      if (dirty_groups_.empty() && dirty_classes_.empty() && !contradiction_) RunPairs();
      more = !dirty_groups_.empty() || !dirty_classes_.empty() || AnyChainDirty();
    }
  }

  bool contradiction() const { return contradiction_; }
  bool complete() const {
    return std::ranges::all_of(chains_, [](const Chain& chain) { return chain.complete; });
  }
  void Tell(Consequences& result) const {
    static_assert(kAnything == Consequences::kNeverThere);
    for (SetId set = 0; set < sets_.size(); ++set) result.sets.push_back(sets_[set]);
    result.set_of = set_;
  }

 private:
  static constexpr SetId kAnything = static_cast<SetId>(-1);
  // People in pairs of releases: neighbours first, while this lasts.
  static constexpr std::uint64_t kPairWork = 1'000'000;
  // What is small enough for trying.
  static constexpr std::size_t kFewPeople = 60;
  static constexpr std::uint64_t kTrialNodes = 20'000;

  void ReadGroups() {
    set_.assign(series_.persons, kAnything);
    groups_of_.resize(series_.persons);
    for (std::uint32_t r = 0; r < series_.releases.size(); ++r) {
      for (PublishedGroup& published : GroupsOf(series_, r)) {
        std::vector<Value> values;
        for (const auto& [value, rows] : published.values) values.push_back(value);
        const SetId set = sets_.Of(std::move(values));
        const auto number = static_cast<std::uint32_t>(groups_.size());
        for (const Person person : published.people) {
          groups_of_[person].push_back(number);
          set_[person] = set_[person] == kAnything ? set : sets_.Intersect(set_[person], set);
          if (sets_[set_[person]].empty()) contradiction_ = true;
        }
        signature_.push_back(set);
        groups_.push_back(std::move(published));
      }
    }
  }

  void MakeChains() {
    // Signatures that share people belong together.
    std::map<SetId, SetId> parent;
    for (const SetId set : signature_) parent.emplace(set, set);
    auto find = [&parent](SetId x) {
      while (parent[x] != x) x = parent[x] = parent[parent[x]];
      return x;
    };
    for (const auto& groups : groups_of_) {
      for (const std::uint32_t g : groups) {
        if (signature_[g] != signature_[groups.front()]) {
          parent[find(signature_[g])] = find(signature_[groups.front()]);
        }
      }
    }
    std::map<SetId, std::uint32_t> chain_of_root;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      const auto [at, added] =
          chain_of_root.emplace(find(signature_[g]), static_cast<std::uint32_t>(chains_.size()));
      if (added) chains_.emplace_back();
      chain_of_.push_back(at->second);
      Chain& chain = chains_[at->second];
      if (chain.releases.empty() || chain.releases.back() != groups_[g].release) {
        chain.releases.push_back(groups_[g].release);
        chain.groups.emplace_back();
      }
      chain.groups.back().push_back(g);
      chain.simple &= chain.groups.back().size() == 1;
      chain.uniform &= Uniform(g, chain.groups.front().front());
    }
    stays_of_.assign(series_.persons, 0);
    std::map<Stays, std::uint32_t> ids;
    for (Person person = 0; person < series_.persons; ++person) {
      if (groups_of_[person].empty()) continue;
      Chain& chain = chains_[chain_of_[groups_of_[person].front()]];
      chain.people.push_back(person);
      Stays stays = StaysOf(chain, person);
      if (stays.size() > 1) chain.simple = false;
      const auto [at, added] = ids.emplace(stays, static_cast<std::uint32_t>(stays_.size()));
      if (added) stays_.push_back(std::move(stays));
      stays_of_[person] = at->second;
    }
    for (Chain& chain : chains_) {
      chain.complete = chain.simple || chain.releases.size() <= 2;
      chain.tried = !chain.complete && chain.people.size() <= kFewPeople;
      chain.dirty = !chain.uniform || chain.tried;
      if (chain.uniform) continue;
      for (const auto& groups : chain.groups) dirty_groups_.insert(groups.begin(), groups.end());
    }
  }

  bool Uniform(std::uint32_t g, std::uint32_t first) const {
    const auto& values = groups_[g].values;
    return signature_[g] == signature_[first] &&
           std::ranges::all_of(values, [&](const auto& v) { return v.second == values[0].second; });
  }

  Stays StaysOf(const Chain& chain, Person person) const {
    Stays stays;
    for (const std::uint32_t g : groups_of_[person]) {
      const auto at = static_cast<std::uint32_t>(
          std::ranges::lower_bound(chain.releases, groups_[g].release) - chain.releases.begin());
      if (stays.empty() || stays.back().second != at) {
        stays.emplace_back(at, at + 1);
      } else {
        stays.back().second = at + 1;
      }
    }
    return stays;
  }

  // In a simple chain the network sees it.
  void FindEqualPeople() {
    class_of_.assign(series_.persons, kAnything);
    std::vector<bool> asked;
    for (const std::uint32_t chain : chain_of_) asked.push_back(!chains_[chain].simple);
    for (const auto& [p, q] : EqualPeople(groups_, asked)) Unite(p, q);
  }

  void Unite(Person p, Person q) {
    SetId &a = class_of_[p], &b = class_of_[q];
    if (a == kAnything && b == kAnything) {
      a = b = static_cast<SetId>(classes_.size());
      classes_.push_back({p, q});
    } else if (a == kAnything || b == kAnything) {
      const SetId known = a == kAnything ? b : a;
      classes_[known].push_back(a == kAnything ? p : q);
      a = b = known;
    } else if (a != b) {
      const SetId gone = b, kept = a;
      for (const Person member : classes_[gone]) {
        class_of_[member] = kept;
        classes_[kept].push_back(member);
      }
      classes_[gone].clear();
    }
    dirty_classes_.insert(class_of_[p]);
  }

  // From now on only these values are possible.
  void Narrow(Person person, SetId values) {
    const SetId before = set_[person];
    set_[person] = before == kAnything ? values : sets_.Intersect(before, values);
    if (set_[person] == before) return;
    if (sets_[set_[person]].empty()) contradiction_ = true;
    if (groups_of_[person].empty()) return;
    dirty_groups_.insert(groups_of_[person].begin(), groups_of_[person].end());
    chains_[chain_of_[groups_of_[person].front()]].dirty = true;
    if (class_of_[person] != kAnything) dirty_classes_.insert(class_of_[person]);
  }

  // A group by itself: people with the same possible values, against the values and their rows.
  void RunGroups() {
    while (!dirty_groups_.empty() && !contradiction_) {
      const PublishedGroup& group = groups_[*dirty_groups_.begin()];
      dirty_groups_.erase(dirty_groups_.begin());
      std::map<SetId, std::uint64_t> kinds;
      for (const Person person : group.people) ++kinds[set_[person]];
      if (kinds.size() == 1 && sets_[kinds.begin()->first].size() == group.values.size()) continue;
      const std::map<SetId, SetId> narrowed = MatchGroup(group, kinds);
      if (contradiction_ || narrowed.empty()) continue;
      for (const Person person : group.people) {
        const auto at = narrowed.find(set_[person]);
        if (at != narrowed.end()) Narrow(person, at->second);
      }
    }
  }

  std::map<SetId, SetId> MatchGroup(const PublishedGroup& group,
                                    const std::map<SetId, std::uint64_t>& kinds) {
    Network network(kinds.size() + group.values.size());
    std::vector<std::pair<SetId, Value>> meaning;
    std::uint32_t node = 0;
    for (std::uint32_t v = 0; v < group.values.size(); ++v) {
      network.AddSupply(static_cast<std::uint32_t>(kinds.size()) + v,
                        -static_cast<std::int64_t>(group.values[v].second));
    }
    for (const auto& [set, people] : kinds) {
      network.AddSupply(node, static_cast<std::int64_t>(people));
      for (std::uint32_t v = 0; v < group.values.size(); ++v) {
        if (!sets_.Has(set, group.values[v].first)) continue;
        network.AddArc(node, static_cast<std::uint32_t>(kinds.size()) + v, people);
        meaning.emplace_back(set, group.values[v].first);
      }
      ++node;
    }
    const std::vector<Network::Forced> forced = network.Solve();
    if (forced.size() != meaning.size() || forced.empty()) contradiction_ = true;
    std::map<SetId, SetId> narrowed;
    if (contradiction_) return narrowed;
    for (std::size_t a = 0; a < forced.size(); ++a) {
      const auto& [set, value] = meaning[a];
      if (forced[a] == Network::Forced::kFree) continue;
      SetId& now = narrowed.emplace(set, set).first->second;
      now = forced[a] == Network::Forced::kAll ? sets_.Of({value}) : sets_.Without(now, value);
    }
    std::erase_if(narrowed, [](const auto& entry) { return entry.first == entry.second; });
    return narrowed;
  }

  void RunEqualPeople() {
    while (!dirty_classes_.empty() && !contradiction_) {
      const std::vector<Person>& members = classes_[*dirty_classes_.begin()];
      dirty_classes_.erase(dirty_classes_.begin());
      if (members.empty()) continue;
      SetId common = set_[members.front()];
      for (const Person member : members) common = sets_.Intersect(common, set_[member]);
      for (const Person member : members) Narrow(member, common);
    }
  }

  bool AnyChainDirty() const {
    return std::ranges::any_of(chains_, [](const Chain& chain) { return chain.dirty; });
  }

  void RunChains() {
    for (Chain& chain : chains_) {
      if (!chain.dirty || contradiction_) continue;
      chain.dirty = false;
      if (!chain.simple) pairs_wanted_.insert(&chain);
      if (chain.releases.size() == 1 && chain.simple) continue;
      std::vector<Kind> kinds;
      std::map<std::pair<std::uint32_t, SetId>, std::size_t> places;
      for (const Person person : chain.people) {
        const auto [at, added] =
            places.emplace(std::pair(stays_of_[person], set_[person]), kinds.size());
        if (added) kinds.push_back({set_[person], 0, stays_[stays_of_[person]], set_[person]});
        ++kinds[at->second].people;
      }
      const auto end = static_cast<std::uint32_t>(chain.releases.size());
      Supplies supplies;
      for (std::uint32_t t = 0; t < end; ++t) {
        for (const std::uint32_t g : chain.groups[t]) {
          for (const auto& [value, rows] : groups_[g].values) {
            supplies[value][t] += static_cast<std::int64_t>(rows);
            supplies[value][t + 1] -= static_cast<std::int64_t>(rows);
          }
        }
      }
      RunNetworks(kinds, supplies, end + 1);
      if (contradiction_) return;
      for (const Person person : chain.people) {
        const std::size_t kind = places.at(std::pair(stays_of_[person], set_[person]));
        Narrow(person, kinds[kind].narrowed);
      }
    }
  }

  // People who are the same to a network: arcs, and possible values.
  struct Kind {
    SetId set = 0;
    std::uint64_t people = 0;
    Stays arcs;
    SetId narrowed = 0;  // what is possible afterwards
  };
  using Supplies = std::map<Value, std::map<std::uint32_t, std::int64_t>>;

  // One value at a time: who may have it is an arc that may carry 1, who must is one that does.
  void RunNetworks(std::vector<Kind>& kinds, const Supplies& supplies, std::size_t nodes) {
    std::map<Value, std::vector<std::size_t>> kinds_with;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      for (const Value value : sets_[kinds[k].set]) kinds_with[value].push_back(k);
    }
    for (const auto& [value, supply] : supplies) {
      Network network(nodes);
      for (const auto& [node, amount] : supply) network.AddSupply(node, amount);
      // An arc without capacity, so that there is an answer where nothing is open.
      network.AddArc(0, 0, 0);
      std::vector<std::size_t> meaning = {0};
      for (const std::size_t k : kinds_with[value]) {
        const bool must = sets_[kinds[k].set].size() == 1;
        for (const auto& [from, to] : kinds[k].arcs) {
          if (must) {
            network.AddSupply(from, -static_cast<std::int64_t>(kinds[k].people));
            network.AddSupply(to, static_cast<std::int64_t>(kinds[k].people));
          } else {
            network.AddArc(from, to, kinds[k].people);
            meaning.push_back(k);
          }
        }
      }
      const std::vector<Network::Forced> forced = network.Solve();
      if (forced.empty()) {
        contradiction_ = true;
        return;
      }
      for (std::size_t a = 1; a < forced.size(); ++a) {
        SetId& now = kinds[meaning[a]].narrowed;
        if (forced[a] == Network::Forced::kNothing) now = sets_.Without(now, value);
        if (forced[a] == Network::Forced::kAll) now = sets_.Intersect(now, sets_.Of({value}));
      }
    }
  }

  // All groups of a small chain at once, one value at a time; false where the nodes ran out.
  bool RunTrial(Chain& chain) {
    std::map<std::pair<std::vector<std::uint32_t>, SetId>, std::vector<Person>> kinds;
    for (const Person person : chain.people) {
      kinds[{groups_of_[person], set_[person]}].push_back(person);
    }
    std::map<std::uint32_t, std::uint32_t> row_of;
    std::map<Value, SmallSystem> systems;
    std::map<Value, std::vector<const std::vector<Person>*>> meaning;
    for (const auto& groups : chain.groups) {
      for (const std::uint32_t g : groups) {
        row_of.emplace(g, static_cast<std::uint32_t>(row_of.size()));
        for (const auto& [value, rows] : groups_[g].values) systems[value];
      }
    }
    for (auto& [value, system] : systems) {
      system.sums.assign(row_of.size(), 0);
      for (const auto& [g, row] : row_of) {
        for (const auto& [v, rows] : groups_[g].values) {
          if (v == value) system.sums[row] = static_cast<std::int64_t>(rows);
        }
      }
      for (const auto& [kind, people] : kinds) {
        if (!sets_.Has(kind.second, value)) continue;
        std::vector<std::uint32_t> rows;
        for (const std::uint32_t g : kind.first) rows.push_back(row_of.at(g));
        if (sets_[kind.second].size() == 1) {
          for (const std::uint32_t row : rows) {
            system.sums[row] -= static_cast<std::int64_t>(people.size());
          }
          continue;
        }
        system.most.push_back(people.size());
        system.rows.push_back(std::move(rows));
        meaning[value].push_back(&people);
      }
    }
    std::uint64_t nodes = kTrialNodes;
    for (const auto& [value, system] : systems) {
      const SmallAnswer answer = Try(system, nodes);
      if (!answer.answered) return false;
      if (!answer.possible) contradiction_ = true;
      if (contradiction_) return true;
      for (std::size_t k = 0; k < system.most.size(); ++k) {
        for (const Person person : *meaning[value][k]) {
          if (!answer.can_be_some[k]) Narrow(person, sets_.Without(set_[person], value));
          if (!answer.can_be_less[k]) Narrow(person, sets_.Of({value}));
        }
      }
    }
    return true;
  }

  // Two releases with several groups: people are arcs from their group in one to that in the other.
  void RunPairs() {
    for (Chain* chain : std::exchange(pairs_wanted_, {})) {
      if (chain->tried) chain->complete = RunTrial(*chain);
      if (chain->tried && chain->complete) continue;
      const std::size_t releases = chain->releases.size();
      for (std::size_t apart = 1; apart < releases; ++apart) {
        for (std::size_t i = 0; i + apart < releases && !contradiction_; ++i) {
          if (pair_work_ > kPairWork) {
            chain->complete = false;
            break;
          }
          RunPair(*chain, i, i + apart);
        }
      }
    }
  }

  void RunPair(const Chain& chain, std::size_t i, std::size_t j) {
    // Node 0 is elsewhere.
    std::uint32_t nodes = 1;
    Supplies supplies;
    std::map<Person, std::pair<std::uint32_t, std::uint32_t>> where;
    auto read = [&](std::size_t release, bool first) {
      for (const std::uint32_t g : chain.groups[release]) {
        for (const auto& [value, rows] : groups_[g].values) {
          const std::int64_t amount = static_cast<std::int64_t>(rows) * (first ? 1 : -1);
          supplies[value][nodes] += amount;
          supplies[value][0] -= amount;
        }
        for (const Person person : groups_[g].people) {
          (first ? where[person].first : where[person].second) = nodes;
        }
        ++nodes;
      }
    };
    read(i, true);
    read(j, false);
    pair_work_ += where.size();
    std::map<std::pair<std::pair<std::uint32_t, std::uint32_t>, SetId>, std::size_t> places;
    std::vector<Kind> kinds;
    for (const auto& [person, arc] : where) {
      const SetId set = set_[person];
      const auto [at, added] = places.emplace(std::pair(arc, set), kinds.size());
      if (added) kinds.push_back({set, 0, {arc}, set});
      ++kinds[at->second].people;
    }
    RunNetworks(kinds, supplies, nodes);
    if (contradiction_) return;
    for (const auto& [person, arc] : where) {
      Narrow(person, kinds[places.at(std::pair(arc, set_[person]))].narrowed);
    }
  }

  const Series& series_;
  Sets sets_;
  std::vector<SetId> set_;  // per person
  std::vector<PublishedGroup> groups_;
  std::vector<std::uint32_t> chain_of_;  // per group
  std::vector<SetId> signature_;         // per group
  std::vector<std::vector<std::uint32_t>> groups_of_;
  std::vector<Chain> chains_;
  std::vector<Stays> stays_;
  std::vector<std::uint32_t> stays_of_;
  std::vector<SetId> class_of_;  // per person; kAnything: in none
  std::vector<std::vector<Person>> classes_;
  std::set<std::uint32_t> dirty_groups_, dirty_classes_;
  std::set<Chain*> pairs_wanted_;
  std::uint64_t pair_work_ = 0;
  bool contradiction_ = false;
};

}  // namespace

Consequences Deduce(const Series& series, const std::vector<KnownValue>& known) {
  Deduction deduction(series, known);
  deduction.Run();
  Consequences result;
  result.contradiction = deduction.contradiction();
  result.complete = deduction.complete();
  deduction.Tell(result);
  std::vector<bool> is_known(series.persons, false);
  for (const KnownValue& fact : known) is_known[fact.person] = true;
  for (Person person = 0; person < series.persons; ++person) {
    if (result.set_of[person] == Consequences::kNeverThere) {
      result.possible.push_back(series.values);
      continue;
    }
    const auto& values = result.sets[result.set_of[person]];
    result.possible.push_back(static_cast<std::uint32_t>(values.size()));
    if (result.contradiction || is_known[person] || values.size() != 1) continue;
    result.follow.push_back({person, values.front()});
  }
  return result;
}

}  // namespace reissue::models::invariance
