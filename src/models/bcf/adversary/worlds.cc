#include "reissue/models/bcf/adversary/worlds.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <tuple>

#include "reissue/core/result.h"
#include "reissue/models/bcf/adversary/components.h"

namespace reissue::models::bcf {
namespace {

using internal::Component;
using internal::Components;
using internal::KeyOf;

}  // namespace

struct Worlds::Impl {
  const Series& series;
  const Formulas& formulas;
  History history;
  WorldLimits limits;
  std::vector<Impossible> impossible;
  WorldStatistics statistics;

  std::optional<Components> components;

  std::size_t size() const { return series.size(); }

  void FindComponents() {
    components.emplace(series, formulas, history, limits.first_birth);
    statistics.components = components->all().size();
    for (const Component& component : components->all()) statistics.closed += component.complete;
  }

  // ---- the integer program of a component

  void Build(Component& component) {
    if (component.built) return;
    component.built = true;
    ++statistics.programs;
    if (!components->ListVariables(component, limits.variables)) {
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
                                  ProgramLimits{limits.steps, limits.nodes}, limits.memo);
    CountSince({}, *component.program);
  }

  std::span<const std::uint32_t> KindsOf(const Component& component, std::size_t v) const {
    return {component.tuples.data() + component.tuple_begin[v],
            component.tuple_begin[v + 1] - component.tuple_begin[v]};
  }

  // The least of what pairs of releases leave.
  std::uint64_t FormulaBound(const Component& component, std::size_t birth,
                             std::span<const std::uint32_t> members) const {
    const auto telling = history.releases(birth);
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t a = 0; a < members.size(); ++a) {
      const std::size_t group = component.group_of[members[a]];
      least = std::min(least, component.rows[members[a]]);
      if (birth > 0) {
        least = std::min(least, formulas.pair(birth - 1, telling[a]).Newcomers(group));
      }
      for (std::size_t b = a + 1; b < members.size(); ++b) {
        const Pair& pair = formulas.pair(telling[a], telling[b]);
        least = std::min(least, pair.Together(series, group, component.group_of[members[b]]));
      }
    }
    return least;
  }

  // What a program has counted.
  struct Counted {
    ProgramStatistics all, spent;
  };
  static Counted CountedBy(const Program& program) {
    return {program.statistics(), program.spent()};
  }
  void CountSince(const Counted& before, const Program& program) {
    const ProgramStatistics &all = program.statistics(), &spent = program.spent();
    statistics.solved += all.solved - before.all.solved;
    statistics.fractional += all.fractional - before.all.fractional;
    statistics.steps += all.steps - before.all.steps;
    statistics.solved_anew += spent.solved - before.spent.solved;
    statistics.steps_anew += spent.steps - before.spent.steps;
  }

  // ---- is there a world at all?

  void Check() {
    if (!limits.possible) CheckPairs();
    if (!impossible.empty() || size() < 3) return;
    FindComponents();
    for (Component& component : components->all()) {
      if (component.complete || limits.possible) continue;
      Build(component);
      if (component.program == nullptr ||
          component.program->state() != Program::State::kImpossible) {
        continue;
      }
      impossible.push_back(Explained(component));
    }
  }

  Impossible Explained(const Component& component) const {
    Impossible found;
    found.value = component.value;
    const auto& proof = component.program->proof();
    std::int64_t all = 0;
    for (std::size_t kind = 0; kind < proof.size(); ++kind) {
      if (proof[kind] == 0) continue;
      all += std::abs(proof[kind]);
      for (const std::uint32_t m : component.kind_of[kind]) {
        AddTerms(component.release_of[m], CellOf(component, m), proof[kind], found);
      }
    }
    // The program does not know people where a release has no room for those it tells of. There are
    // none, which as many equations of 0 rows say as may be wanted.
    for (std::size_t i = 1; i < size() && all > 0; ++i) {
      const Release& release = series.release(i);
      for (std::size_t g = 0; g < release.groups(); ++g) {
        if (release.value(g) != component.value || history.rows(i, g) > 0) continue;
        AddTerms(i, static_cast<std::uint32_t>(release.cell_of_group(g)), all, found);
      }
    }
    return found;
  }

  // Those of releases that tell nothing in common follow from others.
  void CheckPairs() {
    for (std::size_t later = 1; later < size(); ++later) {
      const std::size_t first = history.first_birth(later);
      for (std::size_t earlier = first - std::min<std::size_t>(first, 1); earlier < later;
           ++earlier) {
        for (const Contradiction& c : formulas.pair(earlier, later).contradictions()) {
          impossible.push_back(FromPair(earlier, later, c));
        }
      }
    }
  }

