#include "reissue/models/invariance/adversary/deduce_equal.h"

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>

#include "reissue/core/random.h"

namespace reissue::models::invariance {
namespace {

constexpr std::uint64_t kSumSeed = 0x65717561;

bool SameOthers(const PublishedGroup& a, Person p, const PublishedGroup& b, Person q) {
  if (a.values != b.values) return false;
  std::vector<Person> left = a.people, right = b.people;
  std::erase(left, p);
  std::erase(right, q);
  return left == right;
}

}  // namespace

std::vector<std::pair<Person, Person>> EqualPeople(const std::vector<PublishedGroup>& groups,
                                                   const std::vector<bool>& asked) {
  std::vector<std::pair<Person, Person>> equal;
  std::map<std::vector<std::pair<Value, std::uint64_t>>, std::uint64_t> value_ids;
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;  // a group that comes again says no more
  std::unordered_map<std::uint64_t, std::pair<std::size_t, Person>> without;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!asked[g]) continue;
    const std::uint64_t values =
        value_ids.emplace(groups[g].values, value_ids.size()).first->second;
    std::uint64_t sum = 0;
    for (const Person person : groups[g].people) sum += DeriveSeed(kSumSeed, person);
    if (!seen.emplace(sum, values).second) continue;
    for (const Person person : groups[g].people) {
      const std::uint64_t key = DeriveSeed(sum - DeriveSeed(kSumSeed, person), values);
      const auto [at, added] = without.emplace(key, std::pair(g, person));
      if (added || at->second.second == person) continue;
      const auto& [other, twin] = at->second;
      if (SameOthers(groups[other], twin, groups[g], person)) equal.emplace_back(twin, person);
    }
  }
  return equal;
}

}  // namespace reissue::models::invariance
