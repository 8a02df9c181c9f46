#include "reissue/models/bcf/adversary/worlds.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "reissue/core/result.h"
#include "reissue/models/bcf/adversary/component.h"
#include "reissue/models/bcf/adversary/implied.h"

namespace reissue::models::bcf {
namespace {

using internal::Adjacency;
using internal::Component;
using internal::KeyOf;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

struct Worlds::Impl {
  const Series& series;
  const Formulas& formulas;
  WorldLimits limits;
  std::vector<Impossible> impossible;
  WorldStatistics statistics;

  std::vector<std::size_t> offset;  // of the groups of each release in one numbering
  std::vector<std::uint32_t> component_of, member_of;
  std::vector<Component> components;
  // So many releases, the first ones, need worlds: those after them are implied by the one before.
  std::size_t length = 0;

  std::size_t size() const { return length; }
  std::size_t Number(std::size_t release, std::size_t group) const {
    return offset[release] + group;
  }

  // As much of a target as worlds are needed for.
  std::span<const std::size_t> Needed(std::size_t birth,
                                      std::span<const std::size_t> groups) const {
    return groups.first(std::min(groups.size(), length - birth));
  }

  // ---- components

  template <typename Work>
  void ForEachComparablePair(Work&& work) const {
    for (std::size_t later = 1; later < size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const Pair& pair = formulas.pair(earlier, later);
        for (std::size_t a = 0; a < series.release(earlier).cells(); ++a) {
          for (const std::uint32_t b : pair.ComparableCells(a)) {
            ForEachCommonValue(series.release(earlier), a, series.release(later), b,
                               [&](std::uint32_t, std::size_t ga, std::size_t gb) {
                                 work(Number(earlier, ga), Number(later, gb));
                               });
          }
        }
      }
    }
  }

  void FindComponents() {
    offset.assign(1, 0);
    for (std::size_t i = 0; i < size(); ++i) {
      offset.push_back(offset.back() + series.release(i).groups());
    }
    std::vector<std::uint32_t> leader(offset.back());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](std::uint32_t x) {
      while (leader[x] != x) x = leader[x] = leader[leader[x]];
      return x;
    };
    ForEachComparablePair([&](std::size_t a, std::size_t b) {
      const std::uint32_t x = find(static_cast<std::uint32_t>(a));
      const std::uint32_t y = find(static_cast<std::uint32_t>(b));
      if (x != y) leader[std::max(x, y)] = std::min(x, y);
    });

    component_of.assign(offset.back(), kNone);
    member_of.resize(offset.back());
    for (std::size_t i = 0; i < size(); ++i) {
      const Release& release = series.release(i);
      for (std::size_t g = 0; g < release.groups(); ++g) {
        const std::uint32_t number = static_cast<std::uint32_t>(Number(i, g));
        std::uint32_t& of_leader = component_of[find(number)];
        if (of_leader == kNone) {
          of_leader = static_cast<std::uint32_t>(components.size());
          components.emplace_back();
          components.back().value = release.value(g);
          components.back().totals.assign(size(), 0);
        }
        component_of[number] = of_leader;
        Component& component = components[of_leader];
        member_of[number] = static_cast<std::uint32_t>(component.rows.size());
        component.release_of.push_back(static_cast<std::uint32_t>(i));
        component.group_of.push_back(static_cast<std::uint32_t>(g));
        component.rows.push_back(release.rows_of_group(g));
        component.totals[i] += release.rows_of_group(g);
      }
    }
    ForEachComparablePair(
        [&](std::size_t a, std::size_t) { ++components[component_of[a]].comparable_pairs; });
    for (Component& component : components) Classify(component);
    statistics.components = components.size();
  }

