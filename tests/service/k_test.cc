// The engine end to end on real files in a temporary directory: whatever publish writes must pass
// audit and verify from the file alone.

#include "engine_fixture.h"
#include "reissue/binding/detail.h"
#include "reissue/models/k/service/report.h"

namespace reissue::models::k::service {
namespace {

using ::testing::HasSubstr;

TEST_F(EngineTest, WhatIsPublishedPassesAuditAndVerify) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 5\ndistinct = 2\n");
  const auto published = engine::Publish(Request(policy, WriteTable(200, 1)), context_);
  ASSERT_TRUE(published) << published.error().ToString();
  EXPECT_EQ(published->rows_out, 200u);
  EXPECT_TRUE(published->vault_unprotected);
  EXPECT_TRUE(published->row_order_reproducible);
  const std::string release = Read("release.csv");
  EXPECT_THAT(release, ::testing::StartsWith("age,sex,illness\n"));
  EXPECT_EQ(std::count(release.begin(), release.end(), '\n'), 201);

  const auto audit = engine::Audit(io::ReadPolicy(context_.files, policy).value(),
                                   {Path("release.csv")}, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_TRUE(audit->satisfied);
  EXPECT_EQ(audit->exposed, 0u);
  EXPECT_EQ(audit->smallest, published->audit.smallest);
  EXPECT_GE(audit->smallest, 5u);

  const auto verified =
      engine::Verify(Path("release.csv.certificate.json"), {Path("release.csv")}, context_);
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_TRUE(verified->valid);
  EXPECT_THAT(verified->failures, ::testing::IsEmpty());
}

TEST_F(EngineTest, PublishedFilesKeepEveryCombinationOfPromises) {
  const std::vector<std::string> promises = {"k = 3\n",
                                             "distinct = 2\n",
                                             "entropy = 1.5\n",
                                             "recursive = { c = 4, l = 2 }\n",
                                             "alpha = 0.8\n",
                                             "confidence = { HIV = 0.3, \"*\" = 0.9 }\n",
                                             "t = 0.4\n",
                                             "beta = 3\n",
                                             "suppression = 0.1\n",
                                             "score = \"distortion\"\n"};
  Random random = Random::Seeded(11);
  int kept = 0;
  for (int round = 0; round < 60; ++round) {
    std::string guarantee = "model = \"k\"\nbudget = 0.01\n";
    for (const std::string& promise : promises) {
      if (promise[0] == 'k' || random.Below(3) == 0) guarantee += promise;
    }
    if (round % 2 == 1) guarantee += "recoding = \"local\"\n";
    const std::string policy = WritePolicy(guarantee);
    std::filesystem::remove_all(Path("vault"));
    std::filesystem::remove(Path("release.csv"));
    std::filesystem::remove(Path("release.csv.certificate.json"));
    const auto published = engine::Publish(
        Request(policy, WriteTable(20 + random.Below(150), random.Next())), context_);
    if (!published) {
      EXPECT_EQ(published.error().code, ErrorCode::kPromise) << published.error().ToString();
      EXPECT_FALSE(std::filesystem::exists(Path("release.csv")));
      EXPECT_FALSE(std::filesystem::exists(Path("vault")));
      continue;
    }
    ++kept;
    const auto audit = engine::Audit(io::ReadPolicy(context_.files, policy).value(),
                                     {Path("release.csv")}, context_);
    ASSERT_TRUE(audit) << audit.error().ToString() << guarantee;
    EXPECT_TRUE(audit->satisfied) << guarantee;
    EXPECT_EQ(audit->rows, published->rows_out);
    const auto verified =
        engine::Verify(Path("release.csv.certificate.json"), {Path("release.csv")}, context_);
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_TRUE(verified->valid) << guarantee << ::testing::PrintToString(verified->failures);
  }
  EXPECT_GT(kept, 40);
}

TEST_F(EngineTest, TamperingIsNoticed) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 5\n");
  ASSERT_TRUE(engine::Publish(Request(policy, WriteTable(100, 2)), context_));
  const std::string release = Read("release.csv");
  const std::string certificate = Read("release.csv.certificate.json");

