#include "worlds.h"

#include <algorithm>

namespace oracle::bcf {
namespace {

void AddTargets(const Domain& domain, const Series& series, const Target& start,
                const Places& common, std::vector<Target>& targets) {
  const std::size_t next = start.birth - 1 + start.cells.size();
  if (next == series.size()) {
    targets.push_back(start);
    return;
  }
  for (const Quasi& cell : Cells(series[next])) {
    const Places shared = common & domain.Under(cell);
    if (shared.none()) continue;
    Target longer = start;
    longer.cells.push_back(cell);
    AddTargets(domain, series, longer, shared, targets);
  }
}

// The places whose leaves were all there in a release.
Places PlacesAt(const Domain& domain, std::size_t release, const Since& since) {
  Places there;
  for (std::size_t p = 0; p < domain.places().size(); ++p) {
    bool all = true;
    for (std::size_t j = 0; j < since.size(); ++j) {
      const auto came = since[j].find(domain.places()[p][j]);
      all &= came == since[j].end() || came->second <= release;
    }
    there[p] = all;
  }
  return there;
}

// The worlds of one sensitive value: backtracking over the people of each target.
class Search {
 public:
  Search(const Series& series, const std::vector<Target>& targets, const std::string& value) {
    std::map<std::pair<std::size_t, Quasi>, std::size_t> group_of;
    for (std::size_t i = 0; i < series.size(); ++i) {
      for (const Quasi& cell : Cells(series[i])) {
        group_of[{i, cell}] = rest_.size();
        rest_.push_back(GroupSize(series[i], cell, value));
      }
    }
    last_target_.assign(rest_.size(), kNever);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      groups_.emplace_back();
      for (std::size_t i = 0; i < targets[t].cells.size(); ++i) {
        const std::size_t group = group_of.at({targets[t].birth - 1 + i, targets[t].cells[i]});
        groups_[t].push_back(group);
        last_target_[group] = t;
      }
    }
    people_.assign(targets.size(), 0);
    most_.assign(targets.size(), 0);
    for (std::size_t g = 0; g < rest_.size(); ++g) {
      if (last_target_[g] == kNever && rest_[g] > 0) return;
    }
    Decide(0);
  }

  bool found() const { return found_; }
  long most(std::size_t target) const { return most_[target]; }

 private:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  void Decide(std::size_t t) {
    if (t == groups_.size()) {
      found_ = true;
      for (std::size_t i = 0; i < most_.size(); ++i) most_[i] = std::max(most_[i], people_[i]);
      return;
    }
    long room = rest_[groups_[t][0]];
    for (std::size_t group : groups_[t]) room = std::min(room, rest_[group]);
    for (long number = 0; number <= room; ++number) {
      people_[t] = number;
      bool complete = true;
      for (std::size_t group : groups_[t]) {
        rest_[group] -= number;
        complete &= last_target_[group] != t || rest_[group] == 0;
      }
      if (complete) Decide(t + 1);
      for (std::size_t group : groups_[t]) rest_[group] += number;
    }
    people_[t] = 0;
  }

  std::vector<long> rest_;                        // by group: rows that nobody has yet
  std::vector<std::size_t> last_target_;          // by group: after it the rest must be 0
  std::vector<std::vector<std::size_t>> groups_;  // by target
  std::vector<long> people_, most_;               // by target
  bool found_ = false;
};

Row RowOf(const Series& series, const Chain& chain, std::size_t step) {
  return series[chain.birth - 1 + step][chain.rows[step]];
}

}  // namespace

std::vector<Target> AllTargets(const Domain& domain, const Series& series, const Since& since) {
  std::vector<Target> targets;
  for (std::size_t birth = 1; birth <= series.size(); ++birth) {
    AddTargets(domain, series, {birth, {}}, PlacesAt(domain, birth, since), targets);
  }
  return targets;
}

Worlds EnumerateWorlds(const Domain& domain, const Series& series, const Since& since) {
  const std::vector<Target> targets = AllTargets(domain, series, since);
  Worlds worlds = {true, {}};
  for (const std::string& value : Values(series)) {
    const Search search(series, targets, value);
    if (!search.found()) return {};
    for (std::size_t t = 0; t < targets.size(); ++t)
      worlds.left[targets[t]][value] = search.most(t);
  }
  return worlds;
}

Worlds EnumerateChains(const Domain& domain, const Series& series) {
  const auto values = Values(series);
  Worlds worlds;
  for (const Target& target : AllTargets(domain, series)) {
    for (const std::string& value : values) worlds.left[target][value] = 0;
  }
  ForEachGenerator(domain, series, [&](const Generator& generator) {
    worlds.exist = true;
    std::map<Target, ByValue> counts;
    for (const Chain& chain : generator) {
      Target target = {chain.birth, {}};
      for (std::size_t step = 0; step < chain.rows.size(); ++step) {
        target.cells.push_back(RowOf(series, chain, step).quasi);
      }
      ++counts[target][RowOf(series, chain, 0).sensitive];
    }
    for (const auto& [target, by_value] : counts) {
      for (const auto& [value, count] : by_value) {
        worlds.left[target][value] = std::max(worlds.left[target][value], count);
      }
    }
  });
  if (!worlds.exist) worlds.left.clear();
  return worlds;
}

std::optional<long> ExactAnonymity(const Worlds& worlds) {
  std::optional<long> least;
  for (const auto& [target, left] : worlds.left) {
    if (Total(left) > 0) TakeLess(least, Total(left));
  }
  return least;
}

bool IsTargetOf(const Domain& domain, const Target& target, const Person& person) {
  return target.birth == person.birth &&
         std::all_of(target.cells.begin(), target.cells.end(),
                     [&](const Quasi& cell) { return domain.Matches(person.quasi, cell); });
}

std::optional<long> RealAnonymity(const Domain& domain, const Worlds& worlds,
                                  const std::vector<Person>& people) {
  std::optional<long> least;
  for (const auto& [target, left] : worlds.left) {
    for (const Person& person : people) {
      if (IsTargetOf(domain, target, person)) TakeLess(least, Total(left));
    }
  }
  return least;
}

}  // namespace oracle::bcf
