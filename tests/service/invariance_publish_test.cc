// Changing tables through files: whatever comes and goes, the holder's copies keep the promise,
// every certificate verifies, and nothing private gets out.

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine_fixture.h"
#include "reissue/io/csv.h"
#include "reissue/models/invariance/service/audit.h"
#include "reissue/models/invariance/service/gone.h"
#include "reissue/models/invariance/service/state.h"

namespace reissue::models::invariance::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ChangingTest : public EngineTest {
 protected:
  struct Patient {
    std::string id, age, town, illness;
  };

  std::string WriteChanging(const std::string& guarantee) {
    Write("town.csv", "Aton;North;*\nBury;North;*\nCorm;South;*\nDale;South;*\n");
    return Write("policy.toml",
                 "title = \"Ward\"\n[columns]\npatient = { role = \"identifier\" }\n"
                 "age = { role = \"quasi\", type = \"numeric\" }\n"
                 "town = { role = \"quasi\", taxonomy = \"town.csv\" }\n"
                 "shoe = { role = \"publish\" }\nillness = { role = \"sensitive\" }\n"
                 "[guarantee]\nmodel = \"m-invariance\"\n" +
                     guarantee);
  }

  Patient NewPatient(Random& random) {
    static const char* const kTowns[] = {"Aton", "Bury", "Corm", "Dale"};
    static const char* const kIllnesses[] = {"flu",  "\"gout, bad\"", "measles",
                                             "cold", "asthma",        "cancer"};
    return {"SECRET" + std::to_string(1000 + next_++), std::to_string(20 + random.Below(60)),
            kTowns[random.Below(4)], kIllnesses[random.Below(6)]};
  }

  // Whether e could be measured anew the holder is told. The certificate says the same either way:
  // readers would learn who came back. Returns whether it was kept by rule alone.
  static bool ExpectSameWordsInCertificate(const contract::PublishReport& report) {
    using Number = contract::PromiseKept::Number;
    std::ifstream file(report.certificate);
    const auto measured = nlohmann::json::parse(file).at("measured");
    const contract::PromiseKept &m = report.audit.promises.at(0), &e = report.audit.promises.at(1);
    EXPECT_EQ(measured.at(0).at("measured"), report.details.As<ChangedRows>().least_values);
    EXPECT_EQ(m.measured, static_cast<double>(report.details.As<ChangedRows>().least_values));
    EXPECT_TRUE(m.kept && e.kept);
    EXPECT_EQ(measured.at(1), (nlohmann::json{{"promise", "e"},
                                              {"asked", 2},
                                              {"measured", nullptr},
                                              {"kept", true},
                                              {"proof", "by rule"}}));
    const bool by_rule = report.audit.findings.As<InvarianceFindings>().e_by_rule;
    EXPECT_EQ(e.number, by_rule ? Number::kNone : Number::kAtLeast);
    return by_rule;
  }

  // Some leave, some come, some return, some change; no illness gets too frequent.
  void Change(Random& random) {
    std::vector<Patient> stay;
    for (Patient& patient : there_) {
      if (random.Below(4) == 0) {
        gone_.push_back(patient);
        continue;
      }
      if (random.Below(40) == 0) patient.illness = NewPatient(random).illness;
      stay.push_back(patient);
    }
    there_ = std::move(stay);
    for (std::size_t i = random.Below(12); i > 0; --i) there_.push_back(NewPatient(random));
    if (!gone_.empty() && random.Below(2) == 0) {
      there_.push_back(gone_.back());
      gone_.pop_back();
    }
  }

  std::string WritePatients(const std::string& name) {
    std::string text = "patient,age,town,shoe,illness\n";
    for (const Patient& patient : there_) {
      text += patient.id + "," + patient.age + "," + patient.town + ",40," + patient.illness + "\n";
    }
    return Write(name, text);
  }

  // A release of who is there.
  Result<contract::PublishReport> PublishNow(const std::string& policy, std::size_t number,
                                             std::optional<std::uint64_t> seed) {
    const std::string n = std::to_string(number);
    contract::PublishRequest request = Request(policy, WritePatients("t" + n + ".csv"));
    request.out = Path("R" + n + ".csv");
    request.holder_copy = Path("H" + n + ".csv");
    request.seed = seed;
    return engine::Publish(request, context_);
  }

