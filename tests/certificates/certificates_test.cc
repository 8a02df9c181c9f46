// Every member of a certificate is made anew from published files and policy, or is a digest under
// a secret of the vault. Anything else in a certificate turns these tests red: explain it here, and
// in docs/formats/certificate.md.

#include <cctype>

#include "fixture.h"
#include "reissue/io/csv.h"
#include "reissue/ledger/signature.h"

namespace certificates {
namespace {

using reissue::io::Digest;

class EveryCase : public CertificateTest, public ::testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(Certificates, EveryCase, ::testing::ValuesIn(CaseNames()),
                         [](const auto& of) { return of.param; });

void Collect(const Json& json, std::vector<std::string>& keyed) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_structured()) {
      Collect(value, keyed);
    } else if (key.ends_with("keyed_digest")) {
      keyed.push_back(value.get<std::string>());
    }
  }
}

TEST_P(EveryCase, IsMadeAnewFromPublishedFilesAndPolicy) {
  const Case& about = CaseOf(GetParam());
  const auto certified = PublishAll(about);
  ASSERT_EQ(certified.size(), about.tables.size());
  for (const Certified& each : certified) {
    const std::string name = std::filesystem::path(each.certificate).filename();
    const std::string text = Read(name);
    const Case then = about.At(each.releases.size());
    const Json anew = MakeAnew(then, each.out, "reissue " REISSUE_VERSION, kCreated);
    EXPECT_EQ(Difference(text, anew), "");
    // As it was written: in the same order, with a signature of all before it.
    const Json json = Json::parse(text);
    EXPECT_EQ(text, json.dump(2) + "\n");
    EXPECT_EQ(json.back(), json.at("signature")) << "the last member";
    const std::string before = text.substr(0, text.rfind("  \"signature\""));
    EXPECT_TRUE(reissue::ledger::SignatureFits(json.at("series").at("key").get<std::string>(),
                                               before, json.at("signature").get<std::string>()));
    const auto verified =
        reissue::engine::Verify(each.certificate, each.releases, context_, each.priors, {},
                                {.key = json.at("series").at("key"), .policy = {}});
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
    EXPECT_EQ(verified->signer, reissue::contract::Signer::kGiven);
    EXPECT_EQ(verified->verdict() == reissue::contract::Verdict::kHolds, verified->rests.empty());
    // Without the key it is somebody's word; with another one it is broken.
    const auto unknown =
        reissue::engine::Verify(each.certificate, each.releases, context_, each.priors);
    EXPECT_EQ(unknown->verdict(), reissue::contract::Verdict::kNotRefuted);
    const auto other =
        reissue::engine::Verify(each.certificate, each.releases, context_, each.priors, {},
                                {.key = std::string(64, 'a'), .policy = {}});
    EXPECT_EQ(other->verdict(), reissue::contract::Verdict::kBroken);
    // The policy that it was made under says the same of it.
    WritePolicy(then);
    const auto asked =
        reissue::engine::Verify(each.certificate, each.releases, context_, each.priors, {},
                                {.key = {}, .policy = Path("policy.toml")});
    ASSERT_TRUE(asked) << asked.error().ToString();
    EXPECT_TRUE(asked->valid) << ::testing::PrintToString(asked->failures);
  }
}

TEST_P(EveryCase, KeyedDigestsTellOnlyTheHolder) {
  const Case& about = CaseOf(GetParam());
  std::vector<std::string> plain;
  for (const std::string& table : about.tables) plain.push_back(Digest(table));
  for (const auto& [name, text] : about.files) plain.push_back(Digest(text));
  std::vector<std::string> policies;
  for (const Certified& each : PublishAll(about)) {
    const Json json = Json::parse(Read(std::filesystem::path(each.certificate).filename()));
    policies.push_back(json.at("inputs").at("policy_keyed_digest"));
    std::vector<std::string> keyed;
    Collect(json, keyed);
    EXPECT_GE(keyed.size(), 2u);
    plain.push_back(reissue::io::ReadPolicy(context_.files, Path("policy.toml")).value().digest);
    for (const std::string& digest : keyed) {
      EXPECT_EQ(digest.size(), 64u);
      EXPECT_TRUE(std::ranges::all_of(digest, [](unsigned char c) { return std::isxdigit(c); }));
      EXPECT_THAT(plain, ::testing::Not(::testing::Contains(digest)));
    }
  }
  EXPECT_EQ(std::set<std::string>(policies.begin(), policies.end()).size(),
            1 + about.changes.size())
      << "the same policy in the same vault";
}

// Planted: whatever is put into a certificate, or taken out, or changed, is noticed.
std::size_t ExpectEveryPlantNoticed(const Json& whole, Json& part, const Json& anew) {
  std::size_t plants = 0;
  const auto noticed = [&](const std::string& what) {
    ++plants;
    EXPECT_NE(Difference(whole.dump(2), anew), "") << what;
  };
  const Json before = part;
  if (part.is_object()) {
    part["planted"] = 7;
    noticed("planted");
    part = before;
    for (const auto& [key, value] : before.items()) {
      part.erase(key);
      noticed("without " + key);
      part = before;
    }
  }
  if (part.is_array()) {
    part.push_back("planted");
    noticed("planted");
    part = before;
  }
  for (auto& [key, value] : part.items()) {
    if (value.is_structured()) {
      plants += ExpectEveryPlantNoticed(whole, value, anew);
    } else if (!key.ends_with("keyed_digest") && key != "key" && key != "signature") {
      const Json kept = value;
      value = kept.is_null()      ? Json(0.25)
              : kept.is_boolean() ? Json(!kept.get<bool>())
              : kept.is_number()  ? Json(kept.get<double>() + 1)
                                  : Json(kept.get<std::string>() + "x");
      noticed("another " + key);
      value = kept;
    }
  }
  return plants;
}

