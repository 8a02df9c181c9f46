#include "reissue/models/invariance/adversary/fine_partitions.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "reissue/models/invariance/adversary/light_cuts.h"

namespace reissue::models::invariance {
namespace {

// The groups of the part in one release, with their sizes.
struct Release {
  std::uint32_t number = 0;
  std::vector<std::uint32_t> groups;  // ascending
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint32_t> of_person;  // place in `groups`, per person of the part; or kNoGroup
};

std::vector<Release> ReleasesOf(const Part& part, const GroupOfPerson& group_of) {
  std::map<std::uint32_t, Release> releases;
  for (const GroupId& id : part.groups) {
    Release& release = releases[id.release];
    release.number = id.release;
    release.groups.push_back(id.group);
  }
  std::vector<Release> result;
  for (auto& [number, release] : releases) {
    release.sizes.assign(release.groups.size(), 0);
    for (const Person person : part.people) {
      const std::uint32_t group = group_of[number][person];
      std::uint32_t place = kNoGroup;
      if (group != kNoGroup) {
        place = static_cast<std::uint32_t>(std::ranges::lower_bound(release.groups, group) -
                                           release.groups.begin());
        ++release.sizes[place];
      }
      release.of_person.push_back(place);
    }
    result.push_back(std::move(release));
  }
  return result;
}

// Node 0, the groups of the earlier release, those of the later one.
struct PairGraph {
  CutGraph graph;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;  // per person of the part
};

PairGraph GraphOf(const Release& earlier, const Release& later) {
  PairGraph pair;
  const auto first = static_cast<std::uint32_t>(1 + earlier.groups.size());
  pair.graph.balance.assign(first + later.groups.size(), 0);
  auto edge = [](std::uint32_t a, std::uint32_t b) {
    return a < b ? std::pair(a, b) : std::pair(b, a);
  };
  for (std::size_t i = 0; i < earlier.of_person.size(); ++i) {
    const bool was = earlier.of_person[i] != kNoGroup, is = later.of_person[i] != kNoGroup;
    const std::uint32_t a = was ? 1 + earlier.of_person[i] : 0;
    const std::uint32_t b = is ? first + later.of_person[i] : 0;
    pair.ends.push_back(edge(a, b));
    ++pair.graph.balance[a];
    --pair.graph.balance[b];
    if (a != b) pair.graph.edges.push_back({a, b, 1});
  }
  Tidy(pair.graph.edges);
  return pair;
}

class FineAttack {
 public:
  FineAttack(const Part& part, const GroupOfPerson& group_of, std::uint64_t e, std::uint64_t steps)
      : releases_(ReleasesOf(part, group_of)), e_(e), steps_(steps) {
    answer_.exposed.assign(part.people.size(), 0);
  }

  FineAnswer Run(std::uint64_t pairs) {
    for (const Release& release : releases_) WithinRelease(release);
    std::uint64_t looked = 0;
    for (std::size_t apart = 1; apart < releases_.size(); ++apart) {
      for (std::size_t i = 0; i + apart < releases_.size(); ++i) {
        if (apart > 1 && looked == pairs) break;
        ++looked;
        Between(releases_[i], releases_[i + apart]);
      }
    }
    // More than two releases together may tell more.
    if (releases_.size() > 2) {
      answer_.complete &= e_ <= 1;
      answer_.lower = 1;
    }
    answer_.lower = std::min(answer_.lower, answer_.best.size);
    return std::move(answer_);
  }

 private:
  void Offer(Weights weights) {
    if (answer_.best.size == 0 || weights.size < answer_.best.size)
      answer_.best = std::move(weights);
  }

  // Two groups of one release, the smallest of the same size.
  void WithinRelease(const Release& release) {
    if (releases_.size() == 1) answer_.lower = *std::ranges::min_element(release.sizes);
    if (release.groups.size() < 2) return;
    std::vector<std::size_t> order(release.groups.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t g) { return release.sizes[g]; });
    std::size_t at = 1;
    while (at + 1 < order.size() && release.sizes[order[at]] != release.sizes[order[at - 1]]) ++at;
    if (release.sizes[order[at]] != release.sizes[order[at - 1]]) at = 1;
    const std::size_t g = order[at - 1], h = order[at];
    const std::uint64_t common = std::gcd(release.sizes[g], release.sizes[h]);
    Offer({release.sizes[g] / common * release.sizes[h],
           {{{release.number, release.groups[g]},
             static_cast<std::int64_t>(release.sizes[h] / common)},
            {{release.number, release.groups[h]},
             -static_cast<std::int64_t>(release.sizes[g] / common)}},
           1});
    if (release.sizes[g] < e_ || release.sizes[h] < e_) answer_.complete = false;
  }

