#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linked_fixture.h"
#include "reissue/models/xy/service/audit.h"
#include "reissue/models/xy/service/report.h"

namespace reissue::models::xy::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

class LinkedTest : public LinkedEngineTest {};

constexpr const char* kNames =
    "[[guarantee.anonymity]]\nx = [\"Name\", \"prior.Disease\"]\ny = [\"key\", \"prior.key\"]\n"
    "k = 2\n";
constexpr const char* kCancer =
    "[[guarantee.linkability]]\nx = [\"Name\", \"Job\", \"prior.Job\"]\n"
    "y = { \"prior.Disease\" = [\"Cancer\"] }\nconfidence = 0.5\n";

TEST_F(LinkedTest, ThePapersExample) {
  const std::string policy = WriteLinked(std::string(kNames) + kCancer);
  const auto audit = AuditOf(policy, WriteT1(), {{"", WriteT2()}});
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_EQ(audit->model, "xy");
  EXPECT_FALSE(audit->satisfied);
  ASSERT_NE(audit->findings.If<JoinFindings>(), nullptr);
  const JoinFindings& linked = audit->findings.As<JoinFindings>();
  EXPECT_EQ(Digits(linked.join_rows), "7");
  EXPECT_THAT(linked.dangling, ElementsAre(0, 0));
  EXPECT_THAT(linked.joined_on, ElementsAre("Job"));
  EXPECT_THAT(linked.names, ElementsAre("", "prior"));
  ASSERT_EQ(linked.requirements.size(), 2U);
  EXPECT_EQ(linked.requirements[0].anonymity, 1U);
  EXPECT_EQ(linked.requirements[0].violating, 3U);  // Bob with HIV and Cancer, Cathy with HIV
  EXPECT_THAT(linked.requirements[0].worst[1].x,
              ElementsAre(Pair("Name", "Bob"), Pair("prior.Disease", "HIV")));
  EXPECT_EQ(linked.requirements[1].linkability, 1.0);
  EXPECT_EQ(linked.requirements[1].worst[0].words,
            "Of 4 records of the join that match Name = Alice, Job = Banker, prior.Job = Banker, 4 "
            "have prior.Disease = Cancer: 100 %, where at most 50 % were promised");
  // The first requirement leaves the join column out; what the second one asks is out already.
  EXPECT_THAT(linked.notes,
              ElementsAre(HasSubstr("requirement 1 (anonymity): its x lacks Job and prior.Job"),
                          HasSubstr("requirement 2 (linkability): y is in an earlier release")));
}

TEST_F(LinkedTest, OneCombinationExplained) {
  const std::string policy = WriteLinked(std::string(kNames) + kCancer);
  const std::string t1 = WriteT1(), t2 = WriteT2();
  const auto alice = ExplainOf(policy, t1, {{"", t2}}, "Alice,Cancer", 1);
  ASSERT_TRUE(alice) << alice.error().ToString();
  EXPECT_EQ(Digits(alice->records), "4");
  EXPECT_EQ(alice->distinct, 4U);
  EXPECT_FALSE(alice->broken);
  ASSERT_EQ(alice->matches.size(), 1U);
  EXPECT_THAT(alice->matches[0].rows, ElementsAre(2, 2));
  const auto bob = ExplainOf(policy, t1, {{"", t2}}, "Bob,Driver,Driver", 2);
  ASSERT_TRUE(bob);
  EXPECT_TRUE(bob->broken);
  ASSERT_EQ(bob->values.size(), 1U);
  EXPECT_EQ(bob->values[0].share, 1.0);
  EXPECT_EQ(bob->values[0].threshold, 0.5);
  const auto clerk = ExplainOf(policy, t1, {{"", t2}}, "Bob,Clerk,Clerk", 2);
  ASSERT_TRUE(clerk);
  EXPECT_FALSE(clerk->broken);
  EXPECT_EQ(clerk->values[0].share, 0.0);
  const auto nobody = ExplainOf(policy, t1, {{"", t2}}, "Bob,Banker,Driver", 2);
  ASSERT_TRUE(nobody);
  EXPECT_EQ(Digits(nobody->records), "0");
  EXPECT_FALSE(nobody->broken);
  for (const char* wrong : {"Alice", "Dora,Cancer", "Alice,Measles"}) {
    const auto error = ExplainOf(policy, t1, {{"", t2}}, wrong, 1);
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().code, ErrorCode::kUsage);
    EXPECT_THAT(error.error().ToString(), Not(HasSubstr("Dora")));
  }
  EXPECT_FALSE(ExplainOf(policy, t1, {{"", t2}}, "Alice,Cancer", 3));
}