  std::string swapped = release;  // one row more, otherwise well-formed
  swapped += swapped.substr(swapped.rfind('\n', swapped.size() - 2) + 1);
  Write("release.csv", swapped);
  auto verified =
      engine::Verify(Path("release.csv.certificate.json"), {Path("release.csv")}, context_);
  ASSERT_TRUE(verified);
  EXPECT_FALSE(verified->valid);
  EXPECT_THAT(verified->failures, ::testing::Contains(HasSubstr("not the one that was certified")));
  EXPECT_THAT(verified->failures, ::testing::Contains(HasSubstr("says 100 rows")));

  Write("release.csv", release);
  std::string weaker = certificate;
  weaker.replace(weaker.find("\"k\": 5"), 6, "\"k\": 2");
  Write("weaker.json", weaker);
  verified = engine::Verify(Path("weaker.json"), {Path("release.csv")}, context_);
  ASSERT_TRUE(verified);
  EXPECT_FALSE(verified->valid);
  EXPECT_THAT(verified->failures, ::testing::Contains(HasSubstr("was changed")));

  Write("none.json", "{\"a\": 1}");
  const auto none = engine::Verify(Path("none.json"), {Path("release.csv")}, context_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kInput);
  Write("cut.json", certificate.substr(0, certificate.size() / 2));
  EXPECT_FALSE(engine::Verify(Path("cut.json"), {Path("release.csv")}, context_));
}

TEST_F(EngineTest, SameSeedSameBytesOnAnyNumberOfThreads) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 4\nbudget = 0.05\n");
  const std::string table = WriteTable(150, 5);
  std::string first;
  for (const std::size_t threads : {1u, 2u, 3u}) {
    ThreadPool pool(threads);
    binding::Context context{io::SystemFiles(), pool, progress_};
    std::filesystem::remove_all(Path("vault"));
    std::filesystem::remove(Path("release.csv"));
    std::filesystem::remove(Path("release.csv.certificate.json"));
    ASSERT_TRUE(engine::Publish(Request(policy, table), context));
    if (first.empty()) first = Read("release.csv");
    EXPECT_EQ(Read("release.csv"), first);
  }
}

TEST_F(EngineTest, WithoutASeedTheRowOrderDiffers) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 4\nbudget = 0.01\n");
  contract::PublishRequest request = Request(policy, WriteTable(150, 5));
  request.seed.reset();
  ASSERT_TRUE(engine::Publish(request, context_));
  const std::string first = Read("release.csv");
  request.vault = Path("vault2");
  request.out = Path("release2.csv");
  const auto second = engine::Publish(request, context_);
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->row_order_reproducible);
  EXPECT_NE(Read("release2.csv"), first);
}

TEST_F(EngineTest, RefusesASecondReleaseAndAnotherPolicy) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 5\n");
  const std::string table = WriteTable(100, 3);
  ASSERT_TRUE(engine::Publish(Request(policy, table), context_));
  contract::PublishRequest again = Request(policy, table);
  again.out = Path("again.csv");
  auto refused = engine::Publish(again, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPromise);
  EXPECT_FALSE(std::filesystem::exists(again.out));
  again.policy.clear();  // the vault remembers it
  refused = engine::Publish(again, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPromise);
  std::filesystem::rename(policy, Path("moved.toml"));
  refused = engine::Publish(again, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInput);
  std::filesystem::rename(Path("moved.toml"), policy);
  again.policy = WritePolicy("model = \"k\"\nk = 6\n", "other.toml");
  refused = engine::Publish(again, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPromise);
  EXPECT_THAT(refused.error().message, HasSubstr("has a release already"));
  again.policy = policy;
  again.out = Path("release.csv");
  refused = engine::Publish(again, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST_F(EngineTest, APersonTwiceIsAnErrorWithBothLinesAndWithoutTheValue) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 1\n");
  const std::string table = Write("t.csv",
                                  "id,age,sex,illness,note\nSecretName,21,f,flu,x\n"
                                  "b,21,m,flu,x\nSecretName,25,f,flu,x\n");
  const auto refused = engine::Publish(Request(policy, table), context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().place->line, 4u);
  EXPECT_THAT(refused.error().message, HasSubstr("line 2"));
  EXPECT_THAT(refused.error().ToString(), ::testing::Not(HasSubstr("SecretName")));
}