  void Between(const Release& earlier, const Release& later) {
    const PairGraph pair = GraphOf(earlier, later);
    const std::uint64_t step = BalanceStep(pair.graph);
    Partners(earlier, later, pair);
    std::uint64_t limit = 2 * (e_ - 1);
    LightCuts cuts = FindLightCuts(pair.graph, limit, steps_);
    answer_.complete &= cuts.complete && limit < 2 * step;
    Expose(pair, cuts.crossed);
    if (!cuts.least && releases_.size() == 2) {
      // None of fewer than e; is there one of at least so many?
      limit = pair.graph.nodes() <= kSearchedNodes ? 2 * step - 1 : step - 1;
      cuts = FindLightCuts(pair.graph, limit, steps_);
    }
    if (cuts.least) Take(earlier, later, *cuts.least);
    // Any equality of a cost below 2 · step contains a balanced cut.
    if (cuts.complete)
      answer_.lower = std::min(step, cuts.least ? cuts.least->first / 2 : limit / 2 + 1);
  }

  // A group and the group of the other release that has most of its people.
  void Partners(const Release& earlier, const Release& later, const PairGraph& pair) {
    const auto first = static_cast<std::uint32_t>(1 + earlier.groups.size());
    std::vector<std::vector<std::uint32_t>> partners(pair.graph.nodes());
    for (const graph::WeightedEdge& edge : pair.graph.edges) {
      if (edge.a == 0 || edge.b < first) continue;
      const std::uint64_t size = earlier.sizes[edge.a - 1];
      if (later.sizes[edge.b - first] != size || size == edge.weight) continue;
      Offer({size - edge.weight,
             {{{earlier.number, earlier.groups[edge.a - 1]}, 1},
              {{later.number, later.groups[edge.b - first]}, -1}},
             1});
      if (size - edge.weight >= e_) continue;
      partners[edge.a].push_back(edge.b);
      partners[edge.b].push_back(edge.a);
    }
    // Who is in one of two partners is on a side.
    auto other = [&](std::uint32_t node, std::uint32_t than) {
      return std::ranges::any_of(partners[node], [&](std::uint32_t n) { return n != than; });
    };
    std::vector<char> crossed;
    for (const graph::WeightedEdge& edge : pair.graph.edges)
      crossed.push_back(other(edge.a, edge.b) || other(edge.b, edge.a));
    Expose(pair, crossed);
  }

  void Expose(const PairGraph& pair, const std::vector<char>& crossed) {
    auto ends = [](const graph::WeightedEdge& edge) { return std::pair(edge.a, edge.b); };
    for (std::size_t i = 0; i < pair.ends.size(); ++i) {
      if (pair.ends[i].first == pair.ends[i].second || answer_.exposed[i]) continue;
      const auto at = std::ranges::lower_bound(pair.graph.edges, pair.ends[i], {}, ends);
      answer_.exposed[i] = crossed[static_cast<std::size_t>(at - pair.graph.edges.begin())];
    }
  }

  void Take(const Release& earlier, const Release& later,
            const std::pair<std::uint64_t, std::vector<std::uint32_t>>& cut) {
    Weights weights{cut.first / 2, {}, 1};
    const std::size_t first = 1 + earlier.groups.size();
    const bool turned = std::ranges::find(cut.second, 0u) != cut.second.end();
    std::vector<char> side(first + later.groups.size(), turned ? 1 : 0);
    for (const std::uint32_t node : cut.second) side[node] = !side[node];
    for (std::size_t node = 1; node < side.size(); ++node) {
      if (!side[node]) continue;
      if (node < first) {
        weights.groups.push_back({{earlier.number, earlier.groups[node - 1]}, 1});
      } else {
        weights.groups.push_back({{later.number, later.groups[node - first]}, -1});
      }
    }
    Offer(std::move(weights));
  }

  std::vector<Release> releases_;
  std::uint64_t e_, steps_;
  FineAnswer answer_;
};

}  // namespace

GroupOfPerson GroupsOfPeople(const Series& series, ThreadPool& pool) {
  GroupOfPerson group_of(series.releases.size());
  pool.Run(group_of.size(), [&](std::size_t r) {
    group_of[r].assign(series.persons, kNoGroup);
    for (const Row& row : series.releases[r].rows) group_of[r][row.person] = row.group;
  });
  return group_of;
}

FineAnswer AttackFine(const Part& part, const GroupOfPerson& group_of, std::uint64_t e,
                      std::uint64_t pairs, std::uint64_t steps) {
  return FineAttack(part, group_of, e, steps).Run(pairs);
}

}  // namespace reissue::models::invariance
