#include "reissue/models/invariance/adversary/attack_part.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reissue/models/invariance/adversary/exposed.h"
#include "reissue/models/invariance/adversary/history_graph.h"

namespace reissue::models::invariance {
namespace {

// Groups of fine and mixed parts in all, and of one part, for which the matrix form is solved.
constexpr std::size_t kExactGroups = 600;
constexpr std::size_t kExactPart = 60;
// Moments of a bucket history for which everybody is looked at where somebody came back.
constexpr std::size_t kExactMoments = 40;
// People times pairs of releases, for all fine parts together.
constexpr std::uint64_t kPairWork = 20'000'000;

PartAnswer Begin(const Part& part) {
  PartAnswer answer;
  answer.kind = part.kind;
  answer.finding.values = part.values;
  answer.finding.people = part.people.size();
  answer.finding.groups = static_cast<std::uint32_t>(part.groups.size());
  answer.finding.bucket = part.kind == Part::Kind::kBucket;
  return answer;
}

}  // namespace

Weights WeightsOf(const std::vector<PublishedGroup>& groups, const GroupEquality& equality) {
  Weights weights{equality.size, {}, equality.divisor};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (equality.weights[g] != 0)
      weights.groups.push_back({{groups[g].release, groups[g].group}, equality.weights[g]});
  }
  return weights;
}

PartAttack::PartAttack(const Series& series, const std::vector<Part>& parts,
                       const AttackOptions& options, ThreadPool& pool)
    : series_(series), options_(options), lives_(LivesOf(series)) {
  std::size_t other_groups = 0;
  bool fine = false, mixed = false;
  for (const Part& part : parts) {
    fine |= part.kind == Part::Kind::kFine;
    mixed |= part.kind == Part::Kind::kMixed;
    if (part.kind != Part::Kind::kBucket) other_groups += part.groups.size();
  }
  exactly_ = other_groups <= kExactGroups;
  if (fine) {
    group_of_ = GroupsOfPeople(series, pool);
    pairs_ = kPairWork / std::max<std::uint64_t>(1, series.persons);
  }
  if (mixed || (fine && exactly_)) {
    groups_.resize(series.releases.size());
    pool.Run(groups_.size(), [&](std::size_t r) {
      groups_[r] = invariance::GroupsOf(series, static_cast<std::uint32_t>(r));
    });
  }
}

PartAnswer PartAttack::Look(const Part& part) const {
  switch (part.kind) {
    case Part::Kind::kBucket:
      return LookAtBucket(part);
    case Part::Kind::kFine:
      return LookAtFine(part);
    case Part::Kind::kMixed:
      break;
  }
  return LookAtMixed(part);
}

PartAnswer PartAttack::LookAtBucket(const Part& part) const {
  PartAnswer answer = Begin(part);
  const History history = HistoryOf(lives_, part.people);
  answer.returns = !history.returns.empty();
  answer.finding.cut = LeastCut(history);
  const LeastEquality least = Least(history, {.nodes = options_.effort, .cap = options_.e});
  answer.finding.lower = least.lower;
  answer.finding.upper = least.upper;
  if (!least.upper) return answer;
  answer.best = WeightsOf(part, history, *least.witness);
  if (*least.lower < options_.e) ExposeInBucket(part, history, answer);
  return answer;
}

void PartAttack::ExposeInBucket(const Part& part, const History& history,
                                PartAnswer& answer) const {
  std::set<std::vector<std::pair<Moment, Moment>>> exposed;
  if (history.returns.empty()) {
    const Compromised compromised =
        CompromisedStays(history, part.values.size(), options_.e, {.nodes = options_.effort});
    answer.complete = compromised.complete;
    for (const std::size_t i : compromised.stays)
      exposed.insert(std::vector{std::pair(history.stays[i].came, history.stays[i].left)});
  } else {
    const HistoryGraph graph = GraphOf(history);
    if (graph.moments.size() > kExactMoments || graph.returns.size() != history.returns.size()) {
      answer.complete = false;
      return;
    }
    const Exposed who = ExposedInHistory(graph, options_.e, options_.effort);
    answer.complete = who.complete;
    const std::size_t edges = graph.stays.edges.size();
    for (std::size_t i = 0; i < edges; ++i) {
      if (!who.who[i]) continue;
      const Moment a = graph.moments[graph.stays.edges[i].a];
      const Moment b = graph.moments[graph.stays.edges[i].b];
      // One of them is a stay.
      exposed.insert(std::vector{std::pair(a, b)});
      exposed.insert(std::vector{std::pair(b, a)});
    }
    for (std::size_t i = 0; i < history.returns.size(); ++i) {
      if (who.who[edges + i]) exposed.insert(history.returns[i].stays);
    }
  }
  for (const Person person : part.people) {
    if (exposed.contains(StaysOf(lives_, person))) answer.exposed.push_back(person);
  }
}

