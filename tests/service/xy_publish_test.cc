#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "linked_fixture.h"
#include "reissue/models/xy/service/report.h"

namespace reissue::models::xy::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class LinkedPublishTest : public LinkedEngineTest {
 protected:
  // The same people: names, jobs, sexes, ages and classes in the table; jobs, sexes and diseases in
  // what is out already.
  void WritePeople(std::size_t rows, std::uint64_t seed) {
    Random random = Random::Seeded(seed);
    const std::vector<std::string> names = {"Alice", "Bob", "Cathy"};
    const std::vector<std::string> jobs = {"Banker", "Clerk", "Driver", "Engineer"};
    const std::vector<std::string> ills = {"flu", "cold", "HIV"};
    std::string table = "id,Name,Job,Sex,Age,Class,Note\n", prior = "Job,Sex,Disease\n";
    for (std::size_t i = 0; i < rows; ++i) {
      const std::uint64_t job = random.Below(4), sex = random.Below(2);
      const std::string sexes = sex == 0 ? "Male" : "Female";
      table += "p" + std::to_string(i) + "," + names[random.Below(3)] + "," + jobs[job] + "," +
               sexes + "," + std::to_string(20 + random.Below(40)) +
               (random.Below(4) == job ? ",yes" : ",no") + ",private\n";
      // Jobs are out as groups, or as they are.
      prior += (seed % 2 == 0 ? jobs[job]
                : job < 2     ? "Office"
                              : "Technical") +
               "," + sexes + "," + ills[std::min(random.Below(3), random.Below(3))] + "\n";
    }
    table_ = Write("table.csv", table);
    prior_ = Write("prior.csv", prior);
  }
  contract::PublishRequest Beside(const std::string& policy) const {
    contract::PublishRequest request = Request(policy, table_);
    request.priors = {{"", prior_}};
    return request;
  }

  static constexpr const char* kAll =
      "[[guarantee.anonymity]]\nx = [\"Name\", \"Job\", \"Age\", \"Sex\", \"prior.Job\", "
      "\"prior.Sex\"]\ny = [\"key\"]\nk = 5\n";
  static constexpr const char* kIll =
      "[[guarantee.linkability]]\nx = [\"Job\", \"Sex\", \"prior.Job\", \"prior.Sex\"]\n"
      "y = { \"prior.Disease\" = { HIV = 0.3 } }\n";

  std::string table_, prior_;
};

TEST_F(LinkedPublishTest, KeepsWhatIsPromisedAndVerifiesFromFilesAlone) {
  WritePeople(300, 1);
  const std::string policy = WriteLinked(kAll);
  const auto report = engine::Publish(Beside(policy), context_);
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_TRUE(report->audit.satisfied);
  EXPECT_EQ(report->rows_out, 300U);
  EXPECT_GE(*report->audit.findings.As<JoinFindings>().requirements[0].anonymity, 5U);
  EXPECT_GT(report->details.As<JoinSearch>().steps, 0U);
  EXPECT_THAT(report->details.As<JoinSearch>().as_is, ElementsAre("Class"));
  EXPECT_THAT(report->details.As<JoinSearch>().exposed, ElementsAre());
  EXPECT_EQ(report->recoding.size(), 4U);
  const std::string release = Read("release.csv");
  EXPECT_THAT(release, Not(HasSubstr("private")));
  EXPECT_THAT(release, Not(HasSubstr("p17")));
  // Anybody with the files gets the same numbers, without policy, taxonomies and table.
  for (const char* name : {"linked.toml", "job.csv", "name.csv", "sex.csv", "table.csv"}) {
    std::filesystem::remove(Path(name));
  }
  const std::string certificate = Path("release.csv.certificate.json");
  const auto verified =
      engine::Verify(certificate, {Path("release.csv")}, context_, {{"", prior_}});
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
  EXPECT_EQ(verified->audit.findings.As<JoinFindings>().requirements[0].anonymity,
            report->audit.findings.As<JoinFindings>().requirements[0].anonymity);
  EXPECT_EQ(verified->audit.findings.As<JoinFindings>().join_rows,
            report->audit.findings.As<JoinFindings>().join_rows);
  // Not without the earlier release, and not beside another one.
  EXPECT_EQ(engine::Verify(certificate, {Path("release.csv")}, context_).error().code,
            ErrorCode::kUsage);
  std::string other = Read("prior.csv");
  other.replace(other.find("flu"), 3, "HIV");
  const auto changed = engine::Verify(certificate, {Path("release.csv")}, context_,
                                      {{"", Write("other.csv", other)}});
  ASSERT_TRUE(changed) << changed.error().ToString();
  EXPECT_FALSE(changed->valid);
  ASSERT_EQ(changed->failures.size(), 1U);
  EXPECT_THAT(changed->failures[0], HasSubstr("is not the one that the certificate counts on"));
}