TEST_F(EngineTest, AValueWithoutALeafIsPlacedAndNotPrinted) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 1\n");
  const std::string table =
      Write("t.csv", "id,age,sex,illness,note\na,21,f,flu,x\nb,Zebra,m,flu,x\nc,20s,m,flu,x\n");
  const auto refused = engine::Publish(Request(policy, table), context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().place->line, 3u);
  EXPECT_EQ(refused.error().place->column, "age");
  EXPECT_THAT(refused.error().message, HasSubstr("no leaf"));
  EXPECT_THAT(refused.error().message, ::testing::Not(HasSubstr("Zebra")));
}

TEST_F(EngineTest, AuditNoticesAPublishedIdentifier) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 1\n");
  Write("r.csv", "id,age,sex,illness\nx,21,f,flu\ny,25,f,flu\n");
  const auto audit =
      engine::Audit(io::ReadPolicy(context_.files, policy).value(), {Path("r.csv")}, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_FALSE(audit->satisfied);
  EXPECT_THAT(audit->published_identifiers, ::testing::ElementsAre("id"));
  EXPECT_EQ(audit->exposed, 2u);
}

TEST_F(EngineTest, AuditNamesTheExposedInWords) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 3\ndistinct = 2\n");
  Write("r.csv", "age,sex,illness\nyoung,f,flu\nyoung,f,cold\nold,m,HIV\nold,m,HIV\nold,m,HIV\n");
  const auto audit =
      engine::Audit(io::ReadPolicy(context_.files, policy).value(), {Path("r.csv")}, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_FALSE(audit->satisfied);
  EXPECT_EQ(audit->findings.As<CellFindings>().identity, 2u);
  EXPECT_EQ(audit->findings.As<CellFindings>().homogeneity, 3u);
  EXPECT_EQ(audit->exposed, 5u);
  std::vector<std::string> words;
  for (const Exposure& exposure : audit->findings.As<CellFindings>().worst)
    words.push_back(exposure.words);
  EXPECT_THAT(words, ::testing::Contains(HasSubstr("age = young, sex = f")));
  EXPECT_THAT(words, ::testing::Contains(HasSubstr("all 3 people have \"HIV\"")));
}

TEST_F(EngineTest, SeveralSensitiveColumnsActAsOne) {
  Write("sex.csv", "f;*\nm;*\n");
  const std::string policy =
      Write("p.toml",
            "title = \"T\"\n[columns]\nsex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
            "a = { role = \"sensitive\" }\nb = { role = \"sensitive\" }\n"
            "[guarantee]\nmodel = \"k\"\nk = 2\ndistinct = 3\n");
  // Four composite values among f, two among m: f and m must be merged for three each.
  const std::string table = Write("t.csv", "sex,a,b\nf,1,1\nf,1,2\nf,2,1\nf,2,2\nm,1,1\nm,2,2\n");
  const auto published = engine::Publish(Request(policy, table), context_);
  ASSERT_TRUE(published) << published.error().ToString();
  EXPECT_EQ(published->audit.cells, 1u);
  EXPECT_THAT(Read("release.csv"), HasSubstr("*,2,1\n"));
}

