// What a policy wishes of single columns: weight, floor, ceiling, keep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "series_fixture.h"

namespace reissue {
namespace {

using ::testing::HasSubstr;

class WishesTest : public SeriesEngineTest {
 protected:
  // Levels of `age`: 0 raw, 1 tens, 2 young and old, 3 the root; of `sex`: 0 raw, 1 the root.
  std::string PolicyWith(const std::string& age, const std::string& sex,
                         const std::string& guarantee) {
    Write("age.csv",
          "21;20s;young;*\n25;20s;young;*\n31;30s;young;*\n38;30s;young;*\n"
          "44;40s;old;*\n59;50s;old;*\n");
    Write("sex.csv", "f;*\nm;*\n");
    return Write("wishes.toml",
                 "title = \"Test\"\n[columns]\nid = { role = \"identifier\" }\n"
                 "age = { role = \"quasi\", taxonomy = \"age.csv\"" +
                     age + " }\nsex = { role = \"quasi\", taxonomy = \"sex.csv\"" + sex +
                     " }\nillness = { role = \"sensitive\" }\n"
                     "note = { role = \"drop\" }\n[guarantee]\n" +
                     guarantee);
  }

  // The labels of a column of a release; the header is the first of them.
  std::vector<std::string> Column(const std::string& release, std::size_t column) const {
    std::istringstream lines(Read(release));
    std::vector<std::string> labels;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      std::string field;
      for (std::size_t c = 0; c <= column; ++c) std::getline(fields, field, ',');
      labels.push_back(field);
    }
    return labels;
  }

