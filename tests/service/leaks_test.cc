// What must not get out, and promises that must not be mistaken for ones that are kept.

#include "engine_fixture.h"

namespace reissue::engine {
namespace {

using ::testing::HasSubstr;

TEST_F(EngineTest, NothingOfASuppressedPersonLeavesTheTable) {
  const std::string policy =
      Write("p.toml",
            "title = \"T\"\n[columns]\nage = { role = \"quasi\", type = \"numeric\" }\n"
            "zip = { role = \"quasi\", type = \"numeric\", breakpoints = [0, 50000, 100000] }\n"
            "x = { role = \"sensitive\" }\n[guarantee]\nmodel = \"k\"\nk = 3\nsuppression = 2\n");
  std::string text = "age,zip,x\n";
  for (int i = 0; i < 24; ++i) text += i % 2 != 0 ? "30,1000,a\n" : "40,1000,b\n";
  const auto published =
      Publish(Request(policy, Write("t.csv", text + "97531,90210,c\n")), context_);
  ASSERT_TRUE(published) << published.error().ToString();
  ASSERT_EQ(published->suppressed, 1u);
  EXPECT_THAT(Read("release.csv"), ::testing::Not(HasSubstr("97531")));
  EXPECT_THAT(Read("release.csv.certificate.json"), ::testing::Not(HasSubstr("\"90210\"")));
  EXPECT_THAT(Read("release.csv.certificate.json"), ::testing::Not(HasSubstr("\"97531\"")));
  for (const auto& column : published->recoding) {
    EXPECT_THAT(column.labels, ::testing::Not(::testing::Contains("97531")));
    EXPECT_THAT(column.labels, ::testing::Not(::testing::Contains("90210")));
  }
}

TEST_F(EngineTest, ABoundOnAValueThatDoesNotOccurIsNoPromise) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 2\nconfidence = { hiv = 0.2 }\n");
  const std::string table = WriteTable(60, 3);
  const auto refused = Publish(Request(policy, table), context_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().ToString(), HasSubstr("\"hiv\""));
  EXPECT_EQ(Check(policy, {table}, context_).problems.size(), 1u);
}

TEST_F(EngineTest, EveryConfidenceBoundIsReportedWithWhatItBounds) {
  const std::string policy =
      WritePolicy("model = \"k\"\nk = 2\nconfidence = { HIV = 0.6, \"*\" = 0.9 }\n");
  Write("r.csv", "age,sex,illness\nold,f,HIV\nold,f,flu\nold,m,flu\nold,m,flu\nold,m,cold\n");
  const auto audit =
      Audit(io::ReadPolicy(context_.files, policy).value(), {Path("r.csv")}, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  ASSERT_EQ(audit->promises.size(), 3u);
  EXPECT_EQ(audit->promises[1].name, "confidence in HIV");
  EXPECT_DOUBLE_EQ(audit->promises[1].measured, 0.5);
  EXPECT_EQ(audit->promises[2].name, "confidence");
  EXPECT_DOUBLE_EQ(audit->promises[2].asked, 0.9);
  EXPECT_DOUBLE_EQ(audit->promises[2].measured, 2.0 / 3);
  EXPECT_TRUE(audit->satisfied);
}

TEST_F(EngineTest, NumbersCountByTheirWorth) {
  Write("age.csv", "1;*\n2;*\n3;*\n");
  const std::string head =
      "title = \"T\"\n[columns]\nage = { role = \"quasi\", taxonomy = \"age.csv\" }\n"
      "pay = { role = \"sensitive\", type = \"numeric\" }\n[guarantee]\nmodel = \"k\"\nk = 2\n";
  const std::string ordered = Write("p.toml", head + "t = 0.4\ndistance = \"ordered\"\n");
  const std::string table =
      Write("t.csv",
            "age,pay\n1,5\n1,5\n1,5.0\n1,5.0\n1,9\n1,9\n2,5.0\n2,5.0\n2,5.0\n2,9\n2,5\n"
            "3,7\n3,7\n3,5.0\n3,5\n3,5\n");
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    contract::PublishRequest request = Request(ordered, table);
    request.seed = seed;
    request.vault = Path("v" + std::to_string(seed));
    request.out = Path("r" + std::to_string(seed) + ".csv");
    ASSERT_TRUE(Publish(request, context_));
    const auto verified = Verify(request.out + ".certificate.json", {request.out}, context_);
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
  }
  const std::string distinct = Write("d.toml", head + "distinct = 2\n");
  const auto refused = Publish(
      Request(distinct, Write("same.csv", "age,pay\n1,5\n1,5.0\n2,05\n2,5.00\n")), context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPromise);
}

TEST_F(EngineTest, AuditNoticesAColumnThatThePolicyDrops) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 1\n");
  Write("r.csv", "age,sex,illness,note\n21,f,flu,secret\n25,f,flu,secret\n");
  const auto audit =
      Audit(io::ReadPolicy(context_.files, policy).value(), {Path("r.csv")}, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_FALSE(audit->satisfied);
  EXPECT_THAT(audit->published_dropped, ::testing::ElementsAre("note"));
}

TEST_F(EngineTest, AForgottenHeaderIsNotShown) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 1\n");
  const std::string table = Write("t.csv", "Alice Smith,21,f,HIV,x\nBob Jones,25,m,,x\n");
  for (const Error& error : Check(policy, {table}, context_).problems) {
    EXPECT_THAT(error.message, HasSubstr("no header"));
    EXPECT_THAT(error.ToString(), ::testing::Not(HasSubstr("Alice")));
    EXPECT_THAT(error.ToString(), ::testing::Not(HasSubstr("HIV")));
  }
  EXPECT_EQ(Check(policy, {table}, context_).problems.size(), 1u);
}

