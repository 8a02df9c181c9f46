#include "reissue/metrics/queries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reissue/core/random.h"

namespace reissue::metrics {
namespace {

// ---- the slow twins: from the definition, row by row

bool Covers(const CountQuery& query, std::size_t column, std::uint32_t code) {
  return query.ranges[column].first <= code && code <= query.ranges[column].second;
}

double NaiveActual(const QueryTable& table, const CountQuery& query) {
  double rows = 0;
  for (std::size_t row = 0; row < table.values.size(); ++row) {
    bool matches = table.values[row] == query.value;
    for (std::size_t c = 0; c < table.columns; ++c) {
      matches = matches && Covers(query, c, table.codes[row * table.columns + c]);
    }
    rows += matches ? 1 : 0;
  }
  return rows;
}

// Every row gets every value of its group with the share it has there, and lies at every code of
// its box with the same probability.
double NaiveEstimate(const QueryRelease& release, const CountQuery& query) {
  std::map<std::uint32_t, double> size, asked;
  for (const std::uint32_t group : release.group) size[group] += 1;
  for (const auto& count : release.counts) {
    if (count.value == query.value) asked[count.group] += static_cast<double>(count.rows);
  }
  double sum = 0;
  for (std::size_t row = 0; row < release.group.size(); ++row) {
    double part = asked[release.group[row]] / size[release.group[row]];
    for (std::size_t c = 0; c < release.columns; ++c) {
      const std::uint32_t lo = release.lo[row * release.columns + c];
      const std::uint32_t hi = release.hi[row * release.columns + c];
      double inside = 0;
      for (std::uint32_t code = lo; code <= hi; ++code) inside += Covers(query, c, code) ? 1 : 0;
      part *= inside / (hi - lo + 1);
    }
    sum += part;
  }
  return sum;
}

// ---- random tables

constexpr std::uint32_t kDomain[] = {9, 2, 5};
constexpr std::uint32_t kValues = 6;

QueryTable RandomTable(Random& random, std::size_t rows) {
  QueryTable table;
  table.columns = std::size(kDomain);
  for (std::size_t row = 0; row < rows; ++row) {
    for (const std::uint32_t codes : kDomain) {
      table.codes.push_back(static_cast<std::uint32_t>(random.Below(codes)));
    }
    table.values.push_back(static_cast<std::uint32_t>(random.Below(kValues)));
  }
  return table;
}

// Groups of neighbouring rows; boxes are the rows themselves, those of the group, or random.
QueryRelease DrawnRelease(const QueryTable& table, Random& random, int kind) {
  QueryRelease release;
  release.columns = table.columns;
  const std::size_t size = 1 + random.Below(7);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
  for (std::size_t row = 0; row < table.values.size(); ++row) {
    const auto group = static_cast<std::uint32_t>(2 * (row / size));  // every other one is empty
    release.group.push_back(group);
    ++counts[{group, table.values[row]}];
    const std::size_t first = row / size * size;
    const std::size_t last = std::min(first + size, table.values.size());
    for (std::size_t c = 0; c < table.columns; ++c) {
      std::uint32_t lo = table.codes[row * table.columns + c], hi = lo;
      for (std::size_t other = first; other < last && kind == 1; ++other) {
        lo = std::min(lo, table.codes[other * table.columns + c]);
        hi = std::max(hi, table.codes[other * table.columns + c]);
      }
      if (kind == 2) {
        lo = static_cast<std::uint32_t>(random.Below(lo + 1));
        hi = static_cast<std::uint32_t>(hi + random.Below(kDomain[c] - hi));
      }
      release.lo.push_back(lo);
      release.hi.push_back(hi);
    }
  }
  for (const auto& [key, rows] : counts) release.counts.push_back({key.first, key.second, rows});
  return release;
}

TEST(Queries, AgreeWithCountingRowByRow) {
  Random random = Random::Seeded(1);
  for (int round = 0; round < 300; ++round) {
    const QueryTable table = RandomTable(random, 1 + random.Below(60));
    const QueryRelease release = DrawnRelease(table, random, round % 3);
    const auto queries =
        RandomQueries(table, kDomain, 0.05 + 0.3 * random.Unit(), 20, random.Next());
    double sum = 0;
    std::vector<double> errors;
    for (const CountQuery& query : queries) {
      const double actual = NaiveActual(table, query), estimate = NaiveEstimate(release, query);
      ASSERT_EQ(Actual(table, query), actual);
      ASSERT_NEAR(Estimate(release, query), estimate, 1e-9);
      ASSERT_GT(actual, 0);
      errors.push_back(std::abs(actual - estimate) / actual);
      sum += errors.back();
    }
    std::sort(errors.begin(), errors.end());
    const QueryError error = RelativeError(table, release, queries, 0.1);
    ASSERT_EQ(error.queries, 20u);
    ASSERT_EQ(error.selectivity, 0.1);
    ASSERT_NEAR(error.mean, sum / 20, 1e-9);
    ASSERT_NEAR(error.median, (errors[9] + errors[10]) / 2, 1e-9);
  }
}

TEST(Queries, AnsweredExactlyWhereNothingIsHidden) {
  Random random = Random::Seeded(2);
  const QueryTable table = RandomTable(random, 500);
  QueryRelease release = DrawnRelease(table, random, 0);
  release.counts.clear();
  for (std::uint32_t row = 0; row < table.values.size(); ++row) {
    release.group[row] = row;
    release.counts.push_back({row, table.values[row], 1});
  }
  const QueryError error =
      RelativeError(table, release, RandomQueries(table, kDomain, 0.1, 100, 3), 0.1);
  EXPECT_EQ(error.queries, 100u);
  EXPECT_EQ(error.mean, 0);
}

// Proposition 1 of the paper: with exact codes and without counterfeits, merging groups of the same
// values changes no answer.
TEST(Queries, MergedGroupsOfTheSameValuesAnswerTheSame) {
  Random random = Random::Seeded(4);
  QueryTable table = RandomTable(random, 600);
  for (std::size_t row = 0; row < 600; ++row) {
    table.values[row] = static_cast<std::uint32_t>(row % kValues);
  }
  QueryRelease fine = DrawnRelease(table, random, 0), merged = fine;
  fine.counts.clear();
  for (std::uint32_t row = 0; row < 600; ++row) {
    fine.group[row] = row / kValues;
    fine.counts.push_back({row / kValues, row % kValues, 1});
    merged.group[row] = 0;
  }
  merged.counts.clear();
  for (std::uint32_t value = 0; value < kValues; ++value) merged.counts.push_back({0, value, 100});
  for (const CountQuery& query : RandomQueries(table, kDomain, 0.2, 200, 5)) {
    EXPECT_NEAR(Estimate(fine, query), Estimate(merged, query), 1e-9);
  }
}

TEST(Queries, CoverWhatTheSelectivityAsksFor) {
  Random random = Random::Seeded(6);
  const QueryTable table = RandomTable(random, 2000);
  std::set<std::uint32_t> begins;
  for (const CountQuery& query : RandomQueries(table, kDomain, 0.0625, 500, 7)) {
    // The fourth root of a sixteenth is a half: 5 (rounded) of 9, 1 of 2, 3 of 5 codes.
    EXPECT_EQ(query.ranges[0].second - query.ranges[0].first + 1, 5u);
    EXPECT_EQ(query.ranges[1].second - query.ranges[1].first + 1, 1u);
    EXPECT_EQ(query.ranges[2].second - query.ranges[2].first + 1, 3u);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_LT(query.ranges[c].second, kDomain[c]);
    begins.insert(query.ranges[0].first);
  }
  EXPECT_EQ(begins.size(), 5u);
  const auto same = RandomQueries(table, kDomain, 0.0625, 500, 7);
  const auto again = RandomQueries(table, kDomain, 0.0625, 500, 7);
  EXPECT_TRUE(std::equal(same.begin(), same.end(), again.begin(),
                         [](const CountQuery& a, const CountQuery& b) {
                           return a.ranges == b.ranges && a.value == b.value;
                         }));
}

// One row in a huge domain: random places never find it.
TEST(Queries, FindRowsThatAreFarBetween) {
  QueryTable table{3, {999'999, 0, 500'000}, {4}};
  const std::uint32_t domain[] = {1'000'000, 1'000'000, 1'000'000};
  const auto queries = RandomQueries(table, domain, 1e-12, 50, 8);
  ASSERT_EQ(queries.size(), 50u);
  for (const CountQuery& query : queries) {
    EXPECT_EQ(NaiveActual(table, query), 1);
    EXPECT_EQ(query.ranges[0].second - query.ranges[0].first + 1, 1000u);
    EXPECT_LT(query.ranges[0].second, 1'000'000u);
  }
  EXPECT_TRUE(RandomQueries(QueryTable{3, {}, {}}, domain, 0.1, 5, 9).empty());
  EXPECT_EQ(RelativeError(QueryTable{3, {}, {}}, {}, queries, 0.1).queries, 0u);
}

}  // namespace
}  // namespace reissue::metrics
