#include "reissue/io/rehearsal.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <map>

#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

class RehearsedVaultTest : public VaultTest {
 protected:
  // Everything below the directory of the test, by path.
  std::map<std::string, std::string> Everything() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_)) {
      all[entry.path().string()] = entry.is_regular_file() ? ReadAll(entry.path()) : "/";
    }
    return all;
  }
};

TEST_F(RehearsedVaultTest, PublishesInMemoryAndLeavesTheVaultAsItIs) {
  {
    auto vault = Make();
    ASSERT_TRUE(vault) << vault.error().ToString();
    ASSERT_TRUE(Publish(*vault, "one.csv", {{"state", "first"}}));
  }
  // What a reader leaves: an empty log, and shared memory that nobody may touch.
  EXPECT_EQ(OpenToRead()->History()->size(), 1u);
  ASSERT_TRUE(std::filesystem::exists(home_ + "/vault.db-wal"));
  WriteAll(home_ + "/vault.db-shm", "as it was");
  const auto before = Everything();
  {
    io::RehearsalFiles files(files_);
    EXPECT_FALSE(Vault::NeedsPassphrase(files_, home_).value());
    auto vault = Vault::Rehearse(files, home_, None());
    ASSERT_TRUE(vault) << vault.error().ToString();
    EXPECT_EQ(*vault->Unseal("state"), "first");
    for (const char* name : {"two.csv", "three.csv"}) {
      const Status done = Publish(files, *vault, Target(name), name, {{"state", name}});
      ASSERT_TRUE(done) << done.error().ToString();
    }
    EXPECT_EQ(vault->History()->size(), 3u);
    EXPECT_EQ(*vault->Unseal("state"), "three.csv");
    EXPECT_TRUE(files.Exists(Target("three.csv.certificate.json")));
    EXPECT_EQ(Everything(), before);
  }
  EXPECT_EQ(Everything(), before);
  auto vault = OpenToWrite();
  ASSERT_TRUE(vault);
  EXPECT_EQ(vault->History()->size(), 1u);
  EXPECT_EQ(*vault->Unseal("state"), "first");
}

TEST_F(RehearsedVaultTest, SignsAndKnowsPeopleAsTheVaultDoes) {
  auto real = Make();
  ASSERT_TRUE(real);
  io::RehearsalFiles files(files_);
  // While somebody has it open for writing.
  auto copy = Vault::Rehearse(files, home_, None());
  ASSERT_TRUE(copy) << copy.error().ToString();
  EXPECT_EQ(*copy->KeyOf("anna"), *real->KeyOf("anna"));
  EXPECT_EQ(*copy->PublicKey(), *real->PublicKey());
  auto other = Vault::Rehearse(files, SomePolicy());
  ASSERT_TRUE(other);
  EXPECT_NE(*other->PublicKey(), *real->PublicKey());
}

TEST_F(RehearsedVaultTest, OfASeriesThatHasNotBegunMakesNoDirectory) {
  io::RehearsalFiles files(files_);
  auto vault = Vault::Rehearse(files, SomePolicy());
  ASSERT_TRUE(vault) << vault.error().ToString();
  ASSERT_TRUE(Publish(files, *vault, Target("one.csv"), "rows"));
  EXPECT_EQ(vault->History()->size(), 1u);
  EXPECT_THAT(Everything(), testing::IsEmpty());
  EXPECT_FALSE(Vault::Rehearse(files, home_, None()));
}

TEST_F(RehearsedVaultTest, WhatWasInterruptedIsFinishedInMemoryAlone) {
  InDyingProcess([&] {
    auto vault = Make();
    auto pending = Pend(files_, *vault, Target("one.csv"), "rows");
    if (!pending || !vault->Prepare(*std::move(pending))) return false;
    ::_exit(0);  // before the vault can clean up
  });
  const auto before = Everything();
  ASSERT_FALSE(Temporaries().empty());
  io::RehearsalFiles files(files_);
  {
    auto vault = Vault::Rehearse(files, home_, None());
    ASSERT_TRUE(vault) << vault.error().ToString();
    EXPECT_TRUE(vault->History()->empty());
    ASSERT_TRUE(Publish(files, *vault, Target("one.csv"), "other rows"));
  }
  auto after = Everything();
  // A log that is there is read beside whoever writes it; its index is no record.
  after[home_ + "/vault.db-shm"] = before.count(home_ + "/vault.db-shm") > 0
                                       ? before.at(home_ + "/vault.db-shm")
                                       : after[home_ + "/vault.db-shm"];
  EXPECT_EQ(after, before);
}

TEST_F(RehearsedVaultTest, AChangedVaultIsRefused) {
  ASSERT_TRUE(Make());
  std::string bytes = ReadAll(home_ + "/vault.db");
  const std::size_t at = bytes.find("00ff");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = '1';
  WriteAll(home_ + "/vault.db", bytes);
  io::RehearsalFiles files(files_);
  EXPECT_FALSE(Vault::Rehearse(files, home_, None()));
}

}  // namespace
}  // namespace reissue::ledger