  void Classify(Component& component) {
    component.first_of_release.assign(size() + 1, 0);
    for (const std::uint32_t i : component.release_of) ++component.first_of_release[i + 1];
    std::uint64_t pairs = 0, before = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      pairs += before * component.first_of_release[i + 1];
      before += component.first_of_release[i + 1];
      component.first_of_release[i + 1] += component.first_of_release[i];
    }
    component.complete = component.comparable_pairs == pairs;
    if (component.complete) ++statistics.closed;
  }

  // ---- the integer program of a component

  void Build(Component& component) {
    if (component.built) return;
    component.built = true;
    ++statistics.programs;
    if (!ListVariables(component)) {
      component.too_large = true;
      component.births.clear();
      component.tuple_begin.clear();
      component.tuples.clear();
      component.variables.clear();
      ++statistics.too_large;
      return;
    }
    component.program =
        std::make_unique<Program>(component.kind_rows, component.tuple_begin, component.tuples,
                                  ProgramLimits{limits.steps, limits.nodes});
    Count(ProgramStatistics{}, component.program->statistics());
  }

  std::span<const std::uint32_t> KindsOf(const Component& component, std::size_t v) const {
    return {component.tuples.data() + component.tuple_begin[v],
            component.tuple_begin[v + 1] - component.tuple_begin[v]};
  }

  // All births and tuples; false where there are too many.
  bool ListVariables(Component& component) {
    const std::size_t members = component.rows.size();
    if (members * members / 8 > kLargestAdjacency) return false;
    Adjacency adjacency(members);
    for (std::size_t a = 0; a < members; ++a) {
      const std::size_t i = component.release_of[a];
      const std::size_t cell = series.release(i).cell_of_group(component.group_of[a]);
      for (std::size_t l = i + 1; l < size(); ++l) {
        for (const std::uint32_t other : formulas.pair(i, l).ComparableCells(cell)) {
          const auto group = series.release(l).FindGroup(other, component.value);
          if (group) adjacency.Join(a, member_of[Number(l, *group)]);
        }
      }
    }
    FindTwins(component, adjacency);
    component.tuple_begin.assign(1, 0);
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t birth = 0; birth < size(); ++birth) {
      std::vector<std::uint64_t> all(adjacency.words(), ~std::uint64_t{0});
      if (!Extend(component, adjacency, birth, birth, all, chosen)) return false;
    }
    return true;
  }

  void FindTwins(Component& component, const Adjacency& adjacency) const {
    component.twin_of.resize(component.rows.size());
    component.first_kind.assign(1, 0);
    for (std::size_t i = 0; i < size(); ++i) {
      std::unordered_map<std::string_view, std::uint32_t> known;
      for (std::uint32_t m = component.first_of_release[i]; m < component.first_of_release[i + 1];
           ++m) {
        const auto row = adjacency.row(m);
        const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size_bytes());
        const auto next = static_cast<std::uint32_t>(component.kind_of.size());
        const auto [at, added] = known.emplace(bytes, next);
        if (added) {
          component.kind_of.emplace_back();
          component.kind_rows.push_back(0);
        }
        component.twin_of[m] = at->second;
        component.kind_of[at->second].push_back(m);
        component.kind_rows[at->second] += component.rows[m];
      }
      component.first_kind.push_back(static_cast<std::uint32_t>(component.kind_of.size()));
    }
  }

  bool Extend(Component& component, const Adjacency& adjacency, std::uint32_t birth,
              std::size_t release, const std::vector<std::uint64_t>& allowed,
              std::vector<std::uint32_t>& chosen) {
    if (release == size()) {
      if (component.births.size() >= limits.variables) return false;
      component.variables.emplace(KeyOf(birth, chosen), component.births.size());
      component.births.push_back(birth);
      component.tuples.insert(component.tuples.end(), chosen.begin(), chosen.end());
      component.tuple_begin.push_back(static_cast<std::uint32_t>(component.tuples.size()));
      return true;
    }
    std::vector<std::uint64_t> narrowed(allowed.size());
    for (std::uint32_t kind = component.first_kind[release];
         kind < component.first_kind[release + 1]; ++kind) {
      const std::uint32_t m = component.kind_of[kind].front();
      if ((allowed[m / 64] >> (m % 64) & 1) == 0) continue;
      const auto row = adjacency.row(m);
      for (std::size_t w = 0; w < row.size(); ++w) narrowed[w] = allowed[w] & row[w];
      chosen.push_back(kind);
      const bool fits = Extend(component, adjacency, birth, release + 1, narrowed, chosen);
      chosen.pop_back();
      if (!fits) return false;
    }
    return true;
  }

  // The least of what pairs of releases leave.
  std::uint64_t FormulaBound(const Component& component, std::size_t birth,
                             std::span<const std::uint32_t> members) const {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t a = 0; a < members.size(); ++a) {
      const std::size_t group = component.group_of[members[a]];
      least = std::min(least, component.rows[members[a]]);
      for (std::size_t earlier = 0; earlier < birth; ++earlier) {
        least = std::min(least, formulas.pair(earlier, birth + a).Newcomers(group));
      }
      for (std::size_t b = a + 1; b < members.size(); ++b) {
        least = std::min(least, formulas.pair(birth + a, birth + b)
                                    .Together(series, group, component.group_of[members[b]]));
      }
    }
    return least;
  }

  void Count(const ProgramStatistics& before, const ProgramStatistics& after) {
    statistics.solved += after.solved - before.solved;
    statistics.fractional += after.fractional - before.fractional;
    statistics.steps += after.steps - before.steps;
  }

  // ---- is there a world at all?

  void Check() {
    for (std::size_t later = 1; later < series.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        for (const Contradiction& c : formulas.pair(earlier, later).contradictions()) {
          impossible.push_back(FromPair(earlier, later, c));
        }
      }
    }
    if (!impossible.empty() || size() < 3) return;
    FindComponents();
    for (Component& component : components) {
      if (component.complete || limits.possible) continue;
      Build(component);
      if (component.program == nullptr ||
          component.program->state() != Program::State::kImpossible) {
        continue;
      }
      Impossible found;
      found.value = component.value;
      const auto& proof = component.program->proof();
      for (std::size_t kind = 0; kind < proof.size(); ++kind) {
        if (proof[kind] == 0) continue;
        for (const std::uint32_t m : component.kind_of[kind]) {
          found.terms.push_back(
              {component.release_of[m], CellOf(component, m), component.rows[m], proof[kind]});
        }
      }
      impossible.push_back(std::move(found));
    }
  }

  std::uint32_t CellOf(const Component& component, std::uint32_t member) const {
    return static_cast<std::uint32_t>(
        series.release(component.release_of[member]).cell_of_group(component.group_of[member]));
  }

  Impossible FromPair(std::size_t earlier, std::size_t later, const Contradiction& c) const {
    Impossible found;
    found.value = c.value;
    const auto add = [&](std::size_t release, const std::vector<std::uint32_t>& cells,
                         std::int64_t times) {
      for (const std::uint32_t cell : cells) {
        const auto group = series.release(release).FindGroup(cell, c.value);
        if (!group) continue;
        found.terms.push_back(
            {release, cell, series.release(release).rows_of_group(*group), times});
      }
    };
    add(earlier, c.earlier_cells, -1);
    add(later, c.later_cells, 1);
    return found;
  }

  // ---- questions

  // One and two releases: the pairs are exact.
  std::uint64_t LeftOfPair(std::size_t birth, std::span<const std::size_t> groups) const {
    if (size() == 1) return series.release(0).rows_of_group(groups[0]);
    if (birth == 1) return formulas.pair(0, 1).Newcomers(groups[0]);
    return formulas.pair(0, 1).Together(series, groups[0], groups[1]);
  }

  std::uint64_t LeftOfComplete(const Component& component, std::size_t birth,
                               std::span<const std::size_t> groups) const {
    std::uint64_t left = component.totals[birth] - (birth == 0 ? 0 : component.totals[birth - 1]);
    for (std::size_t a = 0; a < groups.size(); ++a) {
      left = std::min(left, series.release(birth + a).rows_of_group(groups[a]));
    }
    return left;
  }

  Component& ComponentOf(std::size_t birth, std::span<const std::size_t> groups) {
    return components[component_of[Number(birth, groups[0])]];
  }

  std::vector<std::uint32_t> Members(std::size_t birth, std::span<const std::size_t> groups) const {
    std::vector<std::uint32_t> members(groups.size());
    for (std::size_t a = 0; a < groups.size(); ++a) {
      members[a] = member_of[Number(birth + a, groups[a])];
    }
    return members;
  }

  // Solves until so much is proven; 0: nothing is solved.
  Interval Ask(std::size_t birth, std::span<const std::size_t> groups, std::uint64_t enough) {
    if (birth >= length) {
      const std::uint64_t left = formulas.pair(birth - 1, birth).Newcomers(groups[0]);
      return {left, left};
    }
    groups = Needed(birth, groups);
    if (size() < 3) {
      const std::uint64_t left = LeftOfPair(birth, groups);
      return {left, left};
    }
    Component& component = ComponentOf(birth, groups);
    if (component.complete) {
      const std::uint64_t left = LeftOfComplete(component, birth, groups);
      return {left, left};
    }
    const std::vector<std::uint32_t> members = Members(birth, groups);
    if (enough > 0) Build(component);
    const std::uint64_t most = FormulaBound(component, birth, members);
    if (component.program == nullptr) return {0, most};
    // Those who take the kinds may take these members of them, as far as there is room.
    Program& program = *component.program;
    const std::uint32_t variable = VariableOf(component, birth, members);
    if (enough > 0 && statistics.steps < limits.all_steps && program.lower(variable) < most) {
      const ProgramStatistics before = program.statistics();
      program.Solve(variable, std::min(enough, most));
      Count(before, program.statistics());
    }
    return {std::min(program.lower(variable), most), std::min(program.upper(variable), most)};
  }

  std::uint32_t VariableOf(const Component& component, std::size_t birth,
                           std::span<const std::uint32_t> members) const {
    std::vector<std::uint32_t> kinds;
    for (const std::uint32_t member : members) kinds.push_back(component.twin_of[member]);
    const auto found = component.variables.find(KeyOf(static_cast<std::uint32_t>(birth), kinds));
    REISSUE_CHECK(found != component.variables.end());
    return found->second;
  }

  void Wish(std::size_t birth, std::span<const std::size_t> groups, std::uint64_t enough) {
    if (size() < 3 || birth >= length) return;
    groups = Needed(birth, groups);
    Component& component = ComponentOf(birth, groups);
    if (component.complete) return;
    Build(component);
    if (component.program == nullptr) return;
    const std::uint32_t variable = VariableOf(component, birth, Members(birth, groups));
    component.wishes.push_back({variable, std::min(enough, component.program->upper(variable))});
  }

  void GrantWishes() {
    for (Component& component : components) {
      if (component.wishes.empty()) continue;
      const ProgramStatistics before = component.program->statistics();
      component.program->Please(component.wishes);
      Count(before, component.program->statistics());
      component.wishes.clear();
    }
  }

  World Witness(std::size_t birth, std::span<const std::size_t> groups) {
    World world;
    if (component_of.empty()) FindComponents();
    Component& component = ComponentOf(birth, groups);
    Build(component);
    if (component.program == nullptr) return world;
    const std::vector<std::uint32_t> members = Members(birth, groups);
    const std::uint32_t variable = VariableOf(component, birth, members);
    return Seated(component, component.program->Witness(variable), variable, members);
  }

  // People of kinds get members to be in: those who are to be with the target its members, as far
  // as there is room, all others what is left.
  World Seated(const Component& component, const std::vector<std::uint64_t>& solution,
               std::uint32_t target, const std::vector<std::uint32_t>& members) const {
    World world;
    if (solution.empty()) return world;
    std::vector<std::uint64_t> room = component.rows;
    std::uint64_t together = solution[target];
    for (const std::uint32_t m : members) together = std::min(together, room[m]);
    const auto seat = [&](std::uint32_t birth, const std::vector<std::uint32_t>& seats,
                          std::uint64_t people) {
      if (people == 0) return;
      Share share;
      share.target.birth = birth;
      for (const std::uint32_t m : seats) {
        share.target.cells.push_back(CellOf(component, m));
        room[m] -= people;
      }
      share.people = people;
      world.push_back(std::move(share));
    };
    seat(component.births[target], members, together);
    std::vector<std::size_t> next(component.kind_of.size(), 0);
    for (std::uint32_t v = 0; v < solution.size(); ++v) {
      std::uint64_t standing = solution[v] - (v == target ? together : 0);
      while (standing > 0) {
        std::vector<std::uint32_t> seats;
        std::uint64_t people = standing;
        for (const std::uint32_t kind : KindsOf(component, v)) {
          while (room[component.kind_of[kind][next[kind]]] == 0) ++next[kind];
          seats.push_back(component.kind_of[kind][next[kind]]);
          people = std::min(people, room[seats.back()]);
        }
        seat(component.births[v], seats, people);
        standing -= people;
      }
    }
    std::sort(world.begin(), world.end(), [](const Share& a, const Share& b) {
      return std::tie(a.target.birth, a.target.cells) < std::tie(b.target.birth, b.target.cells);
    });
    return world;
  }

  static constexpr std::size_t kLargestAdjacency = std::size_t{64} << 20;  // bytes
};

