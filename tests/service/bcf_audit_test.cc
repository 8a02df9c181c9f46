#include <nlohmann/json.hpp>

#include "engine_fixture.h"
#include "reissue/contract/certificate.h"
#include "reissue/engine/adopt.h"
#include "reissue/models/bcf/service/audit.h"
#include "reissue/models/bcf/service/explain.h"

namespace reissue::models::bcf::service {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Tables 1 and 2 of the paper, and a third release of the same people.
class SeriesAuditTest : public EngineTest {
 protected:
  SeriesAuditTest() {
    Write("place.csv", "UK;Europe;*\nFrance;Europe;*\nCanada;America;*\n");
    Write("job.csv", "Lawyer;Professional;*\nDoctor;Professional;*\nPainter;Artist;*\n");
    Write("1.csv", Header() + Times("Europe,Lawyer,Flu", 3) + Times("Europe,Lawyer,HIV", 2));
    Write("2.csv", Header() + Times("UK,Professional,Flu", 3) + Times("UK,Professional,HIV", 2) +
                       Times("France,Professional,Flu", 2) + Times("France,Professional,HIV", 3));
  }
  static std::string Header() { return "place,job,illness\n"; }
  static std::string Times(const std::string& row, int rows) {
    std::string text;
    for (int i = 0; i < rows; ++i) text += row + "\n";
    return text;
  }
  io::Policy PolicyOf(const std::string& guarantee) {
    const std::string path =
        Write("bcf.toml",
              "title = \"Series\"\n[columns]\nplace = { role = \"quasi\", taxonomy = "
              "\"place.csv\" }\njob = { role = \"quasi\", taxonomy = \"job.csv\" }\n"
              "illness = { role = \"sensitive\" }\n[guarantee]\nmodel = \"bcf\"\n" +
                  guarantee);
    return io::ReadPolicy(context_.files, path).value();
  }
  std::vector<std::string> Files() const { return {Path("1.csv"), Path("2.csv")}; }

