#pragma once
// Random small series, and an attack on them. For tests only.

#include <algorithm>
#include <set>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/models/invariance/adversary/attack.h"

namespace reissue::models::invariance {

inline Findings Look(const Series& series, std::uint64_t m, std::uint64_t e,
                     std::size_t threads = 1) {
  ThreadPool pool(threads);
  Progress progress;
  return Attack(series, {.m = m, .e = e}, pool, progress);
}

// kind 0: merged buckets; 1: fine partitions; 2: any groups.
inline Series RandomSeries(Random& random, int kind) {
  Series series{0, 3, {}, {}};
  std::vector<Value> value_of;
  std::vector<std::uint32_t> bucket_of;
  std::set<Person> present;
  const std::size_t releases = 2 + random.Below(2);
  std::size_t groups_left = 5;
  for (std::size_t r = 0; r < releases; ++r) {
    std::erase_if(present, [&](Person) { return random.Below(3) == 0; });
    for (Person p = 0; p < value_of.size(); ++p) {
      if (random.Below(8) == 0) present.insert(p);  // comes back
    }
    auto add = [&](Value value, std::uint32_t bucket) {
      present.insert(static_cast<Person>(value_of.size()));
      value_of.push_back(value);
      bucket_of.push_back(bucket);
    };
    Snapshot& snapshot = series.releases.emplace_back();
    if (kind == 2) {
      while (present.empty() || random.Below(2) == 0) add(static_cast<Value>(random.Below(3)), 0);
      const std::size_t groups = std::min<std::size_t>(1 + random.Below(2), present.size());
      std::vector<Person> order(present.begin(), present.end());
      random.Shuffle(order);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const auto group = static_cast<std::uint32_t>(i < groups ? i : random.Below(groups));
        snapshot.rows.push_back({order[i], group, value_of[order[i]]});
      }
      snapshot.groups = static_cast<std::uint32_t>(groups);
      continue;
    }
    // Bucket b has the values b and b + 1; balanced by newcomers.
    for (std::uint32_t b = 0; b < (kind == 0 ? 2u : 1u); ++b) {
      std::vector<std::vector<Person>> by_value(2);
      std::size_t most = r == 0 ? 1 + random.Below(2) : random.Below(2);
      for (int v = 0; v < 2; ++v) {
        for (const Person p : present) {
          if (bucket_of[p] == b && value_of[p] == b + static_cast<Value>(v))
            by_value[v].push_back(p);
        }
        most = std::max(most, by_value[v].size());
      }
      for (int v = 0; v < 2; ++v) {
        while (by_value[v].size() < most) {
          add(b + static_cast<Value>(v), b);
          by_value[v].push_back(static_cast<Person>(value_of.size() - 1));
        }
        random.Shuffle(by_value[v]);
      }
      if (most == 0) continue;
      const std::size_t groups =
          kind == 0 ? 1
                    : std::max<std::size_t>(1, std::min({most, groups_left / 2, std::size_t{2}}));
      groups_left -= std::min(groups_left, groups);
      for (std::size_t i = 0; i < most; ++i) {
        const auto group = static_cast<std::uint32_t>(snapshot.groups + std::min(i, groups - 1));
        for (int v = 0; v < 2; ++v)
          snapshot.rows.push_back({by_value[v][i], group, b + static_cast<Value>(v)});
      }
      snapshot.groups += static_cast<std::uint32_t>(groups);
    }
    if (snapshot.groups == 0) series.releases.pop_back();
  }
  series.persons = static_cast<std::uint32_t>(value_of.size());
  return series;
}

}  // namespace reissue::models::invariance
