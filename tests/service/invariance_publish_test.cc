// Changing tables through files: whatever comes and goes, the holder's copies keep the promise,
// every certificate verifies, and nothing private gets out.

#include <map>
#include <set>

#include "changing_fixture.h"
#include "reissue/io/csv.h"
#include "reissue/models/invariance/service/audit.h"

namespace reissue::models::invariance::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(ChangingTest, WhateverComesAndGoesThePromiseIsKept) {
  const std::vector<std::string> guarantees = {
      "m = 2\n", "m = 3\ne = 2\n", "m = 3\nform = \"generalized\"\n",
      "m = 3\nrule = \"paper\"\ncounterfeits = \"published\"\n"};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Clear();
    const std::string policy = WriteChanging(guarantees[seed % guarantees.size()]);
    const std::size_t releases = Stream(policy, 100 * seed, 6);
    ASSERT_GE(releases, 3u);
    const auto copies = Paths("H", releases);
    const auto audit =
        engine::Audit(io::ReadPolicy(context_.files, policy).value(), copies, context_);
    ASSERT_TRUE(audit) << audit.error().ToString();
    EXPECT_TRUE(audit->satisfied) << seed;
    for (std::size_t i = 1; i <= releases; ++i) {
      const std::string release = Path("R" + std::to_string(i) + ".csv");
      const auto alone = engine::Verify(release + ".certificate.json", {release}, context_);
      ASSERT_TRUE(alone) << alone.error().ToString();
      EXPECT_TRUE(alone->valid) << ::testing::PrintToString(alone->failures);
      EXPECT_EQ(alone->rests.size(), 1u);
      const auto whole =
          engine::Verify(release + ".certificate.json", Paths("R", i), context_, {},
                         {copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(i)});
      ASSERT_TRUE(whole) << whole.error().ToString();
      EXPECT_TRUE(whole->valid) << ::testing::PrintToString(whole->failures);
      EXPECT_TRUE(whole->notes.empty());
    }
  }
}

TEST_F(ChangingTest, PartitionsKeepM) {
  const std::string policy = WriteChanging("m = 3\nform = \"partitions\"\n");
  const std::size_t releases = Stream(policy, 7, 5);
  const auto audit =
      engine::Audit(io::ReadPolicy(context_.files, policy).value(), Paths("H", releases), context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_TRUE(audit->satisfied);
  EXPECT_GE(audit->findings.As<InvarianceFindings>().least_values, 3u);
  // One leaves, one takes the place: that is what partitions give away.
  EXPECT_EQ(audit->findings.As<InvarianceFindings>().upper, 1u);
}

TEST_F(ChangingTest, NobodyAndNoRawValueIsWhereItMustNotBe) {
  const std::string policy = WriteChanging("m = 3\nform = \"generalized\"\n");
  const std::size_t releases = Stream(policy, 11, 4);
  ASSERT_GE(releases, 2u);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name[0] == 'H' || name[0] == 't') continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_THAT(text.str(), Not(HasSubstr("SECRET"))) << name;
    if (name.ends_with(".json")) {
      EXPECT_THAT(text.str(), Not(HasSubstr("measles"))) << name;
    }
  }
  using std::filesystem::perms;
  for (std::size_t i = 1; i <= releases; ++i) {
    EXPECT_EQ(std::filesystem::status(Paths("H", i).back()).permissions(),
              perms::owner_read | perms::owner_write);
  }
}

TEST_F(ChangingTest, GroupNumbersAndOrderAreFreshEachTime) {
  const std::string policy = WriteChanging("m = 2\n");
  Random random = Random::Seeded(3);
  for (int i = 0; i < 60; ++i) there_.push_back(NewPatient(random));
  std::set<std::string> releases;
  for (std::size_t i = 1; i <= 3; ++i) {
    const auto report = PublishNow(policy, i, std::nullopt);
    ASSERT_TRUE(report) << report.error().ToString();
    EXPECT_FALSE(report->row_order_reproducible);
    EXPECT_EQ(report->details.As<ChangedRows>().people_left +
                  report->details.As<ChangedRows>().people_returned,
              0u);
    releases.insert(Read("R" + std::to_string(i) + ".csv"));
  }
  EXPECT_EQ(releases.size(), 3u);
}

