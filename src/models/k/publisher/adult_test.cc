// The experiment of Fung, Wang, Fu and Pei (EDBT 2008) for one release: the Adult test set.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "adult_rows.h"
#include "random_problem.h"
#include "reissue/models/k/adversary/attack.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::k {
namespace {

// 15,060 rows without `?`; sensitive: native-country; class: income.
LeafCells TestSet() {
  const std::vector<std::string> quasi = {
      "workclass", "education", "marital-status", "occupation", "relationship", "race", "sex"};
  LeafCells table;
  for (const std::string& name : quasi) {
    table.taxonomies.push_back(support::AdultTaxonomy(name));
    if (table.taxonomies.back() == nullptr) return {};
  }
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  std::map<std::string, std::uint32_t> countries;
  for (const auto& row : support::ReadAdult(support::kAdultTest)) {
    for (std::size_t j = 0; j < quasi.size(); ++j) {
      const taxonomy::Taxonomy& tree = *table.taxonomies[j];
      keys.push_back(tree.first_leaf(*tree.Find(row[support::AdultField(quasi[j])])));
    }
    const auto next = static_cast<std::uint32_t>(countries.size());
    keys.push_back(
        countries.emplace(row[support::AdultField("native-country")], next).first->second);
    keys.push_back(support::EarnsMore(row) ? 1 : 0);
    counts.push_back(1);
  }
  table.sensitive_values = static_cast<std::uint32_t>(countries.size());
  table.class_values = 2;
  table.cells = CollectCells(quasi.size() + 2, keys, counts);
  return table;
}

class Adult : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!support::HasAdult()) GTEST_SKIP() << support::kNoAdult;
    table_ = TestSet();
    ASSERT_EQ(table_.cells.rows(), 15060u);
  }

  Outcome Publication(std::uint64_t k, Search search, Score score = Score::kDiscernibility) {
    Guarantee g;
    g.k = k;
    PublishOptions options;
    options.search = search;
    options.score = score;
    ThreadPool pool(2);
    Progress progress;
    auto outcome = Publish(table_, g, options, pool, progress);
    EXPECT_TRUE(outcome.has_value());
    const Report report = Attack(testing::Released(table_, outcome->cuts), g);
    EXPECT_TRUE(report.satisfied);
    EXPECT_GE(report.smallest, k);
    return std::move(*outcome);
  }

  LeafCells table_;
};

TEST_F(Adult, PaperAndGreedyReproduceTheCosts) {
  const std::uint64_t k[] = {40, 80, 120, 160, 200};
  const double paper[] = {0.18, 0.18, 0.18, 0.18, 0.26};
  const double greedy[] = {0.09, 0.11, 0.08, 0.08, 0.08};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(Publication(k[i], Search::kPaper).cost, paper[i], 0.005) << "k = " << k[i];
    EXPECT_NEAR(Publication(k[i], Search::kGreedy).cost, greedy[i], 0.005) << "k = " << k[i];
  }
}

TEST_F(Adult, DefaultIsOptimal) {
  const std::uint64_t k[] = {40, 80, 120, 160, 200};
  const double best[] = {0.05942, 0.07765, 0.07765, 0.07765, 0.07765};
  for (std::size_t i = 0; i < 5; ++i) {
    const Outcome outcome = Publication(k[i], Search::kDefault);
    EXPECT_NEAR(outcome.cost, best[i], 5e-6) << "k = " << k[i];
    EXPECT_LE(outcome.cost, 0.08);
    EXPECT_TRUE(outcome.optimal) << "k = " << k[i];
  }
}

TEST_F(Adult, OtherScoresAreSolvedToo) {
  EXPECT_NEAR(Publication(40, Search::kOptimal, Score::kDistortion).cost, 8.95863, 5e-6);
  EXPECT_NEAR(Publication(40, Search::kOptimal, Score::kClass).cost, 5.33242, 5e-6);
}

}  // namespace
}  // namespace reissue::models::k
