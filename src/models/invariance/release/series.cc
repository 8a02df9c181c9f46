#include "reissue/models/invariance/release/series.h"

#include <algorithm>
#include <utility>

namespace reissue::models::invariance {

Status Validate(const Series& series) {
  auto wrong = [](const char* what) { return InputError(what); };
  if (!series.counterfeit.empty() && series.counterfeit.size() != series.persons)
    return wrong("counterfeits are marked for another number of people");
  std::vector<std::uint32_t> seen(series.persons, 0);  // release + 1
  for (std::size_t i = 0; i < series.releases.size(); ++i) {
    const Snapshot& release = series.releases[i];
    std::vector<char> filled(release.groups, 0);
    for (const Row& row : release.rows) {
      if (row.person >= series.persons || row.value >= series.values || row.group >= release.groups)
        return wrong("a row names a person, group or value that does not exist");
      if (std::exchange(seen[row.person], static_cast<std::uint32_t>(i + 1)) == i + 1)
        return wrong("a person stands twice in a release");
      filled[row.group] = 1;
    }
    if (std::ranges::find(filled, 0) != filled.end()) return wrong("a group is empty");
  }
  return Ok();
}

std::vector<PublishedGroup> GroupsOf(const Series& series, std::uint32_t release) {
  const Snapshot& snapshot = series.releases[release];
  std::vector<PublishedGroup> groups(snapshot.groups);
  std::vector<std::vector<Value>> values(snapshot.groups);
  for (const Row& row : snapshot.rows) {
    groups[row.group].people.push_back(row.person);
    values[row.group].push_back(row.value);
  }
  for (std::uint32_t g = 0; g < snapshot.groups; ++g) {
    groups[g].release = release;
    groups[g].group = g;
    std::ranges::sort(groups[g].people);
    std::ranges::sort(values[g]);
    for (Value value : values[g]) {
      if (groups[g].values.empty() || groups[g].values.back().first != value)
        groups[g].values.emplace_back(value, 0);
      ++groups[g].values.back().second;
    }
  }
  return groups;
}

}  // namespace reissue::models::invariance