TEST_F(ChangingTest, CounterfeitsLookTheSameForLife) {
  const std::string policy = WriteChanging("m = 3\n");
  const std::size_t releases = Stream(policy, 23, 8);
  std::map<std::string, std::set<std::string>> rows;
  std::size_t seen = 0;
  for (std::size_t i = 1; i <= releases; ++i) {
    const auto records = io::ReadRecords(Read("H" + std::to_string(i) + ".csv"), "H", ',').value();
    for (const io::Record& record : records) {
      if (!record.fields[0].starts_with("(counterfeit")) continue;
      EXPECT_EQ(record.fields.back(), "yes");
      rows[record.fields[0]].insert(record.fields[2] + record.fields[3] + record.fields[5]);
      ++seen;
    }
  }
  EXPECT_GT(seen, rows.size());
  for (const auto& [counterfeit, looks] : rows) EXPECT_EQ(looks.size(), 1u) << counterfeit;
}

TEST_F(ChangingTest, CounterfeitsAgeAsPeopleDo) {
  const std::string policy = WriteChanging("m = 3\n");
  Random random = Random::Seeded(24);
  for (int i = 0; i < 30; ++i) there_.push_back(NewPatient(random));
  std::map<std::string, std::map<std::size_t, int>> age;  // of counterfeits, by release
  std::size_t releases = 0;
  for (int year = 0; year < 8; ++year) {
    if (PublishNow(policy, releases + 1, random.Next())) {
      ++releases;
      const std::string copy = Read("H" + std::to_string(releases) + ".csv");
      const auto records = io::ReadRecords(copy, "H", ',').value();
      for (const io::Record& record : records) {
        if (!record.fields[0].starts_with("(counterfeit")) continue;
        age[std::string(record.fields[0])][releases] = std::stoi(std::string(record.fields[2]));
      }
    }
    Change(random);
    if (releases == 0) continue;
    for (Patient& patient : there_) patient.age = std::to_string(std::stoi(patient.age) + 1);
  }
  std::size_t aged = 0;
  for (const auto& [counterfeit, ages] : age) {
    for (const auto& [release, years] : ages) {
      if (!ages.contains(release - 1)) continue;
      EXPECT_GE(years, ages.at(release - 1));
      aged += years > ages.at(release - 1);
    }
  }
  EXPECT_GT(aged, 3u);
}

TEST_F(ChangingTest, WhoIsNewBackGoneOrChangedIsCounted) {
  const std::string policy = WriteChanging("m = 2\n");
  there_ = {{"a", "30", "Aton", "flu"},    {"b", "31", "Aton", "cold"},
            {"c", "32", "Bury", "flu"},    {"d", "33", "Bury", "cold"},
            {"e", "34", "Dale", "flu"},    {"f", "35", "Dale", "cold"},
            {"x", "36", "Dale", "asthma"}, {"y", "37", "Dale", "asthma"}};
  ASSERT_TRUE(PublishNow(policy, 1, 1));
  const std::vector<Patient> all = there_;
  there_.erase(there_.begin());
  const auto second = PublishNow(policy, 2, 2);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_EQ(second->details.As<ChangedRows>().people_left, 1u);
  EXPECT_EQ(second->details.As<ChangedRows>().people_new, 0u);
  there_ = all;               // a is back
  there_[1].illness = "flu";  // b has another value
  there_.push_back({"g", "36", "Dale", "cold"});
  there_.push_back({"h", "36", "Dale", "cold"});
  const auto third = PublishNow(policy, 3, 3);
  ASSERT_TRUE(third) << third.error().ToString();
  EXPECT_EQ(third->details.As<ChangedRows>().people_returned, 1u);
  EXPECT_EQ(third->details.As<ChangedRows>().people_new, 2u);
  EXPECT_EQ(third->details.As<ChangedRows>().people_left, 0u);
  EXPECT_EQ(third->details.As<ChangedRows>().changed_values, 1u);
  there_ = all;  // b as in the beginning; g and h gone
  const auto fourth = PublishNow(policy, 4, 4);
  ASSERT_TRUE(fourth) << fourth.error().ToString();
  EXPECT_EQ(fourth->details.As<ChangedRows>().changed_values, 1u);
  EXPECT_EQ(fourth->details.As<ChangedRows>().people_returned, 0u);
  EXPECT_EQ(fourth->details.As<ChangedRows>().people_left, 2u);
}

