// Policies that change while a series goes on: what is accepted and recorded, what is refused, and
// what readers find with the new taxonomies.

#include <map>

#include "people_fixture.h"
#include "reissue/contract/living.h"
#include "reissue/engine/vault.h"
#include "reissue/models/bcf/service/report.h"

namespace reissue::models::bcf::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LivingPolicyTest : public PublishSeriesTest {
 protected:
  std::string Changed(const Growing& growing, const std::string& guarantee,
                      const std::string& title = "Series") {
    return Write("changed.toml", "title = \"" + title + "\"\n[columns]\n" + growing.columns +
                                     "[guarantee]\nmodel = \"bcf\"\n" + guarantee);
  }
  std::vector<std::uint32_t> Changes() {
    auto vault = ledger::Vault::Open(context_.files, Path("vault"), ledger::Access::kRead).value();
    return contract::PolicyChanges(vault).value();
  }
  // How many of all recodings of places and jobs an audit with the releases before lets pass.
  int RecodingsThatKeep(const std::string& policy, const Growing& growing, std::size_t rows,
                        std::size_t number) {
    using Cut = std::map<std::string, std::string>;
    std::vector<Cut> places = {{{"UK", "*"}, {"France", "*"}, {"Canada", "*"}, {"Peru", "*"}}};
    std::vector<Cut> jobs = {{{"Lawyer", "*"}, {"Clerk", "*"}, {"Painter", "*"}, {"Plumber", "*"}}};
    for (int i = 0; i < 4; ++i) {
      const bool europe = i % 2 != 0, america = i / 2 != 0;
      places.push_back({{"UK", europe ? "Europe" : "UK"},
                        {"France", europe ? "Europe" : "France"},
                        {"Canada", america ? "America" : "Canada"},
                        {"Peru", america ? "America" : "Peru"}});
    }
    for (const bool office : {false, true}) {
      jobs.push_back({{"Lawyer", office ? "Office" : "Lawyer"},
                      {"Clerk", office ? "Office" : "Clerk"},
                      {"Painter", "Painter"},
                      {"Plumber", "Plumber"}});
    }
    int kept = 0;
    const std::string file = std::to_string(number) + ".csv";
    for (const Cut& place : places) {
      for (const Cut& job : jobs) {
        std::string text = "place,job,illness\n";
        for (std::size_t i = 0; i < rows; ++i) {
          const auto row = io::ReadRecords(growing.rows[i] + "\n", "row", ',').value()[0].fields;
          text += place.at(row[1]) + "," + job.at(row[2]) + "," + row[3] + "\n";
        }
        Write(file, text);
        kept += KeptTogether(policy, number) ? 1 : 0;
      }
    }
    std::filesystem::remove(Path(file));
    return kept;
  }
  bool VaultIsSound() {
    ledger::Passphrase none;
    none.none = true;
    const auto report = engine::CheckVault(Path("vault"), none, context_);
    EXPECT_TRUE(report) << report.error().ToString();
    return report && report->problems.empty();
  }
};

