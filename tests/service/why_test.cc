// Why columns are not finer: what is said is what happens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "series_fixture.h"

namespace reissue {
namespace {

using ::testing::HasSubstr;

class WhyTest : public SeriesEngineTest {
 protected:
  struct Wanted {
    std::string guarantee, sets_of, without;
  };
  std::string PolicyFor(const Wanted& wanted) {
    Write("age.csv",
          "21;20s;young;*\n25;20s;young;*\n31;30s;young;*\n38;30s;young;*\n"
          "44;40s;old;*\n59;50s;old;*\n");
    Write("sex.csv", "f;*\nm;*\n");
    Write("illness.csv", "flu;*\ncold;*\n\"gout, bad\";*\nHIV;*\n");
    std::string columns = "id = { role = \"identifier\" }\nnote = { role = \"drop\" }\n";
    for (const std::string name : {"age", "sex", "illness"}) {
      columns += name + " = { role = \"" + (name == wanted.without ? "drop\"" : "quasi\"");
      if (name != wanted.without) columns += ", taxonomy = \"" + name + ".csv\"";
      columns += (name == wanted.sets_of ? ", sets = true }\n" : " }\n");
    }
    return Write("why.toml",
                 "title = \"Test\"\n[columns]\n" + columns + "[guarantee]\n" + wanted.guarantee);
  }

  contract::Why WhyOf(const Wanted& wanted, const std::string& table) {
    StartAnew();
    contract::PublishRequest request = Next(PolicyFor(wanted), table, 1);
    request.why = true;
    const auto report = engine::Publish(request, context_);
    EXPECT_TRUE(report) << report.error().ToString();
    return report ? *report->why : contract::Why{};
  }