TEST_F(LinkedTest, LabelsOnOnePathMatchAndRowsMayDangle) {
  // Office meets Banker and Clerk; nobody of T2 is technical.
  const std::string t1 =
      Write("g.csv", "Name,Job,Class\nAlice,Office,c\nBob,*,c\nCathy,Driver,c\n");
  const std::string t2 = Write("h.csv", "Job,Disease\nBanker,Flu\nClerk,Flu\nClerk,HIV\n");
  const auto audit = AuditOf(WriteLinked(kCancer), t1, {{"", t2}});
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_EQ(Digits(audit->findings.As<JoinFindings>().join_rows), "6");
  EXPECT_THAT(audit->findings.As<JoinFindings>().dangling, ElementsAre(1, 0));
  EXPECT_TRUE(audit->satisfied);
  EXPECT_EQ(audit->findings.As<JoinFindings>().requirements[0].linkability,
            0.0);  // no Cancer at all
  EXPECT_THAT(audit->findings.As<JoinFindings>().notes,
              testing::Contains(HasSubstr("no row has prior.Disease = Cancer")));
}

TEST_F(LinkedTest, InconsistentPairsDoNotMatchNorDoTheirDescendants) {
  const std::string requirement =
      "[[guarantee.anonymity]]\nx = [\"Sex\", \"prior.State\"]\ny = [\"key\"]\nk = 1\n";
  const std::string pair = "[[inconsistent]]\nSex = \"Male\"\n\"prior.State\" = \"Pregnant\"\n";
  const std::string t1 = Write("s.csv", "Sex,Class\nMale,c\nMale,c\nFemale,c\n*,c\n");
  const std::string t2 = Write("p.csv", "State\nEarly\nPregnant\nFlu\n");
  const auto all = AuditOf(WriteLinked(requirement), t1, {{"", t2}});
  ASSERT_TRUE(all) << all.error().ToString();
  EXPECT_EQ(Digits(all->findings.As<JoinFindings>().join_rows), "12");
  const auto fewer = AuditOf(WriteLinked(requirement + pair), t1, {{"", t2}});
  ASSERT_TRUE(fewer) << fewer.error().ToString();
  EXPECT_EQ(Digits(fewer->findings.As<JoinFindings>().join_rows), "8");
}

TEST_F(LinkedTest, SeveralEarlierReleasesByPositionAndByName) {
  const std::string t3 = Write("T3.csv", "Job,Sex\nOffice,Male\nOffice,Female\nTechnical,Male\n");
  const std::vector<binding::PriorFile> priors = {{"clinic", WriteT2()}, {"", t3}};
  const auto audit =
      AuditOf(WriteLinked("[[guarantee.anonymity]]\nx = [\"Job\", \"clinic.Job\", \"prior2.Job\", "
                          "\"prior.Disease\"]\ny = [\"prior2.key\"]\nk = 2\n"),
              WriteT1(), priors);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_THAT(audit->findings.As<JoinFindings>().names, ElementsAre("", "clinic", "prior2"));
  // 5 pairs of bankers and clerks with 2 offices each, 2 pairs with 1 technical row each.
  EXPECT_EQ(Digits(audit->findings.As<JoinFindings>().join_rows), "12");
  EXPECT_EQ(audit->findings.As<JoinFindings>().requirements[0].anonymity, 1U);
  EXPECT_THAT(audit->findings.As<JoinFindings>().requirements[0].worst[0].words,
              HasSubstr("prior.Disease = Cancer: it has 1 row of " + t3));
  const auto twice = AuditOf(WriteLinked(kNames), WriteT1(), {{"prior2", WriteT2()}, {"", t3}});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ErrorCode::kUsage);
}

