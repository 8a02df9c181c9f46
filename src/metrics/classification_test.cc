#include "reissue/metrics/classification.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace reissue::metrics {
namespace {

TEST(ClassificationError, CountsErrorsOnBothParts) {
  const Schema schema{{{"x", 2, {}}}, 2};
  const Examples train{{{0, 0, 0, 0, 1, 1, 1, 1, 1}}, {0, 0, 0, 0, 1, 1, 1, 1, 1}};
  const Examples test{{{0, 0, 1, 1}}, {0, 1, 1, 1}};
  const ClassificationReport report = ClassificationError(schema, train, test).value();
  EXPECT_EQ(report.train_rows, 9U);
  EXPECT_EQ(report.test_rows, 4U);
  EXPECT_EQ(report.train_errors, 0U);
  EXPECT_EQ(report.test_errors, 1U);
  EXPECT_DOUBLE_EQ(report.test_error, 0.25);
  EXPECT_EQ(report.majority_errors, 1U);
  EXPECT_DOUBLE_EQ(report.majority_error, 0.25);
  EXPECT_EQ(report.nodes, 3U);
  EXPECT_EQ(report.leaves, 2U);
  EXPECT_EQ(report.depth, 1U);
}

TEST(ClassificationError, NeedsRowsThatFit) {
  const Schema schema{{{"x", 2, {}}}, 2};
  const Examples good{{{0, 1}}, {0, 1}};
  const Examples none{{{}}, {}};
  const Examples unknown{{{2}}, {0}};
  EXPECT_EQ(ClassificationError(schema, none, good).error().code, ErrorCode::kInput);
  EXPECT_EQ(ClassificationError(schema, good, none).error().code, ErrorCode::kInput);
  EXPECT_EQ(ClassificationError(schema, good, unknown).error().code, ErrorCode::kUsage);
}

TEST(DrawRows, DrawsEachRowOnce) {
  const std::vector<std::uint64_t> counts = {3, 0, 1, 6};
  Random random = Random::Seeded(3);
  EXPECT_EQ(DrawRows(counts, 20, random),
            (std::vector<std::uint32_t>{0, 0, 0, 2, 3, 3, 3, 3, 3, 3}));
  std::map<std::uint32_t, int> times;
  for (int round = 0; round < 2000; ++round) {
    const std::vector<std::uint32_t> drawn = DrawRows(counts, 5, random);
    ASSERT_EQ(drawn.size(), 5U);
    EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
    for (const std::uint32_t i : drawn) ++times[i];
  }
  EXPECT_NEAR(times[0], 3000, 150);
  EXPECT_NEAR(times[2], 1000, 150);
  EXPECT_NEAR(times[3], 6000, 150);
}

TEST(CrossValidatedErrors, CountsWhatIsPredictedFromOtherRows) {
  const Schema schema{{{"x", 2, {}}, {"own", 100, {}}}, 2};
  Examples follows{{{}, {}}, {}}, chance{{{}, {}}, {}};
  Random coin = Random::Seeded(1);
  for (std::uint32_t row = 0; row < 100; ++row) {
    for (Examples* examples : {&follows, &chance}) {
      examples->columns[0].push_back(row % 2);
      examples->columns[1].push_back(row);  // another for every row: learned by heart, useless
    }
    follows.classes.push_back(row % 2);
    chance.classes.push_back(static_cast<std::uint32_t>(coin.Below(2)));
  }
  Random random = Random::Seeded(2), again = Random::Seeded(2);
  EXPECT_EQ(CrossValidatedErrors(schema, follows, 3, random).value(), 0U);
  const std::uint64_t errors = CrossValidatedErrors(schema, chance, 3, random).value();
  EXPECT_GT(errors, 30U);
  CrossValidatedErrors(schema, follows, 3, again).value();
  EXPECT_EQ(CrossValidatedErrors(schema, chance, 3, again).value(), errors);
  EXPECT_EQ(CrossValidatedErrors(schema, {{{0}, {0}}, {1}}, 3, random).value(), 0U);
}

TEST(SplitTrainTest, DividesAllRowsBySeed) {
  Random random = Random::Seeded(7);
  const TrainTestRows parts = SplitTrainTest(100, random).value();
  EXPECT_EQ(parts.test.size(), 33U);
  EXPECT_EQ(parts.train.size(), 67U);
  std::set<RowId> all(parts.test.begin(), parts.test.end());
  all.insert(parts.train.begin(), parts.train.end());
  EXPECT_EQ(all.size(), 100U);
  EXPECT_TRUE(std::is_sorted(parts.test.begin(), parts.test.end()));
  Random again = Random::Seeded(7);
  EXPECT_EQ(SplitTrainTest(100, again).value().test, parts.test);
  Random other = Random::Seeded(8);
  EXPECT_NE(SplitTrainTest(100, other).value().test, parts.test);
}

TEST(SplitTrainTest, LeavesNoPartEmpty) {
  Random random = Random::Seeded(1);
  EXPECT_EQ(SplitTrainTest(2, random, 0.01).value().test.size(), 1U);
  EXPECT_EQ(SplitTrainTest(2, random, 0.99).value().train.size(), 1U);
  EXPECT_TRUE(SplitTrainTest(0, random).value().test.empty());
  EXPECT_EQ(SplitTrainTest(5, random, 0).error().code, ErrorCode::kUsage);
  EXPECT_EQ(SplitTrainTest(5, random, 1).error().code, ErrorCode::kUsage);
}

TEST(SelectRows, KeepsTheOrderGiven) {
  const Examples all{{{5, 6, 7}, {1, 2, 3}}, {0, 1, 0}};
  const std::vector<RowId> rows = {RowId(2), RowId(1)};
  const Examples some = SelectRows(all, rows);
  EXPECT_EQ(some.columns, (std::vector<std::vector<std::uint32_t>>{{7, 6}, {3, 2}}));
  EXPECT_EQ(some.classes, (std::vector<std::uint32_t>{0, 1}));
}

// ---- the Adult data, where they are

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string Decompress(const std::string& packed) {
  std::string text(ZSTD_getFrameContentSize(packed.data(), packed.size()), '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  return ZSTD_isError(size) != 0 ? std::string() : text;
}

constexpr std::size_t kAdultAttributes = 14;
const char* const kAdultNames[] = {"age",
                                   "workclass",
                                   "fnlwgt",
                                   "education",
                                   "education-num",
                                   "marital-status",
                                   "occupation",
                                   "relationship",
                                   "race",
                                   "sex",
                                   "capital-gain",
                                   "capital-loss",
                                   "hours-per-week",
                                   "native-country"};
const std::set<std::size_t> kAdultNumeric = {0, 2, 4, 10, 11, 12};

// The chosen attributes of the two files, rows with `?` dropped.
struct Adult {
  Schema schema;
  Examples train, test;
};

class AdultError : public testing::Test {
 protected:
  void SetUp() override {
    namespace fs = std::filesystem;
    const char* const named = std::getenv("REISSUE_DATA");
    const fs::path data = named != nullptr
                              ? fs::path(named)
                              : fs::path(REISSUE_SOURCE_DIR) / ".." / "shared" / "data";
    if (!fs::exists(data / "adult" / "adult.data.zst")) GTEST_SKIP() << "no data: set REISSUE_DATA";
    train_ = Decompress(ReadFile(data / "adult" / "adult.data.zst"));
    test_ = ReadFile(data / "adult" / "adult.test");
  }

  Adult Load(const std::set<std::string>& names) const {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < kAdultAttributes; ++i) {
      if (names.empty() || names.contains(kAdultNames[i])) chosen.push_back(i);
    }
    Adult adult;
    std::vector<std::map<std::string, std::uint32_t>> codes(kAdultAttributes);
    Fill(train_, chosen, codes, adult.train);
    Fill(test_, chosen, codes, adult.test);
    adult.schema.classes = 2;
    for (const std::size_t i : chosen) {
      Attribute attribute{kAdultNames[i], static_cast<std::uint32_t>(codes[i].size()), {}};
      if (kAdultNumeric.contains(i)) {
        attribute.numbers.resize(codes[i].size());
        for (const auto& [text, code] : codes[i]) attribute.numbers[code] = std::stod(text);
      }
      adult.schema.attributes.push_back(attribute);
    }
    return adult;
  }

 private:
  static void Fill(const std::string& file, const std::vector<std::size_t>& chosen,
                   std::vector<std::map<std::string, std::uint32_t>>& codes, Examples& rows) {
    rows.columns.resize(chosen.size());
    std::istringstream lines(file);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line[0] == '|' || line.find('?') != std::string::npos) continue;
      std::vector<std::string> fields;
      std::istringstream stream(line);
      for (std::string field; std::getline(stream >> std::ws, field, ',');) fields.push_back(field);
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        auto& known = codes[chosen[i]];
        const auto next = static_cast<std::uint32_t>(known.size());
        rows.columns[i].push_back(known.emplace(fields[chosen[i]], next).first->second);
      }
      rows.classes.push_back(fields[kAdultAttributes][0] == '>' ? 1 : 0);
    }
  }

  std::string train_, test_;
};

TEST_F(AdultError, IsNearThatOfC45OnAllAttributes) {
  const Adult adult = Load({});
  const ClassificationReport report =
      ClassificationError(adult.schema, adult.train, adult.test).value();
  EXPECT_EQ(report.train_rows, 30'162U);
  EXPECT_EQ(report.test_rows, 15'060U);
  EXPECT_NEAR(report.test_error, 0.145, 0.006);
  EXPECT_NEAR(report.majority_error, 0.2457, 5e-5);
  EXPECT_LT(report.train_error, report.test_error);
}

TEST_F(AdultError, IsNearThePapersBaselineOnSixAttributes) {
  const Adult adult =
      Load({"workclass", "education", "marital-status", "occupation", "relationship", "sex"});
  const ClassificationReport report =
      ClassificationError(adult.schema, adult.train, adult.test).value();
  EXPECT_NEAR(report.test_error, 0.175, 0.002);
  const ClassificationReport unpruned =
      ClassificationError(adult.schema, adult.train, adult.test, {.prune = false}).value();
  EXPECT_GT(unpruned.test_error, report.test_error);
  EXPECT_GT(unpruned.leaves, 5 * report.leaves);
}

}  // namespace
}  // namespace reissue::metrics