TEST_F(EngineTest, NumericColumnsWithAndWithoutBreakpoints) {
  const std::string head =
      "title = \"T\"\n[columns]\nweight = { role = \"quasi\", type = \"numeric\"";
  const std::string tail = " }\nx = { role = \"sensitive\" }\n[guarantee]\nmodel = \"k\"\nk = 2\n";
  const std::string table = Write("t.csv", "weight,x\n50,a\n52,b\n61,a\n75.5,b\n80,a\n99,b\n");
  for (const std::string& breakpoints :
       {std::string(", breakpoints = [40, 60, 80, 100]"), std::string()}) {
    const std::string policy = Write("p.toml", head + breakpoints + tail);
    std::filesystem::remove_all(Path("vault"));
    std::filesystem::remove(Path("release.csv"));
    std::filesystem::remove(Path("release.csv.certificate.json"));
    const auto published = engine::Publish(Request(policy, table), context_);
    ASSERT_TRUE(published) << published.error().ToString();
    EXPECT_GE(published->audit.smallest, 2u);
    EXPECT_THAT(Read("release.csv"), HasSubstr("\"["));
    const auto metrics = engine::Measure(io::ReadPolicy(context_.files, policy).value(),
                                         {table, Path("release.csv")}, context_);
    ASSERT_TRUE(metrics) << metrics.error().ToString();
    EXPECT_GT(metrics->findings.As<binding::Detail>().loss.gcp, 0);
    EXPECT_LT(metrics->findings.As<binding::Detail>().loss.gcp, 1);
  }
  const std::string bad = Write("bad.csv", "weight,x\n50,a\nheavy,b\n");
  const auto refused = engine::Check(Path("p.toml"), {bad}, context_);
  ASSERT_EQ(refused.problems.size(), 1u);
  EXPECT_EQ(refused.problems[0].place->line, 3u);
  EXPECT_THAT(refused.problems[0].ToString(), ::testing::Not(HasSubstr("heavy")));
}

TEST_F(EngineTest, LossIsTheScoreWhereThePolicyNamesNone) {
  const std::string table = WriteTable(200, 9);
  const auto score = [&](const std::string& settings) {
    std::filesystem::remove_all(Path("vault"));
    std::filesystem::remove(Path("release.csv"));
    std::filesystem::remove(Path("release.csv.certificate.json"));
    const auto published = engine::Publish(Request(WritePolicy(settings), table), context_);
    EXPECT_TRUE(published) << published.error().ToString();
    return published ? published->details.As<SearchDetails>().score : "";
  };
  EXPECT_EQ(score("model = \"k\"\nk = 5\n"), "loss");
  EXPECT_EQ(score("model = \"bcf\"\nk = 5\n"), "loss");
  EXPECT_EQ(score("model = \"k\"\nk = 5\nscore = \"discernibility\"\n"), "discernibility");
}

TEST_F(EngineTest, MetricsAgreeWithTheSearch) {
  const std::string policy =
      WritePolicy("model = \"k\"\nk = 5\nsuppression = 0.1\nscore = \"discernibility\"\n");
  const std::string table = WriteTable(200, 9);
  const auto published = engine::Publish(Request(policy, table), context_);
  ASSERT_TRUE(published) << published.error().ToString();
  const auto metrics = engine::Measure(io::ReadPolicy(context_.files, policy).value(),
                                       {table, Path("release.csv"), "illness"}, context_);
  ASSERT_TRUE(metrics) << metrics.error().ToString();
  EXPECT_NEAR(metrics->findings.As<binding::Detail>().loss.discernibility_normalised,
              published->details.As<SearchDetails>().cost, 1e-12);
  EXPECT_EQ(metrics->findings.As<binding::Detail>().loss.suppressed, published->suppressed);
  ASSERT_TRUE(metrics->findings.As<binding::Detail>().prediction);
  EXPECT_GT(metrics->findings.As<binding::Detail>().prediction->test, 0u);
}

}  // namespace
}  // namespace reissue::models::k::service
