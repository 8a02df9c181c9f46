#include "reissue/ledger/vault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

mode_t PermissionsOf(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777;
}

TEST_F(VaultTest, NobodyElseMayLookInsideWhateverTheUmaskSays) {
  for (const mode_t mask : {mode_t{0}, mode_t{0777}, mode_t{0022}}) {
    const mode_t before = ::umask(mask);
    const auto vault = Make();
    ::umask(before);
    ASSERT_VALUE(vault);
    EXPECT_EQ(PermissionsOf(home_), 0700u);
    for (const char* name : {"vault.db", "vault.db-wal", "vault.db-shm", "lock"}) {
      EXPECT_EQ(PermissionsOf(home_ + "/" + name), 0600u) << name << " with umask " << mask;
    }
    std::filesystem::remove_all(home_);
  }
}

TEST_F(VaultTest, PolicyComesBackToReadersAndPublishers) {
  ASSERT_VALUE(Make());
  for (const Access access : {Access::kRead, Access::kWrite}) {
    const auto vault = Vault::Open(files_, home_ + "//", access, None());
    ASSERT_VALUE(vault);
    EXPECT_EQ(vault->policy().model, SomePolicy().model);
    EXPECT_EQ(vault->policy().title, SomePolicy().title);
    EXPECT_EQ(vault->policy().text, SomePolicy().text);
    EXPECT_EQ(vault->policy().digest, SomePolicy().digest);
    EXPECT_EQ(vault->policy().path, SomePolicy().path);
    EXPECT_TRUE(vault->unprotected());
  }
  const auto needed = Vault::NeedsPassphrase(files_, home_);
  ASSERT_VALUE(needed);
  EXPECT_FALSE(*needed);
}

TEST_F(VaultTest, PassphraseIsAskedForAndChecked) {
  const Passphrase right{.none = false, .text = "correct horse"};
  ASSERT_VALUE(Vault::Create(files_, home_, SomePolicy(), right));
  EXPECT_TRUE(*Vault::NeedsPassphrase(files_, home_));

  const auto wrong = Vault::Open(files_, home_, Access::kWrite, {false, "Correct horse"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kInput);
  EXPECT_THAT(wrong.error().message, HasSubstr("not the passphrase"));
  EXPECT_FALSE(wrong.error().remedy.empty());

  for (const Passphrase& missing : {Passphrase{}, None()}) {
    const auto without = Vault::Open(files_, home_, Access::kWrite, missing);
    ASSERT_FALSE(without);
    EXPECT_EQ(without.error().code, ErrorCode::kInput);
    EXPECT_THAT(without.error().message, HasSubstr("none was given"));
  }
  EXPECT_VALUE(OpenToRead());
  const auto opened = Vault::Open(files_, home_, Access::kWrite, right);
  ASSERT_VALUE(opened);
  EXPECT_FALSE(opened->unprotected());
}

TEST_F(VaultTest, NewVaultNeedsSomePassphrase) {
  const auto vault = Vault::Create(files_, home_, SomePolicy(), Passphrase{});
  ASSERT_FALSE(vault);
  EXPECT_EQ(vault.error().code, ErrorCode::kUsage);
  EXPECT_FALSE(std::filesystem::exists(home_));
}

TEST_F(VaultTest, ExistsOnlyOnceComplete) {
  EXPECT_FALSE(Vault::Exists(files_, home_));
  EXPECT_THAT(OpenToWrite().error().message, HasSubstr("no such vault"));
  std::filesystem::create_directory(home_);
  EXPECT_FALSE(Vault::Exists(files_, home_));
  EXPECT_THAT(OpenToRead().error().message, HasSubstr("not a vault"));
  WriteAll(home_ + "/lock", "1\n");
  WriteAll(home_ + "/vault.db.new", "half of it");
  WriteAll(home_ + "/vault.db.new-journal", "something");
  EXPECT_FALSE(Vault::Exists(files_, home_));
  EXPECT_THAT(OpenToWrite().error().message, HasSubstr("interrupted"));
  ASSERT_VALUE(Make());
  EXPECT_TRUE(Vault::Exists(files_, home_));
  EXPECT_FALSE(std::filesystem::exists(home_ + "/vault.db.new"));
  EXPECT_FALSE(std::filesystem::exists(home_ + "/vault.db.new-journal"));
  ASSERT_VALUE(OpenToWrite());
}

TEST_F(VaultTest, CreateRefusesWhatIsNotItsOwn) {
  ASSERT_VALUE(Make());
  EXPECT_THAT(Make().error().message, HasSubstr("holds a vault already"));
  ASSERT_VALUE(OpenToWrite());

  std::filesystem::create_directory(root_ + "/other");
  WriteAll(root_ + "/other/thesis.txt", "years of work");
  const auto other = Vault::Create(files_, root_ + "/other", SomePolicy(), None());
  EXPECT_THAT(other.error().message, HasSubstr("other files"));
  const auto file = Vault::Create(files_, root_ + "/other/thesis.txt", SomePolicy(), None());
  EXPECT_THAT(file.error().message, HasSubstr("is a file"));
  EXPECT_EQ(ReadAll(root_ + "/other/thesis.txt"), "years of work");

  std::filesystem::create_directory(root_ + "/lost");
  WriteAll(root_ + "/lost/vault.db-wal", "the log of something that is gone");
  const auto lost = Vault::Create(files_, root_ + "/lost", SomePolicy(), None());
  EXPECT_THAT(lost.error().message, HasSubstr("has lost its vault.db"));
  const auto opened = Vault::Open(files_, root_ + "/lost", Access::kRead);
  EXPECT_THAT(opened.error().message, HasSubstr("has lost its vault.db"));
  const auto nowhere = Vault::Create(files_, root_ + "/a/b", SomePolicy(), None());
  EXPECT_EQ(nowhere.error().code, ErrorCode::kMachine);
}

TEST_F(VaultTest, PublishedReleasesAreListed) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  ASSERT_VALUE(Publish(*vault, "R1.csv"));
  ASSERT_VALUE(Publish(*vault, "R2.csv"));
  const auto history = vault->History();
  ASSERT_VALUE(history);
  ASSERT_EQ(history->size(), 2u);
  EXPECT_EQ((*history)[0].number, 1u);
  EXPECT_EQ((*history)[1].number, 2u);
  EXPECT_EQ((*history)[1].target, Target("R2.csv"));
  EXPECT_EQ((*history)[1].digest, io::Digest("content of R2.csv"));
  EXPECT_EQ((*history)[1].certificate, "{\"of\":\"" + Target("R2.csv") + "\"}");
  EXPECT_EQ((*history)[1].created, "2026-01-02T03:04:05Z");
  EXPECT_EQ((*history)[1].rows, 17u);
  EXPECT_EQ((*history)[1].set_aside, 2u);
  EXPECT_TRUE((*history)[1].file_present);
  EXPECT_EQ(ReadAll(Target("R2.csv")), "content of R2.csv");
  EXPECT_EQ(ReadAll(Target("R2.csv.certificate.json")), (*history)[1].certificate);
  EXPECT_THAT(Temporaries(), IsEmpty());
}

