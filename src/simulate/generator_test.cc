#include "reissue/simulate/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "generated_rows.h"
#include "reissue/core/parallel.h"

namespace reissue::simulate {
namespace {

std::unique_ptr<Generator> Make(const std::string& kind, std::uint64_t seed = 1,
                                GeneratorOptions options = {}) {
  auto made = MakeGenerator(kind, seed, options);
  EXPECT_TRUE(made.has_value());
  return std::move(made).value();
}

std::string Text(const Generator& generator, std::uint64_t first, std::uint64_t count) {
  std::string text;
  generator.AppendRows(first, count, text);
  return text;
}

// FNV-1a: enough to notice one changed byte.
std::uint64_t Fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  }
  return hash;
}

class EveryKind : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Generators, EveryKind, testing::ValuesIn(GeneratorKinds()),
                         [](const auto& kind) { return kind.param; });

TEST_P(EveryKind, GivesTheSameBytesForTheSameSeed) {
  const std::string text = Text(*Make(GetParam(), 42), 0, 3000);
  EXPECT_EQ(text, Text(*Make(GetParam(), 42), 0, 3000));
  EXPECT_NE(text, Text(*Make(GetParam(), 43), 0, 3000));
}

// If this fails on purpose, say so in the changelog: seeds of users mean other tables now.
TEST(Generator, GivesTheBytesItHasAlwaysGiven) {
  const std::map<std::string, std::uint64_t> expected = {{"adult", 5533792897615039355u},
                                                         {"occ", 15993382629776541537u},
                                                         {"sal", 9097013092541353204u},
                                                         {"hospital", 12480555976510074141u}};
  for (const std::string& kind : GeneratorKinds()) {
    EXPECT_EQ(Fingerprint(Text(*Make(kind, 42), 0, 10000)), expected.at(kind)) << kind;
  }
}

TEST_P(EveryKind, CanBeCutAnywhere) {
  const auto generator = Make(GetParam());
  const std::string whole = Text(*generator, 0, 5000);
  std::string parts = Text(*generator, 0, 1) + Text(*generator, 1, 1022);
  parts += Text(*generator, 1023, 2) + Text(*generator, 1025, 3975);
  EXPECT_EQ(parts, whole);

  ThreadPool pool(3);
  std::vector<std::string> chunks(10);
  pool.Run(chunks.size(), [&](std::size_t i) { generator->AppendRows(i * 500, 500, chunks[i]); });
  std::string joined;
  for (const std::string& chunk : chunks) joined += chunk;
  EXPECT_EQ(joined, whole);
}

TEST_P(EveryKind, EmitsAllOfItsDomainAndNothingElse) {
  const auto generator = Make(GetParam());
  const std::size_t width = generator->header().size();
  std::vector<std::vector<std::string>> domains;
  for (std::size_t i = 0; i < width; ++i) domains.push_back(generator->Domain(i));
  std::vector<std::set<std::string>> seen(width);
  for (std::uint64_t first = 0; first < 400000; first += 20000) {
    for (Row& row : RowsOf(*generator, first, 20000)) {
      ASSERT_EQ(row.size(), width);
      for (std::size_t i = 0; i < width; ++i) {
        if (!domains[i].empty()) seen[i].insert(std::move(row[i]));
      }
    }
  }
  for (std::size_t i = 0; i < width; ++i) {
    const std::set<std::string> expected(domains[i].begin(), domains[i].end());
    EXPECT_EQ(expected.size(), domains[i].size()) << generator->header()[i];
    EXPECT_EQ(seen[i], expected) << generator->header()[i];
  }
}

TEST_P(EveryKind, PutsIdentifiersFirstAndLeavesTheRestAlone) {
  if (GetParam() == "hospital") {
    EXPECT_EQ(Make("hospital", 1, {.ids = true})->header(), Make("hospital")->header());
    return;
  }
  const auto plain = Make(GetParam());
  const auto numbered = Make(GetParam(), 1, {.ids = true});
  EXPECT_EQ(numbered->header().size(), plain->header().size() + 1);
  EXPECT_EQ(numbered->header().front(), "id");
  EXPECT_TRUE(numbered->Domain(0).empty());
  EXPECT_EQ(numbered->Domain(1), plain->Domain(0));
  EXPECT_EQ(Text(*numbered, 41, 1), "R0000042," + Text(*plain, 41, 1));
}

TEST(Generator, WritesItsHeader) {
  std::string line;
  Make("hospital")->AppendHeader(line);
  EXPECT_EQ(line, "patient,age,sex,zip,job,admitted,disease,days\n");
  line.clear();
  Make("sal", 1, {.ids = true})->AppendHeader(line);
  EXPECT_EQ(line, "id,Age,Gender,Education,Birthplace,Salary\n");
}

TEST(Generator, RefusesAnUnknownKind) {
  const auto made = MakeGenerator("adults", 1);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  for (const std::string& kind : GeneratorKinds()) {
    EXPECT_THAT(made.error().remedy, testing::HasSubstr(kind));
  }
}

TEST(Census, HasTheDomainSizesOfThePapers) {
  const std::size_t sizes[] = {79, 2, 17, 57, 50};
  for (const std::string kind : {"occ", "sal"}) {
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(Make(kind)->Domain(i).size(), sizes[i]);
  }
}

TEST(Census, LeavesRoomForTwentyFiveInvariance) {
  for (const std::string kind : {"occ", "sal"}) {
    std::map<std::string, int> counts;
    const auto generator = Make(kind, 3);
    for (const Row& row : RowsOf(*generator, 0, 200000)) ++counts[row.back()];
    int most = 0;
    int least = 200000;
    for (const auto& [value, count] : counts) {
      most = std::max(most, count);
      least = std::min(least, count);
    }
    EXPECT_LE(most, 200000 / 25) << kind;
    EXPECT_GE(most, least * 2) << kind << ": no skew";
  }
}

TEST(Hospital, KeepsItsPatientsPlausible) {
  const auto generator = Make("hospital", 5);
  int row_number = 0;
  for (const Row& row : RowsOf(*generator, 0, 100000)) {
    char patient[16];
    std::snprintf(patient, sizeof(patient), "P%07d", ++row_number);
    ASSERT_EQ(row[0], patient);
    const int age = std::stoi(row[1]);
    EXPECT_EQ(row[4] == "Child", age < 6);
    EXPECT_EQ(row[4] == "Pupil", age >= 6 && age < 18);
    if (row[4] == "Retired") {
      EXPECT_GE(age, 45);
    }
    if (row[6] == "Prostate cancer") {
      EXPECT_EQ(row[2], "male");
    }
    if (age < 15) {
      EXPECT_NE(row[6], "Breast cancer");
    }
    EXPECT_EQ(row[3].size(), 5u);
  }
}

}  // namespace
}  // namespace reissue::simulate