TEST_F(LinkedPublishTest, EveryRequirementOnRandomPeople) {
  int published = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    WritePeople(60 + 40 * seed, seed);
    std::filesystem::remove_all(Path("vault"));
    std::filesystem::remove(Path("release.csv"));
    std::filesystem::remove(Path("release.csv.certificate.json"));
    const std::string score = seed % 3 == 0   ? "score = \"discernibility\"\n"
                              : seed % 3 == 1 ? "class = \"Class\"\n"
                                              : "";
    const std::string policy =
        WriteLinked(score + kAll + (seed % 2 == 0 ? kIll : "") +
                    "[[inconsistent]]\nSex = \"Male\"\n\"prior.Disease\" = \"HIV\"\n");
    const auto report = engine::Publish(Beside(policy), context_);
    if (!report) {
      EXPECT_EQ(report.error().code, ErrorCode::kPromise) << report.error().ToString();
      continue;
    }
    const auto audit = AuditOf(policy, Path("release.csv"), {{"", prior_}});
    ASSERT_TRUE(audit) << audit.error().ToString();
    EXPECT_TRUE(audit->satisfied) << seed;
    EXPECT_GE(*audit->findings.As<JoinFindings>().requirements[0].anonymity, 5U);
    ++published;
  }
  EXPECT_GE(published, 4);
}

TEST_F(LinkedPublishTest, WhatCannotBeKeptLeavesNothingBehind) {
  WritePeople(40, 3);
  const auto report = engine::Publish(
      Beside(WriteLinked("[[guarantee.anonymity]]\nx = [\"Job\", \"Sex\", \"prior.Job\", "
                         "\"prior.Sex\"]\ny = [\"key\"]\nk = 41\n")),
      context_);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kPromise);
  EXPECT_THAT(report.error().message,
              HasSubstr("requirement 1 (anonymity) cannot be kept: even the most general release"));
  EXPECT_THAT(report.error().message, HasSubstr("they have 40 different rows of the release, where "
                                                "at least 41 were promised"));
  EXPECT_FALSE(std::filesystem::exists(Path("vault")));
  EXPECT_FALSE(std::filesystem::exists(Path("release.csv")));
}

// The state must stay open where the job is known, and the job where the state is. Each column is
// in one x and in the other's y; as it is the table keeps both, with either column hidden nothing
// does.
TEST_F(LinkedPublishTest, AColumnMayBeInOneXAndInAnotherY) {
  const std::string two_ways =
      "[[guarantee.anonymity]]\nx = [\"Job\", \"prior.Job\"]\ny = [\"State\"]\nk = 2\n"
      "[[guarantee.anonymity]]\nx = [\"State\"]\ny = [\"Job\"]\nk = 2\n";
  table_ = Write("table.csv",
                 "id,Job,State\n1,Banker,Early\n2,Banker,Flu\n3,Driver,Early\n4,Driver,Flu\n");
  prior_ = Write("prior.csv", "Job,Disease\nBanker,HIV\nBanker,flu\nDriver,flu\nDriver,HIV\n");
  const std::string policy = WriteLinked(two_ways);
  EXPECT_TRUE(engine::Check(policy, {table_}, context_, {{"", prior_}}).problems.empty());
  const auto report = engine::Publish(Beside(policy), context_);
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_TRUE(report->audit.satisfied);
  const auto audit = AuditOf(policy, Path("release.csv"), {{"", prior_}});
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_TRUE(audit->satisfied);

  // Three values of a column that has two: nothing keeps that.
  std::filesystem::remove_all(Path("vault"));
  std::filesystem::remove(Path("release.csv"));
  std::filesystem::remove(Path("release.csv.certificate.json"));
  const std::string more = WriteLinked(std::string(two_ways).replace(two_ways.rfind('2'), 1, "3"));
  const auto refused = engine::Publish(Beside(more), context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPromise);
  EXPECT_THAT(refused.error().message, HasSubstr("no release exists that keeps all requirements"));
  EXPECT_THAT(refused.error().remedy, HasSubstr("is in y here and in the x of another"));
  EXPECT_EQ(refused.error().place->file, table_);
  const contract::CheckReport check = engine::Check(more, {table_}, context_, {{"", prior_}});
  ASSERT_EQ(check.problems.size(), 1u);
  EXPECT_EQ(check.problems[0].message, refused.error().message);
  EXPECT_EQ(check.problems[0].code, ErrorCode::kPromise);
}

