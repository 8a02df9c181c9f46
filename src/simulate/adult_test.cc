#include "reissue/simulate/adult.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "generated_rows.h"

namespace reissue::simulate {
namespace {

std::unique_ptr<Generator> Adult(std::uint64_t seed) {
  return std::move(MakeGenerator("adult", seed)).value();
}

std::size_t ColumnOf(const std::string& name) {
  const auto generator = Adult(1);
  const auto& header = generator->header();
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

TEST(Adult, KeepsHouseholdsConsistent) {
  const std::size_t marital = ColumnOf("marital-status"), kin = ColumnOf("relationship");
  const std::size_t sex = ColumnOf("sex"), age = ColumnOf("age");
  const std::size_t gain = ColumnOf("capital-gain"), loss = ColumnOf("capital-loss");
  for (const Row& row : RowsOf(*Adult(11), 0, 200000)) {
    const bool with_spouse =
        row[marital] == "Married-civ-spouse" || row[marital] == "Married-AF-spouse";
    if (row[kin] == "Husband") {
      EXPECT_TRUE(with_spouse && row[sex] == "Male");
    }
    if (row[kin] == "Wife") {
      EXPECT_TRUE(with_spouse && row[sex] == "Female");
    }
    if (row[kin] == "Unmarried") {
      EXPECT_FALSE(with_spouse);
    }
    if (row[age] == "17") {
      EXPECT_EQ(row[marital], "Never-married");
    }
    EXPECT_TRUE(row[gain] == "0" || row[loss] == "0");
  }
}

TEST(Adult, NumbersEducationsInOrder) {
  const std::size_t name = ColumnOf("education"), number = ColumnOf("education-num");
  std::map<std::string, std::string> number_of;
  for (const Row& row : RowsOf(*Adult(12), 0, 20000)) {
    EXPECT_EQ(number_of.try_emplace(row[name], row[number]).first->second, row[number]);
  }
  EXPECT_EQ(number_of["Preschool"], "1");
  EXPECT_EQ(number_of["HS-grad"], "9");
  EXPECT_EQ(number_of["Bachelors"], "13");
  EXPECT_EQ(number_of["Doctorate"], "16");
}

// Combinations of the eight categorical columns and class: many, but far from a product.
TEST(Adult, RepeatsCombinationsLikePeopleDo) {
  std::set<std::string> combinations;
  for (const Row& row : RowsOf(*Adult(13), 0, 45222)) {
    std::string key;
    for (const std::size_t i : {1, 3, 5, 6, 7, 8, 9, 13, 14}) key += row[i] + ',';
    combinations.insert(key);
  }
  EXPECT_GT(combinations.size(), 9000u);  // the extract of as many rows has 11,300
  EXPECT_LT(combinations.size(), 15000u);
}

// The half of the real extract that is kept as plain text, without rows that have `?`.
std::vector<Row> RealRows() {
  const char* told = std::getenv("REISSUE_DATA");
  const std::filesystem::path data =
      told != nullptr ? std::filesystem::path(told) : SourceRoot() / ".." / "shared" / "data";
  std::ifstream in(data / "adult" / "adult.test");
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '|' || line.find('?') != std::string::npos) continue;
    std::erase(line, ' ');
    std::erase(line, '\r');
    if (line.back() == '.') line.pop_back();
    rows.push_back(SplitLine(line));
  }
  return rows;
}

using Shares = std::map<std::string, double>;

Shares SharesOf(const std::vector<Row>& rows, std::size_t column) {
  Shares shares;
  for (const Row& row : rows) shares[row[column]] += 1.0 / static_cast<double>(rows.size());
  return shares;
}

double MutualInformation(const std::vector<Row>& rows, std::size_t a, std::size_t b) {
  Shares of_a = SharesOf(rows, a), of_b = SharesOf(rows, b);
  std::map<std::pair<std::string, std::string>, double> joint;
  for (const Row& row : rows) joint[{row[a], row[b]}] += 1.0 / static_cast<double>(rows.size());
  double sum = 0;
  for (const auto& [pair, share] : joint) {
    sum += share * std::log(share / of_a[pair.first] / of_b[pair.second]);
  }
  return sum;
}

TEST(Adult, ResemblesTheRealExtract) {
  const std::vector<Row> real = RealRows();
  if (real.empty()) GTEST_SKIP() << "no adult/adult.test below REISSUE_DATA or ../shared/data";
  ASSERT_EQ(real.size(), 15060u);
  const auto generator = Adult(14);
  const std::vector<Row> made = RowsOf(*generator, 0, real.size() * 4);
  for (std::size_t i = 0; i < generator->header().size(); ++i) {
    if (generator->header()[i] == "fnlwgt") continue;
    Shares expected = SharesOf(real, i);
    for (const auto& [value, share] : SharesOf(made, i)) {
      EXPECT_NEAR(share, expected[value], 0.02) << generator->header()[i] << " " << value;
    }
  }
  const std::pair<const char*, const char*> pairs[] = {
      {"relationship", "marital-status"}, {"education", "occupation"}, {"class", "education"},
      {"class", "relationship"},          {"sex", "relationship"},     {"age", "marital-status"},
      {"occupation", "workclass"},        {"race", "native-country"},  {"sex", "occupation"},
      {"class", "capital-gain"}};
  for (const auto& [a, b] : pairs) {
    const double expected = MutualInformation(real, ColumnOf(a), ColumnOf(b));
    const double found = MutualInformation(made, ColumnOf(a), ColumnOf(b));
    EXPECT_GT(found, expected / 2) << a << " " << b;
    EXPECT_LT(found, expected * 2) << a << " " << b;
  }
}

}  // namespace
}  // namespace reissue::simulate