  // A group as it was published, less those who have their cell from an earlier release.
  void AddTerms(std::size_t release, std::uint32_t cell, std::int64_t times,
                Impossible& found) const {
    const auto add = [&](std::size_t i, std::uint32_t c, std::int64_t t) {
      const auto group = series.release(i).FindGroup(c, found.value);
      if (!group) return;
      const auto known = std::ranges::find_if(found.terms, [&](const Impossible::Term& term) {
        return term.release == i && term.cell == c;
      });
      if (known != found.terms.end()) {
        known->times += t;
      } else {
        found.terms.push_back({i, c, series.release(i).rows_of_group(*group), t});
      }
    };
    add(release, cell, times);
    history.ForEachCarried(release, [&](std::uint32_t before, std::uint32_t after) {
      if (after == cell) add(history.first_birth(release) - 1, before, -times);
    });
    std::erase_if(found.terms, [](const Impossible::Term& term) { return term.times == 0; });
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
    if (birth == 1) return formulas.pair(0, 1).Newcomers(groups[0]);
    if (groups.size() == 1) return series.release(0).rows_of_group(groups[0]);
    return formulas.pair(0, 1).Together(series, groups[0], groups[1]);
  }

  std::uint64_t LeftOfComplete(const Component& component, std::size_t birth,
                               std::span<const std::size_t> groups) const {
    std::uint64_t left = component.born_in(birth);
    for (std::size_t a = 0; a < groups.size(); ++a) {
      left = std::min(left, history.rows(history.releases(birth)[a], groups[a]));
    }
    return left;
  }

  Component& ComponentOf(std::size_t birth, std::span<const std::size_t> groups) {
    return components->of(birth, groups[0]);
  }

  std::vector<std::uint32_t> Members(std::size_t birth, std::span<const std::size_t> groups) const {
    std::vector<std::uint32_t> members(groups.size());
    for (std::size_t a = 0; a < groups.size(); ++a) {
      members[a] = components->member(history.releases(birth)[a], groups[a]);
    }
    return members;
  }

  // Some release that tells of the birth has no room there.
  bool Nobody(std::size_t birth, std::span<const std::size_t> groups) const {
    for (std::size_t a = 0; a < groups.size(); ++a) {
      if (history.rows(history.releases(birth)[a], groups[a]) == 0) return true;
    }
    return false;
  }

  // Solves until so much is proven; 0: nothing is solved.
  Interval Ask(std::size_t birth, std::span<const std::size_t> groups, std::uint64_t enough) {
    if (size() < 3) {
      const std::uint64_t left = LeftOfPair(birth, groups);
      return {left, left};
    }
    REISSUE_CHECK(groups.size() == history.releases(birth).size());
    if (Nobody(birth, groups)) return {0, 0};
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
      const Counted before = CountedBy(program);
      program.Solve(variable, std::min(enough, most));
      CountSince(before, program);
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
    if (size() < 3 || Nobody(birth, groups)) return;
    Component& component = ComponentOf(birth, groups);
    if (component.complete) return;
    Build(component);
    if (component.program == nullptr) return;
    const std::uint32_t variable = VariableOf(component, birth, Members(birth, groups));
    component.wishes.push_back({variable, std::min(enough, component.program->upper(variable))});
  }

  void GrantWishes() {
    if (!components) return;
    for (Component& component : components->all()) {
      if (component.wishes.empty()) continue;
      const Counted before = CountedBy(*component.program);
      component.program->Please(component.wishes);
      CountSince(before, *component.program);
      component.wishes.clear();
    }
  }

  World Witness(std::size_t birth, std::span<const std::size_t> groups) {
    World world;
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
};

Worlds::Worlds(const Series& series, const Formulas& formulas, WorldLimits limits)
    : Worlds(series, formulas, History(series), limits) {}
Worlds::Worlds(const Series& series, const Formulas& formulas, History history, WorldLimits limits)
    : impl_(new Impl{series, formulas, std::move(history), limits, {}, {}, {}}) {
  impl_->Check();
}
Worlds::~Worlds() = default;

const std::vector<Impossible>& Worlds::impossible() const { return impl_->impossible; }
const WorldStatistics& Worlds::statistics() const { return impl_->statistics; }
const History& Worlds::history() const { return impl_->history; }
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
  if (impl_->size() > 2 && impl_->history.whole()) return impl_->Witness(birth, groups);
  if (whole_ == nullptr) {
    whole_.reset(new Impl{
        impl_->series, impl_->formulas, History::Whole(impl_->series), impl_->limits, {}, {}, {}});
    whole_->limits.first_birth = 0;
    whole_->FindComponents();
  }
  if (whole_->size() > 2) whole_->Ask(birth, groups, std::numeric_limits<std::uint64_t>::max());
  return whole_->Witness(birth, groups);
}

}  // namespace reissue::models::bcf
