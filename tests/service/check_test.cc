// `check` says everything at once: of a policy, its taxonomies and its tables.

#include <fmt/format.h>

#include "engine_fixture.h"

namespace reissue {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class CheckEverythingTest : public EngineTest {
 protected:
  // Without the directory, which is another one every time.
  std::vector<std::string> Problems(const std::string& policy,
                                    const std::vector<std::string>& tables) {
    report_ = engine::Check(policy, tables, context_);
    std::vector<std::string> words;
    for (const Error& problem : report_.problems) {
      std::string text = problem.ToString();
      for (const std::string prefix = directory_.string() + "/";
           text.find(prefix) != std::string::npos;) {
        text.erase(text.find(prefix), prefix.size());
      }
      words.push_back(text);
    }
    return words;
  }
  contract::CheckReport report_;
};

TEST_F(CheckEverythingTest, OfEveryFile) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 0\ndistnct = 2\nalpha = 7\n");
  Write("sex.csv", "f;*\nm;*\nf;*\nm;x;*\n");
  const std::string table = Write("t.csv", "id,age,sex,ilness,note\n1,21,f,flu,a\n1,22,m,flu,b\n");
  EXPECT_THAT(
      Problems(policy, {table}),
      ElementsAre(StartsWith("policy.toml:10: `k` must be"),
                  StartsWith("policy.toml:11: model \"k\" has no setting `distnct`"),
                  StartsWith("policy.toml:12: `alpha` must be"),
                  StartsWith("sex.csv:3: the leaf \"f\" is already on line 1"),
                  StartsWith("sex.csv:4: \"m\" lies below \"x\" here"),
                  StartsWith("t.csv:1, column \"ilness\": the policy policy.toml does not name"),
                  StartsWith("t.csv:1, column \"illness\": the table lacks this column"),
                  StartsWith("t.csv:3, column \"id\": the identifier stands on line 2"),
                  StartsWith("t.csv:3, column \"age\": the value has no leaf")));
}

TEST_F(CheckEverythingTest, OfATableColumnByColumn) {
  Write("age.csv", "21;20s;*\n22;20s;*\n31;30s;*\n");
  const std::string policy =
      Write("p.toml",
            "[columns]\nid = { role = \"identifier\" }\n"
            "age = { role = \"quasi\", taxonomy = \"age.csv\" }\n"
            "days = { role = \"quasi\", breakpoints = [0, 10, 20] }\n"
            "weight = { role = \"quasi\", type = \"numeric\" }\nill = { role = \"sensitive\" }\n"
            "[guarantee]\nmodel = \"k\"\nk = 2\n");
  std::string text = "id,age,days,weight,ill\n";
  for (int i = 0; i < 9; ++i) text += fmt::format("{0},21,{0},{0},flu\n", i);
  for (int i = 0; i < 7; ++i) text += fmt::format("{0},9{1},5{0},heavy,flu\n", i, i % 3);
  text += "x,20s,5,5,\ny,20s,-1,,gout\n";
  const std::string table = Write("t.csv", text);
  EXPECT_THAT(
      Problems(policy, {table}),
      ElementsAre(
          HasSubstr("column \"id\": 7 rows have the identifier of an earlier line (7 identifiers): "
                    "lines 11, 12, 13, 14, 15 and 2 more"),
          HasSubstr("column \"age\": 7 rows (3 values) have no leaf in the taxonomy age.csv: lines "
                    "11, 12, 13, 14, 15 and 2 more"),
          HasSubstr("column \"age\": 2 rows (1 value) are groups of the taxonomy age.csv, not raw "
                    "values: lines 18, 19"),
          HasSubstr("column \"days\": 8 rows (8 values) lie outside the breakpoints [0,20): lines "
                    "11, 12, 13, 14, 15 and 3 more"),
          HasSubstr("t.csv:19, column \"weight\": the value is missing"),
          HasSubstr("column \"weight\": numbers were expected, and 7 rows (1 value) have none"),
          HasSubstr("t.csv:18, column \"ill\": the value is missing")));
  // Nothing of a table but places and numbers.
  for (const std::string& words : Problems(policy, {table})) {
    EXPECT_THAT(words, ::testing::Not(HasSubstr("heavy")));
  }
}

TEST_F(CheckEverythingTest, WarnsOfColumnsThatJoinReleases) {
  const std::string policy = Write("p.toml",
                                   "[columns]\nage = { role = \"quasi\", type = \"numeric\" }\n"
                                   "stay = { role = \"publish\" }\nward = { role = \"publish\" }\n"
                                   "[guarantee]\nmodel = \"k\"\nk = 2\n");
  std::string text = "age,stay,ward\n", few = text;
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("{},{},{}\n", 20 + i % 4, 1000 + i, i % 2);
    few += fmt::format("{},{},{}\n", 20 + i % 4, i % 3, i % 2);
  }
  const std::string table = Write("t.csv", text);
  EXPECT_THAT(Problems(policy, {table}), IsEmpty());
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("column \"stay\", published as it is, tells 40 "
                                                   "of 40 rows apart")));
  const auto published = engine::Publish(Request(policy, table), context_);
  ASSERT_TRUE(published) << published.error().ToString();
  EXPECT_THAT(published->audit.ties, ElementsAre(HasSubstr("column \"stay\"")));
  const auto audit = engine::Audit(io::ReadPolicy(context_.files, policy).value(),
                                   {Path("release.csv")}, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_THAT(audit->ties, ElementsAre(HasSubstr("column \"stay\"")));
  EXPECT_THAT(Problems(policy, {Write("few.csv", few)}), IsEmpty());
  EXPECT_THAT(report_.warnings, ::testing::Not(Contains(HasSubstr("rows apart"))));
}

TEST_F(CheckEverythingTest, PublishNamesAllColumnsThatDoNotFit) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 2\n");
  const std::string table = Write("t.csv", "id,agee,sex,ilness,note\n1,21,f,flu,a\n2,21,f,flu,a\n");
  const auto refused = engine::Publish(Request(policy, table), context_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().ToString(), HasSubstr("\"agee\" and \"ilness\""));
  EXPECT_THAT(refused.error().ToString(), HasSubstr("\"age\" and \"illness\""));
}

}  // namespace
}  // namespace reissue
