#include "reissue/core/cells.h"

#include <gtest/gtest.h>

#include <map>

#include "reissue/core/random.h"

namespace reissue {
namespace {

std::map<std::vector<std::uint32_t>, std::vector<std::uint64_t>> ToMap(const Cells& cells) {
  std::map<std::vector<std::uint32_t>, std::vector<std::uint64_t>> map;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    std::vector<std::uint64_t> counts;
    for (std::size_t o = 0; o < cells.origins(); ++o) counts.push_back(cells.count(CellId(i), o));
    map[{key.begin(), key.end()}] = counts;
  }
  return map;
}

Table RandomTable(std::size_t rows, std::size_t width, std::size_t domain, std::uint64_t seed) {
  Random random = Random::Seeded(seed);
  std::vector<Column> columns;
  for (std::size_t c = 0; c < width; ++c) {
    DictionaryBuilder dictionary;
    for (std::size_t v = 0; v < domain; ++v) dictionary.Intern(std::to_string(v));
    std::vector<ValueId> values;
    for (std::size_t r = 0; r < rows; ++r) values.emplace_back(random.Below(domain));
    columns.emplace_back("c" + std::to_string(c), std::move(dictionary).Build(), std::move(values));
  }
  return Table(std::move(columns), rows);
}

TEST(Cells, OfACountedTableAreThoseOfItsRows) {
  const Table rows = RandomTable(5000, 3, 4, 1);
  const std::vector<ColumnId> all = {ColumnId(0), ColumnId(1), ColumnId(2)};
  const std::vector<ColumnId> some = {ColumnId(2), ColumnId(0)};
  ThreadPool pool(2);
  const Cells cells = BuildCells(rows, all, pool);
  std::vector<std::uint64_t> weights;
  std::vector<std::vector<ValueId>> values(3);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    weights.push_back(cells.count(CellId(i)));
    for (std::size_t c = 0; c < 3; ++c) values[c].emplace_back(cells.key(CellId(i))[c]);
  }
  std::vector<Column> columns;
  for (std::size_t c = 0; c < 3; ++c) {
    columns.emplace_back("c", rows[ColumnId(c)].shared_dictionary(), values[c]);
  }
  const Table counted(std::move(columns), cells.size(), {}, std::move(weights));
  EXPECT_EQ(counted.total(), rows.rows());
  EXPECT_LT(counted.rows(), rows.rows());
  EXPECT_EQ(ToMap(BuildCells(counted, some, pool)), ToMap(BuildCells(rows, some, pool)));
}

TEST(Cells, AgreeWithAMapForAnyWidthAndAnyNumberOfThreads) {
  for (const std::size_t width : {1u, 3u, 12u, 20u}) {
    const std::size_t domain = width > 3 ? 70 : 5;
    const Table table = RandomTable(40000, width, domain, width);
    std::vector<ColumnId> columns;
    for (std::size_t c = 0; c < width; ++c) columns.emplace_back(width - 1 - c);
    std::vector<std::uint16_t> origin;
    for (std::size_t r = 0; r < table.rows(); ++r) origin.push_back(r % 3);
    std::map<std::vector<std::uint32_t>, std::vector<std::uint64_t>> expected;
    for (std::size_t r = 0; r < table.rows(); ++r) {
      std::vector<std::uint32_t> key;
      for (const ColumnId c : columns) key.push_back(table[c][RowId(r)].raw());
      auto& counts = expected[key];
      counts.resize(3);
      ++counts[origin[r]];
    }
    for (const std::size_t threads : {1u, 2u, 3u}) {
      ThreadPool pool(threads);
      const Cells cells = BuildCells(table, columns, pool, origin, 3);
      EXPECT_EQ(cells.rows(), table.rows());
      EXPECT_EQ(ToMap(cells), expected);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        ASSERT_EQ(cells.CountUpTo(CellId(i), 1),
                  cells.count(CellId(i), 0) + cells.count(CellId(i), 1));
      }
      for (std::size_t i = 1; i < cells.size(); ++i) {
        const auto a = cells.key(CellId(i - 1));
        const auto b = cells.key(CellId(i));
        ASSERT_TRUE(std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()));
      }
    }
  }
}