TEST_F(VaultTest, DeletedAndReplacedFilesAreNoticed) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  ASSERT_VALUE(Publish(*vault, "R1.csv"));
  std::filesystem::rename(Target("R1.csv"), Target("elsewhere.csv"));
  std::filesystem::remove(Target("R1.csv.certificate.json"));
  EXPECT_FALSE((*vault->History())[0].file_present);
  ASSERT_VALUE(Publish(*vault, "R1.csv"));
  const auto history = vault->History();
  ASSERT_EQ(history->size(), 2u);
  EXPECT_FALSE((*history)[0].file_present) << "the file of that name is the second release";
  EXPECT_TRUE((*history)[1].file_present);
}

TEST_F(VaultTest, SecretsGoLiveWithTheirRelease) {
  const std::string binary("a\0b\xff", 4);
  auto vault = Make();
  ASSERT_VALUE(vault);
  auto pending = Pend(files_, *vault, Target("R1.csv"), "x", {{"state", "one"}, {"other", binary}});
  ASSERT_VALUE(pending);
  const auto number = vault->Prepare(*pending);
  ASSERT_VALUE(number);
  EXPECT_EQ(*vault->Unseal("state"), std::nullopt);
  ASSERT_VALUE(vault->Commit(*number));
  EXPECT_EQ(*vault->Unseal("state"), "one");
  ASSERT_VALUE(Publish(*vault, "R2.csv", {{"state", ""}}));

  vault = Error{};
  vault = OpenToWrite();
  ASSERT_VALUE(vault);
  EXPECT_EQ(*vault->Unseal("state"), "");
  EXPECT_EQ(*vault->Unseal("other"), binary);
  EXPECT_EQ(*vault->Unseal("no such thing"), std::nullopt);
  EXPECT_THAT(ReadAll(home_ + "/vault.db"), testing::Not(HasSubstr(binary)));
}

