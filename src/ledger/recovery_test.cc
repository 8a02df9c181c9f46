// Processes that die between the steps of a publication, and processes side by side.

#include "reissue/ledger/recovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class RecoveryTest : public VaultTest {
 protected:
  // Makes a vault, prepares R1.csv, does one thing more, and dies.
  void DieAfterPrepare(const std::function<void(const std::string& temporary)>& more) {
    InDyingProcess([&] {
      auto vault = Make();
      auto pending = Pend(files_, *vault, Target("R1.csv"), "x", {{"state", "one"}});
      if (!pending || !vault->Prepare(*pending)) return false;
      more(pending->temporary);
      ::_exit(0);
    });
  }

  // A reader without a key, and then a publisher, must come to the same conclusion.
  void ExpectPublished(bool present) {
    for (const Access access : {Access::kRead, Access::kWrite, Access::kRead}) {
      auto vault = Vault::Open(files_, home_, access, None());
      ASSERT_VALUE(vault);
      const auto history = vault->History();
      ASSERT_VALUE(history);
      ASSERT_EQ(history->size(), 1u);
      EXPECT_EQ(history->at(0).file_present, present);
      if (access == Access::kWrite) {
        EXPECT_EQ(*vault->Unseal("state"), "one");
      }
    }
    EXPECT_THAT(Temporaries(), IsEmpty());
  }
  void ExpectForgotten() {
    for (const Access access : {Access::kRead, Access::kWrite, Access::kRead}) {
      auto vault = Vault::Open(files_, home_, access, None());
      ASSERT_VALUE(vault);
      const auto history = vault->History();
      ASSERT_VALUE(history);
      EXPECT_THAT(*history, IsEmpty());
      if (access == Access::kWrite) {
        EXPECT_EQ(*vault->Unseal("state"), std::nullopt);
      }
    }
    EXPECT_THAT(Temporaries(), IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(Target("R1.csv.certificate.json")));
  }
};

TEST_F(RecoveryTest, DeathWhileTheTemporaryIsWritten) {
  InDyingProcess([&] {
    auto vault = Make();
    const auto temporary = vault->Reserve(Target("R1.csv"));
    if (!temporary) return false;
    WriteAll(*temporary, "half of");
    ::_exit(0);
  });
  EXPECT_EQ(Temporaries().size(), 1u);
  ExpectForgotten();
}

TEST_F(RecoveryTest, DeathBeforeTheRename) {
  DieAfterPrepare([](const std::string&) {});
  EXPECT_EQ(Temporaries().size(), 2u);
  ExpectForgotten();
  EXPECT_FALSE(std::filesystem::exists(Target("R1.csv")));
}

TEST_F(RecoveryTest, DeathAfterTheRename) {
  DieAfterPrepare(
      [&](const std::string& temporary) { std::filesystem::rename(temporary, Target("R1.csv")); });
  ExpectPublished(true);
  EXPECT_EQ(ReadAll(Target("R1.csv.certificate.json")), "{\"of\":\"" + Target("R1.csv") + "\"}");
}

TEST_F(RecoveryTest, DeathBetweenLinkAndUnlink) {
  DieAfterPrepare([&](const std::string& temporary) {
    std::filesystem::create_hard_link(temporary, Target("R1.csv"));
  });
  ExpectPublished(true);
}

TEST_F(RecoveryTest, WhatMayHaveBeenSeenCountsAsSeen) {
  DieAfterPrepare([&](const std::string& temporary) {
    std::filesystem::rename(temporary, Target("moved by its reader.csv"));
  });
  ExpectPublished(false);
}

TEST_F(RecoveryTest, EditedAfterTheRename) {
  DieAfterPrepare([&](const std::string& temporary) {
    std::filesystem::rename(temporary, Target("R1.csv"));
    WriteAll(Target("R1.csv"), "saved again by a spreadsheet");
  });
  ExpectPublished(true);
  EXPECT_EQ(ReadAll(Target("R1.csv")), "saved again by a spreadsheet");
}

TEST_F(RecoveryTest, ForeignFileAtTheTargetStays) {
  DieAfterPrepare([&](const std::string&) { WriteAll(Target("R1.csv"), "foreign"); });
  ExpectForgotten();
  EXPECT_EQ(ReadAll(Target("R1.csv")), "foreign");
}

TEST_F(RecoveryTest, ForeignCertificateStays) {
  DieAfterPrepare([&](const std::string& temporary) {
    std::filesystem::rename(temporary, Target("R1.csv"));
    WriteAll(Target("R1.csv.certificate.json"), "foreign");
  });
  ExpectPublished(true);
  EXPECT_EQ(ReadAll(Target("R1.csv.certificate.json")), "foreign");
}

TEST_F(RecoveryTest, UnreachableDirectoryIsAskedForNotGuessedAt) {
  std::filesystem::create_directory(root_ + "/stick");
  InDyingProcess([&] {
    auto vault = Make();
    auto pending = Pend(files_, *vault, root_ + "/stick/R1.csv", "x");
    if (!pending || !vault->Prepare(*pending)) return false;
    ::_exit(0);
  });
  std::filesystem::rename(root_ + "/stick", root_ + "/unplugged");
  const auto vault = OpenToWrite();
  ASSERT_FALSE(vault);
  EXPECT_EQ(vault.error().code, ErrorCode::kMachine);
  EXPECT_THAT(vault.error().remedy, HasSubstr("available again"));
  std::filesystem::rename(root_ + "/unplugged", root_ + "/stick");
  ExpectForgotten();
  EXPECT_TRUE(std::filesystem::is_empty(root_ + "/stick"));
}

