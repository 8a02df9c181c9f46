#include "reissue/metrics/information.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "metrics/slow_information.h"
#include "reissue/core/random.h"
#include "reissue/metrics/matching.h"

namespace reissue::metrics {
namespace {

// Eight codes in a tree: * → {0–3 → {0–1, 2–3}, 4–7 → {4, 5–7}}, and the leaves.
const std::vector<Coverage> kTree = {{{0, 7}}, {{0, 3}}, {{0, 1}}, {{2, 3}}, {{4, 7}},
                                     {{5, 7}}, {{0, 0}}, {{1, 1}}, {{2, 2}}, {{3, 3}},
                                     {{4, 4}}, {{5, 5}}, {{6, 6}}, {{7, 7}}};

// One column of codes; rows that are not left out get the label that they are given.
struct Column {
  CodedTable table{1, {}, {}};
  CodedRelease release;
  std::vector<std::uint32_t> label_of_row;

  explicit Column(std::vector<Coverage> labels) { release.labels = {std::move(labels)}; }
  void Add(std::uint32_t code, std::uint32_t label) {
    LeaveOut(code);
    label_of_row.push_back(label);
    release.shown.push_back(label);
    release.group.push_back(static_cast<std::uint32_t>(release.group.size()));
    release.rows.push_back(1);
    release.counts.push_back({release.group.back(), 0, 1});
  }
  void LeaveOut(std::uint32_t code) {
    table.codes.push_back(code);
    table.values.push_back(0);
  }
  ColumnInformation Measure(std::uint32_t codes = 8) const {
    return MeasureInformation(table, release, 0, codes);
  }
};

TEST(Information, ByHand) {
  Column column(kTree);  // four values, equally often: two bits, of which labels of two tell one
  for (const std::uint32_t code : {0u, 1u, 2u, 3u}) column.Add(code, code < 2 ? 2 : 3);
  EXPECT_NEAR(column.Measure().entropy, 2, 1e-12);
  EXPECT_NEAR(column.Measure().kept, 0.5, 1e-12);
}

TEST(Information, EverythingNothingAndNothingToKnow) {
  Column exact(kTree), hidden(kTree), same(kTree), left_out(kTree);
  for (std::uint32_t code = 0; code < 8; ++code) {
    exact.Add(code, 6 + code);
    hidden.Add(code, 0);
    same.Add(5, 0);
    if (code < 4) {
      left_out.Add(code, 6 + code);
    } else {
      left_out.LeaveOut(code);
    }
  }
  EXPECT_NEAR(exact.Measure().kept, 1, 1e-12);
  EXPECT_EQ(hidden.Measure().kept, 0);
  EXPECT_EQ(same.Measure().kept, 1);
  EXPECT_NEAR(left_out.Measure().kept, 0.5, 1e-12);  // although only great codes were left out
}

// With one cut there is one matching, and the definition can be applied row by row.
TEST(Information, OneCutAgreesWithTheDefinition) {
  Random random = Random::Seeded(1);
  const std::vector<std::vector<std::uint32_t>> cuts = {
      {2, 3, 4}, {2, 8, 9, 4}, {1, 10, 5}, {6, 7, 3, 10, 11, 12, 13}};
  for (int round = 0; round < 100; ++round) {
    Column column(kTree);
    const std::size_t rows = 2 + random.Below(60);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto code = static_cast<std::uint32_t>(std::min(random.Below(8), random.Below(8)));
      for (const std::uint32_t label : cuts[static_cast<std::size_t>(round) % cuts.size()]) {
        if (CodesIn(kTree[label], {code, code}) == 1) column.Add(code, label);
      }
    }
    const ColumnInformation found = column.Measure();
    const double told = oracle::SlowInformation(column.table.codes, column.label_of_row);
    ASSERT_NEAR(found.entropy, oracle::SlowInformation(column.table.codes, column.table.codes),
                1e-9);
    ASSERT_NEAR(found.kept * found.entropy, told, 1e-9);
  }
}

double Difference(const std::vector<std::uint64_t>& raw, const std::vector<Coverage>& labels,
                  const std::vector<std::uint64_t>& published) {
  std::vector<std::set<std::uint32_t>> may_be;
  std::vector<double> wanted(published.begin(), published.end());
  double left_out = 0;
  for (const std::uint64_t rows : raw) left_out += static_cast<double>(rows);
  for (std::size_t label = 0; label < labels.size(); ++label) {
    left_out -= wanted[label];
    may_be.emplace_back();
    for (const CodeRange& part : labels[label]) {
      for (std::uint32_t code = part.first; code <= part.last; ++code) may_be.back().insert(code);
    }
  }
  may_be.emplace_back();
  for (std::uint32_t code = 0; code < raw.size(); ++code) may_be.back().insert(code);
  wanted.push_back(left_out);
  auto slow = oracle::SlowMatch({raw.begin(), raw.end()}, may_be, wanted, 400);
  const auto matched = MatchLabels(raw, labels, published);
  double worst = 0;
  for (std::size_t label = 0; label < labels.size(); ++label) {
    std::size_t i = 0;
    for (const std::uint32_t code : may_be[label]) {
      const double found = matched[label].empty() ? 0 : matched[label][i++];
      worst = std::max(worst, std::abs(found - slow[{code, label}]));
    }
  }
  return worst;
}

// Rows are given a label that stands for their code, or are left out: any recoding.
std::vector<std::uint64_t> DrawLabels(const std::vector<std::uint64_t>& raw,
                                      const std::vector<Coverage>& labels, Random& random) {
  std::vector<std::uint64_t> published(labels.size(), 0);
  for (std::uint32_t code = 0; code < raw.size(); ++code) {
    for (std::uint64_t row = 0; row < raw[code]; ++row) {
      const std::size_t label = random.Below(labels.size());
      if (CodesIn(labels[label], {code, code}) == 1) ++published[label];
    }
  }
  return published;
}

TEST(Matching, IsTheMostEvenOneWhateverTheLabels) {
  Random random = Random::Seeded(2);
  const std::vector<Coverage> crossing = {{{0, 4}}, {{3, 7}}, {{0, 1}, {6, 7}}, {{2, 2}, {5, 5}}};
  for (int round = 0; round < 40; ++round) {
    std::vector<std::uint64_t> raw;
    for (int code = 0; code < 8; ++code) raw.push_back(5 + random.Below(60));
    EXPECT_LT(Difference(raw, kTree, DrawLabels(raw, kTree, random)), 1e-3) << "tree, " << round;
    EXPECT_LT(Difference(raw, crossing, DrawLabels(raw, crossing, random)), 0.5) << round;
  }
}

// Where labels leave no choice, matching in turn finds it exactly; fitting would take forever.
TEST(Matching, IsExactWhereThereIsNoChoice) {
  const std::vector<Coverage> labels = {{{0, 1}}, {{0, 0}}, {{1, 1}}};
  const std::vector<std::uint64_t> raw = {10, 10}, published = {5, 5, 10};
  const auto matched = MatchLabels(raw, labels, published);
  EXPECT_EQ(matched[0], (std::vector<double>{5, 0}));
  EXPECT_EQ(matched[1], (std::vector<double>{5}));
  EXPECT_EQ(matched[2], (std::vector<double>{10}));
}

TEST(Correlation, CramersVAgreesWithChiSquare) {
  EXPECT_NEAR(CramersV(std::vector<double>{5, 0, 0, 5}, 2, 2), 1, 1e-12);
  EXPECT_NEAR(CramersV(std::vector<double>{1, 2, 2, 4}, 2, 2), 0, 1e-6);
  EXPECT_EQ(CramersV(std::vector<double>{1, 2}, 1, 2), 0);
  Random random = Random::Seeded(3);
  for (int round = 0; round < 100; ++round) {
    const std::size_t height = 2 + random.Below(4), width = 2 + random.Below(4);
    std::vector<double> flat;
    std::vector<std::vector<double>> observed(height, std::vector<double>(width));
    for (auto& row : observed) {
      for (double& count : row) {
        count = static_cast<double>(random.Below(9));
        flat.push_back(count);
      }
    }
    if (std::accumulate(flat.begin(), flat.end(), 0.0) == 0) continue;
    ASSERT_NEAR(CramersV(flat, height, width), oracle::SlowCramersV(observed), 1e-6);
  }
}

constexpr std::uint32_t kCodes[] = {3, 5};

// Two columns and a value that hang together; labels of each row chosen as if by local recoding.
struct Related {
  CodedTable table{2, {}, {}};
  CodedRelease release;
  Related(Random& random, bool hide) {
    release.labels = {
        {{{0, 0}}, {{1, 1}}, {{2, 2}}, {{0, 1}}, {{0, 2}}},
        {{{0, 0}}, {{1, 1}}, {{2, 2}}, {{3, 3}}, {{4, 4}}, {{0, 0}, {3, 4}}, {{0, 4}}}};
    for (std::uint32_t row = 0; row < 300; ++row) {
      const auto a = static_cast<std::uint32_t>(random.Below(3));
      const auto b = static_cast<std::uint32_t>(random.Below(2) == 0 ? a : random.Below(5));
      const auto value = static_cast<std::uint32_t>(random.Below(3) == 0 ? b / 2 : random.Below(3));
      table.codes.insert(table.codes.end(), {a, b});
      table.values.push_back(value);
      const bool wide_a = hide && random.Below(2) == 0, wide_b = hide && random.Below(3) == 0;
      release.shown.push_back(!wide_a ? a : a < 2 ? 3 : 4);
      release.shown.push_back(!wide_b ? b : b == 0 || b > 2 ? 5 : 6);
      release.group.push_back(hide ? row / 3 : row);
      release.rows.push_back(1);
      release.counts.push_back({release.group.back(), value, 1});
    }
  }
};

TEST(Correlation, AgreesWithSpreadingRowByRow) {
  Random random = Random::Seeded(4);
  for (int round = 0; round < 20; ++round) {
    const Related related(random, true);
    std::vector<std::vector<double>> raw(3, std::vector<double>(5)), spread = raw;
    std::vector<std::vector<double>> raw_values(5, std::vector<double>(3)),
        spread_values = raw_values;
    for (std::size_t row = 0; row < 300; ++row) {
      ++raw[related.table.codes[row * 2]][related.table.codes[row * 2 + 1]];
      const Coverage& a = related.release.labels[0][related.release.shown[row * 2]];
      const Coverage& b = related.release.labels[1][related.release.shown[row * 2 + 1]];
      for (std::uint32_t i = 0; i < 3; ++i) {
        for (std::uint32_t j = 0; j < 5; ++j) {
          const auto both = static_cast<double>(CodesIn(a, {i, i}) * CodesIn(b, {j, j}));
          spread[i][j] += both / static_cast<double>(CodesIn(a) * CodesIn(b));
        }
      }
      ++raw_values[related.table.codes[row * 2 + 1]][related.table.values[row]];
      for (std::uint32_t j = 0; j < 5; ++j) {  // groups are three rows in turn
        for (std::size_t other = row / 3 * 3; other < row / 3 * 3 + 3; ++other) {
          spread_values[j][related.table.values[other]] +=
              static_cast<double>(CodesIn(b, {j, j})) / static_cast<double>(CodesIn(b)) / 3;
        }
      }
    }
    const Correlations found = MeasureCorrelations(related.table, related.release, kCodes);
    ASSERT_EQ(found.pairs.size(), 3u);
    const Correlations::Pair& columns = found.pairs[0];
    EXPECT_EQ(columns.first, 0u);
    EXPECT_EQ(columns.second, 1u);
    EXPECT_NEAR(columns.raw, oracle::SlowCramersV(raw), 1e-9);
    EXPECT_NEAR(columns.published, oracle::SlowCramersV(spread), 1e-9);
    EXPECT_NEAR(found.pairs[2].raw, oracle::SlowCramersV(raw_values), 1e-9);
    EXPECT_NEAR(found.pairs[2].published, oracle::SlowCramersV(spread_values), 1e-9);
    double sum = 0;
    for (const Correlations::Pair& pair : found.pairs) {
      EXPECT_LE(pair.difference(), found.pairs[found.worst].difference());
      sum += pair.difference();
    }
    EXPECT_NEAR(found.mean_difference, sum / 3, 1e-12);
  }
}

TEST(Correlation, NothingIsLostWhereNothingIsHidden) {
  Random random = Random::Seeded(5);
  const Related related(random, false);
  const Correlations found = MeasureCorrelations(related.table, related.release, kCodes);
  EXPECT_EQ(found.pairs.size(), 3u);
  EXPECT_NEAR(found.mean_difference, 0, 1e-9);
}

// Values of a group are anybody's: what columns and values have in common is lost, and only that.
TEST(Correlation, AGroupOfAllHidesWhoHasWhichValue) {
  Random random = Random::Seeded(6);
  Related related(random, false);
  std::fill(related.release.group.begin(), related.release.group.end(), 0);
  for (auto& count : related.release.counts) count.group = 0;
  const Correlations found = MeasureCorrelations(related.table, related.release, kCodes);
  ASSERT_EQ(found.pairs.size(), 3u);
  const Correlations::Pair& worst = found.pairs[found.worst];
  EXPECT_EQ(worst.second, 2u);
  EXPECT_NEAR(worst.published, 0, 1e-6);
  EXPECT_GT(worst.raw, 0.2);
  EXPECT_NEAR(found.pairs[0].difference(), 0, 1e-9);
}

TEST(Correlation, ManyValuesAreAFewCategories) {
  CodedTable table{2, {}, {}};
  CodedRelease release;
  release.labels.resize(2);
  for (std::uint32_t code = 0; code < 1000; ++code) {
    release.labels[0].push_back({{code, code}});
    release.labels[1].push_back({{code, code}});
  }
  Random random = Random::Seeded(7);
  for (std::uint32_t row = 0; row < 20'000; ++row) {
    const auto a = static_cast<std::uint32_t>(random.Below(1000));
    const auto b = static_cast<std::uint32_t>(random.Below(1000));
    table.codes.insert(table.codes.end(), {a, b});
    table.values.push_back(0);
    release.shown.insert(release.shown.end(), {a, b});
    release.group.push_back(row);
    release.rows.push_back(1);
    release.counts.push_back({row, 0, 1});
  }
  const std::uint32_t domain[] = {1000, 1000};
  const Correlations found = MeasureCorrelations(table, release, domain);
  ASSERT_EQ(found.pairs.size(), 1u);
  // A thousand categories each would look like V = 0.2 by chance alone.
  EXPECT_LT(found.pairs[0].raw, 0.05);
}

}  // namespace
}  // namespace reissue::metrics