TEST_F(VaultTest, KeysStayTheSameForOneVaultAndDifferBetweenTwo) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  const PersonKey person = *vault->KeyOf("4711");
  const std::string digest = *vault->KeyedDigest("a table");
  EXPECT_EQ(digest.size(), 64u);
  EXPECT_NE(digest, *vault->KeyedDigest("another table"));
  EXPECT_NE(person, *vault->KeyOf("4712"));
  EXPECT_NE(io::Digest("a table"), digest);
  auto other = Vault::Create(files_, root_ + "/other", SomePolicy(), None());
  ASSERT_VALUE(other);
  EXPECT_NE(person, *other->KeyOf("4711"));

  vault = Error{};
  vault = OpenToWrite();
  ASSERT_VALUE(vault);
  EXPECT_EQ(person, *vault->KeyOf("4711"));
  EXPECT_EQ(digest, *vault->KeyedDigest("a table"));
}

TEST_F(VaultTest, ReadersCannotDoWhatNeedsTheKey) {
  ASSERT_VALUE(Make());
  auto vault = OpenToRead();
  ASSERT_VALUE(vault);
  EXPECT_EQ(vault->KeyOf("4711").error().code, ErrorCode::kUsage);
  EXPECT_EQ(vault->KeyedDigest("x").error().code, ErrorCode::kUsage);
  EXPECT_EQ(vault->Unseal("state").error().code, ErrorCode::kUsage);
  EXPECT_EQ(vault->Reserve(Target("R1.csv")).error().code, ErrorCode::kUsage);
  EXPECT_EQ(vault->Prepare({}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(vault->Commit(1).error().code, ErrorCode::kUsage);
  EXPECT_EQ(vault->Abandon(1).error().code, ErrorCode::kUsage);
}

TEST_F(VaultTest, PrepareRefusesWithoutATrace) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  auto pending = Pend(files_, *vault, Target("R1.csv"), "x");
  ASSERT_VALUE(pending);
  WriteAll(Target("R1.csv"), "older");
  const auto exists = vault->Prepare(*pending);
  ASSERT_FALSE(exists);
  EXPECT_EQ(exists.error().code, ErrorCode::kInput);
  EXPECT_EQ(exists.error().place->file, Target("R1.csv"));
  EXPECT_EQ(ReadAll(Target("R1.csv")), "older");
  EXPECT_THAT(Temporaries(), IsEmpty());
  EXPECT_EQ(vault->Reserve(Target("R1.csv")).error().code, ErrorCode::kInput);

  auto torn = Pend(files_, *vault, Target("R2.csv"), "x");
  ASSERT_VALUE(torn);
  torn->record.digest = io::Digest("y");
  EXPECT_EQ(vault->Prepare(*torn).error().code, ErrorCode::kMachine);
  EXPECT_THAT(Temporaries(), IsEmpty());

  auto certified = Pend(files_, *vault, Target("R3.csv"), "x");
  WriteAll(Target("R3.csv.certificate.json"), "mine");
  EXPECT_EQ(vault->Prepare(*certified).error().code, ErrorCode::kInput);
  EXPECT_EQ(ReadAll(Target("R3.csv.certificate.json")), "mine");
  EXPECT_THAT(Temporaries(), IsEmpty());
  EXPECT_THAT(*vault->History(), IsEmpty());
  EXPECT_VALUE(Publish(*vault, "R4.csv"));
}

TEST_F(VaultTest, CallsThatMakeNoSenseTouchNothing) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  EXPECT_EQ(vault->Commit(1).error().code, ErrorCode::kUsage);
  EXPECT_EQ(vault->Abandon(1).error().code, ErrorCode::kUsage);
  const auto pending = Pend(files_, *vault, Target("R1.csv"), "x", {{"a", "1"}});
  ASSERT_VALUE(pending);
  auto twice = *pending;
  twice.secrets.emplace_back("a", "2");
  EXPECT_EQ(vault->Prepare(twice).error().code, ErrorCode::kUsage);
  auto elsewhere = *pending;
  elsewhere.record.target = home_ + "/R1.csv";
  EXPECT_EQ(vault->Prepare(elsewhere).error().code, ErrorCode::kUsage);
  auto same = *pending;
  same.temporary = same.record.target;
  EXPECT_EQ(vault->Prepare(same).error().code, ErrorCode::kUsage);
  ASSERT_VALUE(vault->Prepare(*pending));
  EXPECT_EQ(vault->Prepare(*pending).error().code, ErrorCode::kUsage);
  EXPECT_EQ(vault->Commit(2).error().code, ErrorCode::kUsage);
  ASSERT_VALUE(vault->Commit(1));
  EXPECT_EQ(vault->Commit(1).error().code, ErrorCode::kUsage);
  EXPECT_EQ(vault->Abandon(1).error().code, ErrorCode::kUsage);
}