TEST_F(LinkedPublishTest, RawValuesStayOutOfRefusals) {
  WritePeople(40, 3);
  const auto report = engine::Publish(
      Beside(WriteLinked("[[guarantee.linkability]]\nx = [\"Job\", \"prior.Job\"]\ny = [\"Class\"]"
                         "\nconfidence = 0.2\n")),
      context_);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kPromise);
  EXPECT_THAT(report.error().message, HasSubstr("Class = one of its values"));
}

TEST_F(LinkedPublishTest, OneReleaseToAVault) {
  WritePeople(100, 4);
  const std::string policy = WriteLinked(kAll);
  contract::PublishRequest request = Beside(policy);
  ASSERT_TRUE(engine::Publish(request, context_));
  request.out = Path("again.csv");
  const auto again = engine::Publish(request, context_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kPromise);
  EXPECT_THAT(again.error().remedy, HasSubstr("--prior"));
  EXPECT_FALSE(std::filesystem::exists(Path("again.csv")));
}

TEST_F(LinkedPublishTest, QuasiIdentifiersThatNoRequirementNamesAreSaidAloud) {
  WritePeople(100, 5);
  const std::string policy =
      WriteLinked("[[guarantee.anonymity]]\nx = [\"Job\", \"prior.Job\"]\ny = [\"key\"]\nk = 5\n");
  const auto report = engine::Publish(Beside(policy), context_);
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_THAT(report->details.As<JoinSearch>().as_is, ElementsAre("Name", "Sex", "Age", "Class"));
  EXPECT_THAT(report->details.As<JoinSearch>().exposed, ElementsAre("Name", "Sex", "Age"));
  // The join goes by sex too.
  EXPECT_THAT(report->audit.findings.As<JoinFindings>().joined_on, ElementsAre("Job", "Sex"));
}

TEST_F(LinkedPublishTest, WhatIsMisspeltIsNoPromise) {
  WritePeople(100, 6);
  const auto value = engine::Publish(
      Beside(WriteLinked("[[guarantee.linkability]]\nx = [\"Job\"]\n"
                         "y = { \"prior.Disease\" = [\"hiv\"] }\nconfidence = 0.9\n")),
      context_);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, ErrorCode::kInput);
  EXPECT_THAT(value.error().message, HasSubstr("\"hiv\", which the column does not have"));
  const auto column = engine::Publish(
      Beside(WriteLinked("[[guarantee.anonymity]]\nx = [\"Class\"]\ny = [\"key\"]\nk = 2\n")),
      context_);
  ASSERT_FALSE(column);
  EXPECT_THAT(column.error().message, HasSubstr("has no taxonomy"));
  const auto lacks =
      engine::Publish(Beside(WriteLinked("class = \"Disease\"\n" + std::string(kAll))), context_);
  ASSERT_FALSE(lacks);
  EXPECT_THAT(lacks.error().message, HasSubstr("the table lacks the class column"));
}

TEST_F(LinkedPublishTest, TheSameSeedGivesTheSameBytesForAnyNumberOfThreads) {
  WritePeople(200, 7);
  const std::string policy = WriteLinked(std::string("class = \"Class\"\n") + kAll);
  ASSERT_TRUE(engine::Publish(Beside(policy), context_));
  const std::string first = Read("release.csv");
  ThreadPool one(1);
  binding::Context alone{io::SystemFiles(), one, progress_};
  contract::PublishRequest request = Beside(policy);
  request.vault = Path("vault2");
  request.out = Path("second.csv");
  ASSERT_TRUE(engine::Publish(request, alone));
  EXPECT_EQ(Read("second.csv"), first);
}

}  // namespace
}  // namespace reissue::models::xy::service