// What rows there are is kept, and not what origins there could be.
TEST(Cells, ManyOriginsTakeNoMoreThanTheirRows) {
  const Table table = RandomTable(1000, 2, 4, 1);
  std::vector<std::uint16_t> origin;
  for (std::size_t r = 0; r < table.rows(); ++r) origin.push_back(static_cast<std::uint16_t>(r));
  ThreadPool pool(2);
  const Cells cells =
      BuildCells(table, std::vector<ColumnId>{ColumnId(0), ColumnId(1)}, pool, origin, 60000);
  EXPECT_EQ(cells.size(), 16u);
  EXPECT_EQ(cells.parts(), 1000u);
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells.ForEachPart(CellId(i), [&](const Cells::Part& part) { rows += part.rows; });
  }
  EXPECT_EQ(rows, 1000u);
}

TEST(Cells, NoRowsAndNoColumns) {
  ThreadPool pool(2);
  const Table empty = RandomTable(0, 2, 3, 1);
  EXPECT_EQ(BuildCells(empty, std::vector<ColumnId>{ColumnId(0)}, pool).size(), 0u);
  const Table table = RandomTable(10, 1, 3, 1);
  const Cells all = BuildCells(table, {}, pool);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.count(CellId(0)), 10u);
}

TEST(CollectCells, AnyNumberOfThreadsGivesTheSame) {
  Random random = Random::Seeded(5);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < 60000; ++i) {
    for (std::size_t c = 0; c < 6; ++c) {
      keys.push_back(static_cast<std::uint32_t>(random.Below(c == 0 ? 1u << 30 : 3)));
    }
    if (i % 3 == 0) std::copy_n(keys.begin(), 6, keys.end() - 6);  // many are the same
    keys.push_back(static_cast<std::uint32_t>(random.Below(2)));   // the origin
    counts.push_back(random.Below(4));
  }
  const auto expected = ToMap(CollectCells(6, keys, counts, 2));
  EXPECT_GT(expected.size(), 30000u);
  for (const std::size_t threads : {2u, 5u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(ToMap(CollectCells(6, keys, counts, 2, pool)), expected);
  }
}

TEST(CollectCells, SumsEqualKeys) {
  const std::vector<std::uint32_t> keys = {4, 1, 0, 2, 4, 1};
  const std::vector<std::uint64_t> counts = {2, 5, 3};
  const Cells cells = CollectCells(2, keys, counts);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells.count(CellId(0)), 5u);
  EXPECT_EQ(cells.key(CellId(1))[0], 4u);
  EXPECT_EQ(cells.count(CellId(1)), 5u);
}

// More rows than are dealt at once, to many ranges; a third of them have the last key there can be.
TEST(Cells, ManyRowsOfWhichManyAreTheSame) {
  constexpr std::size_t kRows = 300000, kDomain = 1 << 16;
  Random random = Random::Seeded(7);
  std::vector<Column> columns;
  for (std::size_t c = 0; c < 4; ++c) {
    DictionaryBuilder dictionary;
    for (std::size_t v = 0; v < kDomain; ++v) dictionary.Intern(std::to_string(v));
    std::vector<ValueId> values;
    for (std::size_t r = 0; r < kRows; ++r) {
      values.emplace_back(r % 3 == 0 ? kDomain - 1 : random.Below(c == 0 ? kDomain : 2));
    }
    columns.emplace_back("c" + std::to_string(c), std::move(dictionary).Build(), std::move(values));
  }
  const Table table(std::move(columns), kRows);
  const std::vector<ColumnId> all = {ColumnId(0), ColumnId(1), ColumnId(2), ColumnId(3)};
  std::map<std::vector<std::uint32_t>, std::vector<std::uint64_t>> expected;
  for (std::size_t r = 0; r < kRows; ++r) {
    std::vector<std::uint32_t> key;
    for (const ColumnId c : all) key.push_back(table[c][RowId(r)].raw());
    auto& counts = expected[key];
    counts.resize(1);
    ++counts[0];
  }
  for (const std::size_t threads : {1u, 2u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(ToMap(BuildCells(table, all, pool)), expected);
  }
}

}  // namespace
}  // namespace reissue