TEST_F(VaultTest, CommitNeverReplacesAFile) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  auto pending = Pend(files_, *vault, Target("R1.csv"), "x", {{"state", "never"}});
  const auto number = vault->Prepare(*pending);
  ASSERT_VALUE(number);
  WriteAll(Target("R1.csv"), "came in between");
  const Status refused = vault->Commit(*number);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInput);
  EXPECT_FALSE(refused.error().remedy.empty());
  EXPECT_EQ(ReadAll(Target("R1.csv")), "came in between");
  EXPECT_THAT(Temporaries(), IsEmpty());
  EXPECT_THAT(*vault->History(), IsEmpty());
  EXPECT_EQ(*vault->Unseal("state"), std::nullopt);
  ASSERT_VALUE(Publish(*vault, "R2.csv"));
  EXPECT_EQ(vault->History()->at(0).number, 1u);
}

TEST_F(VaultTest, AbandonLeavesNothing) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  const auto number = vault->Prepare(*Pend(files_, *vault, Target("R1.csv"), "x"));
  ASSERT_VALUE(number);
  EXPECT_EQ(Temporaries().size(), 2u) << "of the release and of its certificate";
  ASSERT_VALUE(vault->Abandon(*number));
  EXPECT_THAT(Temporaries(), IsEmpty());
  EXPECT_THAT(*vault->History(), IsEmpty());
}

TEST_F(VaultTest, DestructionRollsBackWhatWasNotCommitted) {
  {
    auto vault = Make();
    ASSERT_VALUE(vault);
    ASSERT_VALUE(Pend(files_, *vault, Target("R0.csv"), "never prepared"));
    ASSERT_VALUE(vault->Prepare(*Pend(files_, *vault, Target("R1.csv"), "x")));
  }
  EXPECT_THAT(Temporaries(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(Target("R1.csv")));
  EXPECT_THAT(*OpenToWrite()->History(), IsEmpty());
}

TEST_F(VaultTest, AdoptsReleasesThatExistAlready) {
  WriteAll(Target("one.csv"), "1");
  const auto adopted = [&](const std::string& name, Secrets secrets) {
    Vault::Adopted release;
    release.record.target = Target(name);
    release.record.digest = io::Digest(name);
    release.record.created = "2026-01-02T03:04:05Z";
    release.record.rows = 3;
    release.secrets = std::move(secrets);
    return release;
  };
  {
    Vault vault = Make().value();
    ASSERT_TRUE(vault.Adopt({adopted("one.csv", {{"series/1", "first"}}),
                             adopted("gone.csv", {{"series/2", "second"}})}));
    EXPECT_FALSE(vault.Adopt({adopted("more.csv", {})})) << "only at the start of a series";
  }
  Vault vault = OpenToWrite().value();
  const auto history = vault.History().value();
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history[0].number, 1u);
  EXPECT_TRUE(history[0].adopted());
  EXPECT_TRUE(history[0].file_present);
  EXPECT_FALSE(history[1].file_present);
  EXPECT_EQ(vault.Unseal("series/1").value(), "first");
  EXPECT_EQ(vault.Unseal("series/2").value(), "second");
  EXPECT_EQ(ReadAll(Target("one.csv")), "1");
  // The series goes on.
  auto pending = Pend(files_, vault, Target("next.csv"), "next").value();
  const auto number = vault.Prepare(std::move(pending));
  ASSERT_TRUE(number);
  EXPECT_EQ(*number, 3u);
  ASSERT_TRUE(vault.Commit(*number));
  EXPECT_FALSE(vault.History()->back().adopted());
}

TEST_F(VaultTest, AdoptsAllOrNothing) {
  Vault vault = Make().value();
  Vault::Adopted twice;
  twice.record.target = Target("one.csv");
  twice.secrets = {{"series/1", "a"}, {"series/1", "b"}};
  EXPECT_FALSE(vault.Adopt({Vault::Adopted{twice.record, {}}, twice}));
  EXPECT_TRUE(vault.History()->empty());
}

}  // namespace
}  // namespace reissue::ledger
