// What the vault keeps of a changing table: it is read back as it was written, and whoever returns
// is recognised.

#include "changing_fixture.h"
#include "reissue/models/invariance/service/gone.h"
#include "reissue/models/invariance/service/state.h"

namespace reissue::models::invariance::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
