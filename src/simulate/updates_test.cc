#include "reissue/simulate/updates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "generated_rows.h"

namespace reissue::simulate {
namespace {

std::vector<std::uint32_t> Pool(std::size_t rows, std::uint32_t values) {
  std::vector<std::uint32_t> pool(rows);
  for (std::size_t i = 0; i < rows; ++i) pool[i] = static_cast<std::uint32_t>(i * i % values);
  return pool;
}

UpdateStream Must(Result<UpdateStream> stream) {
  EXPECT_TRUE(stream.has_value());
  return std::move(stream).value();
}

UpdateOptions Small() {
  UpdateOptions options;
  options.first = 300;
  options.replace = 60;
  options.releases = 6;
  options.seed = 3;
  return options;
}

TEST(Updates, ReplaceAsManyRowsByOthersThatWereNeverThere) {
  const auto pool = Pool(600, 7);
  const UpdateStream stream = Must(MakeUpdates(pool, 7, Small()));
  EXPECT_EQ(stream.values, pool);
  ASSERT_EQ(stream.tables.size(), 6u);
  std::set<std::uint32_t> seen(stream.tables[0].begin(), stream.tables[0].end());
  EXPECT_EQ(seen.size(), 300u);
  for (std::size_t i = 1; i < stream.tables.size(); ++i) {
    const auto &before = stream.tables[i - 1], &table = stream.tables[i];
    ASSERT_EQ(table.size(), 300u);
    // Who stayed, in the same order, and then who came.
    auto at = before.begin();
    for (std::size_t j = 0; j < 240; ++j) {
      at = std::find(at, before.end(), table[j]);
      ASSERT_NE(at++, before.end());
    }
    for (std::size_t j = 240; j < 300; ++j) EXPECT_TRUE(seen.insert(table[j]).second);
  }
  EXPECT_EQ(seen.size(), 600u);
}

TEST(Updates, AreTheSameForTheSameSeedAndBeginTheSame) {
  const auto pool = Pool(600, 7);
  UpdateOptions options = Small();
  const UpdateStream stream = Must(MakeUpdates(pool, 7, options));
  EXPECT_EQ(stream.tables, Must(MakeUpdates(pool, 7, options)).tables);
  options.releases = 3;
  const UpdateStream shorter = Must(MakeUpdates(pool, 7, options));
  EXPECT_TRUE(std::equal(shorter.tables.begin(), shorter.tables.end(), stream.tables.begin()));
  options.seed = 4;
  EXPECT_NE(shorter.tables, Must(MakeUpdates(pool, 7, options)).tables);
}

TEST(Updates, EverybodyLeavesAndComesWithTheSameChance) {
  std::vector<int> first(20), left(20);
  const auto pool = Pool(20, 2);
  UpdateOptions options;
  options.first = 10;
  options.replace = 4;
  options.releases = 2;
  for (options.seed = 0; options.seed < 4000; ++options.seed) {
    const UpdateStream stream = Must(MakeUpdates(pool, 2, options));
    for (const std::uint32_t row : stream.tables[0]) {
      ++first[row];
      const auto& second = stream.tables[1];
      left[row] += std::find(second.begin(), second.end(), row) == second.end();
    }
  }
  for (const int count : first) EXPECT_NEAR(count, 2000, 160);
  for (const int count : left) EXPECT_NEAR(count, 800, 130);
}

// Figure 5 of the paper: 50 values, 20,000 rows, slopes up to 15.
TEST(Updates, SkewedCountsRiseByTheSlope) {
  for (const double slope : {0.0, 1.0, 7.5, 15.0}) {
    const auto counts = SkewedCounts(50, 20'000, slope);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 20'000u);
    const double least = 400 - slope * 24.5;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(counts[i]), least + slope * static_cast<double>(i), 1.0);
    }
  }
  EXPECT_EQ(SkewedCounts(50, 20'000, 15).front(), 33u);
  EXPECT_NEAR(LargestSkew(50, 20'000), 16.33, 0.01);
  EXPECT_EQ(SkewedCounts(4, 6, LargestSkew(4, 6)), (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(Updates, SkewTheValuesOfThoseWhoComeAndOfNobodyElse) {
  const auto pool = Pool(600, 5);
  UpdateOptions options = Small();
  options.skew = 4;
  const UpdateStream stream = Must(MakeUpdates(pool, 5, options));
  for (const std::uint32_t row : stream.tables[0]) EXPECT_EQ(stream.values[row], pool[row]);
  std::set<std::vector<std::uint64_t>> orders;
  for (std::size_t i = 1; i < stream.tables.size(); ++i) {
    std::vector<std::uint64_t> counts(5), own(5), kept(5);
    for (auto row = stream.tables[i].end() - 60; row != stream.tables[i].end(); ++row) {
      ++counts[stream.values[*row]];
      ++own[pool[*row]];
      kept[pool[*row]] += stream.values[*row] == pool[*row];
    }
    // No more values change than must.
    for (std::size_t v = 0; v < 5; ++v) EXPECT_EQ(kept[v], std::min(own[v], counts[v]));
    orders.insert(counts);
    std::sort(counts.begin(), counts.end());
    EXPECT_EQ(counts, (std::vector<std::uint64_t>{4, 8, 12, 16, 20}));
  }
  EXPECT_GE(orders.size(), 2u);
  // The same people come and leave.
  options.skew.reset();
  EXPECT_EQ(stream.tables[0], Must(MakeUpdates(pool, 5, options)).tables[0]);
}

TEST(Updates, RefuseWhatMakesNoSense) {
  const auto pool = Pool(600, 5);
  const auto refused = [&](const UpdateOptions& options) {
    const auto made = MakeUpdates(pool, 5, options);
    return !made.has_value() && made.error().code == ErrorCode::kUsage;
  };
  EXPECT_FALSE(refused(Small()));
  UpdateOptions options = Small();
  options.releases = 7;
  EXPECT_TRUE(refused(options));
  EXPECT_THAT(MakeUpdates(pool, 5, options).error().remedy, testing::HasSubstr("6 tables fit"));
  options = Small();
  options.first = 601;
  EXPECT_TRUE(refused(options));
  options = Small();
  options.releases = 0;
  EXPECT_TRUE(refused(options));
  options = Small();
  options.first = 10;
  options.replace = 11;
  EXPECT_TRUE(refused(options));
  options = Small();
  options.skew = 6.01;
  EXPECT_TRUE(refused(options));
  options.skew = 6;
  EXPECT_FALSE(refused(options));
  options.skew = -1;
  EXPECT_TRUE(refused(options));
  // Nobody leaves or comes: any number of tables can be had.
  options = Small();
  options.replace = 0;
  options.releases = 1000;
  EXPECT_FALSE(refused(options));
}

TEST(Updates, AreWrittenWithIdentifiersThatLast) {
  const Table pool = MakeTable({"age", "illness"}, {{"30", "flu"}, {"41", "cold"}, {"52", "a, b"}});
  UpdateStream stream;
  stream.values = {0, 0, 2};
  stream.tables = {{0, 2}, {2, 1}};
  const UpdatedTable plain(pool, stream, 1, {});
  EXPECT_EQ(plain.rows(), 2u);
  std::string text;
  plain.AppendHeader(text);
  plain.AppendRows(0, 2, text);
  EXPECT_EQ(text, "age,illness\n52,\"a, b\"\n41,cold\n");
  const UpdatedTable named(pool, stream, 1, {pool.Find("illness"), "person"});
  text.clear();
  named.AppendHeader(text);
  named.AppendRows(0, 2, text);
  EXPECT_EQ(text, "person,age,illness\nR0000003,52,\"a, b\"\nR0000002,41,flu\n");
  EXPECT_THAT(named.Domain(0), testing::IsEmpty());
  EXPECT_THAT(named.Domain(1), testing::ElementsAre("30", "41", "52"));
}

}  // namespace
}  // namespace reissue::simulate
