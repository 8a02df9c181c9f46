// Releases that are tables of a database: the vault and a server that either of may die.

#include "reissue/ledger/targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/io/rehearsal.h"
#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// What a server keeps, in a directory, so that processes that die leave it: a committed table is a
// file whose name is its seal.
class Server {
 public:
  explicit Server(std::string home) : home_(std::move(home)) {
    std::filesystem::create_directory(home_);
  }
  void Put(const std::string& seal) const { WriteAll(home_ + "/" + seal, ""); }
  Status Commit(const std::string& seal) const {
    Put(seal);
    return Ok();
  }
  bool Has(const std::string& seal) const { return std::filesystem::exists(home_ + "/" + seal); }
  AskTarget Ask() const {
    return [this](const std::string& seal) -> Result<bool> {
      if (silent) return MachineError("the server does not answer");
      return Has(seal);
    };
  }
  bool silent = false;

 private:
  std::string home_;
};

class TargetsTest : public VaultTest {
 protected:
  TargetsTest() : server_(root_ + "/server") {}

  Vault::Pending Table(const std::string& name, Secrets secrets = {}) const {
    Vault::Pending pending;
    pending.record.target = "public." + name;
    pending.record.seal = "seal of " + name;
    pending.record.digest = "of combinations";
    pending.record.certificate = "{\"of\":\"" + name + "\"}";
    pending.record.created = "2026-01-02T03:04:05Z";
    pending.record.rows = 17;
    pending.certificate_file = Target(name + ".certificate.json");
    pending.secrets = std::move(secrets);
    return pending;
  }
  Result<Vault> OpenAsking(Access access = Access::kWrite) {
    return Vault::Open(files_, home_, access, None(), server_.Ask());
  }
  Status PublishTable(Vault& vault, const std::string& name, Secrets secrets = {}) {
    const std::uint32_t number = REISSUE_TRY(vault.Prepare(Table(name, std::move(secrets))));
    return vault.Commit(number, [&] { return server_.Commit("seal of " + name); });
  }
  // Makes a vault, prepares a table, does one thing more, and dies.
  void DieAfterPrepare(const std::function<void()>& more) {
    InDyingProcess([&] {
      auto vault = Make();
      if (!vault || !vault->Prepare(Table("r1", {{"state", "one"}}))) return false;
      more();
      ::_exit(0);
    });
  }
  // A reader and then a publisher come to the same conclusion, which is that of the server.
  void ExpectHistory(std::size_t releases) {
    for (const Access access : {Access::kRead, Access::kUnseal, Access::kWrite, Access::kRead}) {
      auto vault = OpenAsking(access);
      ASSERT_VALUE(vault);
      const auto history = vault->History();
      ASSERT_VALUE(history);
      EXPECT_EQ(history->size(), releases);
      EXPECT_EQ(server_.Has("seal of r1"), releases == 1);
    }
    EXPECT_THAT(Temporaries(), IsEmpty());
    EXPECT_EQ(files_.Exists(Target("r1.certificate.json")), releases == 1);
  }

  Server server_;
};

TEST_F(TargetsTest, ATableIsARelease) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  ASSERT_VALUE(PublishTable(*vault, "r1", {{"state", "one"}}));
  ASSERT_VALUE(Publish(*vault, "R2.csv", {{"state", "two"}}));
  ASSERT_VALUE(PublishTable(*vault, "r3", {{"state", "three"}}));
  const auto history = vault->History();
  ASSERT_VALUE(history);
  ASSERT_EQ(history->size(), 3u);
  EXPECT_EQ(history->at(0).target, "public.r1");
  EXPECT_EQ(history->at(0).seal, "seal of r1");
  EXPECT_EQ(history->at(0).directory, root_);
  EXPECT_TRUE(history->at(0).is_table() && history->at(0).file_present);
  EXPECT_FALSE(history->at(1).is_table());
  EXPECT_EQ(**vault->Unseal("state"), "three");
  EXPECT_EQ(ReadAll(Target("r1.certificate.json")), "{\"of\":\"r1\"}");
  EXPECT_THAT(Temporaries(), IsEmpty());
}