TEST_F(ChangingTest, TooFrequentAValueLeavesNothingBehind) {
  const std::string policy = WriteChanging("m = 3\n");
  there_ = {{"a", "30", "Aton", "flu"}, {"b", "31", "Aton", "cold"},   {"c", "32", "Bury", "flu"},
            {"d", "33", "Bury", "flu"}, {"e", "34", "Dale", "asthma"}, {"f", "35", "Dale", "cold"}};
  const auto refused = PublishNow(policy, 1, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPromise);
  EXPECT_THAT(refused.error().message, HasSubstr("one is in 3"));
  EXPECT_THAT(refused.error().message, Not(HasSubstr("flu")));  // nor any other value
  EXPECT_THAT(refused.error().remedy, HasSubstr("largest m that works for this table is 2"));
  EXPECT_FALSE(std::filesystem::exists(Path("vault")));
  EXPECT_FALSE(std::filesystem::exists(Path("H1.csv")));
  const contract::CheckReport check = engine::Check(policy, {Path("t1.csv")}, context_);
  ASSERT_EQ(check.problems.size(), 1u);
  EXPECT_EQ(check.problems[0].message, refused.error().message);
}

TEST_F(ChangingTest, TheSameSeedGivesTheSameBytesForAnyNumberOfThreads) {
  const std::string policy = WriteChanging("m = 3\n");
  std::vector<std::string> runs;
  for (const std::size_t threads : {1, 3}) {
    ThreadPool pool(threads);
    binding::Context context{io::SystemFiles(), pool, progress_};
    Random random = Random::Seeded(5);
    next_ = 0;
    there_.clear();
    for (int i = 0; i < 60; ++i) there_.push_back(NewPatient(random));
    contract::PublishRequest request = Request(policy, WritePatients("t.csv"));
    request.vault = Path("vault" + std::to_string(threads));
    request.out = Path("R" + std::to_string(threads) + ".csv");
    ASSERT_TRUE(engine::Publish(request, context));
    runs.push_back(Read("R" + std::to_string(threads) + ".csv") +
                   Read("R" + std::to_string(threads) + ".csv.sensitive.csv"));
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST_F(ChangingTest, TheAuditOfTheVaultAgreesWithTheCopies) {
  const std::string policy = WriteChanging("m = 3\n");
  const std::size_t releases = Stream(policy, 31, 6);
  ledger::Passphrase none;
  none.none = true;
  const auto audit = engine::AuditVault(Path("vault"), "", none, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_FALSE(audit->findings.As<InvarianceFindings>().broken);
  EXPECT_EQ(audit->releases.size(), releases);
  EXPECT_EQ(audit->findings.As<InvarianceFindings>().counterfeits.size(), releases);
}

// A planted bug in what was published must not verify.
TEST_F(ChangingTest, MeddledFilesAreNoticed) {
  const std::string policy = WriteChanging("m = 3\n");
  ASSERT_GE(Stream(policy, 41, 2), 2u);
  const std::string release = Path("R1.csv"), certificate = release + ".certificate.json";
  const std::string values = Read("R1.csv.sensitive.csv"), rows = Read("R1.csv");
  const auto valid = [&] { return engine::Verify(certificate, {release}, context_)->valid; };
  ASSERT_TRUE(valid());
  Write("R1.csv.sensitive.csv", values + "1,plague,1\n");
  EXPECT_FALSE(valid());
  Write("R1.csv.sensitive.csv", values);
  Write("R1.csv", rows.substr(0, rows.rfind('\n', rows.size() - 2) + 1));
  const auto shorter = engine::Verify(certificate, {release}, context_);
  ASSERT_TRUE(shorter);
  EXPECT_THAT(::testing::PrintToString(shorter->failures),
              HasSubstr("another number of people than of values"));
}

}  // namespace
}  // namespace reissue::models::invariance::service