TEST_P(EveryCase, PlantsAreNoticed) {
  const Case& about = CaseOf(GetParam());
  const Certified last = PublishAll(about).back();
  Json json = Json::parse(Read(std::filesystem::path(last.certificate).filename()));
  const Json anew =
      MakeAnew(about.At(about.tables.size()), last.out, "reissue " REISSUE_VERSION, kCreated);
  EXPECT_GT(ExpectEveryPlantNoticed(json, json, anew), 60u);
}

// The cases have what makes certificates differ: rows that were left out, promises that only the
// holder sees broken, counterfeits, rows without a partner.
class CasesTest : public CertificateTest {
 protected:
  Json Last(const std::string& name) {
    const Certified last = PublishAll(CaseOf(name)).back();
    return Json::parse(Read(std::filesystem::path(last.certificate).filename()));
  }
  std::uint64_t LeftOut() const {
    std::uint64_t rows = 0;
    for (const auto& report : reports_) rows += report.suppressed;
    return rows;
  }
};

TEST_F(CasesTest, SomeRowsAreLeftOut) {
  (void)Last("EveryPromise");
  EXPECT_GT(LeftOut(), 0u);
}

TEST_F(CasesTest, AValueIsLeftOut) {
  (void)Last("OrderedNumbers");
  EXPECT_GT(LeftOut(), 0u);
}

TEST_F(CasesTest, TheHolderSeesWhatWasRelaxed) {
  const Json certificate = Last("RelaxedLeftovers");
  EXPECT_TRUE(certificate.at("measured").at(1).at("kept").is_null());
  bool j = false, others = false;
  for (const auto& report : reports_) {
    for (const auto& promise : report.audit.promises) {
      (promise.name == "j" ? j : others) |= !promise.kept;
    }
  }
  EXPECT_TRUE(j) << "take another case";
  EXPECT_TRUE(others) << "take another case";
}

TEST_F(CasesTest, SomeRowsAreNobodys) {
  EXPECT_GT(Last("PublishedCounterfeits").at("changing").at("counterfeits"), 0);
}

// With the policy of another time: what it says otherwise is told. Values that were not published
// do not matter.
TEST_F(CasesTest, PoliciesOfOtherTimes) {
  const Case& about = CaseOf("PolicyThatLives");
  const auto certified = PublishAll(about);
  ASSERT_EQ(certified.size(), 3u);
  const auto failures = [&](std::size_t release, const Case& policy) {
    const Certified& each = certified[release - 1];
    const auto verified =
        reissue::engine::Verify(each.certificate, each.releases, context_, each.priors, {},
                                {.key = {}, .policy = WritePolicy(policy)});
    EXPECT_TRUE(verified) << verified.error().ToString();
    return verified ? verified->failures : std::vector<std::string>{"none at all"};
  };
  using ::testing::ElementsAre;
  using ::testing::HasSubstr;
  const auto title = HasSubstr("The title of the series"), guarantee = HasSubstr("The guarantee"),
             labels = HasSubstr("Labels of column \"place\"");
  EXPECT_THAT(failures(1, about.At(1)), ElementsAre());
  EXPECT_THAT(failures(1, about.At(2)), ElementsAre(title));
  EXPECT_THAT(failures(2, about.At(1)), ElementsAre(title, labels));
  EXPECT_THAT(failures(2, about.At(2)), ElementsAre());
  EXPECT_THAT(failures(2, about.At(3)), ElementsAre(guarantee));
  EXPECT_THAT(failures(3, about.At(2)), ElementsAre(guarantee));
  EXPECT_THAT(failures(3, about.At(1)), ElementsAre(title, guarantee, labels));
  // More values and groups that nobody has seen; then a place that lies elsewhere.
  Case other = about.At(3);
  other.files["place.csv"] += "Fern;East;*\n";
  EXPECT_THAT(failures(3, other), ElementsAre());
  other.files["place.csv"] =
      "Aton;South;*\nBury;North;*\nCorm;South;*\nDale;South;*\nElms;East;*\n";
  EXPECT_THAT(failures(3, other), ElementsAre(labels));
}

TEST_F(CasesTest, SomePoliciesChange) {
  EXPECT_EQ(Last("PolicyThatLives").at("series").at("policy_since"), 3);
  EXPECT_EQ(reports_[1].policy_since, 2u);
}

TEST_F(CasesTest, SomeRowsHaveNoPartner) {
  EXPECT_GT(Last("BesideTwoAndRowsWithoutPartner").at("linked").at("dangling"), 0);
}

}  // namespace
}  // namespace certificates
