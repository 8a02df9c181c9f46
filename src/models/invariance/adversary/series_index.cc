#include "reissue/models/invariance/adversary/series_index.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace reissue::models::invariance {
namespace {

struct HashValues {
  std::size_t operator()(const std::vector<Value>& values) const {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const Value value : values) hash = (hash ^ value) * 0x100000001b3u;
    return hash ^ (hash >> 29);
  }
};

// Numbers of sets in order of appearance, and of their intersections.
class SetNumbers {
 public:
  explicit SetNumbers(std::vector<std::vector<Value>>& sets) : sets_(sets) {}

  SetId Of(const std::vector<Value>& values) {
    const auto [at, added] = numbers_.emplace(values, static_cast<SetId>(sets_.size()));
    if (added) sets_.push_back(values);
    return at->second;
  }
  SetId Both(SetId a, SetId b) {
    if (a == b) return a;
    const std::uint64_t key = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
    const auto known = both_.find(key);
    if (known != both_.end()) return known->second;
    std::vector<Value> common;
    std::ranges::set_intersection(sets_[a], sets_[b], std::back_inserter(common));
    return both_[key] = Of(common);
  }

 private:
  std::vector<std::vector<Value>>& sets_;
  std::unordered_map<std::vector<Value>, SetId, HashValues> numbers_;
  std::unordered_map<std::uint64_t, SetId> both_;
};

// Values of each group of a release, and whether they are equally often.
struct GroupValues {
  std::vector<std::vector<Value>> values;
  std::vector<char> even;
};
GroupValues ValuesOf(const Snapshot& snapshot) {
  GroupValues result{std::vector<std::vector<Value>>(snapshot.groups),
                     std::vector<char>(snapshot.groups, 1)};
  for (const Row& row : snapshot.rows) result.values[row.group].push_back(row.value);
  for (std::uint32_t g = 0; g < snapshot.groups; ++g) {
    std::vector<Value>& values = result.values[g];
    std::ranges::sort(values);
    std::size_t kept = 0, first_count = 0;
    for (std::size_t i = 0; i < values.size();) {
      std::size_t j = i;
      while (j < values.size() && values[j] == values[i]) ++j;
      if (kept == 0) first_count = j - i;
      if (j - i != first_count) result.even[g] = 0;
      values[kept++] = values[i];
      i = j;
    }
    values.resize(kept);
  }
  return result;
}

