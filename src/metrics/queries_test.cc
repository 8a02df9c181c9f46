#include "reissue/metrics/queries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "metrics/slow_queries.h"
#include "reissue/core/random.h"

namespace reissue::metrics {
namespace {

// ---- random tables

constexpr std::uint32_t kDomain[] = {9, 2, 5};
constexpr std::uint32_t kValues = 6;

CodedTable RandomTable(Random& random, std::size_t rows) {
  CodedTable table;
  table.columns = std::size(kDomain);
  for (std::size_t row = 0; row < rows; ++row) {
    for (const std::uint32_t codes : kDomain) {
      table.codes.push_back(static_cast<std::uint32_t>(random.Below(codes)));
    }
    table.values.push_back(static_cast<std::uint32_t>(random.Below(kValues)));
  }
  return table;
}

// Groups of neighbouring rows; labels are the values themselves, what the group has between the
// least and the greatest, or any set with the value in it.
CodedRelease DrawnRelease(const CodedTable& table, Random& random, int kind) {
  CodedRelease release;
  release.labels.resize(table.columns);
  const std::size_t size = 1 + random.Below(7);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
  for (std::size_t row = 0; row < table.values.size(); ++row) {
    const auto group = static_cast<std::uint32_t>(2 * (row / size));  // every other one is empty
    release.group.push_back(group);
    release.rows.push_back(1);
    ++counts[{group, table.values[row]}];
    const std::size_t first = row / size * size;
    const std::size_t last = std::min(first + size, table.values.size());
    for (std::size_t c = 0; c < table.columns; ++c) {
      std::uint32_t lo = table.codes[row * table.columns + c], hi = lo;
      for (std::size_t other = first; other < last && kind == 1; ++other) {
        lo = std::min(lo, table.codes[other * table.columns + c]);
        hi = std::max(hi, table.codes[other * table.columns + c]);
      }
      Coverage label = {{lo, hi}};
      if (kind == 2 && lo > 1)
        label.insert(label.begin(), {0, static_cast<std::uint32_t>(random.Below(lo - 1))});
      if (kind == 2 && hi + 2 < kDomain[c]) label.push_back({hi + 2, kDomain[c] - 1});
      release.shown.push_back(static_cast<std::uint32_t>(release.labels[c].size()));
      release.labels[c].push_back(std::move(label));
    }
  }
  for (const auto& [key, rows] : counts) release.counts.push_back({key.first, key.second, rows});
  return release;
}

// As its readers see it, row by row.
oracle::ShownTable Shown(const CodedRelease& release) {
  oracle::ShownTable shown;
  for (const auto& count : release.counts)
    shown.values[count.group][count.value] += static_cast<double>(count.rows);
  for (std::size_t entry = 0; entry < release.group.size(); ++entry) {
    oracle::ShownRow row;
    row.group = release.group[entry];
    for (std::size_t c = 0; c < release.columns(); ++c) {
      row.may_be.emplace_back();
      for (const CodeRange& part :
           release.labels[c][release.shown[entry * release.columns() + c]]) {
        for (std::uint32_t code = part.first; code <= part.last; ++code)
          row.may_be.back().insert(code);
      }
    }
    shown.rows.insert(shown.rows.end(), release.rows[entry], row);
  }
  return shown;
}

oracle::RawTable Raw(const CodedTable& table) {
  oracle::RawTable raw;
  for (std::size_t row = 0; row < table.values.size(); ++row) {
    const auto from = table.codes.begin() + static_cast<std::ptrdiff_t>(row * table.columns);
    raw.push_back({{from, from + static_cast<std::ptrdiff_t>(table.columns)}, table.values[row]});
  }
  return raw;
}

oracle::Question Asked(const CountQuery& query) {
  oracle::Question asked;
  for (const CodeRange& range : query.ranges) asked.between.emplace_back(range.first, range.last);
  asked.value = query.value;
  return asked;
}

TEST(Queries, AgreeWithCountingRowByRow) {
  Random random = Random::Seeded(1);
  for (int round = 0; round < 300; ++round) {
    const CodedTable table = RandomTable(random, 1 + random.Below(60));
    const CodedRelease release = DrawnRelease(table, random, round % 3);
    const auto queries = round % 4 == 3 ? PointQueries(table, kDomain, 20, random.Next())
                                        : RandomQueries(table, kDomain, 0.05 + 0.3 * random.Unit(),
                                                        20, random.Next());
    double sum = 0;
    std::vector<double> errors;
    for (const CountQuery& query : queries) {
      const double actual = oracle::SlowActual(Raw(table), Asked(query));
      const double estimate = oracle::SlowEstimate(Shown(release), Asked(query));
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

// Rows that show their own values, as releases of labels do: the rows that look alike are a group,
// and counting them at once is counting them one by one.
TEST(Queries, EntriesStandForTheirRows) {
  Random random = Random::Seeded(11);
  const CodedTable table = RandomTable(random, 400);
  CodedRelease one_by_one, at_once;
  const std::vector<Coverage> halves[] = {
      {{{0, 4}}, {{5, 8}}}, {{{0, 1}}}, {{{0, 0}, {3, 4}}, {{1, 2}}}};
  std::map<std::vector<std::uint32_t>, std::map<std::uint32_t, std::uint64_t>> cells;
  for (std::uint32_t row = 0; row < 400; ++row) {
    const std::uint32_t age = table.codes[row * 3], job = table.codes[row * 3 + 2];
    const std::vector<std::uint32_t> labels = {age > 4 ? 1u : 0u, 0,
                                               job == 1 || job == 2 ? 1u : 0u};
    ++cells[labels][table.values[row]];
    one_by_one.shown.insert(one_by_one.shown.end(), labels.begin(), labels.end());
    one_by_one.group.push_back(row);
    one_by_one.rows.push_back(1);
    one_by_one.counts.push_back({row, table.values[row], 1});
  }
  for (const auto& [labels, values] : cells) {
    const auto group = static_cast<std::uint32_t>(at_once.group.size());
    std::uint64_t rows = 0;
    for (const auto& [value, count] : values) {
      at_once.counts.push_back({group, value, count});
      rows += count;
    }
    at_once.shown.insert(at_once.shown.end(), labels.begin(), labels.end());
    at_once.group.push_back(group);
    at_once.rows.push_back(rows);
  }
  for (CodedRelease* release : {&one_by_one, &at_once}) {
    release->labels.assign(std::begin(halves), std::end(halves));
  }
  EXPECT_LE(at_once.group.size(), 4u);
  for (const CountQuery& query : RandomQueries(table, kDomain, 0.1, 200, 12)) {
    EXPECT_NEAR(Estimate(one_by_one, query), Estimate(at_once, query), 1e-9);
  }
}

TEST(Queries, PointsAskForWhatSomeRowHas) {
  Random random = Random::Seeded(13);
  const CodedTable table = RandomTable(random, 50);
  std::set<std::pair<bool, bool>> asked;
  for (const CountQuery& query : PointQueries(table, kDomain, 100, 14)) {
    EXPECT_GT(Actual(table, query), 0);
    std::size_t points = 0;
    for (std::size_t c = 0; c < 3; ++c) points += query.ranges[c].codes() == 1 ? 1 : 0;
    EXPECT_EQ(points, 2u);
    asked.emplace(query.ranges[0].codes() == 1, query.ranges[1].codes() == 1);
  }
  EXPECT_EQ(asked.size(), 3u);
  const CodedTable narrow{1, {3, 4}, {0, 0}};
  const std::uint32_t domain[] = {9};
  for (const CountQuery& query : PointQueries(narrow, domain, 9, 15)) {
    EXPECT_EQ(query.ranges[0].codes(), 1u);
  }
  EXPECT_TRUE(PointQueries(CodedTable{1, {}, {}}, domain, 9, 16).empty());
}

TEST(Queries, AnsweredExactlyWhereNothingIsHidden) {
  Random random = Random::Seeded(2);
  const CodedTable table = RandomTable(random, 500);
  CodedRelease release = DrawnRelease(table, random, 0);
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
  CodedTable table = RandomTable(random, 600);
  for (std::size_t row = 0; row < 600; ++row) {
    table.values[row] = static_cast<std::uint32_t>(row % kValues);
  }
  CodedRelease fine = DrawnRelease(table, random, 0), merged = fine;
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
  const CodedTable table = RandomTable(random, 2000);
  std::set<std::uint32_t> begins;
  for (const CountQuery& query : RandomQueries(table, kDomain, 0.0625, 500, 7)) {
    // The fourth root of a sixteenth is a half: 5 (rounded) of 9, 1 of 2, 3 of 5 codes.
    EXPECT_EQ(query.ranges[0].last - query.ranges[0].first + 1, 5u);
    EXPECT_EQ(query.ranges[1].last - query.ranges[1].first + 1, 1u);
    EXPECT_EQ(query.ranges[2].last - query.ranges[2].first + 1, 3u);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_LT(query.ranges[c].last, kDomain[c]);
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

TEST(Queries, AskAboutFourColumnsAtMost) {
  CodedTable table{6, {}, {}};
  Random random = Random::Seeded(20);
  for (int row = 0; row < 300; ++row) {
    for (int c = 0; c < 6; ++c) table.codes.push_back(static_cast<std::uint32_t>(random.Below(16)));
    table.values.push_back(0);
  }
  const std::uint32_t domain[] = {16, 16, 16, 16, 16, 16};
  std::set<std::size_t> asked;
  for (const CountQuery& query : RandomQueries(table, domain, 0.0625, 50, 21)) {
    std::size_t ranges = 0;
    for (std::size_t c = 0; c < 6; ++c) {
      if (query.ranges[c].codes() == 16) continue;
      // All rows have one value, so that four conditions are left: the fourth root is a half.
      EXPECT_EQ(query.ranges[c].codes(), 8u);
      asked.insert(c);
      ++ranges;
    }
    EXPECT_EQ(ranges, 4u);
  }
  EXPECT_EQ(asked.size(), 6u);
}

// One row in a huge domain: random places never find it.
TEST(Queries, FindRowsThatAreFarBetween) {
  CodedTable table{3, {999'999, 0, 500'000}, {4}};
  const std::uint32_t domain[] = {1'000'000, 1'000'000, 1'000'000};
  const auto queries = RandomQueries(table, domain, 1e-12, 50, 8);
  ASSERT_EQ(queries.size(), 50u);
  for (const CountQuery& query : queries) {
    EXPECT_EQ(oracle::SlowActual(Raw(table), Asked(query)), 1);
    EXPECT_EQ(query.ranges[0].codes(), 100u);  // a third of the logarithm: there is one value
    EXPECT_LT(query.ranges[0].last, 1'000'000u);
  }
  EXPECT_TRUE(RandomQueries(CodedTable{3, {}, {}}, domain, 0.1, 5, 9).empty());
  EXPECT_EQ(RelativeError(CodedTable{3, {}, {}}, {}, queries, 0.1).queries, 0u);
}

}  // namespace
}  // namespace reissue::metrics
