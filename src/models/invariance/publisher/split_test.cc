#include "reissue/models/invariance/publisher/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "reissue/core/random.h"

namespace reissue::models::invariance {
namespace {

struct Table {
  std::vector<double> coordinates;
  std::vector<Value> values;
};

Table RandomTable(std::size_t each, std::uint32_t values, std::size_t columns, std::uint64_t seed) {
  Random random = Random::Seeded(seed);
  Table table;
  for (std::size_t i = 0; i < each * values; ++i) {
    table.values.push_back(static_cast<Value>(10 + i % values));
  }
  random.Shuffle(table.values);
  for (std::size_t i = 0; i < table.values.size() * columns; ++i) {
    table.coordinates.push_back(static_cast<double>(random.Below(80)) / 79);
  }
  return table;
}

// The mean over partitions of the sum of the ranges of their columns.
double Width(const Table& table, std::size_t columns, const std::vector<std::uint32_t>& partition) {
  std::map<std::uint32_t, std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < partition.size(); ++i) rows[partition[i]].push_back(i);
  double sum = 0;
  for (const auto& [name, members] : rows) {
    for (std::size_t column = 0; column < columns; ++column) {
      const auto at = [&](std::size_t row) { return table.coordinates[row * columns + column]; };
      const auto [low, high] = std::ranges::minmax(members, {}, at);
      sum += at(high) - at(low);
    }
  }
  return sum / static_cast<double>(rows.size());
}

TEST(Split, EveryPartitionHasEveryValueOnce) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::size_t each = 1 + seed % 9, columns = seed % 4;
    const Table table = RandomTable(each, 2 + seed % 5, columns, seed);
    const auto partition = Split(table.coordinates, columns, table.values);
    std::set<std::pair<std::uint32_t, Value>> seen;
    for (std::size_t i = 0; i < partition.size(); ++i) {
      EXPECT_LT(partition[i], each);
      EXPECT_TRUE(seen.emplace(partition[i], table.values[i]).second);
    }
    EXPECT_EQ(seen.size(), table.values.size());
  }
}

TEST(Split, AlikeRowsComeTogether) {
  // Two places, far apart: partitions do not mix them.
  Table table;
  for (std::uint32_t i = 0; i < 24; ++i) {
    table.values.push_back(i % 3);
    table.coordinates.push_back(i % 2);
    table.coordinates.push_back(0.01 * i);
  }
  EXPECT_LT(Width(table, 2, Split(table.coordinates, 2, table.values)), 0.2);
  const Table random = RandomTable(500, 4, 2, 1);
  std::vector<std::uint32_t> by_chance(random.values.size());
  std::map<Value, std::uint32_t> next;
  for (std::size_t i = 0; i < by_chance.size(); ++i) by_chance[i] = next[random.values[i]]++;
  EXPECT_LT(Width(random, 2, Split(random.coordinates, 2, random.values)) * 5,
            Width(random, 2, by_chance));
}

TEST(Split, NothingToSplit) { EXPECT_TRUE(Split({}, 3, {}).empty()); }

}  // namespace
}  // namespace reissue::models::invariance