  static int LevelOfAge(const std::string& label) {
    static const std::map<std::string, int> levels = {
        {"20s", 1}, {"30s", 1}, {"40s", 1}, {"50s", 1}, {"young", 2}, {"old", 2}, {"*", 3}};
    const auto found = levels.find(label);
    return found == levels.end() ? 0 : found->second;
  }
  // The finest and the coarsest level of `age` in a release.
  std::pair<int, int> LevelsIn(const std::string& release) const {
    int finest = 9, coarsest = -1;
    const auto labels = Column(release, 0);
    for (std::size_t i = 1; i < labels.size(); ++i) {
      finest = std::min(finest, LevelOfAge(labels[i]));
      coarsest = std::max(coarsest, LevelOfAge(labels[i]));
    }
    return {finest, coarsest};
  }
};

// Two people of a kind can be told apart by one column or by the other.
TEST_F(WishesTest, TheColumnOfMoreWeightIsKept) {
  Write("h.csv", "x;*\ny;*\n");
  Write("v.csv", "p;*\nq;*\n");
  const std::string table = Write("t.csv", "h,v\nx,p\nx,q\ny,p\ny,q\n");
  for (const std::string recoding : {"global", "local"}) {
    for (const bool first : {true, false}) {
      const std::string policy = Write(
          "p.toml",
          std::string("title = \"Test\"\n[columns]\n") +
              "h = { role = \"quasi\", taxonomy = \"h.csv\", weight = " + (first ? "3" : "0.5") +
              " }\nv = { role = \"quasi\", taxonomy = \"v.csv\" }\n"
              "[guarantee]\nmodel = \"k\"\nk = 2\nrecoding = \"" +
              recoding + "\"\n");
      StartAnew();
      const auto report = engine::Publish(Next(policy, table, 1), context_);
      ASSERT_TRUE(report) << report.error().ToString();
      const std::string release = Read("1.csv");
      EXPECT_EQ(release.find("x,*") != std::string::npos, first) << release;
      EXPECT_EQ(release.find("*,p") != std::string::npos, !first) << release;
    }
  }
}

TEST_F(WishesTest, AreForModelsThatSearch) {
  Write("h.csv", "x;*\ny;*\n");
  for (const std::string wish : {"weight = 3", "floor = 1", "ceiling = 0", "keep = true"}) {
    const std::string policy =
        Write("p.toml",
              "title = \"Test\"\n[columns]\nid = { role = \"identifier\" }\n"
              "h = { role = \"quasi\", taxonomy = \"h.csv\", " +
                  wish +
                  " }\ns = { role = \"sensitive\" }\n[guarantee]\nmodel = \"m-invariance\"\n"
                  "m = 2\n");
    const auto bound = engine::Bind(io::ReadPolicy(context_.files, policy).value());
    ASSERT_FALSE(bound) << wish;
    EXPECT_THAT(bound.error().ToString(), HasSubstr("knows no weight, floor, ceiling or `keep`"));
  }
}

TEST_F(WishesTest, NothingIsFinerThanAFloor) {
  const std::string table = WriteTable(400, 5);  // enough for every raw value
  for (const std::string recoding : {"global", "local"}) {
    for (int floor = 0; floor <= 3; ++floor) {
      StartAnew();
      const std::string policy =
          PolicyWith(", floor = " + std::to_string(floor), "",
                     "model = \"k\"\nk = 2\nrecoding = \"" + recoding + "\"\n");
      const auto report = engine::Publish(Next(policy, table, 1), context_);
      ASSERT_TRUE(report) << report.error().ToString();
      EXPECT_EQ(LevelsIn("1.csv"), std::pair(floor, floor)) << recoding;
      const auto measured = engine::Measure(io::ReadPolicy(context_.files, policy).value(),
                                            {table, Path("1.csv")}, context_);
      ASSERT_TRUE(measured) << measured.error().ToString();
    }
  }
}

TEST_F(WishesTest, LevelsHaveNames) {
  const std::string policy =
      PolicyWith(", levels = [\"year\", \"ten years\", \"half\"], floor = \"ten years\"", "",
                 "model = \"k\"\nk = 2\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteTable(400, 5), 1), context_));
  EXPECT_EQ(LevelsIn("1.csv"), std::pair(1, 1));
}

TEST_F(WishesTest, BreakpointsCanBind) {
  const std::string table = Write("t.csv", "age\n1\n1\n3\n3\n12\n12\n17\n17\n");
  for (const std::string floor : {"", ", floor = 1", ", floor = 2"}) {
    StartAnew();
    const std::string policy =
        Write("p.toml",
              "title = \"Test\"\n[columns]\nage = { role = \"quasi\", breakpoints = [0, 5, 10, "
              "15, 20]" +
                  floor + " }\n[guarantee]\nmodel = \"k\"\nk = 2\n");
    const auto report = engine::Publish(Next(policy, table, 1), context_);
    ASSERT_TRUE(report) << report.error().ToString();
    const std::string release = Read("1.csv");
    EXPECT_THAT(release, HasSubstr(floor.empty()            ? "\n12\n"
                                   : floor == ", floor = 1" ? "[10,15)"
                                                            : "[10,20)"));
  }
}

TEST_F(WishesTest, NothingIsCoarserThanACeilingOrItIsRefused) {
  Random random = Random::Seeded(8);
  int kept = 0, refused = 0;
  for (int round = 0; round < 120; ++round) {
    StartAnew();
    const std::size_t rows = 10 + random.Below(60);
    const int ceiling = static_cast<int>(random.Below(3)),
              k = 2 + static_cast<int>(random.Below(3));
    const bool local = random.Below(2) == 0, keep = random.Below(4) == 0;
    const std::string table = WriteTable(rows, 100 + static_cast<std::uint64_t>(round));
    const std::string policy =
        PolicyWith(keep ? ", keep = true, floor = " + std::to_string(ceiling)
                        : ", ceiling = " + std::to_string(ceiling),
                   "",
                   "model = \"k\"\nk = " + std::to_string(k) +
                       (local ? "\nrecoding = \"local\"\n" : "\nrecoding = \"global\"\n"));
    // At the ceiling, with `sex` hidden, there are groups of so many people.
    std::map<std::string, int> groups;
    const auto ages = Column("t.csv", 1);
    static const std::map<std::string, std::vector<std::string>> above = {
        {"21", {"21", "20s", "young"}}, {"25", {"25", "20s", "young"}},
        {"31", {"31", "30s", "young"}}, {"38", {"38", "30s", "young"}},
        {"44", {"44", "40s", "old"}},   {"59", {"59", "50s", "old"}}};
    for (std::size_t i = 1; i < ages.size(); ++i) {
      ++groups[above.at(ages[i])[static_cast<std::size_t>(ceiling)]];
    }
    const bool possible =
        std::ranges::all_of(groups, [&](const auto& group) { return group.second >= k; });
    const auto report = engine::Publish(Next(policy, table, 1), context_);
    ASSERT_EQ(report.has_value(), possible) << (report ? "" : report.error().ToString());
    EXPECT_EQ(engine::Check(policy, {table}, context_).problems.empty(), possible);
    if (!report) {
      ++refused;
      EXPECT_EQ(report.error().code, ErrorCode::kPromise);
      EXPECT_THAT(report.error().message, HasSubstr("at the ceilings"));
      continue;
    }
    ++kept;
    EXPECT_LE(LevelsIn("1.csv").second, ceiling);
    EXPECT_TRUE(!keep || LevelsIn("1.csv").first == ceiling);
  }
  EXPECT_GT(kept, 20);
  EXPECT_GT(refused, 20);
}

TEST_F(WishesTest, RowsAreLeftOutForACeiling) {
  const std::string table = Write("t.csv",
                                  "id,age,sex,illness,note\n1,21,f,flu,\n2,21,f,flu,\n"
                                  "3,25,f,flu,\n4,25,f,cold,\n5,59,f,flu,\n");
  for (const std::string recoding : {"global", "local"}) {
    StartAnew();
    const std::string policy =
        PolicyWith(", keep = true", "", "model = \"k\"\nk = 2\nrecoding = \"" + recoding + "\"\n");
    ExpectRefused(Next(policy, table, 1), ErrorCode::kPromise, "1 (1 rows) break it");
    StartAnew();
    const std::string leaving =
        PolicyWith(", keep = true", "",
                   "model = \"k\"\nk = 2\nsuppression = 1\nrecoding = \"" + recoding + "\"\n");
    const auto report = engine::Publish(Next(leaving, table, 1), context_);
    ASSERT_TRUE(report) << report.error().ToString();
    EXPECT_EQ(Column("1.csv", 0).size(), 5u);
    EXPECT_EQ(LevelsIn("1.csv"), std::pair(0, 0));
  }
}

// Growing tables: what is out stays out, and later releases keep to the same levels or are refused.
TEST_F(WishesTest, HoldForEveryReleaseOfASeries) {
  int later = 0, refused = 0;
  for (std::uint64_t round = 0; round < 24; ++round) {
    StartAnew();
    Random random = Random::Seeded(50 + round);
    const bool local = round % 2 == 0;
    const std::string policy = PolicyWith(", floor = 1, ceiling = 2", "",
                                          std::string("model = \"bcf\"\nk = 3\nrecoding = \"") +
                                              (local ? "local" : "global") + "\"\n");
    std::size_t rows = 30 + random.Below(40);
    for (std::size_t release = 1; release <= 3; ++release) {
      const std::string table = WriteTable(rows, 900 + round);
      const auto report = engine::Publish(Next(policy, table, release), context_);
      if (!report) {
        EXPECT_EQ(report.error().code, ErrorCode::kPromise) << report.error().ToString();
        ++refused;
        break;
      }
      const auto [finest, coarsest] = LevelsIn(std::to_string(release) + ".csv");
      EXPECT_GE(finest, 1);
      EXPECT_LE(coarsest, 2);
      later += release > 1;
      const auto audited = engine::Audit(io::ReadPolicy(context_.files, policy).value(),
                                         Releases(release), context_);
      ASSERT_TRUE(audited) << audited.error().ToString();
      EXPECT_TRUE(audited->satisfied);
      rows += 4 + random.Below(20);
    }
  }
  EXPECT_GT(later, 12);
  EXPECT_GT(refused, 1);
}

}  // namespace
}  // namespace reissue
