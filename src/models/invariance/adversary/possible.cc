#include "reissue/models/invariance/adversary/possible.h"

#include <algorithm>
#include <map>

#include "reissue/models/invariance/adversary/all_worlds.h"
#include "reissue/models/invariance/adversary/deduce.h"
#include "reissue/models/invariance/adversary/swaps.h"
#include "reissue/models/invariance/adversary/webs.h"

namespace reissue::models::invariance {
namespace {

// What is found of one web, per person.
struct WebAnswer {
  std::vector<std::vector<Value>> at_most;
  std::vector<std::uint32_t> at_least;
  bool tried = false;  // all worlds, in effect
};

bool TryAll(const Web& web, std::uint64_t effort, WebAnswer& answer) {
  if (!AllWorlds::Few(web.people.size(), web.groups.size())) return false;
  for (const AllWorlds::Possible& possible :
       AllWorlds(web.groups, effort, web.truth).PossibleValues()) {
    if (!possible.decided) return false;
    answer.at_most.push_back(possible.values);
    answer.at_least.push_back(static_cast<std::uint32_t>(possible.values.size()));
  }
  answer.tried = true;
  return true;
}

// As readers have it: who has which value is as good as any.
Series SeriesOf(const Web& web) {
  Series series;
  series.persons = static_cast<std::uint32_t>(web.people.size());
  std::map<std::uint32_t, Snapshot> releases;
  for (const PublishedGroup& group : web.groups) {
    Snapshot& snapshot = releases[group.release];
    for (const Person person : group.people) {
      snapshot.rows.push_back({person, snapshot.groups, 0});
    }
    auto row = snapshot.rows.end() - static_cast<std::ptrdiff_t>(group.people.size());
    for (const auto& [value, rows] : group.values) {
      series.values = std::max(series.values, value + 1);
      for (std::uint64_t i = 0; i < rows; ++i) (row++)->value = value;
    }
    ++snapshot.groups;
  }
  for (auto& [number, snapshot] : releases) series.releases.push_back(std::move(snapshot));
  return series;
}

void Bound(const Web& web, const AttackOptions& options, WebAnswer& answer) {
  answer = {};
  const Consequences deduced = Deduce(SeriesOf(web), {});
  SwapLimits limits;
  limits.enough = options.m;
  const auto swapped = web.truth.empty() ? std::vector<std::vector<Value>>(web.people.size())
                                         : SwappedValues(web, limits);
  for (Person person = 0; person < web.people.size(); ++person) {
    answer.at_most.push_back(deduced.sets[deduced.set_of[person]]);
    answer.at_least.push_back(static_cast<std::uint32_t>(swapped[person].size()));
  }
}

}  // namespace

PossibleValues PossibleFor(const Series& series, const SeriesIndex& index,
                           const std::vector<Part>& parts, const AttackOptions& options,
                           ThreadPool& pool) {
  PossibleValues result{index.sets, index.possible, {}, {}};
  result.at_least.assign(series.persons, 0);
  std::vector<const Part*> mixed;
  for (const Part& part : parts) {
    if (part.kind == Part::Kind::kMixed) {
      mixed.push_back(&part);
      continue;
    }
    result.decided.permuted += part.people.size();
    for (const Person person : part.people)
      result.at_least[person] = static_cast<std::uint32_t>(part.values.size());
  }
  if (mixed.empty()) return result;
  const std::vector<Web> webs = WebsOf(series, mixed);
  std::vector<WebAnswer> answers(webs.size());
  pool.Run(webs.size(), [&](std::size_t i) {
    if (!TryAll(webs[i], options.effort, answers[i])) Bound(webs[i], options, answers[i]);
  });
  std::map<std::vector<Value>, SetId> numbers;
  for (SetId set = 0; set < result.sets.size(); ++set) numbers.emplace(result.sets[set], set);
  for (std::size_t i = 0; i < webs.size(); ++i) {
    (answers[i].tried ? result.decided.tried : result.decided.bounded) += webs[i].people.size();
    for (std::size_t p = 0; p < webs[i].people.size(); ++p) {
      const Person person = webs[i].people[p];
      std::vector<Value>& values = answers[i].at_most[p];
      const auto [at, added] = numbers.emplace(values, static_cast<SetId>(result.sets.size()));
      if (added) result.sets.push_back(std::move(values));
      result.at_most[person] = at->second;
      result.at_least[person] = answers[i].at_least[p];
    }
  }
  return result;
}

}  // namespace reissue::models::invariance