  std::vector<std::string> Paths(const std::string& letter, std::size_t releases) const {
    std::vector<std::string> paths;
    for (std::size_t i = 1; i <= releases; ++i) {
      paths.push_back(Path(letter + std::to_string(i) + ".csv"));
    }
    return paths;
  }

  // Releases until the stream ends; how many there are.
  std::size_t Stream(const std::string& policy, std::uint64_t seed, std::size_t releases) {
    Random random = Random::Seeded(seed);
    there_.clear();
    gone_.clear();
    for (int i = 0; i < 60; ++i) there_.push_back(NewPatient(random));
    std::size_t made = 0;
    for (std::size_t i = 1; i <= releases; ++i) {
      const auto report = PublishNow(policy, made + 1, seed + i);
      if (report) {
        ++made;
        EXPECT_TRUE(report->audit.satisfied);
        EXPECT_EQ(report->rows_in, there_.size());
      } else {
        EXPECT_EQ(report.error().code, ErrorCode::kPromise) << report.error().ToString();
      }
      Change(random);
    }
    return made;
  }

  ledger::Vault OpenedVault() {
    ledger::Passphrase none;
    none.none = true;
    return ledger::Vault::Open(context_.files, Path("vault"), ledger::Access::kWrite, none).value();
  }

  void Clear() {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }

  std::vector<Patient> there_, gone_;
  std::size_t next_ = 0;
};

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

