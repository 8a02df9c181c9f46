#pragma once
// For the tests of the publisher: growing tables as publishers take them, and who is safe, by the
// definitions.

#include <algorithm>
#include <vector>

#include "reissue/models/bcf/adversary/attack.h"
#include "reissue/models/bcf/adversary/small_series.h"
#include "reissue/models/bcf/publisher/publish.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::bcf::testing {

// The table as it is at a release, with or without births.
inline k::LeafCells TableAt(const GrowingTable& growing, std::size_t release, bool births,
                            std::uint32_t values) {
  k::LeafCells table;
  table.taxonomies = growing.trees;
  table.sensitive_values = values;
  const std::size_t origins = births ? release + 1 : 1;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (const Person& person : growing.people) {
    if (person.born > release) continue;
    keys.insert(keys.end(), person.leaves.begin(), person.leaves.end());
    keys.push_back(person.value);
    if (origins > 1) keys.push_back(static_cast<std::uint32_t>(person.born));
    counts.push_back(1);
  }
  table.cells = CollectCells(growing.trees.size() + 1, keys, counts, origins);
  return table;
}

inline std::uint32_t CellOfPerson(const Series& series, std::size_t release, const Cuts& cuts,
                                  const Person& person) {
  std::vector<std::uint32_t> key;
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    key.push_back(cuts[j].NodeOfLeaf(person.leaves[j]).raw());
  }
  return static_cast<std::uint32_t>(series.release(release).FindCell(key).value());
}

// One more release of the same table.
inline Series Extended(const Series& earlier, const GrowingTable& table, const Cuts& cuts) {
  std::vector<Cells> published;
  for (std::size_t i = 0; i < earlier.size(); ++i)
    published.push_back(earlier.release(i).AsCells());
  published.push_back(Recode(table, earlier.size(), [&](const Person& person, std::size_t column) {
    return cuts[column].NodeOfLeaf(person.leaves[column]);
  }));
  return Series::Make(table.trees, published).value();
}

// Per birth where the people of the table are, from their birth on.
inline std::vector<std::vector<std::vector<std::uint32_t>>> RealTargets(
    const GrowingTable& table, const std::vector<Cuts>& cuts, const Series& series) {
  std::vector<std::vector<std::vector<std::uint32_t>>> real(series.size());
  for (const Person& person : table.people) {
    if (person.born >= series.size()) continue;
    std::vector<std::uint32_t> cells;
    for (std::size_t i = person.born; i < series.size(); ++i) {
      cells.push_back(CellOfPerson(series, i, cuts[i], person));
    }
    real[person.born].push_back(std::move(cells));
  }
  for (auto& targets : real) {
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  }
  return real;
}

// The people of the table against two releases that were cut like this, person by person.
inline bool PeopleAreSafe(const GrowingTable& table, const std::vector<Cuts>& cuts,
                          const Series& series, std::uint64_t k, bool births) {
  const Pair pair = Pair::Solve(series, 0, 1);
  for (const Person& person : table.people) {
    const std::uint32_t after = CellOfPerson(series, 1, cuts[1], person);
    if (!births || person.born == 1) {
      const std::uint64_t left = Explain(series, pair, AttackKind::kBackward, after).left;
      if (left > 0 && left < k) return false;
    }
    for (std::uint32_t before = 0; before < series.release(0).cells(); ++before) {
      std::vector<std::uint32_t> key;
      for (std::size_t j = 0; j < cuts[0].size(); ++j) {
        key.push_back(cuts[0][j].NodeOfLeaf(person.leaves[j]).raw());
      }
      if (series.release(0).FindCell(key) != before) continue;
      if (births && person.born == 1) continue;
      const std::uint64_t left = Explain(series, pair, AttackKind::kForward, before, after).left;
      if (left > 0 && left < k) return false;
    }
  }
  return true;
}

}  // namespace reissue::models::bcf::testing
