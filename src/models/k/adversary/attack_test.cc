#include "reissue/models/k/adversary/attack.h"

#include <gtest/gtest.h>

#include <cmath>

namespace reissue::models::k {
namespace {

struct Row {
  std::vector<std::uint32_t> quasi;
  std::uint32_t value;
  std::uint64_t rows;
};

PublishedCells Release(const std::vector<Row>& rows, std::uint32_t values) {
  PublishedCells release;
  release.quasi = rows.empty() ? 1 : rows[0].quasi.size();
  release.sensitive_values = values;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (const Row& row : rows) {
    keys.insert(keys.end(), row.quasi.begin(), row.quasi.end());
    keys.push_back(row.value);
    counts.push_back(row.rows);
  }
  release.cells = CollectCells(release.quasi + 1, keys, counts);
  return release;
}

// Three cells: (0,0) with 2+2, (0,1) with 3 of one value, (1,0) with 1+4.
PublishedCells Small() {
  return Release({{{0, 0}, 0, 2}, {{0, 0}, 1, 2}, {{0, 1}, 2, 3}, {{1, 0}, 0, 1}, {{1, 0}, 1, 4}},
                 3);
}

TEST(Attack, CountsPeopleByAttack) {
  Guarantee g;
  g.k = 4;
  g.alpha = 0.6;
  const Report report = Attack(Small(), g);
  EXPECT_FALSE(report.satisfied);
  EXPECT_EQ(report.rows, 12u);
  EXPECT_EQ(report.cells, 3u);
  EXPECT_EQ(report.smallest, 3u);
  EXPECT_EQ(report.identity, 3u);
  EXPECT_EQ(report.homogeneity, 3u);
  EXPECT_EQ(report.skew, 8u);     // (0,1) with share 1 and (1,0) with share 0.8
  EXPECT_EQ(report.exposed, 8u);  // the same two cells
  EXPECT_EQ(report.distinct, 1u);
  EXPECT_DOUBLE_EQ(report.entropy_l, 1);
  EXPECT_TRUE(std::isinf(report.recursive_c));
  EXPECT_DOUBLE_EQ(report.top_share, 1);
  EXPECT_NEAR(report.distance, 0.75, 1e-12);  // (0,1): value 2 has 3 of 12 rows
  EXPECT_NEAR(report.gain, 3, 1e-12);
}

TEST(Attack, WorstFindingsFirst) {
  Guarantee g;
  g.k = 4;
  g.alpha = 0.5;
  g.distinct = 2;
  const Report report = Attack(Small(), g);
  ASSERT_EQ(report.worst.size(), 4u);
  EXPECT_EQ(report.worst[0].promise, "distinct");  // 2 / 1 …
  EXPECT_EQ(report.worst[1].promise, "alpha");     // … and 1 / 0.5: the promise named first leads
  EXPECT_EQ(report.worst[1].quasi, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(report.worst[1].value, 2u);
  EXPECT_EQ(report.worst[2].promise, "alpha");  // 0.8 / 0.5
  EXPECT_EQ(report.worst[2].value, 1u);
  EXPECT_DOUBLE_EQ(report.worst[2].measured, 0.8);
  EXPECT_DOUBLE_EQ(report.worst[2].promised, 0.5);
  EXPECT_EQ(report.worst[2].rows, 5u);
  EXPECT_EQ(report.worst[3].promise, "k");  // 4 / 3
  EXPECT_EQ(Attack(Small(), g, 2).worst.size(), 2u);
}

TEST(Attack, TiesFollowTheKey) {
  Guarantee g;
  g.k = 3;
  const auto release = Release({{{2}, 0, 1}, {{0}, 0, 1}, {{1}, 0, 2}, {{3}, 0, 9}}, 1);
  const Report report = Attack(release, g);
  ASSERT_EQ(report.worst.size(), 3u);
  EXPECT_EQ(report.worst[0].quasi[0], 0u);
  EXPECT_EQ(report.worst[1].quasi[0], 2u);
  EXPECT_EQ(report.worst[2].quasi[0], 1u);
  EXPECT_EQ(report.exposed, 4u);
}

TEST(Attack, EveryPromiseIsNoticed) {
  std::vector<std::pair<std::string, Guarantee>> cases(8);
  const char* names[] = {"k",     "distinct",   "entropy", "recursive",
                         "alpha", "confidence", "t",       "beta"};
  for (std::size_t i = 0; i < 8; ++i) cases[i].first = names[i];
  cases[0].second.k = 4;
  cases[1].second.distinct = 2;
  cases[2].second.entropy = 1.5;
  cases[3].second.recursive = {.c = 5, .l = 2};
  cases[4].second.alpha = 0.9;
  cases[5].second.confidence = {2, 2, 0.9};
  cases[6].second.t = 0.5;
  cases[7].second.beta = 2.5;
  for (const auto& [name, g] : cases) {
    const Report report = Attack(Small(), g);
    EXPECT_FALSE(report.satisfied) << name;
    ASSERT_EQ(report.worst.size(), 1u) << name;
    EXPECT_EQ(report.worst[0].promise, name);
    EXPECT_EQ(report.worst[0].quasi, (std::vector<std::uint32_t>{0, 1})) << name;
    EXPECT_EQ(report.exposed, 3u) << name;
    EXPECT_EQ(report.skew,
              name == "alpha" || name == "confidence" || name == "t" || name == "beta" ? 3u : 0u)
        << name;
  }
}

TEST(Attack, KeptPromise) {
  Guarantee g;
  g.k = 3;
  const Report report = Attack(Small(), g);
  EXPECT_TRUE(report.satisfied);
  EXPECT_TRUE(report.worst.empty());
  EXPECT_EQ(report.exposed, 0u);
}

TEST(Attack, WithoutSensitiveColumnNothingIsHomogeneous) {
  const Report report = Attack(Release({{{0}, 0, 2}, {{1}, 0, 3}}, 1), {});
  EXPECT_EQ(report.homogeneity, 0u);
  EXPECT_EQ(report.distinct, 0u);
  EXPECT_EQ(report.smallest, 2u);
}

TEST(Attack, EmptyRelease) {
  Guarantee g;
  g.k = 5;
  const Report report = Attack(Release({}, 2), g);
  EXPECT_TRUE(report.satisfied);
  EXPECT_EQ(report.rows, 0u);
  EXPECT_EQ(report.smallest, 0u);
}

}  // namespace
}  // namespace reissue::models::k
