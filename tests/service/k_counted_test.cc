// Releases of model k that are counted by hand: groups, values, rows that are left out, and what is
// certain whatever was promised.

#include <map>
#include <sstream>

#include "engine_fixture.h"

namespace reissue::models::k::service {
namespace {

using ::testing::HasSubstr;

// A release counted by hand, with nothing of the program: the rows that agree on age and sex.
struct CountedGroup {
  std::uint64_t rows = 0;
  std::map<std::string, std::uint64_t> values;

  std::uint64_t most() const {
    std::uint64_t most = 0;
    for (const auto& [value, times] : values) most = std::max(most, times);
    return most;
  }
};
std::map<std::string, CountedGroup> CountedByHand(const std::string& release) {
  std::map<std::string, CountedGroup> groups;
  std::istringstream lines(release);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "age,sex,illness");
  while (std::getline(lines, line)) {
    const std::size_t end = line.find(',', line.find(',') + 1);
    CountedGroup& group = groups[line.substr(0, end)];
    ++group.rows;
    ++group.values[line.substr(end + 1)];
  }
  return groups;
}

class CountedTest : public EngineTest {
 protected:
  // What is published of the table, counted; nothing where it is refused.
  std::map<std::string, CountedGroup> Published(const std::string& guarantee,
                                                const std::string& table) {
    std::filesystem::remove_all(Path("vault"));
    std::filesystem::remove(Path("release.csv"));
    std::filesystem::remove(Path("release.csv.certificate.json"));
    const auto published =
        engine::Publish(Request(WritePolicy("model = \"k\"\n" + guarantee), table), context_);
    if (published) return CountedByHand(Read("release.csv"));
    EXPECT_EQ(published.error().code, ErrorCode::kPromise) << published.error().ToString();
    return {};
  }
};

// One row too few for a group of its own, and just enough.
TEST_F(CountedTest, GroupsAreAsLargeAsPromisedAndNoLarger) {
  for (std::uint64_t k = 2; k <= 6; ++k) {
    SCOPED_TRACE(k);
    std::string table = "id,age,sex,illness,note\n";
    int person = 0;
    const auto add = [&](const char* age, std::uint64_t rows) {
      for (std::uint64_t i = 0; i < rows; ++i) {
        table += "p" + std::to_string(person++) + "," + age + ",f," +
                 (i % 2 == 0 ? "flu" : "cold") + ",private\n";
      }
    };
    add("21", k - 1);
    add("25", k);
    add("31", k);
    add("38", k);
    const auto groups = Published("k = " + std::to_string(k) + "\n", Write("t.csv", table));
    ASSERT_EQ(groups.size(), 3u);
    for (const auto& [labels, group] : groups) EXPECT_GE(group.rows, k) << labels;
    EXPECT_EQ(groups.at("20s,f").rows, 2 * k - 1);
    EXPECT_EQ(groups.at("31,f").rows, k);
    EXPECT_EQ(groups.at("38,f").rows, k);
  }
}

// Values as diverse as promised, where the best release is at the edge of it.
TEST_F(CountedTest, EveryGroupKeepsWhatWasPromised) {
  Random random = Random::Seeded(21);
  int published = 0, at_the_edge = 0;
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t k = 2 + random.Below(4), distinct = 1 + random.Below(3);
    const double alpha = 0.5 + 0.1 * static_cast<double>(random.Below(5));
    const auto groups = Published("budget = 0.01\nk = " + std::to_string(k) +
                                      "\ndistinct = " + std::to_string(distinct) +
                                      "\nalpha = " + std::to_string(alpha) +
                                      (round % 3 == 0 ? "\nsuppression = 0.1\n" : "\n"),
                                  WriteTable(20 + random.Below(60), random.Next()));
    published += !groups.empty();
    std::uint64_t smallest = k + 1;
    for (const auto& [labels, group] : groups) {
      EXPECT_GE(group.rows, k) << labels;
      EXPECT_GE(group.values.size(), distinct) << labels;
      EXPECT_LE(static_cast<double>(group.most()), alpha * static_cast<double>(group.rows) + 1e-6)
          << labels;
      smallest = std::min(smallest, group.rows);
    }
    at_the_edge += smallest == k;
  }
  EXPECT_GT(published, 30);
  EXPECT_GT(at_the_edge, 5);
}

// Leaving everybody out is no release, and one cell of all rows is not the last word.
TEST_F(CountedTest, RowsAreLeftOutWhereThatKeepsThePromiseAndNeverAllOfThem) {
  const std::string two =
      Write("two.csv", "id,age,sex,illness,note\n1,21,f,flu,-\n2,44,m,cold,-\n");
  EXPECT_EQ(Published("k = 2\nsuppression = 2\n", two).at("*,*").rows, 2u);

  const std::string three =
      Write("three.csv", "id,age,sex,illness,note\n1,21,f,flu,-\n2,21,f,cold,-\n3,44,f,flu,-\n");
  const auto kept = Published("alpha = 0.5\nsuppression = 1\n", three);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept.begin()->second.rows, 2u);

  const std::string same =
      Write("same.csv", "id,age,sex,illness,note\n1,21,f,flu,-\n2,44,m,flu,-\n3,59,m,flu,-\n");
  const std::string policy = WritePolicy("model = \"k\"\nalpha = 0.5\nsuppression = 1.0\n");
  std::filesystem::remove_all(Path("vault"));
  std::filesystem::remove(Path("release.csv"));
  const auto refused = engine::Publish(Request(policy, same), context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPromise);
  EXPECT_THAT(refused.error().message, HasSubstr("leaving everybody out"));
  EXPECT_EQ(refused.error().place->file, same);
  EXPECT_FALSE(std::filesystem::exists(Path("vault")));
  EXPECT_FALSE(std::filesystem::exists(Path("release.csv")));
  const contract::CheckReport check = engine::Check(policy, {same}, context_);
  ASSERT_EQ(check.problems.size(), 1u);
  EXPECT_EQ(check.problems[0].message, refused.error().message);
}

// k alone keeps nobody's value secret.
TEST_F(CountedTest, WhatIsCertainIsSaidWhateverWasPromised) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 2\n");
  const io::Policy read = io::ReadPolicy(context_.files, policy).value();
  const std::string file = Write(
      "release.csv", "age,sex,illness\n20s,f,flu\n20s,f,flu\n30s,f,flu\n30s,f,cold\n40s,m,HIV\n");
  const auto audit = engine::Audit(read, {file}, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_EQ(audit->exposed, 1u);
  EXPECT_EQ(audit->exposure.singled_out->upper, 1u);
  EXPECT_EQ(audit->exposure.singled_out->lower, 1u);
  EXPECT_EQ(audit->exposure.value_certain->upper, 3u);

  // Kept, and two people's illness is known.
  const auto kept =
      engine::Audit(read, {Write("kept.csv", "age,sex,illness\n20s,f,flu\n20s,f,flu\n")}, context_);
  ASSERT_TRUE(kept) << kept.error().ToString();
  EXPECT_TRUE(kept->satisfied);
  EXPECT_EQ(kept->exposed, 0u);
  EXPECT_EQ(kept->exposure.singled_out->upper, 0u);
  EXPECT_EQ(kept->exposure.value_certain->lower, 2u);
  EXPECT_EQ(kept->exposure.value_certain->upper, 2u);
  EXPECT_TRUE(kept->exposure.any());
}

}  // namespace
}  // namespace reissue::models::k::service
