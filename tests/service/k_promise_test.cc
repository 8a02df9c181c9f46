// What a policy may promise with model k, and how the engine says that it may not.

#include "engine_fixture.h"
#include "reissue/models/k/service/promise.h"

namespace reissue::models::k::service {
namespace {

using ::testing::HasSubstr;

TEST_F(EngineTest, CheckListsEveryProblem) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 500\ndistinct = 9\n");
  const auto report =
      engine::Check(policy, {WriteTable(30, 1), WriteTable(40, 2, "other.csv")}, context_);
  EXPECT_EQ(report.problems.size(), 2u);  // the first of each table
  Write("age.csv", "21;20s;*\n21;30s;*\n");
  Write("sex.csv", "f;*\nf;*\n");
  EXPECT_EQ(engine::Check(policy, {Path("t.csv")}, context_).problems.size(), 2u);
}

io::Setting TextSetting(const std::string& text) {
  io::Setting setting;
  setting.kind = io::Setting::Kind::kText;
  setting.text = text;
  setting.line = 3;
  return setting;
}

// As a certificate would have it.
Result<contract::PromisePtr> ReadPromise(const binding::Settings& settings, bool has_sensitive) {
  binding::ReleaseColumns columns;
  if (has_sensitive) columns.sensitive = {"illness"};
  const std::string file = "p.toml";
  return engine::FindModel("k")->Read({settings, {}, columns, file, nullptr});
}

TEST(ReadPromise, NamesTheNearestKey) {
  io::Setting one;
  one.number = 1;
  one.integer = true;
  one.line = 9;
  const io::Setting model = TextSetting("k");
  const auto wrong = ReadPromise({{"model", model}, {"k", one}, {"distnct", one}}, true);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().ToString(),
            "p.toml:9: model \"k\" has no setting `distnct`\n  Did you mean `distinct`?");
  const auto unsensitive = ReadPromise({{"model", model}, {"distinct", one}}, false);
  ASSERT_FALSE(unsensitive);
  EXPECT_THAT(unsensitive.error().message, HasSubstr("no column is sensitive"));
  EXPECT_FALSE(ReadPromise({{"model", model}}, true));
  EXPECT_FALSE(ReadPromise({{"model", model}, {"targets", TextSetting("any")}}, true));
}

TEST_F(EngineTest, AQuasiIdentifierNeedsAHierarchy) {
  const std::string policy = Write("plain.toml",
                                   "[columns]\njob = { role = \"quasi\" }\n[guarantee]\n"
                                   "model = \"k\"\nk = 2\n");
  const auto bound = engine::Bind(io::ReadPolicy(context_.files, policy).value());
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().ToString(),
            policy +
                ":2, column \"job\": a quasi-identifier needs a taxonomy, unless it is numeric\n"
                "  let `reissue taxonomy draft` write a first one from the table and name it with "
                "`taxonomy = \"FILE\"`; for numbers, `type = \"numeric\"` is enough");
}

TEST_F(EngineTest, AnUnknownModelIsNamedWithItsLineAndThoseThereAre) {
  const std::string policy = WritePolicy("k = 5\nmodel = \"differential\"\n");
  const auto unknown = engine::Bind(io::ReadPolicy(context_.files, policy).value());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().place->line, 10u);
  for (const contract::Model* model : engine::Models()) {
    EXPECT_THAT(unknown.error().remedy, HasSubstr("\"" + model->traits().name + "\""));
  }
}

}  // namespace
}  // namespace reissue::models::k::service