// Who never had a table can still be read by programs that know none.
TEST_F(TargetsTest, OnlyVaultsWithTablesHaveTheFormat) {
  {
    auto vault = Make();
    ASSERT_VALUE(Publish(*vault, "R1.csv"));
  }
  EXPECT_EQ(OpenToRead()->format(), kFormat);
  EXPECT_FALSE(*Vault::PolicyWasChanged(files_, home_));
  {
    auto vault = OpenToWrite();
    ASSERT_VALUE(PublishTable(*vault, "r2"));
  }
  EXPECT_EQ(OpenToRead()->format(), kTargetsFormat);
  EXPECT_FALSE(*Vault::PolicyWasChanged(files_, home_));
  {
    auto vault = OpenToWrite();
    Vault::Pending changed = Table("r3", {{"policy/3", "another"}});
    changed.policy_changed = true;
    const auto number = vault->Prepare(changed);
    ASSERT_VALUE(number);
    ASSERT_VALUE(vault->Commit(*number, [&] { return server_.Commit("seal of r3"); }));
  }
  EXPECT_EQ(OpenToRead()->format(), kTargetsFormat);
  EXPECT_TRUE(*Vault::PolicyWasChanged(files_, home_));
}

TEST_F(TargetsTest, DeathBeforeTheCommit) {
  DieAfterPrepare([] {});
  EXPECT_EQ(Temporaries().size(), 1u) << "the certificate's";
  ExpectHistory(0);
  EXPECT_EQ(*OpenAsking()->Unseal("state"), std::nullopt);
}

TEST_F(TargetsTest, DeathAfterTheCommit) {
  DieAfterPrepare([&] { server_.Put("seal of r1"); });
  ExpectHistory(1);
  EXPECT_EQ(**OpenAsking()->Unseal("state"), "one");
}

TEST_F(TargetsTest, ASilentServerIsWaitedForNotGuessedAt) {
  DieAfterPrepare([&] { server_.Put("seal of r1"); });
  server_.silent = true;
  const auto silent = OpenAsking();
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::kMachine);
  const auto nobody = OpenToWrite();
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().code, ErrorCode::kMachine);
  EXPECT_THAT(nobody.error().ToString(), HasSubstr("-d CONNINFO"));
  EXPECT_FALSE(OpenToRead()->History());
  EXPECT_FALSE(Vault::Rehearse(files_, home_, None()));
  EXPECT_EQ(Temporaries().size(), 1u) << "waits for the answer";
  server_.silent = false;
  ExpectHistory(1);
}

// A vault in memory finds out, and writes nothing.
TEST_F(TargetsTest, RehearsalsAskAndDoNotWrite) {
  DieAfterPrepare([&] { server_.Put("seal of r1"); });
  const std::string before = ReadAll(home_ + "/vault.db") + ReadAll(home_ + "/vault.db-wal");
  io::RehearsalFiles stage(files_);
  {
    auto copy = Vault::Rehearse(stage, home_, None(), server_.Ask());
    ASSERT_VALUE(copy);
    EXPECT_EQ(copy->History()->size(), 1u);
  }
  EXPECT_EQ(ReadAll(home_ + "/vault.db") + ReadAll(home_ + "/vault.db-wal"), before);
  EXPECT_EQ(Temporaries().size(), 1u);
}

TEST_F(TargetsTest, AFailureThatIsReportedAfterTheDeedIsNone) {
  auto vault = Make();
  vault->Ask(server_.Ask());
  const auto number = vault->Prepare(Table("r1"));
  ASSERT_VALUE(number);
  EXPECT_VALUE(vault->Commit(*number, [&]() -> Status {
    server_.Put("seal of r1");
    return MachineError("the connection broke");
  }));
  vault = Error{};
  ExpectHistory(1);
}

TEST_F(TargetsTest, WhatTheServerTookBackIsForgotten) {
  (void)Make();
  auto vault = OpenAsking();
  const auto number = vault->Prepare(Table("r1"));
  ASSERT_VALUE(number);
  const Status failed =
      vault->Commit(*number, [&]() -> Status { return MachineError("it took it back"); });
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().ToString(), HasSubstr("it took it back"));
  EXPECT_THAT(*vault->History(), IsEmpty());
  EXPECT_VALUE(PublishTable(*vault, "r2"));
  vault = Error{};
  EXPECT_EQ(OpenToWrite()->History()->size(), 1u);
  EXPECT_FALSE(files_.Exists(Target("r1.certificate.json")));
}

