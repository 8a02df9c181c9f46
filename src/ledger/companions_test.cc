// Releases of several files: all of them, or none.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

using testing::IsEmpty;

class CompanionsTest : public VaultTest {
 protected:
  // R1.csv with a public and a private companion.
  Result<Vault::Pending> PendThree(Vault& vault) {
    Vault::Pending pending = REISSUE_TRY(Pend(files_, vault, Target("R1.csv"), "main"));
    std::filesystem::create_directories(root_ + "/private");
    for (const bool owner_only : {false, true}) {
      Companion companion;
      companion.target = owner_only ? Target("private/copy.csv") : Target("R1.more.csv");
      companion.digest = io::Digest("more");
      companion.owner_only = owner_only;
      companion.temporary = REISSUE_TRY(vault.Reserve(companion.target));
      auto file = REISSUE_TRY(files_.Create(companion.temporary, true));
      REISSUE_TRY(file->Append("more"));
      REISSUE_TRY(file->Close());
      pending.companions.push_back(std::move(companion));
    }
    return pending;
  }

  bool There(const std::string& name) const { return std::filesystem::exists(Target(name)); }
  std::size_t FilesInPrivate() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(root_ + "/private"),
                      std::filesystem::directory_iterator()));
  }
  void ExpectNothing() {
    const auto vault = OpenToWrite();
    ASSERT_VALUE(vault);
    EXPECT_FALSE(There("R1.csv") || There("R1.more.csv") || There("R1.csv.certificate.json"));
    EXPECT_EQ(FilesInPrivate(), 0u);
    EXPECT_THAT(Temporaries(), IsEmpty());
  }
};

TEST_F(CompanionsTest, AllAreThereAfterCommit) {
  {
    auto vault = Make();
    auto pending = PendThree(*vault);
    ASSERT_VALUE(pending);
    const auto number = vault->Prepare(*pending);
    ASSERT_VALUE(number);
    EXPECT_FALSE(There("R1.more.csv"));
    ASSERT_VALUE(vault->Commit(*number));
  }
  EXPECT_EQ(ReadAll(Target("R1.csv")), "main");
  EXPECT_EQ(ReadAll(Target("R1.more.csv")), "more");
  struct stat mode {};
  ASSERT_EQ(::stat(Target("private/copy.csv").c_str(), &mode), 0);
  EXPECT_EQ(mode.st_mode & 0777, 0600u);
  EXPECT_THAT(Temporaries(), IsEmpty());
  EXPECT_EQ(FilesInPrivate(), 1u);
  // The next one opens it all the same.
  auto vault = OpenToWrite();
  ASSERT_VALUE(vault);
  EXPECT_VALUE(Publish(*vault, "R2.csv"));
  EXPECT_TRUE(There("R1.more.csv"));
}

TEST_F(CompanionsTest, DeathBeforeAnythingIsInPlace) {
  InDyingProcess([&] {
    auto vault = Make();
    auto pending = PendThree(*vault);
    if (!pending || !vault->Prepare(*pending)) return false;
    ::_exit(0);
  });
  ExpectNothing();
}

TEST_F(CompanionsTest, DeathBetweenTheFiles) {
  InDyingProcess([&] {
    auto vault = Make();
    auto pending = PendThree(*vault);
    if (!pending || !vault->Prepare(*pending)) return false;
    for (const Companion& companion : pending->companions) {
      std::filesystem::rename(companion.temporary, companion.target);
    }
    ::_exit(0);
  });
  EXPECT_TRUE(There("R1.more.csv"));
  ExpectNothing();
}

TEST_F(CompanionsTest, SomebodyElsesFileStaysAndNothingIsPublished) {
  {
    auto vault = Make();
    auto pending = PendThree(*vault);
    const auto number = vault->Prepare(*pending);
    ASSERT_VALUE(number);
    WriteAll(Target("private/copy.csv"), "of somebody else");
    EXPECT_FALSE(vault->Commit(*number));
  }
  EXPECT_EQ(ReadAll(Target("private/copy.csv")), "of somebody else");
  EXPECT_FALSE(There("R1.csv") || There("R1.more.csv"));
  EXPECT_THAT(Temporaries(), IsEmpty());
  EXPECT_EQ(FilesInPrivate(), 1u);
}

TEST_F(CompanionsTest, ADigestThatDiffersIsRefused) {
  auto vault = Make();
  auto pending = PendThree(*vault);
  pending->companions[0].digest = io::Digest("other");
  EXPECT_FALSE(vault->Prepare(*pending));
  EXPECT_THAT(Temporaries(), IsEmpty());
  EXPECT_EQ(FilesInPrivate(), 0u);
}

TEST_F(CompanionsTest, AFileThatChangedAfterItsDigestWasTakenIsRefused) {
  auto vault = Make();
  const auto take = [](Vault::Pending& pending) {
    for (const std::string& path : {pending.temporary, pending.companions[0].temporary}) {
      pending.fingerprints[path] = io::FingerprintOf(ReadAll(path));
    }
  };
  auto good = PendThree(*vault);
  take(*good);
  const auto number = vault->Prepare(*good);
  ASSERT_VALUE(number);
  ASSERT_VALUE(vault->Abandon(*number));
  for (const bool companion : {false, true}) {
    auto bad = PendThree(*vault);
    take(*bad);
    const std::string& path = companion ? bad->companions[0].temporary : bad->temporary;
    std::string bytes = ReadAll(path);
    bytes.back() ^= 1;
    WriteAll(path, bytes);
    EXPECT_FALSE(vault->Prepare(*bad));
    EXPECT_THAT(Temporaries(), IsEmpty());
  }
}

TEST_F(CompanionsTest, AChangedRecordIsNoticed) {
  {
    auto vault = Make();
    auto pending = PendThree(*vault);
    const auto number = vault->Prepare(*pending);
    ASSERT_VALUE(vault->Commit(*number));
  }
  Meddle("UPDATE companions SET digest = 'x' WHERE position = 2");
  EXPECT_FALSE(OpenToWrite());
}

}  // namespace
}  // namespace reissue::ledger
