// The engine end to end on real files in a temporary directory: whatever publish writes must pass
// audit and verify from the file alone.

#include <map>
#include <sstream>

#include "engine_fixture.h"
#include "reissue/binding/detail.h"
#include "reissue/models/k/service/promise.h"
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