TEST_F(LinkedTest, WhatThePolicyHidesBreaksThePromise) {
  const std::string named = Write("n.csv", "id,Job,Disease\n1,Banker,Flu\n");
  const std::string noted = Write("o.csv", "Name,Job,Class,Note\nAlice,Banker,c,x\n");
  const std::string policy =
      WriteLinked("[[guarantee.anonymity]]\nx = [\"Job\", \"prior.Job\"]\ny = [\"key\"]\nk = 1\n");
  const auto identifier = AuditOf(policy, WriteT1(), {{"", named}});
  ASSERT_TRUE(identifier) << identifier.error().ToString();
  EXPECT_FALSE(identifier->satisfied);
  EXPECT_THAT(identifier->published_identifiers, ElementsAre("id"));
  const auto dropped = AuditOf(policy, noted, {{"", WriteT2()}});
  ASSERT_TRUE(dropped) << dropped.error().ToString();
  EXPECT_FALSE(dropped->satisfied);
  EXPECT_THAT(dropped->published_dropped, ElementsAre("Note"));
  EXPECT_TRUE(AuditOf(policy, WriteT1(), {{"", WriteT2()}})->satisfied);
}

// A sensitive value of a column that readers know: it counts where it stands as it is.
TEST_F(LinkedTest, ValuesOfAColumnInX) {
  const std::string policy = WriteLinked(
      "[[guarantee.linkability]]\nx = [\"Job\"]\ny = { Job = [\"Clerk\"] }\nconfidence = 0.5\n");
  const auto audit = AuditOf(policy, WriteT1(), {{"", WriteT2()}});
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_FALSE(audit->satisfied);
}

TEST_F(LinkedTest, PoliciesThatSayNothingUseful) {
  const std::string path = Path("linked.toml");
  const auto anonymity = [](const std::string& x, const std::string& y, const std::string& k) {
    return "[[guarantee.anonymity]]\nx = " + x + "\ny = " + y + "\nk = " + k + "\n";
  };
  EXPECT_THAT(ErrorOf(""), HasSubstr("promises nothing"));
  EXPECT_THAT(ErrorOf(anonymity("[]", "[\"key\"]", "2")),
              HasSubstr(path + ":14: `x` must be a list of at least one name"));
  EXPECT_THAT(ErrorOf(anonymity("[\"Job\"]", "[\"Job\"]", "2")),
              HasSubstr(path + ":13: \"Job\" stands in x and in y"));
  EXPECT_THAT(ErrorOf(anonymity("[\"Job\"]", "[\"key\"]", "0")),
              HasSubstr(path + ":16: `k` must be a whole number from 1"));
  EXPECT_THAT(ErrorOf(anonymity("[\"Jib\"]", "[\"key\"]", "2")),
              HasSubstr("no file has the column \"Jib\"\n  Did you mean \"Job\"? The release has "
                        "Name, Job and Class; " +
                        Path("T2.csv") + " has prior.Job and prior.Disease"));
  EXPECT_THAT(ErrorOf(anonymity("[\"Disease\"]", "[\"key\"]", "2")),
              HasSubstr("no file has the column \"Disease\""));
  EXPECT_THAT(ErrorOf("[[guarantee.linkability]]\nx = [\"Job\"]\ny = [\"Class\"]\n"),
              HasSubstr(path + ":13: [[guarantee.linkability]] needs `confidence`"));
  EXPECT_THAT(
      ErrorOf("[[guarantee.linkability]]\nx = [\"Job\"]\ny = [\"Class\"]\nconfidence = 1.5\n"),
      HasSubstr(path + ":16: `confidence` must be a number above 0 and at most 1"));
  EXPECT_THAT(
      ErrorOf("[[guarantee.linkability]]\nx = [\"Job\"]\ny = [\"key\"]\nconfidence = 0.5\n"),
      HasSubstr("\"key\" counts rows, which linkability does not"));
  EXPECT_THAT(ErrorOf("suppression = 2\n" + std::string(kNames)),
              HasSubstr("model \"xy\" has no setting `suppression`"));
  EXPECT_THAT(ErrorOf(std::string(kNames) + "conf = 2\n"),
              HasSubstr("[[guarantee.anonymity]] has no setting `conf`"));
  EXPECT_THAT(ErrorOf(std::string(kNames) + "[[inconsistent]]\nJob = \"Clerk\"\n"),
              HasSubstr("needs two columns"));
  EXPECT_THAT(ErrorOf(std::string(kNames) + "[[inconsistent]]\nJob = \"Clerk\"\nName = \"Bob\"\n"),
              HasSubstr("are columns of one table"));
  EXPECT_THAT(ErrorOf(std::string(kNames) +
                      "[[inconsistent]]\nJob = \"Cook\"\n\"prior.Disease\" = \"HIV\"\n"),
              HasSubstr("the column does not have \"Cook\""));
  EXPECT_EQ(ErrorOf(kNames), "accepted");
}