  // The policy that a way out asks for.
  static Wanted Taking(Wanted wanted, const contract::WayOut& way, const std::string& column) {
    if (way.words.starts_with("leave ")) {
      const std::size_t at = way.words.find("suppression = ");
      wanted.guarantee += way.words.substr(at, way.words.rfind('`') - at) + "\n";
    } else if (way.words.find("sets = true") != std::string::npos) {
      wanted.sets_of = column;
    } else if (way.others) {
      const std::size_t at = way.words.find('"') + 1;
      wanted.without = way.words.substr(at, way.words.rfind('"') - at);
    } else {
      EXPECT_EQ(way.words, "`recoding = \"local\"`");
      wanted.guarantee += "recoding = \"local\"\n";
    }
    return wanted;
  }
};

// On small tables every search ends with a proof, so that the trial and the release are the same.
TEST_F(WhyTest, EveryWayOutGivesWhatIsSaid) {
  int leave = 0, sets = 0, drop = 0, local = 0;
  for (std::uint64_t round = 0; round < 30; ++round) {
    const std::string table = WriteTable(20 + 6 * round, 300 + round);
    const Wanted wanted{"model = \"k\"\nk = " + std::to_string(3 + round % 4) + "\n", "", ""};
    const contract::Why why = WhyOf(wanted, table);
    double mean = 0;
    for (const auto& column : why.columns) {
      mean += column.loss / static_cast<double>(why.columns.size());
      EXPECT_LE(column.ways.size(), 3u);
      EXPECT_TRUE(column.loss > 0 || column.label.empty());
      for (const contract::WayOut& way : column.ways) {
        EXPECT_LT(way.after, way.before);
        const contract::Why then = WhyOf(Taking(wanted, way, column.name), table);
        EXPECT_NEAR(then.loss, way.after, 1e-9) << way.words;
        leave += way.words.starts_with("leave ");
        sets += way.words.find("sets") != std::string::npos;
      }
    }
    EXPECT_NEAR(mean, why.loss, 1e-9);
    for (const contract::WayOut& way : why.ways) {
      EXPECT_LE(WhyOf(Taking(wanted, way, ""), table).loss, way.after + 1e-9);
      drop += way.others;
      local += !way.others;
    }
  }
  EXPECT_GT(leave, 3);
  EXPECT_GT(sets, 3);
  EXPECT_GT(drop, 3);
  EXPECT_GT(local, 3);
}

TEST_F(WhyTest, CheckSaysTheSameBeforehand) {
  const std::string table = WriteTable(60, 7);
  const Wanted wanted{"model = \"k\"\nk = 4\n", "", ""};
  const contract::Why why = WhyOf(wanted, table);
  const contract::CheckReport check =
      engine::Check(PolicyFor(wanted), {table}, context_, {}, /*why=*/true);
  ASSERT_EQ(check.why.size(), 1u);
  EXPECT_NEAR(check.why[0].loss, why.loss, 1e-9);
  EXPECT_TRUE(engine::Check(PolicyFor(wanted), {table}, context_).why.empty());
}

TEST_F(WhyTest, CeilingsThatForbidEverythingAreNamed) {
  Write("age.csv", "21;20s;*\n25;20s;*\n44;40s;*\n");
  Write("sex.csv", "f;*\nm;*\n");
  const std::string policy =
      Write("p.toml",
            "title = \"Test\"\n[columns]\n"
            "age = { role = \"quasi\", taxonomy = \"age.csv\", ceiling = 1 }\n"
            "sex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n[guarantee]\nmodel = \"k\"\n"
            "k = 2\n");
  const std::string table = Write("t.csv", "age,sex\n21,f\n25,f\n44,m\n");
  const auto check = engine::Check(policy, {table}, context_, {}, /*why=*/true);
  ASSERT_EQ(check.problems.size(), 1u);
  ASSERT_EQ(check.why.size(), 1u);
  ASSERT_EQ(check.why[0].ways.size(), 1u);
  EXPECT_EQ(check.why[0].ways[0].words, "no `ceiling` or `keep` for \"age\"");
}

TEST_F(WhyTest, LaterReleasesNameTheNewcomersThatAreMissing) {
  Write("town.csv", "Ulm;Baden;*\nAalen;Baden;*\nBonn;Rhine;*\n");
  const std::string policy =
      Write("p.toml",
            "title = \"Test\"\n[columns]\nid = { role = \"identifier\" }\n"
            "town = { role = \"quasi\", taxonomy = \"town.csv\" }\n[guarantee]\n"
            "model = \"bcf\"\nk = 3\n");
  std::string rows = "id,town\n";
  for (int i = 0; i < 9; ++i) {
    rows += "u" + std::to_string(i) + ",Ulm\na" + std::to_string(i) + ",Aalen\n";
    rows += "b" + std::to_string(i) + ",Bonn\n";
  }
  ASSERT_TRUE(engine::Publish(Next(policy, Write("t.csv", rows), 1), context_));
  rows += "n1,Ulm\nn2,Ulm\nn3,Ulm\nn4,Aalen\n";
  contract::PublishRequest request = Next(policy, Write("t.csv", rows), 2);
  request.why = true;
  const auto report = engine::Publish(request, context_);
  ASSERT_TRUE(report) << report.error().ToString();
  const auto& column = report->why->columns.at(0);
  EXPECT_EQ(column.label, "Baden");
  EXPECT_EQ(column.newcomers, 1u);
  EXPECT_EQ(column.missing, 2u);
  ASSERT_EQ(column.values.size(), 1u);
  EXPECT_EQ(column.values[0].label, "Aalen");
  ASSERT_EQ(column.ways.size(), 2u);
  for (const contract::WayOut& way : column.ways) EXPECT_EQ(way.after, 0);
  // And so it is, with the two who are missing.
  rows += "n5,Aalen\nn6,Aalen\n";
  StartAnew();
  ASSERT_TRUE(
      engine::Publish(Next(policy, Write("t.csv", rows.substr(0, rows.find("n1"))), 1), context_));
  request = Next(policy, Write("t.csv", rows), 2);
  request.why = true;
  const auto then = engine::Publish(request, context_);
  ASSERT_TRUE(then) << then.error().ToString();
  EXPECT_EQ(then->why->loss, 0);
}

TEST_F(WhyTest, IsForModelsThatSearch) {
  Write("h.csv", "x;*\ny;*\n");
  const std::string policy =
      Write("p.toml",
            "title = \"Test\"\n[columns]\nid = { role = \"identifier\" }\n"
            "h = { role = \"quasi\", taxonomy = \"h.csv\" }\n"
            "s = { role = \"sensitive\" }\n[guarantee]\nmodel = \"m-invariance\"\nm = 2\n");
  contract::PublishRequest request = Request(policy, Write("t.csv", "id,h,s\n1,x,a\n2,y,b\n"));
  request.why = true;
  ExpectRefused(request, ErrorCode::kUsage, "--why belongs to model");
}

}  // namespace
}  // namespace reissue