  // The certificate that publishing release 2 would write.
  std::string Certify(const io::Policy& policy) {
    const BoundSeries bound = LoadSeries(policy, Files(), context_).value();
    contract::PublishReport report;
    report.release = 2;
    report.recoding = {{"place", {"UK", "France"}, 2}, {"job", {"Professional"}, 1}};
    report.audit = engine::Audit(policy, Files(), context_).value();
    // To the holder, who knows who is real, it is kept.
    for (contract::PromiseKept& promise : report.audit.promises) promise.kept = true;
    ledger::Vault vault =
        ledger::Vault::Create(context_.files, Path("signer"), {}, {.none = true, .text = {}})
            .value();
    contract::Envelope envelope;
    envelope.key = vault.PublicKey().value();
    envelope.title = policy.title;
    envelope.release_digest = bound.releases[1].digest;
    envelope.series = true;
    envelope.earlier = {bound.releases[0].digest};
    envelope.columns = binding::ColumnsOf(policy);
    envelope.guarantee = policy.guarantee;
    envelope.report = &report;
    return Write("certificate.json", contract::WriteCertificate(
                                         envelope,
                                         [&](contract::Json& certificate) {
                                           certificate["recoding"] = contract::RecodingJson(report);
                                           certificate["hierarchy"] =
                                               contract::HierarchyJson(HierarchyOf(bound));
                                         },
                                         [&](std::string_view bytes) { return vault.Sign(bytes); })
                                         .value());
  }
};

TEST_F(SeriesAuditTest, PaperTables) {
  const contract::AuditReport audit = engine::Audit(PolicyOf("k = 5\n"), Files(), context_).value();
  EXPECT_FALSE(audit.satisfied);
  EXPECT_EQ(audit.exposed, 15u);
  ASSERT_NE(audit.findings.If<SeriesFindings>(), nullptr);
  const SeriesFindings& series = audit.findings.As<SeriesFindings>();
  EXPECT_EQ(series.verdict, SeriesVerdict::kBroken);
  EXPECT_EQ(series.forward, 4u);
  EXPECT_EQ(series.cross, 4u);
  EXPECT_EQ(series.backward, 4u);
  EXPECT_EQ(series.exact->lower, 4u);
  EXPECT_EQ(series.exact->upper, 4u);
  ASSERT_EQ(series.worst.size(), 3u);
  EXPECT_EQ(
      series.worst[0].words,
      "Of the 5 rows that match place = Europe, job = Lawyer in release 1, 1 cannot belong to "
      "somebody who is in release 2 with place = France, job = Professional: release 2 has "
      "only 2 rows with Flu there, release 1 has 3. 4 are left where 5 were promised.");
  EXPECT_THAT(series.worst[2].words, HasSubstr("which have 5, and 2 of them find room elsewhere"));
  EXPECT_TRUE(engine::Audit(PolicyOf("k = 4\n"), Files(), context_)->satisfied);
}

TEST_F(SeriesAuditTest, OneReleaseIsAuditedAsByModelK) {
  const contract::AuditReport audit =
      engine::Audit(PolicyOf("k = 5\n"), {Path("2.csv")}, context_).value();
  EXPECT_TRUE(audit.satisfied);
  EXPECT_EQ(audit.model, "bcf");
  EXPECT_EQ(audit.findings.As<SeriesFindings>().exact->lower, 5u);
  EXPECT_FALSE(audit.findings.As<SeriesFindings>().forward.has_value());
}

TEST_F(SeriesAuditTest, DiversityHoldsForWhatIsLeft) {
  Write("1.csv", Header() + Times("Europe,Lawyer,Flu", 2) + Times("Europe,Lawyer,HIV", 2));
  Write("2.csv", Header() + Times("UK,Lawyer,Flu", 2) + Times("UK,Lawyer,gout", 2) +
                     Times("France,Lawyer,HIV", 2) + Times("France,Lawyer,gout", 2));
  const contract::AuditReport audit =
      engine::Audit(PolicyOf("k = 2\ndistinct = 2\n"), Files(), context_).value();
  EXPECT_FALSE(audit.satisfied);
  ASSERT_EQ(audit.promises.size(), 2u);
  EXPECT_TRUE(audit.promises[0].kept);
  EXPECT_EQ(audit.promises[1].name, "distinct");
  EXPECT_EQ(audit.promises[1].measured, 1);
  EXPECT_FALSE(audit.promises[1].kept);
  EXPECT_FALSE(audit.findings.As<SeriesFindings>().pairs[0].broken.empty());
  EXPECT_TRUE(engine::Audit(PolicyOf("k = 2\n"), Files(), context_)->satisfied);
}

// What a release breaks by itself is broken, even where exclusion happens to level the shares.
TEST_F(SeriesAuditTest, EachReleaseAloneKeepsThePromiseToo) {
  Write("1.csv", Header() + Times("Europe,Lawyer,Flu", 2) + Times("Europe,Lawyer,HIV", 2));
  Write("2.csv", Header() + Times("UK,Lawyer,Flu", 9) + Times("UK,Lawyer,HIV", 2));
  const contract::AuditReport audit =
      engine::Audit(PolicyOf("k = 2\nalpha = 0.8\n"), Files(), context_).value();
  EXPECT_FALSE(audit.satisfied);
}

TEST_F(SeriesAuditTest, NotOneSeries) {
  const contract::AuditReport audit =
      engine::Audit(PolicyOf("k = 2\n"), {Path("2.csv"), Path("1.csv")}, context_).value();
  EXPECT_FALSE(audit.satisfied);
  EXPECT_EQ(audit.findings.As<SeriesFindings>().verdict, SeriesVerdict::kNotOneSeries);
  ASSERT_EQ(audit.findings.As<SeriesFindings>().conflicts.size(), 2u);
  EXPECT_THAT(audit.findings.As<SeriesFindings>().conflicts[0].words,
              HasSubstr("where there are only 3 such rows"));
}

TEST_F(SeriesAuditTest, CertificatesAreCheckedFromTheFilesAlone) {
  const std::string certificate = Certify(PolicyOf("k = 4\n"));
  std::filesystem::remove(Path("place.csv"));
  const contract::VerifyReport report = engine::Verify(certificate, Files(), context_).value();
  EXPECT_THAT(report.failures, IsEmpty());
  EXPECT_TRUE(report.valid);
  EXPECT_EQ(report.model, "bcf");
  EXPECT_EQ(report.audit.findings.As<SeriesFindings>().exact->lower, 4u);
  const auto one = engine::Verify(certificate, {Path("2.csv")}, context_);
  ASSERT_FALSE(one);
  EXPECT_THAT(one.error().message, HasSubstr("a series of 2 releases"));
  Write("1.csv", Read("1.csv") + "Europe,Lawyer,Flu\n");
  EXPECT_FALSE(engine::Verify(certificate, Files(), context_)->valid);
}

TEST_F(SeriesAuditTest, WhoIsRealIsTheHoldersWord) {
  const contract::VerifyReport report =
      engine::Verify(Certify(PolicyOf("k = 5\ntargets = \"real\"\n")), Files(), context_).value();
  EXPECT_THAT(report.failures, IsEmpty());
  ASSERT_EQ(report.rests.size(), 1u);
  EXPECT_THAT(report.rests[0], HasSubstr("the holder's word"));
}

TEST_F(SeriesAuditTest, ExplainsOnePerson) {
  const io::Policy policy = PolicyOf("k = 5\n");
  const PersonExplained report =
      ExplainPerson(policy, PromiseOf<Promise>(policy), Files(), "2,UK,Lawyer", context_).value();
  EXPECT_TRUE(report.broken);
  ASSERT_EQ(report.targets.size(), 1u);
  const ExplainedTarget& target = report.targets[0];
  EXPECT_EQ(target.left.lower, 4u);
  ASSERT_EQ(target.values.size(), 2u);
  ASSERT_EQ(target.values[0].arguments.size(), 1u);
  EXPECT_EQ(target.values[0].arguments[0].attack, "B");
  // The witness is a world: it has every row of both releases once.
  std::uint64_t older = 0, all = 0;
  for (const WitnessShare& share : target.witness) {
    all += share.people;
    if (share.born == 1) older += share.people;
  }
  EXPECT_EQ(older, 5u);
  EXPECT_EQ(all, 10u);
  EXPECT_FALSE(
      ExplainPerson(policy, PromiseOf<Promise>(policy), Files(), "1,UK,Lawyer", context_)->broken);
  EXPECT_THAT(
      ExplainPerson(policy, PromiseOf<Promise>(policy), Files(), "1,Canada,Painter", context_)
          ->targets,
      IsEmpty());
  for (const std::string wrong : {"1,UK", "0,UK,Lawyer", "3,UK,Lawyer", "1,Mars,Lawyer", ""}) {
    const auto error = ExplainPerson(policy, PromiseOf<Promise>(policy), Files(), wrong, context_);
    ASSERT_FALSE(error) << wrong;
    EXPECT_EQ(error.error().ToString().find("Mars"), std::string::npos);
  }
}

// What is certified does not depend on whether all is measured.
TEST_F(SeriesAuditTest, WhatIsCertifiedIsTheSameEitherWay) {
  Write("3.csv", Header() + Times("UK,*,Flu", 5) + Times("UK,*,HIV", 4) + Times("France,*,Flu", 4) +
                     Times("France,*,HIV", 6));
  const std::vector<std::string> files = {Path("1.csv"), Path("2.csv"), Path("3.csv")};
  for (const char* guarantee : {"k = 2\n", "k = 5\n", "k = 2\nentropy = 1.2\n",
                                "k = 2\ndistinct = 2\nalpha = 0.8\n", "k = 2\nt = 0.3\n"}) {
    const io::Policy policy = PolicyOf(guarantee);
    const BoundSeries bound = LoadSeries(policy, files, context_).value();
    const Promise promise = PromiseOf<Promise>(policy);
    const contract::AuditReport all = AuditSeries(bound, promise, context_).value();
    const contract::AuditReport certified =
        AuditSeries(bound, promise, context_, contract::kWorstShown, std::nullopt,
                    Extent::kCertified)
            .value();
    EXPECT_EQ(certified.satisfied, all.satisfied) << guarantee;
    EXPECT_EQ(certified.rows, all.rows);
    EXPECT_EQ(certified.exposed, all.exposed) << guarantee;
    EXPECT_EQ(certified.exposure.singled_out->upper, all.exposure.singled_out->upper);
    EXPECT_EQ(certified.exposure.value_certain->upper, all.exposure.value_certain->upper);
    ASSERT_EQ(certified.promises.size(), all.promises.size());
    for (std::size_t i = 0; i < all.promises.size(); ++i) {
      EXPECT_EQ(certified.promises[i].measured, all.promises[i].measured) << guarantee << i;
      EXPECT_EQ(certified.promises[i].kept, all.promises[i].kept) << guarantee << i;
    }
    const auto& found = certified.findings.As<SeriesFindings>();
    EXPECT_EQ(found.exact->lower, all.findings.As<SeriesFindings>().exact->lower);
    const bool on_pairs = std::string(guarantee).find('\n') + 1 < std::string(guarantee).size();
    EXPECT_EQ(found.pairs.size(), on_pairs ? 3u : 0u) << guarantee;
    EXPECT_FALSE(found.formulas.has_value());
    EXPECT_TRUE(all.findings.As<SeriesFindings>().formulas.has_value());
  }
}

TEST_F(SeriesAuditTest, NoSeriesIsCertifiedEitherWay) {
  Write("3.csv", Header() + Times("Europe,*,Flu", 9) + Times("Europe,*,HIV", 9));
  const io::Policy policy = PolicyOf("k = 2\n");
  for (const std::vector<std::string>& order : {std::vector<std::string>{"2.csv", "1.csv", "3.csv"},
                                                {"1.csv", "3.csv", "2.csv"},
                                                {"3.csv", "2.csv", "1.csv"}}) {
    std::vector<std::string> files;
    for (const std::string& file : order) files.push_back(Path(file));
    const BoundSeries bound = LoadSeries(policy, files, context_).value();
    for (const Extent extent : {Extent::kAll, Extent::kCertified}) {
      const contract::AuditReport audit = AuditSeries(bound, PromiseOf<Promise>(policy), context_,
                                                      contract::kWorstShown, std::nullopt, extent)
                                              .value();
      EXPECT_FALSE(audit.satisfied);
      EXPECT_EQ(audit.findings.As<SeriesFindings>().verdict, SeriesVerdict::kNotOneSeries);
    }
  }
}

TEST_F(SeriesAuditTest, AdoptedReleasesAreInTheVault) {
  PolicyOf("k = 4\n");
  contract::AdoptRequest request;
  request.vault = Path("vault");
  request.policy = Path("bcf.toml");
  request.releases = Files();
  request.passphrase.none = true;
  request.created = "2026-01-02T03:04:05Z";
  const contract::AdoptReport report = engine::Adopt(request, context_).value();
  EXPECT_TRUE(report.recorded);
  EXPECT_EQ(report.largest_k, 4u);
  {
    auto vault = ledger::Vault::Open(context_.files, request.vault, ledger::Access::kWrite,
                                     request.passphrase)
                     .value();
    const auto history = vault.History().value();
    ASSERT_EQ(history.size(), 2u);
    EXPECT_TRUE(history[1].adopted());
    EXPECT_EQ(history[1].rows, 10u);
    const io::Policy policy = PolicyOf("k = 4\n");
    const binding::ReleaseColumns columns = binding::ColumnsOf(policy);
    auto releases = LoadReleases(vault, columns).value();
    ASSERT_EQ(releases.size(), 2u);
    EXPECT_EQ(releases[1].digest, history[1].digest);
    const BoundSeries bound =
        BindSeries(columns, binding::LoadTaxonomies(policy, context_).value(), std::move(releases))
            .value();
    EXPECT_EQ(AuditSeries(bound, PromiseOf<Promise>(policy), context_)
                  ->findings.As<SeriesFindings>()
                  .exact->lower,
              4u);
  }
  EXPECT_FALSE(engine::Adopt(request, context_)) << "a vault with releases";
}

TEST_F(SeriesAuditTest, ABrokenSeriesIsAdoptedOnlyIfAskedTwice) {
  PolicyOf("k = 5\n");
  contract::AdoptRequest request;
  request.vault = Path("vault");
  request.policy = Path("bcf.toml");
  request.releases = Files();
  request.passphrase.none = true;
  EXPECT_FALSE(engine::Adopt(request, context_)->recorded);
  EXPECT_FALSE(std::filesystem::exists(Path("vault")));
  request.anyway = true;
  EXPECT_TRUE(engine::Adopt(request, context_)->recorded);
  request.vault = Path("other");
  request.releases = {Path("2.csv"), Path("1.csv")};
  const contract::AdoptReport not_one = engine::Adopt(request, context_).value();
  EXPECT_FALSE(not_one.recorded);
  EXPECT_FALSE(not_one.largest_k.has_value());
  EXPECT_FALSE(std::filesystem::exists(Path("other")));
}

}  // namespace
}  // namespace reissue::models::bcf::service
