// The experiment of Fung, Wang, Fu and Pei (EDBT 2008) for one release: the Adult test set.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "reissue/models/k/adversary/attack.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/models/k/publisher/random_problem.h"

namespace reissue::models::k {
namespace {

namespace fs = std::filesystem;

fs::path DataFolder() {
  if (const char* folder = std::getenv("REISSUE_DATA")) return folder;
  fs::path root = __FILE__;
  for (int i = 0; i < 5; ++i) root = root.parent_path();
  return root / ".." / "shared" / "data";
}

std::vector<std::string> Fields(const std::string& line, char separator) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == separator) {
      fields.emplace_back();
    } else if (c != ' ' && c != '\r' && c != '\n') {
      fields.back() += c;
    }
  }
  return fields;
}

std::shared_ptr<const taxonomy::Taxonomy> ReadTaxonomy(const fs::path& file) {
  std::ifstream in(file);
  std::vector<taxonomy::HierarchyLine> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back({lines.size() + 1, Fields(line, ';')});
  }
  auto tree = taxonomy::FromHierarchy(lines, file.filename().string());
  return tree ? std::make_shared<const taxonomy::Taxonomy>(std::move(*tree)) : nullptr;
}

// 15,060 rows without `?`; sensitive: native-country; class: income.
LeafCells ReadAdult(const fs::path& data) {
  const std::vector<std::pair<std::size_t, std::string>> quasi = {
      {1, "workclass"},  {3, "education"},    {5, "marital-status"},
      {6, "occupation"}, {7, "relationship"}, {8, "race"},
      {9, "sex"}};
  LeafCells table;
  for (const auto& [field, name] : quasi) {
    table.taxonomies.push_back(
        ReadTaxonomy(data / "taxonomies" / "fung-tds" / ("adult_taxonomy_" + name + ".csv")));
    if (table.taxonomies.back() == nullptr) return {};
  }
  std::ifstream in(data / "adult" / "adult.test");
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  std::map<std::string, std::uint32_t> countries;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> fields = Fields(line, ',');
    if (fields.size() != 15 || line.find('?') != std::string::npos) continue;
    for (std::size_t j = 0; j < quasi.size(); ++j) {
      const taxonomy::Taxonomy& tree = *table.taxonomies[j];
      keys.push_back(tree.first_leaf(*tree.Find(fields[quasi[j].first])));
    }
    const auto next = static_cast<std::uint32_t>(countries.size());
    keys.push_back(countries.emplace(fields[13], next).first->second);
    keys.push_back(fields[14].starts_with('>') ? 1 : 0);
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
    if (!fs::exists(DataFolder() / "adult" / "adult.test")) {
      GTEST_SKIP() << "no Adult data: set REISSUE_DATA to the folder that holds adult/adult.test";
    }
    table_ = ReadAdult(DataFolder());
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