TEST_F(TargetsTest, WhatNobodyKnowsIsLeftForTheNextOpening) {
  (void)Make();
  {
    auto vault = OpenAsking();
    const auto number = vault->Prepare(Table("r1"));
    ASSERT_VALUE(number);
    server_.silent = true;
    const Status unknown = vault->Commit(*number, [&]() -> Status {
      server_.Put("seal of r1");
      return MachineError("the connection broke");
    });
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::kMachine);
    EXPECT_THAT(unknown.error().message, HasSubstr("not known whether"));
    EXPECT_THAT(unknown.error().remedy, HasSubstr("-d CONNINFO"));
  }
  EXPECT_FALSE(OpenAsking()) << "the server is still silent";
  server_.silent = false;
  ExpectHistory(1);
}

TEST_F(TargetsTest, AFileOfAnotherStopsItBeforeTheCommit) {
  (void)Make();
  auto vault = OpenAsking();
  const auto number = vault->Prepare(Table("r1"));
  ASSERT_VALUE(number);
  WriteAll(Target("r1.certificate.json"), "of somebody else");
  EXPECT_FALSE(vault->Commit(*number, [&] { return server_.Commit("seal of r1"); }));
  EXPECT_FALSE(server_.Has("seal of r1"));
  EXPECT_THAT(*vault->History(), IsEmpty());
  EXPECT_THAT(Temporaries(), IsEmpty());
}

TEST_F(TargetsTest, CallsThatMakeNoSense) {
  auto vault = Make();
  Vault::Pending both = Table("r1");
  both.temporary = Target("x");
  EXPECT_EQ(vault->Prepare(both).error().code, ErrorCode::kUsage);
  const auto number = vault->Prepare(Table("r1"));
  ASSERT_VALUE(number);
  EXPECT_EQ(vault->Commit(*number).error().code, ErrorCode::kUsage);
}

// Whoever writes the vault without its key could otherwise have another server asked.
TEST_F(TargetsTest, SealsAreAuthenticated) {
  for (const char* const meddling :
       {"UPDATE targets SET seal = 'seal of r9'", "DELETE FROM targets",
        "UPDATE targets SET checksum = zeroblob(32)", "DROP TABLE targets",
        "PRAGMA user_version = 3", "INSERT INTO targets SELECT 9, checksum, seal FROM targets"}) {
    std::filesystem::remove_all(home_);
    std::filesystem::remove(Target("r1.certificate.json"));
    DieAfterPrepare([&] { server_.Put("seal of r1"); });
    Meddle(meddling);
    EXPECT_FALSE(OpenAsking()) << meddling;
  }
}

// Dies after each step of an order, and looks whether vault and server say the same.
TEST_F(TargetsTest, TheOrderIsWhatKeepsThemTogether) {
  const auto mismatches = [&](bool careless) {
    int wrong = 0;
    for (int step = 0; step <= 3; ++step) {
      std::filesystem::remove_all(home_);
      std::filesystem::remove_all(root_ + "/server");
      std::filesystem::remove(Target("r1.certificate.json"));
      server_ = Server(root_ + "/server");
      InDyingProcess([&]() -> bool {
        auto vault = Make();
        if (careless && step >= 1) server_.Put("seal of r1");
        if (step == (careless ? 1 : 0)) ::_exit(0);
        const auto number = vault->Prepare(Table("r1"));
        if (step == (careless ? 2 : 1)) ::_exit(0);
        (void)vault
            ->Commit(*number,
                     [&] {
                       if (!careless) server_.Put("seal of r1");
                       if (step == 2) ::_exit(0);
                       return Ok();
                     })
            .has_value();
        ::_exit(0);
      });
      wrong += (OpenAsking()->History()->size() == 1) != server_.Has("seal of r1") ? 1 : 0;
    }
    return wrong;
  };
  EXPECT_EQ(mismatches(false), 0);
  EXPECT_GT(mismatches(true), 0) << "who does not find this finds nothing";
}

}  // namespace
}  // namespace reissue::ledger
