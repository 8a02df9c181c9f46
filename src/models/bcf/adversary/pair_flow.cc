// Pairs of releases of which one is no global recoding. Per sensitive value the worlds are the
// whole-number points of a transportation polytope: earlier groups supply their rows, comparable
// later groups take at most theirs, newcomers fill up the rest.

#include <algorithm>
#include <numeric>

#include "reissue/graph/flow.h"
#include "reissue/models/bcf/adversary/pair.h"

namespace reissue::models::bcf {
namespace {

// Sets that grow together.
class Components {
 public:
  explicit Components(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t Find(std::uint32_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  void Unite(std::uint32_t a, std::uint32_t b) { parent_[Find(a)] = Find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

struct Link {
  std::uint32_t earlier, later;  // groups of one value in comparable cells
};

// The groups of one connected component (all of one value).
struct Linkage {
  std::vector<std::uint32_t> earlier, later;
  std::vector<Link> links;
};

}  // namespace

class FlowSolver {
 public:
  FlowSolver(const Series& series, Pair& pair)
      : pair_(pair),
        before_(series.release(pair.earlier_)),
        after_(series.release(pair.later_)),
        place_(before_.groups() + after_.groups()) {}

  void Run(std::span<const Link> links) {
    for (const Linkage& component : Split(links)) Solve(component);
  }

 private:
  std::vector<Linkage> Split(std::span<const Link> links) {
    const auto earlier = static_cast<std::uint32_t>(before_.groups());
    Components sets(place_.size());
    for (const Link& link : links) sets.Unite(link.earlier, earlier + link.later);
    std::vector<Linkage> components;
    std::vector<std::uint32_t> number(place_.size(), static_cast<std::uint32_t>(-1));
    const auto component_of = [&](std::uint32_t item) -> Linkage& {
      std::uint32_t& known = number[sets.Find(item)];
      if (known == static_cast<std::uint32_t>(-1)) {
        known = static_cast<std::uint32_t>(components.size());
        components.emplace_back();
      }
      return components[known];
    };
    for (std::uint32_t group = 0; group < earlier; ++group) {
      component_of(group).earlier.push_back(group);
    }
    for (std::uint32_t group = 0; group < after_.groups(); ++group) {
      component_of(earlier + group).later.push_back(group);
    }
    for (const Link& link : links) component_of(link.earlier).links.push_back(link);
    return components;
  }

  // Node 0 is the source, 1 the sink, then the earlier and the later groups.
  void Solve(const Linkage& component) {
    graph::Flow flow(2 + component.earlier.size() + component.later.size());
    graph::Flow::Node next = 2;
    std::uint64_t supply = 0;
    for (const std::uint32_t group : component.earlier) {
      flow.AddArc(0, place_[group] = next++, before_.rows_of_group(group));
      supply += before_.rows_of_group(group);
    }
    std::uint64_t room = 0;
    std::vector<graph::Flow::Arc> into_sink;
    for (const std::uint32_t group : component.later) {
      graph::Flow::Node& node = place_[before_.groups() + group];
      into_sink.push_back(flow.AddArc(node = next++, 1, after_.rows_of_group(group)));
      room += after_.rows_of_group(group);
    }
    std::vector<graph::Flow::Arc> arcs;
    for (const Link& link : component.links) {
      arcs.push_back(flow.AddArc(place_[link.earlier], place_[before_.groups() + link.later],
                                 before_.rows_of_group(link.earlier)));
    }
    if (flow.Maximise(0, 1) < supply) {
      pair_.contradictions_.push_back(Explain(component, flow));
      return;
    }
    for (std::size_t i = 0; i < into_sink.size(); ++i) {
      const std::uint32_t group = component.later[i];
      flow.LowerArc(into_sink[i]);
      pair_.newcomers_[group] = after_.rows_of_group(group) - flow.on(into_sink[i]);
      pair_.component_rows_[group] = {supply, room};
    }
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const Link& link = component.links[i];
      pair_.together_[std::uint64_t{link.earlier} << 32 | link.later] =
          MostTogether(link, arcs[i], flow);
    }
  }

  // Where a world has newcomers in a later group, one has rows of any comparable earlier group in
  // their places, who leave theirs to these newcomers: often that is all there can be.
  std::uint64_t MostTogether(const Link& link, graph::Flow::Arc arc, graph::Flow& flow) const {
    const std::uint64_t most =
        std::min(before_.rows_of_group(link.earlier), after_.rows_of_group(link.later));
    if (pair_.newcomers_[link.later] >= most) return most;
    flow.RaiseArc(arc, most - flow.on(arc));
    return flow.on(arc);
  }

  // The source's side of a smallest cut: its later groups are full, and they are all that are
  // comparable with its earlier groups (an arc to another one would have room for more).
  Contradiction Explain(const Linkage& component, const graph::Flow& flow) const {
    const std::vector<char> side = flow.Reachable(0);
    Contradiction found;
    found.value = before_.value(component.earlier.front());
    for (const std::uint32_t group : component.earlier) {
      if (!side[place_[group]]) continue;
      found.earlier_cells.push_back(static_cast<std::uint32_t>(before_.cell_of_group(group)));
      found.earlier_rows += before_.rows_of_group(group);
    }
    for (const std::uint32_t group : component.later) {
      if (!side[place_[before_.groups() + group]]) continue;
      found.later_cells.push_back(static_cast<std::uint32_t>(after_.cell_of_group(group)));
      found.later_rows += after_.rows_of_group(group);
    }
    return found;
  }

  Pair& pair_;
  const Release& before_;
  const Release& after_;
  std::vector<graph::Flow::Node> place_;  // of earlier groups, then of later ones, in their flow
};

void Pair::SolveByFlow(const Series& series) {
  const Release& before = series.release(earlier_);
  const Release& after = series.release(later_);
  std::vector<Link> links;
  for (std::uint32_t cell = 0; cell < before.cells(); ++cell) {
    for (const std::uint32_t other : ComparableCells(cell)) {
      ForEachCommonValue(
          before, cell, after, other, [&](std::uint32_t, std::size_t a, std::size_t b) {
            links.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
          });
    }
  }
  newcomers_.assign(after.groups(), 0);
  component_rows_.assign(after.groups(), {});
  FlowSolver(series, *this).Run(links);
}

}  // namespace reissue::models::bcf
