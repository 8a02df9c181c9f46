// Every file operation of a publication fails in turn: for once, or as if the process had died.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "faulty_file_system.h"
#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

using testing::IsEmpty;

class FaultsTest : public VaultTest {
 protected:
  // A vault is made and R1.csv published from it, on a file system with a fault. Both vanish from
  // memory before the fault is healed.
  Status CreateAndPublish(io::FaultyFileSystem& faulty) {
    Vault vault = REISSUE_TRY(Vault::Create(faulty, home_, SomePolicy(), None()));
    return Publish(faulty, vault, Target("R1.csv"), "x", {{"state", "one"}});
  }

  // All or nothing, and everything works again.
  void ExpectAllOrNothing(bool reported_success) {
    const bool present = std::filesystem::exists(Target("R1.csv"));
    if (reported_success) {
      EXPECT_TRUE(present);
    }
    if (Vault::Exists(files_, home_)) {
      const auto seen = OpenToRead()->History();
      ASSERT_VALUE(seen);
      EXPECT_EQ(seen->size(), present ? 1u : 0u) << "to a reader, before recovery";
    }
    auto vault = Vault::Exists(files_, home_) ? OpenToWrite() : Make();
    ASSERT_VALUE(vault);
    EXPECT_THAT(Temporaries(), IsEmpty());
    ASSERT_EQ(vault->History()->size(), present ? 1u : 0u);
    EXPECT_EQ(vault->Unseal("state")->has_value(), present);
    EXPECT_EQ(std::filesystem::exists(Target("R1.csv")), present);
    EXPECT_EQ(std::filesystem::exists(Target("R1.csv.certificate.json")), present);
    if (present) {
      EXPECT_EQ(ReadAll(Target("R1.csv")), "x");
    }
    EXPECT_VALUE(Publish(*vault, "R2.csv"));
    EXPECT_THAT(Temporaries(), IsEmpty());
  }

  void StartOver() {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directory(root_);
  }
};

TEST_F(FaultsTest, EveryOperationMayFailOrBeTheLast) {
  io::FaultyFileSystem faulty(files_);
  ASSERT_VALUE(CreateAndPublish(faulty));
  const std::uint64_t operations = faulty.operations();
  ASSERT_GE(operations, 15u);
  for (const bool dies : {false, true}) {
    std::uint64_t unharmed = 0;
    for (std::uint64_t n = 1; n <= operations; ++n) {
      SCOPED_TRACE((dies ? "dies at " : "fails at ") + std::to_string(n));
      StartOver();
      faulty.WriteShort(n % 2);
      dies ? faulty.DieAt(n) : faulty.FailAt(n);
      const Status status = CreateAndPublish(faulty);
      faulty.Heal();
      if (status) ++unharmed;
      ExpectAllOrNothing(status.has_value());
      if (HasFatalFailure()) return;
    }
    EXPECT_LT(unharmed, operations / 2) << "most failures must be reported";
  }
}

TEST_F(FaultsTest, EveryOperationOfARecoveryMayBeTheLast) {
  for (const bool in_place : {false, true}) {
    for (std::uint64_t n = 1; n <= 8; ++n) {
      SCOPED_TRACE((in_place ? "finishing dies at " : "rolling back dies at ") + std::to_string(n));
      StartOver();
      InDyingProcess([&] {
        auto vault = Make();
        auto pending = Pend(files_, *vault, Target("R1.csv"), "x", {{"state", "one"}});
        if (!pending || !vault->Prepare(*pending)) return false;
        if (in_place) std::filesystem::rename(pending->temporary, Target("R1.csv"));
        ::_exit(0);
      });
      {
        io::FaultyFileSystem faulty(files_);
        faulty.DieAt(n);
        const auto vault = Vault::Open(faulty, home_, Access::kWrite, None());
        EXPECT_TRUE(n > 2 || !vault) << "the failure must be reported";
      }
      EXPECT_EQ(std::filesystem::exists(Target("R1.csv")), in_place);
      ExpectAllOrNothing(false);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace reissue::ledger