TEST_F(LivingPolicyTest, ANewLeafATitleAndAStricterPromiseGoOn) {
  Growing growing = People(120, true);
  const std::string policy = WritePolicyOf(growing, "k = 3\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 60), 1), context_));
  EXPECT_THAT(Changes(), ElementsAre());
  // In the file itself, which the vault's policy names.
  Write("job.csv", "Lawyer;Office;*\nClerk;Office;*\nPainter;*;*\nPlumber;*;*\n");
  for (int i = 0; i < 40; ++i) {
    growing.rows.push_back("new-" + std::to_string(i) + ",UK,Plumber," + (i % 2 ? "flu" : "gout"));
  }
  const auto second = engine::Publish(Next("", WriteFirst(growing, 160), 2), context_);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_EQ(second->policy_since, 2u);
  EXPECT_THAT(second->policy_changes, ElementsAre("1 new value of \"job\""));
  EXPECT_THAT(Changes(), ElementsAre(2));
  EXPECT_TRUE(KeptTogether(policy, 2));
  EXPECT_THAT(Read("2.csv.certificate.json"), HasSubstr("\"policy_since\": 2"));
  const auto verified = engine::Verify(Path("2.csv.certificate.json"), Releases(2), context_);
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
  // Another file, which the vault takes as its policy from then on.
  const std::string changed = Changed(growing, "k = 3\nbeta = 1000\n", "Series of people");
  for (int i = 0; i < 60; ++i) {
    growing.rows.push_back("more-" + std::to_string(i) + ",Peru,Clerk," + (i % 2 ? "flu" : "cold"));
  }
  const auto third = engine::Publish(Next(changed, WriteFirst(growing, 220), 3), context_);
  ASSERT_TRUE(third) << third.error().ToString();
  EXPECT_EQ(third->policy_since, 3u);
  EXPECT_THAT(Changes(), ElementsAre(2, 3));
  EXPECT_TRUE(KeptTogether(changed, 3));
  EXPECT_TRUE(VaultIsSound());
  // The first promise is less than that of the series now.
  ExpectRefused(Next(policy, WriteFirst(growing, 220), 4), ErrorCode::kInput,
                "`beta` promises less than before");
  for (int i = 0; i < 20; ++i)
    growing.rows.push_back("last-" + std::to_string(i) + ",UK,Clerk,flu");
  const auto fourth = engine::Publish(Next("", WriteFirst(growing, 240), 4), context_);
  ASSERT_TRUE(fourth) << fourth.error().ToString();
  EXPECT_EQ(fourth->policy_since, 3u);
  EXPECT_THAT(fourth->policy_changes, ElementsAre());
  EXPECT_TRUE(VaultIsSound());
  // Certificates beside the releases say of each other since when the policy is in force.
  const auto chained = engine::Verify(Path("4.csv.certificate.json"), Releases(4), context_);
  ASSERT_TRUE(chained) << chained.error().ToString();
  EXPECT_TRUE(chained->valid) << ::testing::PrintToString(chained->failures);
  EXPECT_EQ(chained->chain, 3u);
}

TEST_F(LivingPolicyTest, WhatWouldChangeTheMeaningIsRefused) {
  const Growing growing = People(90, true);
  const std::string policy = WritePolicyOf(growing, "k = 3\ndistinct = 2\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 60), 1), context_));
  const std::string table = WriteFirst(growing, 90);
  const auto refused = [&](const std::string& changed, const std::string& words) {
    SCOPED_TRACE(words);
    ExpectRefused(Next(changed, table, 2), ErrorCode::kInput, words);
  };
  refused(Changed(growing, "k = 2\ndistinct = 2\n"), "`k` promises less");
  refused(Changed(growing, "k = 3\n"), "`distinct` promises less");
  refused(Changed(growing, "k = 3\ndistinct = 2\ntargets = \"real\"\n"), "`targets`");
  Growing other = growing;
  const auto replaced = [&](const std::string& from, const std::string& to,
                            const std::string& more = "distinct = 2\n") {
    other = growing;
    other.columns.replace(other.columns.find(from), from.size(), to);
    return Changed(other, "k = 3\n" + more);
  };
  refused(replaced("illness = { role = \"sensitive\" }", "illness = { role = \"publish\" }", ""),
          "has another role");
  refused(replaced("illness = { role = \"sensitive\" }\n",
                   "illness = { role = \"sensitive\" }\nward = { role = \"publish\" }\n"),
          "column \"ward\" is new");
  const std::string jobs = Read("job.csv");
  // A label that moves, one that goes, a value that goes.
  Write("job.csv", "Lawyer;Office;*\nClerk;*;*\nPainter;*;*\n");
  const std::set<std::string> out = Labels("1.csv", 1);
  if (out.contains("Office")) refused(policy, "\"Clerk\" lies below \"*\"");
  Write("job.csv", "Lawyer;Office;*\nClerk;Office;*\n");
  refused(policy, "\"Painter\" is gone");
  Write("job.csv", jobs);
  EXPECT_TRUE(engine::Publish(Next(policy, table, 2), context_));
}

// A stricter promise holds for all releases together. Where k = 4 follows k = 3 at once it can be
// kept; after another release with k = 3 it cannot, whatever is published: all recodings are tried.
TEST_F(LivingPolicyTest, StricterPromisesAreRefusedOnlyWhereTheyMustBe) {
  Growing growing = People(120, true);
  const auto begin = [&] {
    StartAnew();
    Write("job.csv", "Lawyer;Office;*\nClerk;Office;*\nPainter;*;*\n");
    const std::string policy = WritePolicyOf(growing, "k = 3\n");
    ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 60), 1), context_));
    Write("job.csv", "Lawyer;Office;*\nClerk;Office;*\nPainter;*;*\nPlumber;*;*\n");
  };
  begin();
  for (int i = 0; i < 40; ++i) {
    growing.rows.push_back("new-" + std::to_string(i) + ",UK,Plumber," + (i % 2 ? "flu" : "gout"));
  }
  const std::string stricter = Changed(growing, "k = 4\n");
  EXPECT_EQ(RecodingsThatKeep(stricter, growing, 160, 2), 13);
  const auto second = engine::Publish(Next(stricter, WriteFirst(growing, 160), 2), context_);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_TRUE(KeptTogether(stricter, 2));
  // Release 1 has a cell of four.
  const std::string more = Changed(growing, "k = 5\n");
  EXPECT_EQ(RecodingsThatKeep(more, growing, 160, 3), 0);
  ExpectRefused(Next(more, WriteFirst(growing, 160), 3), ErrorCode::kPromise,
                "release 1 does not keep the promise by itself");

  begin();
  ASSERT_TRUE(engine::Publish(Next("", WriteFirst(growing, 160), 2), context_));
  for (int i = 0; i < 60; ++i) {
    growing.rows.push_back("more-" + std::to_string(i) + ",Peru,Clerk," + (i % 2 ? "flu" : "cold"));
  }
  Changed(growing, "k = 4\n");
  EXPECT_EQ(RecodingsThatKeep(stricter, growing, 220, 3), 0);
  ExpectRefused(Next(stricter, WriteFirst(growing, 220), 3), ErrorCode::kPromise,
                "the 2 releases that are out do not keep the promise");
}