TEST_F(LinkedTest, ACommonColumnNeedsATaxonomy) {
  const std::string t2 = Write("c.csv", "Job,Class\nBanker,c1\n");
  const auto audit =
      AuditOf(WriteLinked("[[guarantee.anonymity]]\nx = [\"Job\"]\ny = [\"key\"]\nk = 1\n"),
              WriteT1(), {{"", t2}});
  ASSERT_FALSE(audit);
  EXPECT_EQ(audit.error().code, ErrorCode::kInput);
  EXPECT_EQ(audit.error().place->column, "Class");
  EXPECT_THAT(audit.error().remedy, HasSubstr("taxonomy draft"));
}

TEST_F(LinkedTest, ALabelWithoutANodeIsNotRepeated) {
  const std::string t2 = Write("l.csv", "Job,Disease\nBanker,Flu\nAstronaut,Flu\n");
  const auto audit = AuditOf(WriteLinked(kCancer), WriteT1(), {{"", t2}});
  ASSERT_FALSE(audit);
  EXPECT_EQ(audit.error().place->ToString(), t2 + ":3, column \"Job\"");
  EXPECT_THAT(audit.error().ToString(), Not(HasSubstr("Astronaut")));
}

TEST_F(LinkedTest, FilesThatAModelHasNoUseFor) {
  const std::string k = WritePolicy("model = \"k\"\nk = 2\n");
  EXPECT_EQ(AuditOf(k, WriteT1(), {{"", WriteT2()}}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(AuditOf(WriteLinked(kNames), WriteT1(), {}).error().code, ErrorCode::kUsage);
}

TEST_F(LinkedTest, CheckLooksAtTheWholePicture) {
  const std::string policy = WriteLinked(kNames);
  const contract::CheckReport fine =
      engine::Check(policy, {WriteT1()}, context_, {{"", WriteT2()}});
  EXPECT_THAT(fine.problems, IsEmpty());
  EXPECT_THAT(fine.notes, testing::Contains("readers join on Job"));
  EXPECT_THAT(fine.notes, testing::Contains(HasSubstr("its x lacks Job and prior.Job")));
  const std::string wrong =
      WriteLinked("[[guarantee.anonymity]]\nx = [\"Job\", \"prior.Ward\"]\ny = [\"key\"]\nk = 1\n");
  const contract::CheckReport report =
      engine::Check(wrong, {WriteT1()}, context_, {{"", WriteT2()}});
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_THAT(report.problems[0].message, HasSubstr("\"prior.Ward\""));
}

TEST(LinkedNames, FilesMayHaveNames) {
  EXPECT_EQ(binding::ParsePrior("clinic=a/b.csv").name, "clinic");
  EXPECT_EQ(binding::ParsePrior("clinic=a/b.csv").file, "a/b.csv");
  EXPECT_EQ(binding::ParsePrior("./x=b.csv").name, "");
  EXPECT_EQ(binding::ParsePrior("./x=b.csv").file, "./x=b.csv");
  EXPECT_EQ(binding::ParsePrior("b.csv").file, "b.csv");
}

TEST(LinkedNames, LargeNumbers) {
  EXPECT_EQ(Digits(0), "0");
  EXPECT_EQ(Digits(999), "999");
  EXPECT_EQ(Digits(Wide(1'000'000'000'000) * 1'000'000'000'000),
            "1,000,000,000,000,000,000,000,000");
}

}  // namespace
}  // namespace reissue::models::xy::service