// A release weighs as much as the potential falls from its moment to the next.
Weights PartAttack::WeightsOf(const Part& part, const History& history,
                              const Equality& equality) const {
  std::map<Moment, std::int64_t> potentials;
  for (const Moment moment : GraphOf(history).moments) potentials[moment] = 0;
  for (const auto& [moment, potential] : equality.potentials) potentials[moment] = potential;
  Weights weights{equality.size, {}, equality.divisor};
  // Nobody came or left at a moment without a potential: that of the next one serves.
  std::int64_t next = 0;
  auto at = static_cast<Moment>(series_.releases.size());
  for (auto group = part.groups.rbegin(); group != part.groups.rend(); ++group) {
    std::int64_t after = next;
    for (; at > group->release + 1; --at) {
      if (const auto known = potentials.find(at); known != potentials.end()) after = known->second;
    }
    const auto known = potentials.find(at);
    next = known != potentials.end() ? known->second : after;
    --at;
    if (next != after) weights.groups.push_back({*group, next - after});
  }
  std::ranges::reverse(weights.groups);
  return weights;
}

std::vector<PublishedGroup> PartAttack::GroupsOf(const Part& part) const {
  std::vector<PublishedGroup> groups;
  for (const GroupId& id : part.groups) groups.push_back(groups_[id.release][id.group]);
  return groups;
}

void PartAttack::TakeGroups(const std::vector<PublishedGroup>& groups,
                            const LeastGroupEquality& least, PartAnswer& answer) const {
  if (least.lower)
    answer.finding.lower = std::max(*least.lower, answer.finding.lower.value_or(*least.lower));
  if (!least.witness) return;
  if (answer.best.size != 0 && answer.best.size <= least.witness->size) return;
  answer.best = invariance::WeightsOf(groups, *least.witness);
  answer.finding.upper = least.upper;
}

void PartAttack::ExposeAmong(const std::vector<PublishedGroup>& groups, const Part& part,
                             PartAnswer& answer) const {
  const Exposed who = ExposedAmong(groups, part.people, options_.e, options_.effort);
  std::set<Person> exposed(answer.exposed.begin(), answer.exposed.end());
  for (std::size_t i = 0; i < part.people.size(); ++i) {
    if (who.who[i]) exposed.insert(part.people[i]);
  }
  answer.exposed.assign(exposed.begin(), exposed.end());
  answer.complete = who.complete;
}

PartAnswer PartAttack::LookAtFine(const Part& part) const {
  PartAnswer answer = Begin(part);
  FineAnswer fine = AttackFine(part, group_of_, options_.e, pairs_, options_.effort);
  answer.finding.lower = fine.lower;
  answer.complete = fine.complete;
  for (std::size_t i = 0; i < part.people.size(); ++i) {
    if (fine.exposed[i]) answer.exposed.push_back(part.people[i]);
  }
  if (fine.best.size > 0) {
    answer.finding.upper = fine.best.size;
    answer.best = std::move(fine.best);
  }
  if (!exactly_ || part.groups.size() > kExactPart) return answer;
  const std::vector<PublishedGroup> groups = GroupsOf(part);
  if (answer.finding.lower != answer.finding.upper)
    TakeGroups(groups, LeastAmong(groups, 0, {.nodes = options_.effort}), answer);
  if (!answer.complete) ExposeAmong(groups, part, answer);
  return answer;
}

PartAnswer PartAttack::LookAtMixed(const Part& part) const {
  PartAnswer answer = Begin(part);
  const std::vector<PublishedGroup> groups = GroupsOf(part);
  TakeGroups(groups, LeastAmong(groups, 0, {.nodes = options_.effort}), answer);
  if (options_.e <= 1 || !answer.finding.lower || *answer.finding.lower >= options_.e)
    return answer;
  answer.complete = false;
  if (exactly_ && groups.size() <= kExactPart) ExposeAmong(groups, part, answer);
  return answer;
}

void PartAttack::Refine(const Part& part, std::uint64_t below, PartAnswer& answer) const {
  if (part.kind != Part::Kind::kBucket || !answer.finding.upper) return;
  if (*answer.finding.lower >= below) return;
  const History history = HistoryOf(lives_, part.people);
  const LeastEquality least = Least(history, {.nodes = options_.effort, .cap = below});
  answer.finding.lower = std::max(*answer.finding.lower, *least.lower);
  if (*least.upper >= *answer.finding.upper) return;
  answer.finding.upper = least.upper;
  answer.best = WeightsOf(part, history, *least.witness);
}

}  // namespace reissue::models::invariance