// What was not published may be called and grouped otherwise.
TEST_F(LivingPolicyTest, RefinesBelowWhatWasPublished) {
  Growing growing = People(0, true);
  const std::vector<std::string> jobs = {"Lawyer", "Clerk", "Painter"};
  for (std::size_t i = 0; i < 12; ++i) {
    growing.rows.push_back("p" + std::to_string(i) + ",UK," + jobs[i % 3] + "," +
                           (i % 2 == 0 ? "flu" : "cold"));
  }
  const std::string policy = WritePolicyOf(growing, "k = 12\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 12), 1), context_));
  ASSERT_THAT(Labels("1.csv", 1), ElementsAre("*"));
  // Lawyers are told apart now, and the group has another name.
  for (std::string& row : growing.rows) {
    const auto at = row.find("Lawyer");
    if (at != std::string::npos) row.replace(at, 6, "Judge");
  }
  Write("job.csv", "Judge;Lawyer;Desk;*\nNotary;Lawyer;Desk;*\nClerk;Desk;*\nPainter;*;*\n");
  for (int i = 0; i < 30; ++i) {
    growing.rows.push_back("q" + std::to_string(i) + ",UK,Notary," + (i % 2 == 0 ? "flu" : "cold"));
  }
  const auto second = engine::Publish(Next(policy, WriteFirst(growing, 42), 2), context_);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_THAT(second->policy_changes,
              ElementsAre("2 new values of \"job\"", "1 refined value of \"job\"",
                          "1 new group of values of \"job\""));
  EXPECT_TRUE(KeptTogether(policy, 2));
}

// Readers who know that a value is new know that whoever is in an earlier release has another one.
// Eight clerks of release 1 are shown as Office; of eleven clerks in release 2 three are new, which
// who has both taxonomies can tell once the new value is shown apart.
TEST_F(LivingPolicyTest, ReadersWhoKnowWhatIsNewAreCountedWith) {
  Write("job.csv", "Clerk;Office;*\nPainter;*;*\n");
  Growing growing;
  growing.columns =
      "job = { role = \"quasi\", taxonomy = \"job.csv\" }\nillness = { role = \"sensitive\" }\n";
  growing.header = "job,illness";
  const std::string policy = WritePolicyOf(growing, "k = 5\n");
  Write("1.csv", "job,illness\n" + Times("Office,flu", 8));
  ASSERT_TRUE(engine::Adopt(Taking(policy, Releases(1)), context_).value().recorded);
  Write("job.csv", "Clerk;Office;*\nTypist;Office;*\nPainter;*;*\n");
  const std::string table =
      Write("table.csv", "job,illness\n" + Times("Clerk,flu", 11) + Times("Typist,flu", 6));
  // Who only has the last one cannot, and would let it out.
  Write("2.csv", "job,illness\n" + Times("Clerk,flu", 11) + Times("Typist,flu", 6));
  EXPECT_TRUE(KeptTogether(policy, 2));
  std::filesystem::remove(Path("2.csv"));
  // So the new value stays in its group.
  const auto second = engine::Publish(Next(policy, table, 2), context_);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_THAT(Labels("2.csv", 0), ElementsAre("Office"));
  EXPECT_TRUE(KeptTogether(policy, 2));
  // With enough new clerks it is shown: of 18, eight were there from the first release on.
  const std::string more =
      Write("table.csv", "job,illness\n" + Times("Clerk,flu", 18) + Times("Typist,flu", 9));
  const auto third = engine::Publish(Next(policy, more, 3), context_);
  ASSERT_TRUE(third) << third.error().ToString();
  EXPECT_THAT(Labels("3.csv", 0), ElementsAre("Clerk", "Typist"));
  EXPECT_TRUE(KeptTogether(policy, 3));
}

// Random changes of a taxonomy, then an audit with what it has become.
TEST_F(LivingPolicyTest, RandomChangesKeepThePromise) {
  Random random = Random::Seeded(7);
  int published = 0, refused = 0;
  for (int round = 0; round < 5; ++round) {
    SCOPED_TRACE(round);
    StartAnew();
    std::map<std::string, std::string> group = {
        {"a", "A"}, {"b", "A"}, {"c", "B"}, {"d", "B"}, {"e", "B"}};
    const auto write = [&] {
      std::string text;
      for (const auto& [leaf, above] : group) text += leaf + ";" + above + ";*\n";
      Write("job.csv", text);
    };
    write();
    Growing growing = People(0, true);
    const auto add = [&](int rows) {
      std::vector<std::string> leaves;
      for (const auto& [leaf, above] : group) leaves.push_back(leaf);
      for (int i = 0; i < rows; ++i) {
        growing.rows.push_back(
            "n" + std::to_string(growing.rows.size()) + "," + (random.Below(2) ? "UK" : "Peru") +
            "," + leaves[random.Below(leaves.size())] + "," + (random.Below(2) ? "flu" : "cold"));
      }
    };
    add(30);
    const std::string policy =
        WritePolicyOf(growing, random.Below(2) ? "k = 2\n" : "k = 2\nrecoding = \"local\"\n");
    ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 30), 1), context_));
    std::size_t releases = 1;
    for (int step = 0; step < 3; ++step) {
      auto before = group;
      const std::string name = "x" + std::to_string(step);
      group[name] = random.Below(3) == 0 ? "C" : random.Below(2) ? "A" : "B";
      const bool moves = random.Below(4) == 0;
      if (moves) group["a"] = "B";
      write();
      const std::size_t rows = growing.rows.size();
      add(12);
      const auto next = engine::Publish(
          Next(policy, WriteFirst(growing, growing.rows.size()), releases + 1), context_);
      if (next) {
        ++releases;
        ++published;
        EXPECT_TRUE(KeptTogether(policy, releases));
        continue;
      }
      EXPECT_NE(next.error().code, ErrorCode::kMachine) << next.error().ToString();
      ++refused;
      group = before;
      growing.rows.resize(rows);
      write();
    }
  }
  EXPECT_GE(published, 4);
  EXPECT_GE(refused, 1);
}