class Linked {
 public:
  explicit Linked(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t Of(std::size_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void Join(std::size_t a, std::size_t b) { parent_[Of(a)] = Of(b); }

 private:
  std::vector<std::size_t> parent_;
};

// Sets whose groups are all even and whose people are never elsewhere.
std::vector<char> ClosedSets(const Series& series, const SeriesIndex& index) {
  std::vector<char> closed(index.sets.size(), 1);
  for (std::size_t r = 0; r < series.releases.size(); ++r) {
    for (std::size_t g = 0; g < index.even[r].size(); ++g) {
      if (!index.even[r][g]) closed[index.set_of_group[r][g]] = 0;
    }
    for (const Row& row : series.releases[r].rows) {
      const SetId set = index.set_of_group[r][row.group];
      if (index.home[row.person] != set) closed[set] = 0;
    }
  }
  return closed;
}

std::vector<Part> ClosedParts(const Series& series, const SeriesIndex& index,
                              const std::vector<char>& closed) {
  std::vector<Part> by_set(index.sets.size());
  for (std::uint32_t r = 0; r < series.releases.size(); ++r) {
    for (std::uint32_t g = 0; g < index.set_of_group[r].size(); ++g) {
      const SetId set = index.set_of_group[r][g];
      if (closed[set]) by_set[set].groups.push_back({r, g});
    }
  }
  for (Person p = 0; p < series.persons; ++p) {
    if (index.home[p] != kNoSet && closed[index.home[p]]) by_set[index.home[p]].people.push_back(p);
  }
  std::vector<Part> parts;
  for (SetId set = 0; set < by_set.size(); ++set) {
    Part& part = by_set[set];
    if (part.groups.empty()) continue;
    part.values = index.sets[set];
    const auto twice = std::ranges::adjacent_find(part.groups, {}, &GroupId::release);
    part.kind = twice == part.groups.end() ? Part::Kind::kBucket : Part::Kind::kFine;
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<Part> MixedParts(const Series& series, const SeriesIndex& index,
                             const std::vector<char>& closed) {
  // Values, then groups.
  std::vector<std::size_t> begin = {series.values};
  for (const auto& sets : index.set_of_group) begin.push_back(begin.back() + sets.size());
  Linked linked(begin.back());
  std::vector<std::size_t> seen(series.persons, begin.back());
  for (std::size_t r = 0; r < series.releases.size(); ++r) {
    for (const Row& row : series.releases[r].rows) {
      if (closed[index.set_of_group[r][row.group]]) continue;
      const std::size_t group = begin[r] + row.group;
      linked.Join(group, row.value);
      if (seen[row.person] != begin.back()) linked.Join(group, seen[row.person]);
      seen[row.person] = group;
    }
  }
  std::map<std::size_t, Part> by_root;
  for (std::uint32_t r = 0; r < series.releases.size(); ++r) {
    for (std::uint32_t g = 0; g < index.set_of_group[r].size(); ++g) {
      const SetId set = index.set_of_group[r][g];
      if (closed[set]) continue;
      Part& part = by_root[linked.Of(begin[r] + g)];
      part.groups.push_back({r, g});
      std::vector<Value> both;
      std::ranges::set_union(part.values, index.sets[set], std::back_inserter(both));
      part.values = std::move(both);
    }
  }
  for (Person p = 0; p < series.persons; ++p) {
    if (seen[p] != begin.back()) by_root[linked.Of(seen[p])].people.push_back(p);
  }
  std::vector<Part> parts;
  for (auto& [root, part] : by_root) parts.push_back(std::move(part));
  std::ranges::sort(parts, {}, [](const Part& part) { return part.groups.front(); });
  return parts;
}

}  // namespace

SeriesIndex IndexOf(const Series& series, ThreadPool& pool) {
  std::vector<GroupValues> groups(series.releases.size());
  pool.Run(groups.size(), [&](std::size_t r) { groups[r] = ValuesOf(series.releases[r]); });
  SeriesIndex index;
  SetNumbers numbers(index.sets);
  for (GroupValues& release : groups) {
    std::vector<SetId>& sets = index.set_of_group.emplace_back();
    for (const std::vector<Value>& values : release.values) sets.push_back(numbers.Of(values));
    index.even.push_back(std::move(release.even));
  }
  index.possible.assign(series.persons, kNoSet);
  index.home.assign(series.persons, kNoSet);
  std::vector<char> wanders(series.persons, 0);
  for (std::size_t r = 0; r < series.releases.size(); ++r) {
    for (const Row& row : series.releases[r].rows) {
      const SetId set = index.set_of_group[r][row.group];
      SetId& possible = index.possible[row.person];
      SetId& home = index.home[row.person];
      possible = possible == kNoSet ? set : numbers.Both(possible, set);
      if (home == kNoSet) home = set;
      if (home != set) wanders[row.person] = 1;
    }
  }
  for (Person p = 0; p < series.persons; ++p) {
    if (wanders[p]) index.home[p] = kNoSet;
  }
  return index;
}

std::vector<Part> PartsOf(const Series& series, const SeriesIndex& index) {
  const std::vector<char> closed = ClosedSets(series, index);
  std::vector<Part> parts = ClosedParts(series, index, closed);
  for (Part& part : MixedParts(series, index, closed)) parts.push_back(std::move(part));
  return parts;
}

Lives LivesOf(const Series& series) {
  Lives lives{std::vector<Moment>(series.persons, 0), std::vector<Moment>(series.persons, 0), {}};
  for (Moment now = 1; now <= series.releases.size(); ++now) {
    for (const Row& row : series.releases[now - 1].rows) {
      Moment& came = lives.came[row.person];
      Moment& left = lives.left[row.person];
      if (came == 0) {
        came = now;
        left = now + 1;
      } else if (const auto back = lives.returned.find(row.person); back != lives.returned.end()) {
        if (back->second.back().second == now) {
          back->second.back().second = now + 1;
        } else {
          back->second.emplace_back(now, now + 1);
        }
      } else if (left == now) {
        left = now + 1;
      } else {
        lives.returned[row.person] = {{came, left}, {now, now + 1}};
      }
    }
  }
  const auto end = static_cast<Moment>(series.releases.size() + 1);
  for (Moment& left : lives.left) {
    if (left == end) left = kStillThere;
  }
  for (auto& [person, stays] : lives.returned) {
    if (stays.back().second == end) stays.back().second = kStillThere;
  }
  return lives;
}

std::vector<std::pair<Moment, Moment>> StaysOf(const Lives& lives, Person person) {
  if (const auto back = lives.returned.find(person); back != lives.returned.end())
    return back->second;
  return {{lives.came[person], lives.left[person]}};
}

History HistoryOf(const Lives& lives, const std::vector<Person>& people) {
  std::map<std::pair<Moment, Moment>, std::uint64_t> stays;
  std::map<std::vector<std::pair<Moment, Moment>>, std::uint64_t> returns;
  for (const Person person : people) {
    if (const auto back = lives.returned.find(person); back != lives.returned.end()) {
      ++returns[back->second];
    } else {
      ++stays[{lives.came[person], lives.left[person]}];
    }
  }
  History history;
  for (const auto& [stay, count] : stays) history.stays.push_back({stay.first, stay.second, count});
  for (const auto& [stay, count] : returns) history.returns.push_back({stay, count});
  return history;
}

}  // namespace reissue::models::invariance