TEST_F(RecoveryTest, ReadersDoNotWrite) {
  DieAfterPrepare(
      [&](const std::string& temporary) { std::filesystem::rename(temporary, Target("R1.csv")); });
  const std::string database = ReadAll(home_ + "/vault.db");
  const std::string log = ReadAll(home_ + "/vault.db-wal");
  ASSERT_EQ(OpenToRead()->History()->size(), 1u);
  EXPECT_EQ(ReadAll(home_ + "/vault.db"), database);
  EXPECT_EQ(ReadAll(home_ + "/vault.db-wal"), log);
  EXPECT_EQ(Temporaries().size(), 1u) << "the certificate's, which waits for a publisher";
}

TEST_F(RecoveryTest, ReadersWorkBesideAPublisher) {
  auto publisher = Make();
  ASSERT_VALUE(publisher);
  auto reader = OpenToRead();
  ASSERT_VALUE(reader);
  EXPECT_THAT(*reader->History(), IsEmpty());
  const auto number = publisher->Prepare(*Pend(files_, *publisher, Target("R1.csv"), "x"));
  ASSERT_VALUE(number);
  EXPECT_THAT(*reader->History(), IsEmpty());
  EXPECT_THAT(*OpenToRead()->History(), IsEmpty());
  ASSERT_VALUE(publisher->Commit(*number));
  EXPECT_EQ(reader->History()->size(), 1u);
  EXPECT_EQ(OpenToRead()->History()->size(), 1u);
}

TEST_F(RecoveryTest, ReadersWorkOnAReadOnlyMedium) {
  {
    auto vault = Make();
    ASSERT_VALUE(vault);
    ASSERT_VALUE(Publish(*vault, "R1.csv"));
  }
  // Root may write everywhere, so somebody else looks. Whoever is not root, looks for himself.
  const bool root = ::geteuid() == 0;
  const uid_t nobody = 65534;
  ASSERT_EQ(::chmod(root_.c_str(), 0755), 0);
  if (root) {
    ASSERT_EQ(::chown(home_.c_str(), nobody, nobody), 0);
    ASSERT_EQ(::chown((home_ + "/vault.db").c_str(), nobody, nobody), 0);
  }
  ASSERT_EQ(::chmod((home_ + "/vault.db").c_str(), 0400), 0);
  ASSERT_EQ(::chmod(home_.c_str(), 0500), 0);
  InDyingProcess([&] {
    if (root && ::setuid(nobody) != 0) return false;
    auto vault = OpenToRead();
    return vault && vault->History() && vault->History()->size() == 1;
  });
  ASSERT_EQ(::chmod(home_.c_str(), 0700), 0);
}

TEST_F(RecoveryTest, OnePublisherAtATime) {
  ASSERT_VALUE(Make());
  int ready[2], go[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(go), 0);
  const pid_t first = ::fork();
  ASSERT_GE(first, 0);
  if (first == 0) {
    auto vault = OpenToWrite();
    char token = vault ? 'y' : 'n';
    if (::write(ready[1], &token, 1) != 1 || ::read(go[0], &token, 1) != 1) ::_exit(1);
    ::_exit(vault && Publish(*vault, "R1.csv") ? 0 : 1);
  }
  char token = 0;
  ASSERT_EQ(::read(ready[0], &token, 1), 1);
  ASSERT_EQ(token, 'y');
  const auto second = OpenToWrite();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kMachine);
  EXPECT_THAT(second.error().message, HasSubstr("process " + std::to_string(first)));
  EXPECT_FALSE(second.error().remedy.empty());
  EXPECT_VALUE(OpenToRead());
  EXPECT_THAT(Make().error().message, HasSubstr("holds a vault already"));

  ASSERT_EQ(::write(go[1], &token, 1), 1);
  int outcome = 0;
  ASSERT_EQ(::waitpid(first, &outcome, 0), first);
  EXPECT_EQ(outcome, 0);
  // The file is still there, with the number of a process that is gone.
  EXPECT_THAT(ReadAll(home_ + "/lock"), HasSubstr(std::to_string(first)));
  auto vault = OpenToWrite();
  ASSERT_VALUE(vault);
  ASSERT_VALUE(Publish(*vault, "R2.csv"));
  EXPECT_EQ(vault->History()->size(), 2u);
}

// Many at once: each either publishes or is told who does.
TEST_F(RecoveryTest, ManyPublishersAtOnce) {
  ASSERT_VALUE(Make());
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto vault = OpenToWrite();
      if (!vault) ::_exit(vault.error().code == ErrorCode::kMachine ? 7 : 1);
      const bool done = Publish(*vault, "P" + std::to_string(i)).has_value();
      vault = Error{};
      ::_exit(done ? 0 : 1);
    }
    children.push_back(child);
  }
  std::size_t published = 0;
  for (const pid_t child : children) {
    int outcome = 0;
    ASSERT_EQ(::waitpid(child, &outcome, 0), child);
    ASSERT_TRUE(WIFEXITED(outcome));
    EXPECT_TRUE(WEXITSTATUS(outcome) == 0 || WEXITSTATUS(outcome) == 7) << WEXITSTATUS(outcome);
    if (WEXITSTATUS(outcome) == 0) ++published;
  }
  EXPECT_GE(published, 1u);
  EXPECT_EQ(OpenToWrite()->History()->size(), published);
}

}  // namespace
}  // namespace reissue::ledger