// The planted bug: had a moved label been accepted, the audit with the new taxonomy would tell.
TEST_F(LivingPolicyTest, AMovedLabelWouldBeNoticed) {
  Growing growing;
  growing.columns =
      "job = { role = \"quasi\", taxonomy = \"job.csv\" }\nillness = { role = \"sensitive\" }\n";
  growing.header = "job,illness";
  Write("job.csv", "a;A;*\nb;A;*\nc;B;*\nd;B;*\n");
  const std::string policy = WritePolicyOf(growing, "k = 4\n");
  Write("1.csv", "job,illness\n" + Times("A,flu", 4) + Times("B,flu", 4));
  // b belongs to B now: of the four of A some would have to be in B.
  Write("2.csv", "job,illness\n" + Times("a,flu", 2) + Times("b,flu", 4) + Times("c,flu", 4));
  Write("job.csv", "a;A;*\nb;B;*\nc;B;*\nd;B;*\n");
  EXPECT_FALSE(KeptTogether(policy, 2));
  Write("job.csv", "a;A;*\nb;A;*\nc;B;*\nd;B;*\n");
  ASSERT_TRUE(engine::Adopt(Taking(policy, Releases(1)), context_).value().recorded);
  Write("job.csv", "a;A;*\nb;B;*\nc;B;*\nd;B;*\n");
  const std::string table = Write(
      "table.csv", "job,illness\n" + Times("a,flu", 2) + Times("b,flu", 4) + Times("c,flu", 4));
  std::filesystem::remove(Path("2.csv"));
  ExpectRefused(Next(policy, table, 2), ErrorCode::kInput, "\"b\" lies below \"B\"");
}