Worlds::Worlds(const Series& series, const Formulas& formulas, WorldLimits limits)
    : impl_(new Impl{series, formulas, limits, {}, {}, {}, {}, {}, {}, 0}) {
  impl_->length = limits.whole_history ? series.size() : NeedingWorlds(series, formulas);
  impl_->Check();
}
Worlds::~Worlds() = default;

const std::vector<Impossible>& Worlds::impossible() const { return impl_->impossible; }
const WorldStatistics& Worlds::statistics() const { return impl_->statistics; }
Interval Worlds::Known(std::size_t birth, std::span<const std::size_t> groups) {
  return impl_->Ask(birth, groups, 0);
}
Interval Worlds::Left(std::size_t birth, std::span<const std::size_t> groups,
                      std::uint64_t enough) {
  return impl_->Ask(birth, groups, enough);
}
void Worlds::Wish(std::size_t birth, std::span<const std::size_t> groups, std::uint64_t enough) {
  impl_->Wish(birth, groups, enough);
}
void Worlds::GrantWishes() { impl_->GrantWishes(); }
World Worlds::Witness(std::size_t birth, std::span<const std::size_t> groups) {
  if (impl_->length == impl_->series.size()) return impl_->Witness(birth, groups);
  // A world of all releases.
  Impl whole{impl_->series, impl_->formulas, impl_->limits, {}, {}, {}, {}, {}, {}, 0};
  whole.length = impl_->series.size();
  if (whole.length > 2) {
    whole.FindComponents();
    whole.Ask(birth, groups, std::numeric_limits<std::uint64_t>::max());
  }
  return whole.Witness(birth, groups);
}

}  // namespace reissue::models::bcf
