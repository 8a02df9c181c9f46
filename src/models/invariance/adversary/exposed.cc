#include "reissue/models/invariance/adversary/exposed.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reissue/models/invariance/adversary/equality_program.h"
#include "reissue/models/invariance/adversary/least_space.h"

namespace reissue::models::invariance {
namespace {

// Per column of the beginning: whether some vector smaller than `below` is not 0 there.
Exposed ExposedIn(EqualitySpace space, std::uint64_t below, std::uint64_t programs) {
  Exposed exposed{std::vector<char>(space.origins.size(), 0), true};
  Merge(space);
  for (const EqualitySpace& part : Components(space)) {
    std::vector<char> seen(part.coordinates.size(), 0);
    for (std::size_t c = 0; c < part.coordinates.size(); ++c) {
      if (seen[c] || part.coordinates[c].side() >= below) continue;
      const LeastVector least = LeastWith(part, c, below, programs);
      if (!least.found) {
        exposed.complete &= least.lower >= below;
        continue;
      }
      for (std::size_t d = 0; d < seen.size(); ++d) seen[d] |= (*least.found)[d] != 0;
      const WholeVector columns = Expand(part, *least.found);
      for (std::size_t i = 0; i < columns.size(); ++i) exposed.who[i] |= columns[i] != 0;
    }
  }
  return exposed;
}

}  // namespace

Exposed ExposedInHistory(const HistoryGraph& graph, std::uint64_t e, std::uint64_t steps) {
  return ExposedIn(SpaceOf(graph).space, 2 * e - 1, steps / kProgramSteps + 1);
}

Exposed ExposedAmong(const std::vector<PublishedGroup>& groups, const std::vector<Person>& people,
                     std::uint64_t e, std::uint64_t steps) {
  auto place = [&](Person person) {
    return static_cast<std::size_t>(std::ranges::lower_bound(people, person) - people.begin());
  };
  // People who are always together are one column.
  std::vector<std::vector<std::uint32_t>> of_person(people.size());
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const Person person : groups[g].people) of_person[place(person)].push_back(g);
  }
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> patterns;
  for (std::size_t i = 0; i < people.size(); ++i) patterns[of_person[i]].push_back(i);
  std::map<Value, std::size_t> values;
  for (const PublishedGroup& group : groups) {
    for (const auto& [value, rows] : group.values) values.emplace(value, values.size());
  }
  FractionRows rows(groups.size(), std::vector<Fraction>(values.size() + patterns.size()));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const auto& [value, count] : groups[g].values) rows[g][values.at(value)] = count;
  }
  EqualitySpace space;
  for (const auto& [pattern, members] : patterns) {
    const std::size_t c = space.origins.size();
    for (const std::uint32_t g : pattern) rows[g][values.size() + c] = 1;
    space.coordinates.push_back({members.size(), 0});
    space.origins.push_back({c, 1});
  }
  TakeRows(std::move(rows), values.size(), patterns.size(), space);
  const Exposed columns = ExposedIn(std::move(space), e, steps / kProgramSteps + 1);
  Exposed exposed{std::vector<char>(people.size(), 0), columns.complete};
  std::size_t c = 0;
  for (const auto& [pattern, members] : patterns) {
    for (const std::size_t i : members) exposed.who[i] = columns.who[c];
    ++c;
  }
  return exposed;
}

}  // namespace reissue::models::invariance