// Vaults as they were made when their formats were new: opened, and gone on with.
class CommittedVaultTest : public LivingPolicyTest {
 protected:
  // The vault, and the policy as it is after its change.
  std::string Take(const std::string& format) {
    namespace fs = std::filesystem;
    const fs::path from = fs::path(REISSUE_SOURCE_DIR) / "tests/golden/_vaults/growing";
    fs::create_directory(Path("vault"));
    fs::permissions(Path("vault"), fs::perms::owner_all);
    fs::copy_file(from / format / "vault.db", Path("vault/vault.db"));
    fs::permissions(Path("vault/vault.db"), fs::perms::owner_read | fs::perms::owner_write);
    for (const auto& entry : fs::directory_iterator(from)) {
      if (entry.is_directory()) continue;
      std::string name = entry.path().filename();
      if (name.starts_with("R")) name.erase(0, 1);  // as releases are called here
      fs::copy_file(entry.path(), Path(name), fs::copy_options::overwrite_existing);
    }
    return Path("policy.toml");
  }
  std::uint64_t FormatOfVault() {
    return ledger::Vault::Open(context_.files, Path("vault"), ledger::Access::kRead)
        .value()
        .format();
  }
};

TEST_F(CommittedVaultTest, Format3GetsAChangedPolicy) {
  const std::string policy = Take("format-3");
  EXPECT_EQ(FormatOfVault(), 3u);
  EXPECT_TRUE(VaultIsSound());
  EXPECT_THAT(Changes(), ElementsAre());
  std::filesystem::remove(Path("2.csv"));
  std::filesystem::remove(Path("2.csv.certificate.json"));
  const auto second = engine::Publish(Next(policy, Path("second.csv"), 2), context_);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_THAT(second->policy_changes, ElementsAre("another title", "1 new value of \"job\""));
  EXPECT_EQ(second->newcomers, 16u);
  EXPECT_EQ(FormatOfVault(), 4u);
  EXPECT_THAT(Changes(), ElementsAre(2));
  EXPECT_TRUE(VaultIsSound());
  EXPECT_TRUE(KeptTogether(policy, 2));
}

TEST_F(CommittedVaultTest, Format4GoesOn) {
  const std::string policy = Take("format-4");
  EXPECT_EQ(FormatOfVault(), 4u);
  EXPECT_TRUE(VaultIsSound());
  EXPECT_THAT(Changes(), ElementsAre(2));
  const auto third = engine::Publish(Next(policy, Path("third.csv"), 3), context_);
  ASSERT_TRUE(third) << third.error().ToString();
  EXPECT_THAT(third->policy_changes, ElementsAre());
  EXPECT_EQ(third->policy_since, 2u);
  EXPECT_EQ(third->newcomers, 12u);
  EXPECT_TRUE(VaultIsSound());
  EXPECT_TRUE(KeptTogether(policy, 3));
  for (const std::size_t release : {2u, 3u}) {
    const auto verified = engine::Verify(Path(std::to_string(release) + ".csv.certificate.json"),
                                         Releases(release), context_);
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
  }
  // The policy before the change is not that of the series any more.
  Write("job.csv", "Nurse;Care;*\nDoctor;Care;*\nWelder;Trade;*\nJoiner;Trade;*\n");
  ExpectRefused(Next(policy, Path("third.csv"), 4), ErrorCode::kInput, "\"Midwife\" is gone");
}

// Vaults of earlier versions know a digest: what the policy was must still be there.
TEST_F(LivingPolicyTest, VaultsWithoutAnArchive) {
  const Growing growing = People(90, true);
  const std::string policy = WritePolicyOf(growing, "k = 3\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 60), 1), context_));
  auto vault = ledger::Vault::Open(context_.files, Path("vault"), ledger::Access::kRead).value();
  EXPECT_THAT(vault.Secrets().value(), ::testing::Contains("policy/1"));
  EXPECT_EQ(vault.format(), 3u);
}

}  // namespace
}  // namespace reissue::models::bcf::service