TEST_F(ChangingTest, StateIsReadBackAsItWasWritten) {
  const std::string policy = WriteChanging("m = 3\n");
  ASSERT_GE(Stream(policy, 51, 5), 3u);
  ledger::Vault vault = OpenedVault();
  const std::string bytes = *vault.Unseal(SeriesState::kSecret).value();
  EXPECT_THAT(bytes, Not(HasSubstr("SECRET")));
  const auto read = ParseSeriesState(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(Save(*read), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    EXPECT_FALSE(ParseSeriesState(std::string_view(bytes).substr(0, size)));
  }
}

// Format 2 had no guides; format 1 had everybody among the members, and no pieces either.
TEST_F(ChangingTest, TheOldStateIsRead) {
  const std::string policy = WriteChanging("m = 3\n");
  ASSERT_GE(Stream(policy, 61, 3), 2u);
  ledger::Vault vault = OpenedVault();
  SeriesState now = LoadSeriesState(vault).value();
  now.guides.clear();
  now.gone.clear();
  std::string bytes = Save(now);
  for (const char format : {2, 1}) {
    bytes.resize(bytes.size() - 8);
    bytes[0] = format;
    const auto read = ParseSeriesState(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(Save(*read), Save(now));
    bytes[0] = 4;
    EXPECT_FALSE(ParseSeriesState(bytes));
  }
}

// Many releases of a few large groups, whose moments are merged, and to which people come back
// after any time.
TEST_F(ChangingTest, WhoReturnsIsRecognisedHoweverLongTheyWereAway) {
  const std::string policy = WriteChanging("m = 2\ne = 2\n");
  Random random = Random::Seeded(71);
  const auto somebody = [&] {
    Patient patient = NewPatient(random);
    patient.illness = std::vector<std::string>{"flu", "cold", "asthma"}[random.Below(3)];
    return patient;
  };
  for (int i = 0; i < 300; ++i) there_.push_back(somebody());
  std::uint64_t returned = 0, merged = 0, most_pieces = 0, by_rule = 0;
  constexpr std::size_t kReleases = 30;
  for (std::size_t i = 1; i <= kReleases; ++i) {
    std::uint64_t left = 0, back = 0, came = 0;
    if (i > 1) {
      std::vector<Patient> stay;
      for (const Patient& patient : there_)
        (random.Below(2) == 0 ? gone_ : stay).push_back(patient);
      left = there_.size() - stay.size();
      there_ = std::move(stay);
      // Whoever left just now is not back, so that the counts are what they are.
      const std::size_t away = gone_.size() - left;
      for (std::size_t n = 0; n < 4 && n < away; ++n) {
        const auto who = gone_.begin() + static_cast<std::ptrdiff_t>(random.Below(away - n));
        there_.push_back(*who);
        gone_.erase(who);
        ++back;
      }
      for (; came + back < left; ++came) there_.push_back(somebody());
    }
    const auto report = PublishNow(policy, i, i);
    ASSERT_TRUE(report) << report.error().ToString();
    EXPECT_EQ(report->details.As<ChangedRows>().people_returned, back);
    EXPECT_EQ(report->details.As<ChangedRows>().people_left, left);
    EXPECT_EQ(report->details.As<ChangedRows>().people_new, i == 1 ? 300 : came);
    EXPECT_EQ(report->details.As<ChangedRows>().changed_values, 0u);
    returned += back;
    by_rule += ExpectSameWordsInCertificate(*report) ? 1 : 0;
    ledger::Vault vault = OpenedVault();
    const SeriesState now = LoadSeriesState(vault).value();
    EXPECT_EQ(now.state.members.size(), report->rows_out);
    most_pieces = std::max<std::uint64_t>(most_pieces, now.gone.size());
    for (std::size_t n = 1; n <= now.gone.size(); ++n) {
      const std::string bytes = *vault.Unseal(GoneSecret(n)).value();
      const GonePiece piece = ParseGone(bytes).value();
      EXPECT_EQ(piece.size(), now.gone[n - 1]);
      EXPECT_EQ(Save(piece), bytes);
      merged += piece.merged.size();
      if (i < kReleases) continue;
      for (std::size_t size = 0; size < bytes.size(); size += 13) {
        EXPECT_FALSE(ParseGone(std::string_view(bytes).substr(0, size)));
      }
    }
  }
  EXPECT_GT(returned, 100u);
  EXPECT_GT(by_rule, 0u) << "no release of this stream is kept by rule: take another one";
  EXPECT_LT(by_rule, kReleases);
  EXPECT_GT(merged, 10u);
  EXPECT_GE(most_pieces, 2u);
  EXPECT_LE(most_pieces, 6u);
  // Whoever is not recognised gets another bucket, and fewer possible values than two.
  const auto audit = engine::Audit(io::ReadPolicy(context_.files, policy).value(),
                                   Paths("H", kReleases), context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_TRUE(audit->satisfied);
  EXPECT_GE(audit->findings.As<InvarianceFindings>().least_values, 2u);
  ledger::Passphrase none;
  none.none = true;
  const auto vault = engine::AuditVault(Path("vault"), "", none, context_);
  ASSERT_TRUE(vault) << vault.error().ToString();
  EXPECT_FALSE(vault->findings.As<InvarianceFindings>().broken);
  EXPECT_EQ(vault->releases.size(), kReleases);
}

TEST(GonePieces, TheNewerCountsAndMomentsFollow) {
  const auto key = [](std::uint8_t n) { return ledger::PersonKey{n, 1}; };
  GonePiece older, newer;
  older.keys = {key(1), key(2), key(3)};
  older.kinds = {{0, {{1, 5}}}, {0, {{1, 6}}}};
  older.people = {{0, 7}, {1, 7}, {1, 8}};
  older.merged = {{0, 3, 2}, {1, 3, 2}};
  newer.keys = {key(2), key(3)};
  newer.kinds = {{0, {{2, 9}}}};
  newer.people = {{0, 7}, {0, 7}};
  newer.merged = {{0, 6, 5}, {0, 2, 1}};
  const GonePiece joined = Together(older, newer);
  // 2 is there once; 3 twice, with different values.
  EXPECT_EQ(joined.keys, (std::vector{key(1), key(3), key(2), key(3)}));
  EXPECT_EQ(joined.kinds, (std::vector<GonePiece::Kind>{{0, {{1, 5}}}, {0, {{2, 9}}}}));
  EXPECT_EQ(joined.people[0].kind, 0u);
  EXPECT_EQ(joined.people[1].kind, 0u);
  EXPECT_EQ(joined.people[1].value, 8u);
  EXPECT_EQ(joined.people[3].kind, 1u);
  EXPECT_EQ(joined.merged, (std::vector<models::invariance::MergedMoment>{
                               {0, 3, 1}, {1, 3, 2}, {0, 6, 5}, {0, 2, 1}}));
}

}  // namespace
}  // namespace reissue::models::invariance::service