// A table that is given for a release by mistake: what is in it stays in it.
TEST_F(EngineTest, MetricsShowNoValues) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 1\n");
  const io::Policy read = io::ReadPolicy(context_.files, policy).value();
  const std::string table = WriteTable(20, 1);
  for (const char* rows : {"f,f,flu\n",
                           "25,f,flu\n25,f,flu\n25,f,flu\n25,f,flu\n25,f,flu\n"
                           "25,f,flu\n25,f,flu\n25,f,flu\n25,f,flu\n25,f,flu\n"}) {
    const std::string release = Write("r.csv", "age,sex,illness\n" + std::string(rows));
    const auto metrics = Measure(read, {table, release}, context_);
    ASSERT_FALSE(metrics) << rows;
    EXPECT_THAT(metrics.error().ToString(), ::testing::Not(HasSubstr("\"25\"")));
    EXPECT_THAT(metrics.error().ToString(), ::testing::Not(HasSubstr("\"f\"")));
  }
}

TEST_F(EngineTest, PlacesWhereNoReleaseCanBe) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 2\n");
  const std::string table = WriteTable(50, 3);
  std::filesystem::create_directory(Path("vault"));
  for (const std::string& out :
       {std::string(), Path("nowhere/r.csv"), table + "/r.csv", Path("vault/r.csv"),
        Path(std::string(230, 'x')), directory_.string() + "/"}) {
    contract::PublishRequest request = Request(policy, table);
    request.out = out;
    const auto refused = Publish(request, context_);
    ASSERT_FALSE(refused) << out;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage) << out;
    EXPECT_TRUE(std::filesystem::is_empty(Path("vault"))) << out;
  }
}

TEST_F(EngineTest, ReleasesAreReadableAndOddNamesSurvive) {
  Write("sex.csv", "f;*\nm;*\n");
  const std::string policy =
      Write("p.toml",
            "title = \"T\"\n[table]\nseparator = \",\"\n[columns]\n"
            "\"s; e; x\" = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
            "a = { role = \"sensitive\" }\n[guarantee]\nmodel = \"k\"\nk = 2\n");
  const std::string table = Write("t.csv", "s; e; x,a\nf,1\nf,2\nm,1\nm,2\n");
  ASSERT_TRUE(Publish(Request(policy, table), context_));
  const auto verified =
      Verify(Path("release.csv.certificate.json"), {Path("release.csv")}, context_);
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_TRUE(verified->valid);
  const auto mode = std::filesystem::status(Path("release.csv")).permissions();
  std::ofstream(Path("ordinary")) << "x";
  EXPECT_EQ(mode, std::filesystem::status(Path("ordinary")).permissions());
}

TEST_F(EngineTest, CertificatesOfStrangers) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 2\n");
  ASSERT_TRUE(Publish(Request(policy, WriteTable(50, 3)), context_));
  Write("deep.json", "{\"reissue_certificate\":1,\"guarantee\":{\"k\":" + std::string(300000, '[') +
                         std::string(300000, ']') + "}}");
  EXPECT_FALSE(Verify(Path("deep.json"), {Path("release.csv")}, context_));
  std::string other = Read("release.csv.certificate.json");
  other.replace(other.find("\"model\": \"k\""), 12, "\"model\": \"z\"");
  Write("other.json", other);
  EXPECT_FALSE(Verify(Path("other.json"), {Path("release.csv")}, context_));
}

TEST_F(EngineTest, ManyRangesAreNotNesting) {
  const std::string policy =
      Write("p.toml",
            "title = \"T\"\n[columns]\nage = { role = \"quasi\", type = \"numeric\" }\n"
            "x = { role = \"sensitive\" }\n[guarantee]\nmodel = \"k\"\nk = 2\n");
  std::string text = "age,x\n";
  for (int i = 0; i < 160; ++i) text += std::to_string(i) + (i % 2 != 0 ? ",a\n" : ",\"\"\"[\"\n");
  const auto published = Publish(Request(policy, Write("t.csv", text)), context_);
  ASSERT_TRUE(published) << published.error().ToString();
  ASSERT_GT(published->recoding[0].labels.size(), 40u);
  const auto verified =
      Verify(Path("release.csv.certificate.json"), {Path("release.csv")}, context_);
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_TRUE(verified->valid);
}

TEST_F(EngineTest, AnIdentifierIsNoClassAndNumbersAreNotCutOff) {
  const std::string table = WriteTable(50, 3);
  const std::string wrong_class =
      WritePolicy("model = \"k\"\nk = 2\nscore = \"class\"\nclass = \"id\"\n");
  EXPECT_FALSE(Publish(Request(wrong_class, table), context_));
  const std::string huge = WritePolicy("model = \"k\"\nk = 2\ndistinct = 4294967297\n");
  const auto refused = Publish(Request(huge, table), context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInput);
}

}  // namespace
}  // namespace reissue::engine
