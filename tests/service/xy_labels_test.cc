// What labels mean: groups of sensitive values, numbers and ranges that files are joined on, raw
// values that stand for labels; and rows whose labels match nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "linked_fixture.h"
#include "reissue/binding/detail.h"
#include "reissue/models/xy/service/audit.h"
#include "reissue/models/xy/service/report.h"

namespace reissue::models::xy::service {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

class LinkedLabelsTest : public LinkedEngineTest {
 protected:
  contract::PublishRequest Beside(const std::string& policy, const std::string& table,
                                  const std::string& prior) const {
    contract::PublishRequest request = Request(policy, table);
    request.priors = {{"", prior}};
    return request;
  }
  // As WriteLinked, with breakpoints for the age.
  std::string WriteWithBreakpoints(const std::string& breakpoints,
                                   const std::string& requirements) {
    std::string text = kColumns + requirements;
    const std::string numeric = "type = \"numeric\"";
    text.replace(text.find(numeric), numeric.size(), "breakpoints = " + breakpoints);
    return Write("linked.toml", text);
  }
};

// Of a column of numbers with a taxonomy: files, taxonomy and policy may spell them as they like,
// in an audit and in a verification.
TEST_F(LinkedLabelsTest, NumbersAreKnownByTheirWorthInAuditAndVerifyAlike) {
  for (const auto& [own, published, named] :
       std::vector<std::array<std::string, 3>>{{"5", "5.0", "5.0"}, {"5.0", "5", "5.00"}}) {
    SCOPED_TRACE(own + " " + published + " " + named);
    std::filesystem::remove_all(Path("vault"));
    std::filesystem::remove(Path("release.csv"));
    std::filesystem::remove(Path("release.csv.certificate.json"));
    Write("dose.csv", own + ";low;*\n6;low;*\n20;high;*\n");
    const std::string policy =
        Write("numbers.toml",
              "[columns]\nJob = { role = \"quasi\", taxonomy = \"job.csv\" }\n"
              "dose = { role = \"sensitive\", type = \"numeric\", taxonomy = \"dose.csv\" }\n"
              "Class = { role = \"publish\" }\n[guarantee]\nmodel = \"xy\"\n"
              "[[guarantee.linkability]]\nx = [\"Job\", \"prior.Job\"]\n"
              "y = { \"prior.dose\" = { \"" +
                  named + "\" = 0.5 } }\n");
    const std::string prior =
        Write("doses.csv", "Job,dose\nOffice," + published + "\nOffice,20\nTechnical,6\n");
    const std::string table = Write("table.csv", "Job,Class\nBanker,a\nClerk,b\nDriver,a\n");
    const auto report = engine::Publish(Beside(policy, table, prior), context_);
    ASSERT_TRUE(report) << report.error().ToString();
    const auto audit = AuditOf(policy, Path("release.csv"), {{"", prior}});
    ASSERT_TRUE(audit) << audit.error().ToString();
    EXPECT_TRUE(audit->satisfied);
    EXPECT_EQ(audit->findings.As<JoinFindings>().requirements[0].linkability, 0.5);
    const auto verified =
        engine::Verify(report->certificate, {Path("release.csv")}, context_, {{"", prior}});
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
  }
}

// ---- groups of sensitive values

constexpr const char* kPregnant =
    "[[guarantee.linkability]]\nx = [\"Job\"]\n"
    "y = { \"prior.State\" = { Pregnant = 0.5, Early = 0.3 } }\n";

TEST_F(LinkedLabelsTest, AGroupCountsWhatLiesBelowIt) {
  const std::string policy = WriteLinked(kPregnant), t1 = WriteT1();
  const std::string prior =
      Write("p.csv",
            "Job,State\nBanker,Early\nBanker,Late\nBanker,Flu\nClerk,Pregnant\nDriver,Flu\n"
            "Engineer,Flu\n");
  const auto audit = AuditOf(policy, t1, {{"", prior}});
  ASSERT_TRUE(audit) << audit.error().ToString();
  const RequirementFindings& found = audit->findings.As<JoinFindings>().requirements[0];
  // Clerk: 1 of 1 is pregnant. Banker: of 2 · 3 records 2 · 2 are, and 2 · 1 early.
  EXPECT_EQ(found.linkability, 1.0);
  EXPECT_EQ(found.violating, 2U);
  EXPECT_THAT(found.worst[0].x, ElementsAre(Pair("Job", "Clerk")));
  EXPECT_THAT(found.worst[1].x, ElementsAre(Pair("Job", "Banker")));
  EXPECT_THAT(found.worst[1].y, ElementsAre(Pair("prior.State", "Pregnant")));
  EXPECT_EQ(found.worst[1].share, 4.0 / 6);
  const auto banker = ExplainOf(policy, t1, {{"", prior}}, "Banker");
  ASSERT_TRUE(banker) << banker.error().ToString();
  ASSERT_EQ(banker->values.size(), 2U);
  EXPECT_EQ(banker->values[0].share, 4.0 / 6);
  EXPECT_EQ(banker->values[1].share, 2.0 / 6);
  EXPECT_TRUE(banker->broken);
}

// The shares of what is published, added up by hand.
TEST_F(LinkedLabelsTest, AGroupIsKeptByPublish) {
  Random random = Random::Seeded(5);
  const std::vector<std::string> jobs = {"Banker", "Clerk", "Driver", "Engineer"};
  const std::map<std::string, std::string> group = {{"Banker", "Office"},
                                                    {"Clerk", "Office"},
                                                    {"Driver", "Technical"},
                                                    {"Engineer", "Technical"}};
  std::string table = "id,Name,Job\n", prior = "Job,State\n";
  std::vector<std::pair<std::string, std::string>> ill;
  for (std::size_t i = 0; i < 120; ++i) {
    const std::string job = jobs[random.Below(4)];
    // Bankers are often pregnant, by two labels that are rare enough each.
    const std::uint64_t draw = random.Below(job == "Banker" ? 4 : 12);
    const std::string state = draw == 0 ? "Early" : draw == 1 ? "Late" : "Flu";
    table += "p" + std::to_string(i) + ",Alice," + job + "\n";
    prior += job + "," + state + "\n";
    ill.emplace_back(job, state);
  }
  const std::string policy = WriteLinked(
      "[[guarantee.linkability]]\nx = [\"Job\"]\n"
      "y = { \"prior.State\" = { Pregnant = 0.4, Early = 0.4, Late = 0.4 } }\n");
  const auto report =
      engine::Publish(Beside(policy, Write("t.csv", table), Write("p.csv", prior)), context_);
  ASSERT_TRUE(report) << report.error().ToString();
  ASSERT_EQ(report->recoding.size(), 1U);
  double largest = 0;
  for (const std::string& label : report->recoding[0].labels) {
    double rows = 0, pregnant = 0;
    for (const auto& [job, state] : ill) {
      if (label != "*" && label != job && label != group.at(job)) continue;
      ++rows;
      pregnant += state != "Flu";
    }
    largest = std::max(largest, pregnant / rows);
  }
  EXPECT_LE(largest, 0.4);
  EXPECT_GT(report->details.As<JoinSearch>().steps, 0U);
  EXPECT_THAT(report->recoding[0].labels, Not(Contains("Banker")));
  EXPECT_EQ(report->audit.findings.As<JoinFindings>().requirements[0].linkability, largest);
  const auto verified = engine::Verify(Path("release.csv.certificate.json"), {Path("release.csv")},
                                       context_, {{"", Path("p.csv")}});
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
}

TEST_F(LinkedLabelsTest, AValueThatNoRowHasIsSaidAloud) {
  const std::string prior = Write("p.csv", "Job,State\nBanker,Flu\nClerk,Flu\n");
  const auto audit = AuditOf(WriteLinked(kPregnant), WriteT1(), {{"", prior}});
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_THAT(audit->findings.As<JoinFindings>().notes,
              Contains(HasSubstr("no row has prior.State = Pregnant")));
}

// ---- numbers and ranges

constexpr const char* kAges =
    "[[guarantee.anonymity]]\nx = [\"Age\", \"prior.Age\"]\ny = [\"key\"]\nk = 2\n";

TEST_F(LinkedLabelsTest, RangesMatchWhatLiesInsideThem) {
  const std::string t1 = Write("a.csv", "Name,Age\nAlice,\"[20,40)\"\nBob,40\nCathy,*\nBob,7\n");
  const std::string t2 =
      Write("b.csv", "Age,Disease\n25,Flu\n\"[20,30)\",Flu\n\"[40,60)\",Flu\n40.0,Flu\n");
  const auto audit = AuditOf(WriteLinked(kAges), t1, {{"", t2}});
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_THAT(audit->findings.As<JoinFindings>().joined_on, ElementsAre("Age"));
  // [20,40) meets 25 and [20,30); 40 meets [40,60) and 40.0; * meets all; 7 nothing.
  EXPECT_EQ(Digits(audit->findings.As<JoinFindings>().join_rows), "8");
  EXPECT_THAT(audit->findings.As<JoinFindings>().dangling, ElementsAre(1, 0));
}

TEST_F(LinkedLabelsTest, RangesThatOverlapCannotBeJoined) {
  const std::string t1 = Write("a.csv", "Name,Age\nAlice,\"[20,40)\"\n");
  const std::string t2 = Write("b.csv", "Age,Disease\n\"[30,50)\",Flu\n");
  const auto audit = AuditOf(WriteLinked(kAges), t1, {{"", t2}});
  ASSERT_FALSE(audit);
  EXPECT_EQ(audit.error().code, ErrorCode::kInput);
  EXPECT_EQ(audit.error().place->column, "Age");
  EXPECT_THAT(audit.error().message,
              HasSubstr("the ranges [20,40) and [30,50) overlap, and neither contains the other"));
  const std::string t3 = Write("c.csv", "Age,Disease\nold,Flu\n");
  const auto word = AuditOf(WriteLinked(kAges), t1, {{"", t3}});
  ASSERT_FALSE(word);
  EXPECT_EQ(word.error().place->ToString(), t3 + ":2, column \"Age\"");
  EXPECT_THAT(word.error().ToString(), Not(HasSubstr("old")));
}

TEST_F(LinkedLabelsTest, PublishesWithBreakpoints) {
  Random random = Random::Seeded(9);
  std::string table = "id,Name,Age\n", prior = "Age,Disease\n";
  for (std::size_t i = 0; i < 200; ++i) {
    const std::uint64_t age = random.Below(80), ten = age / 10 * 10;
    table += "p" + std::to_string(i) + ",Bob," + std::to_string(age) + "\n";
    prior += "\"[" + std::to_string(ten) + "," + std::to_string(ten + 10) + ")\",Flu\n";
  }
  const std::string t = Write("t.csv", table), p = Write("p.csv", prior);
  const std::string five =
      "[[guarantee.anonymity]]\nx = [\"Age\", \"prior.Age\"]\ny = [\"key\"]\nk = 15\n";
  const std::string policy = WriteWithBreakpoints("[0, 20, 40, 60, 80]", five);
  const auto report = engine::Publish(Beside(policy, t, p), context_);
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_GE(*report->audit.findings.As<JoinFindings>().requirements[0].anonymity, 15U);
  EXPECT_THAT(report->audit.findings.As<JoinFindings>().dangling, ElementsAre(0, 0));
  ASSERT_EQ(report->recoding.size(), 1U);
  // Down to the ranges that are out, where there are people enough.
  EXPECT_GT(report->recoding[0].labels.size(), 3U);
  for (const std::string& label : report->recoding[0].labels) EXPECT_EQ(label.front(), '[');
  const auto verified = engine::Verify(Path("release.csv.certificate.json"), {Path("release.csv")},
                                       context_, {{"", p}});
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
  // A person of 33 is under the label that contains 33.
  const auto person = ExplainOf(policy, Path("release.csv"), {{"", p}}, "33,33");
  ASSERT_TRUE(person) << person.error().ToString();
  EXPECT_GE(person->distinct, 15U);
  EXPECT_THAT(person->x, ElementsAre(Pair("Age", HasSubstr("[")), Pair("prior.Age", "[30,40)")));

  const std::string crossing = WriteWithBreakpoints("[0, 25, 80]", five);
  const contract::CheckReport check = engine::Check(crossing, {t}, context_, {{"", p}});
  ASSERT_EQ(check.problems.size(), 1U);
  EXPECT_THAT(check.problems[0].message, HasSubstr("overlap"));
  const contract::CheckReport none = engine::Check(WriteLinked(five), {t}, context_, {{"", p}});
  ASSERT_EQ(none.problems.size(), 1U);
  EXPECT_THAT(none.problems[0].message, HasSubstr("neither a taxonomy nor breakpoints"));
}

// ---- raw values

TEST_F(LinkedLabelsTest, ARawValueStandsForItsLabel) {
  const std::string policy = WriteLinked(
      "[[guarantee.anonymity]]\nx = [\"Job\", \"Age\", \"prior.Job\"]\ny = [\"key\"]\nk = 2\n");
  const std::string t1 = Write("g.csv",
                               "Name,Job,Age\nAlice,Office,\"[20,40)\"\nBob,Office,\"[20,40)\"\n"
                               "Cathy,Driver,\"[40,60)\"\n");
  const std::string t2 = WriteT2();
  const auto clerk = ExplainOf(policy, t1, {{"", t2}}, "Clerk,34,Clerk");
  ASSERT_TRUE(clerk) << clerk.error().ToString();
  EXPECT_THAT(clerk->x, ElementsAre(Pair("Job", "Office"), Pair("Age", "[20,40)"),
                                    Pair("prior.Job", "Clerk")));
  EXPECT_EQ(clerk->distinct, 2U);
  // In the tree, and nobody is published under it.
  const auto engineer = ExplainOf(policy, t1, {{"", t2}}, "Engineer,45,Engineer");
  ASSERT_TRUE(engineer) << engineer.error().ToString();
  EXPECT_EQ(Digits(engineer->records), "0");
  // Not in the tree; outside all ranges; a group of which the file has only parts.
  for (const auto& [wrong, column] :
       std::map<std::string, std::string>{{"Cook,34,Clerk", "\"Job\""},
                                          {"Clerk,99,Clerk", "\"Age\""},
                                          {"Clerk,34,Office", "\"prior.Job\""}}) {
    const auto error = ExplainOf(policy, t1, {{"", t2}}, wrong);
    ASSERT_FALSE(error) << wrong;
    EXPECT_EQ(error.error().code, ErrorCode::kUsage);
    EXPECT_THAT(error.error().message, HasSubstr(column));
  }
}

// ---- what x should have

TEST_F(LinkedLabelsTest, NotesTellWhatIsOutAlready) {
  const auto notes = [&](const std::string& x, const std::string& y) {
    const auto audit = AuditOf(
        WriteLinked("[[guarantee.linkability]]\nx = " + x + "\ny = " + y + "\nconfidence = 1\n"),
        WriteT1(), {{"", WriteT2()}});
    return audit ? audit->findings.As<JoinFindings>().notes
                 : std::vector<std::string>{audit.error().ToString()};
  };
  // y in the earlier file: its own copy is not recommended.
  EXPECT_THAT(notes("[\"Name\", \"Job\"]", "[\"prior.Disease\"]"),
              ElementsAre(HasSubstr("its x lacks prior.Job, and y is in an earlier release")));
  EXPECT_THAT(notes("[\"Name\", \"Job\", \"prior.Job\"]", "[\"prior.Disease\"]"),
              ElementsAre(HasSubstr("no release can change that")));
  EXPECT_THAT(notes("[\"Name\"]", "[\"prior.Disease\"]"),
              ElementsAre(HasSubstr("its x lacks Job."), HasSubstr("its x lacks prior.Job, and")));
  // y in the release.
  EXPECT_THAT(notes("[\"Name\", \"Job\"]", "[\"Class\"]"),
              ElementsAre(HasSubstr("its x lacks prior.Job. Whoever joins")));
  EXPECT_THAT(notes("[\"Name\", \"Job\", \"prior.Job\"]", "[\"Class\"]"), IsEmpty());
}

// ---- rows without a partner

TEST_F(LinkedLabelsTest, RowsWithoutAPartnerAreCountedSaidAndCertified) {
  // Nobody of the earlier file is a driver; nobody of the table a banker.
  const std::string t = Write("t.csv", "id,Job\n1,Clerk\n2,Clerk\n3,Driver\n4,Engineer\n");
  const std::string p =
      Write("p.csv", "Job,Disease\nBanker,Flu\nClerk,Flu\nClerk,HIV\nEngineer,Flu\n");
  const std::string policy =
      WriteLinked("[[guarantee.anonymity]]\nx = [\"Job\", \"prior.Job\"]\ny = [\"key\"]\nk = 1\n");
  const contract::CheckReport check = engine::Check(policy, {t}, context_, {{"", p}});
  EXPECT_THAT(check.problems, IsEmpty());
  ASSERT_EQ(check.warnings.size(), 3U);
  EXPECT_THAT(check.warnings[0], HasSubstr("the ranges of Age are found from the data"));
  EXPECT_THAT(check.warnings[1], HasSubstr("1 of 4 rows of " + t + " has no partner"));
  EXPECT_THAT(check.warnings[2], HasSubstr("1 of 4 rows of " + p + " has no partner"));
  const auto report = engine::Publish(Beside(policy, t, p), context_);
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_THAT(report->audit.findings.As<JoinFindings>().dangling, ElementsAre(1, 1));
  ASSERT_EQ(report->audit.findings.As<JoinFindings>().warnings.size(), 2U);
  EXPECT_THAT(report->audit.findings.As<JoinFindings>().warnings[0],
              HasSubstr("no promise is about it"));
  const std::string certificate = Path("release.csv.certificate.json");
  EXPECT_THAT(Read("release.csv.certificate.json"), HasSubstr("\"dangling\": 1"));
  const auto verified = engine::Verify(certificate, {Path("release.csv")}, context_, {{"", p}});
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
  EXPECT_THAT(verified->audit.findings.As<JoinFindings>().dangling, ElementsAre(1, 1));
  // Counted anew: a certificate that says otherwise does not hold.
  std::string text = Read("release.csv.certificate.json");
  const std::string said = "\"dangling\": 1";
  text.replace(text.find(said), said.size(), "\"dangling\": 0");
  const auto other =
      engine::Verify(Write("other.json", text), {Path("release.csv")}, context_, {{"", p}});
  ASSERT_TRUE(other) << other.error().ToString();
  EXPECT_THAT(other->failures, Contains(HasSubstr("The certificate says 0 rows of " +
                                                  Path("release.csv") + " without a partner")));
  EXPECT_THAT(engine::Check(policy, {Write("u.csv", "id,Job\n1,Clerk\n2,Engineer\n3,Banker\n")},
                            context_, {{"", p}})
                  .warnings,
              ElementsAre(HasSubstr("the ranges of Age")));
}

// ---- what it costs

TEST_F(LinkedLabelsTest, MetricsOfAReleaseWithRangesFoundOnTheWay) {
  Random random = Random::Seeded(3);
  std::string table = "id,Job,Age,Class\n", prior = "Job,Disease\n";
  const std::vector<std::string> jobs = {"Banker", "Clerk", "Driver", "Engineer"};
  for (std::size_t i = 0; i < 100; ++i) {
    const std::string& job = jobs[random.Below(4)];
    table += "p" + std::to_string(i) + "," + job + "," + std::to_string(20 + random.Below(50)) +
             (random.Below(2) == 0 ? ",yes\n" : ",no\n");
    prior += job + ",Flu\n";
  }
  const std::string policy = WriteLinked(
      "class = \"Class\"\n"
      "[[guarantee.anonymity]]\nx = [\"Job\", \"Age\", \"prior.Job\"]\ny = [\"key\"]\nk = 10\n");
  const std::string t = Write("t.csv", table);
  ASSERT_TRUE(engine::Publish(Beside(policy, t, Write("p.csv", prior)), context_));
  const io::Policy read = io::ReadPolicy(context_.files, policy).value();
  const auto report = engine::Measure(read, {t, Path("release.csv")}, context_);
  ASSERT_TRUE(report) << report.error().ToString();
  const auto& detail = report->findings.As<binding::Detail>();
  EXPECT_EQ(detail.loss.release_rows, 100U);
  EXPECT_FALSE(detail.loss.average_over_k);
  ASSERT_EQ(detail.loss.attributes.size(), 2U);
  EXPECT_EQ(detail.loss.attributes[0].name, "Job");
  EXPECT_EQ(detail.loss.attributes[1].name, "Age");
  EXPECT_GT(detail.loss.distortion_categorical + detail.loss.distortion_continuous, 0);
  EXPECT_GE(detail.loss.smallest, 10U);
  ASSERT_TRUE(detail.prediction);
  EXPECT_EQ(detail.prediction->column, "Class");
}

}  // namespace
}  // namespace reissue::models::xy::service
