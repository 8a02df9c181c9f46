// A vault as a whole: passphrase, copies, marks, earlier formats.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/ledger/signature.h"
#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class UpkeepTest : public VaultTest {
 protected:
  static Passphrase Text(const std::string& text) { return {.none = false, .text = text}; }

  void MakeSeries(const Passphrase& passphrase) {
    auto vault = Vault::Create(files_, home_, SomePolicy(), passphrase);
    ASSERT_VALUE(vault);
    ASSERT_VALUE(Publish(*vault, "R1.csv", {{"state", "first"}}));
    ASSERT_VALUE(Publish(*vault, "R2.csv", {{"state", "second"}}));
  }

  // One of the vaults that earlier versions made, from the source tree.
  void TakeEarlier(const std::string& format) {
    std::filesystem::create_directory(home_);
    std::filesystem::copy_file(
        std::string(REISSUE_SOURCE_DIR) + "/tests/golden/_vaults/" + format + "/vault.db",
        home_ + "/vault.db");
  }
};

TEST_F(UpkeepTest, ThePassphraseCanBeChanged) {
  MakeSeries(None());
  {
    auto vault = OpenToWrite();
    ASSERT_VALUE(vault);
    ASSERT_VALUE(vault->ChangePassphrase(Text("second to none")));
    EXPECT_EQ(**vault->Unseal("state"), "second");
  }
  EXPECT_THAT(OpenToWrite().error().message, HasSubstr("none was given"));
  auto vault = Vault::Open(files_, home_, Access::kWrite, Text("second to none"));
  ASSERT_VALUE(vault);
  EXPECT_EQ(**vault->Unseal("state"), "second");
  EXPECT_EQ(vault->History()->size(), 2u);
}

TEST_F(UpkeepTest, AnExportIsTheWholeVault) {
  MakeSeries(Text("a long passphrase"));
  std::string exported;
  {
    auto publisher = Vault::Open(files_, home_, Access::kWrite, Text("a long passphrase"));
    auto reader = Vault::Open(files_, home_, Access::kUnseal, Text("a long passphrase"));
    ASSERT_VALUE(reader);
    const auto bytes = reader->Export();
    ASSERT_VALUE(bytes);
    exported = *bytes;
    auto pending = Pend(files_, *publisher, Target("R3.csv"), "three");
    ASSERT_VALUE(publisher->Prepare(*pending));
    EXPECT_THAT(reader->Export().error().message, HasSubstr("being put in place"));
  }
  EXPECT_THAT(exported, Not(HasSubstr(SomePolicy().text)));
  const std::string copy = root_ + "/copy";
  EXPECT_FALSE(Vault::Import(files_, exported, "x", copy, Text("another passphrase")));
  EXPECT_FALSE(Vault::Exists(files_, copy));
  ASSERT_VALUE(Vault::Import(files_, exported, "x", copy, Text("a long passphrase")));
  auto vault = Vault::Open(files_, copy, Access::kWrite, Text("a long passphrase"));
  ASSERT_VALUE(vault);
  EXPECT_EQ(**vault->Unseal("state"), "second");
  EXPECT_EQ(vault->History()->size(), 2u);
  EXPECT_EQ(vault->policy().text, SomePolicy().text);
  EXPECT_FALSE(Vault::Import(files_, exported, "x", copy, Text("a long passphrase")));
}

TEST_F(UpkeepTest, AnExportThatWasChangedIsRefused) {
  MakeSeries(None());
  const auto exported = Vault::Open(files_, home_, Access::kUnseal, None())->Export();
  ASSERT_VALUE(exported);
  const std::string copy = root_ + "/copy";
  for (std::size_t at = 0; at < exported->size(); at += 1 + exported->size() / 400) {
    std::string changed = *exported;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(Vault::Import(files_, changed, "x", copy, None())) << at;
    EXPECT_FALSE(Vault::Import(files_, exported->substr(0, at), "x", copy, None())) << at;
  }
  EXPECT_FALSE(Vault::Exists(files_, copy));
  EXPECT_VALUE(Vault::Import(files_, *exported, "x", copy, None()));
}

TEST_F(UpkeepTest, ReadersWithTheKeyDoNotWaitForAPublisher) {
  MakeSeries(None());
  auto publisher = OpenToWrite();
  ASSERT_VALUE(publisher);
  auto reader = Vault::Open(files_, home_, Access::kUnseal, None());
  ASSERT_VALUE(reader);
  EXPECT_EQ(**reader->Unseal("state"), "second");
  ASSERT_VALUE(Publish(*publisher, "R3.csv", {{"state", "third"}}));
  EXPECT_FALSE(reader->Reserve(Target("R4.csv")));
  EXPECT_FALSE(reader->ChangePassphrase(Text("x")));
}

TEST_F(UpkeepTest, AMarkTellsAnOldCopy) {
  MakeSeries(None());
  const std::string old = root_ + "/old";
  std::filesystem::copy(home_, old, std::filesystem::copy_options::recursive);
  auto vault = OpenToWrite();
  const auto before = vault->Mark();
  ASSERT_VALUE(before);
  ASSERT_VALUE(Publish(*vault, "R3.csv"));
  const auto mark = vault->Mark();
  ASSERT_VALUE(mark);
  EXPECT_TRUE(*vault->CheckMark(*mark, "m"));
  EXPECT_TRUE(*vault->CheckMark(*before, "m"));
  auto copy = Vault::Open(files_, old, Access::kWrite, None());
  ASSERT_VALUE(copy);
  EXPECT_TRUE(*copy->CheckMark(*before, "m"));
  EXPECT_THAT(copy->CheckMark(*mark, "m").error().message, HasSubstr("old copy"));
  // It goes another way, and comes as far.
  ASSERT_VALUE(Publish(*copy, "R3-again.csv"));
  EXPECT_THAT(copy->CheckMark(*mark, "m").error().message, HasSubstr("two copies"));
  EXPECT_THAT(vault->CheckMark(*copy->Mark(), "m").error().message, HasSubstr("two copies"));
}

TEST_F(UpkeepTest, AMarkCannotBeMadeWithoutTheKey) {
  MakeSeries(None());
  auto vault = OpenToWrite();
  const std::string mark = *vault->Mark();
  for (std::size_t at = 0; at < mark.size(); ++at) {
    std::string changed = mark;
    changed[at] = changed[at] == '1' ? '2' : '1';
    if (changed == mark) continue;
    const auto said = vault->CheckMark(changed, "m");
    // In another key it is a mark of somebody else; it never counts as ours.
    EXPECT_FALSE(said.has_value() && *said) << at;
  }
  EXPECT_FALSE(vault->CheckMark("", "m"));
}

TEST_F(UpkeepTest, SignaturesFitTheKeyOfTheVaultOnly) {
  MakeSeries(None());
  auto vault = OpenToWrite();
  const auto key = vault->PublicKey();
  ASSERT_VALUE(key);
  EXPECT_EQ(key->size(), kPublicKeyDigits);
  const std::string signature = *vault->Sign("bytes");
  EXPECT_EQ(signature.size(), kSignatureDigits);
  EXPECT_TRUE(SignatureFits(*key, "bytes", signature));
  EXPECT_FALSE(SignatureFits(*key, "Bytes", signature));
  EXPECT_FALSE(SignatureFits(*key, "bytes", std::string(kSignatureDigits, '0')));
  EXPECT_FALSE(SignatureFits(std::string(kPublicKeyDigits, '0'), "bytes", signature));
  EXPECT_FALSE(SignatureFits("", "bytes", ""));
  // The same after a change of passphrase, another one in another vault.
  ASSERT_VALUE(vault->ChangePassphrase(Text("something long")));
  EXPECT_EQ(*vault->PublicKey(), *key);
  home_ = root_ + "/other";
  EXPECT_NE(*Make()->PublicKey(), *key);
}

TEST_F(UpkeepTest, VaultsOfEarlierFormatsAreReadAndUpgraded) {
  const Passphrase passphrase = Text("a passphrase of earlier years");
  for (const std::string format : {"format-1", "format-2"}) {
    SCOPED_TRACE(format);
    std::filesystem::remove_all(home_);
    TakeEarlier(format);
    EXPECT_EQ(OpenToRead()->History()->size(), 2u);
    auto reader = Vault::Open(files_, home_, Access::kUnseal, passphrase);
    ASSERT_VALUE(reader);
    const std::vector<std::string> names = *reader->Secrets();
    std::vector<std::string> before;
    for (const std::string& name : names) before.push_back(**reader->Unseal(name));
    EXPECT_FALSE(names.empty());
    reader = Error{};
    const auto refused = Vault::Open(files_, home_, Access::kWrite, passphrase);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().remedy, HasSubstr("vault upgrade"));
    // Whoever has to approve can refuse.
    EXPECT_FALSE(Vault::Upgrade(files_, home_, passphrase,
                                [](Vault&) -> Status { return InputError("no", ""); }));
    EXPECT_EQ(OpenToRead()->format(), format == "format-1" ? 1u : 2u);
    ASSERT_VALUE(Vault::Upgrade(files_, home_, passphrase, [](Vault&) { return Ok(); }));
    auto vault = Vault::Open(files_, home_, Access::kWrite, passphrase);
    ASSERT_VALUE(vault);
    EXPECT_EQ(vault->format(), 3u);
    EXPECT_EQ(vault->History()->size(), 2u);
    ASSERT_EQ(*vault->Secrets(), names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(**vault->Unseal(names[i]), before[i]) << names[i];
    }
    ASSERT_VALUE(Publish(*vault, format + ".csv"));
    vault = Error{};
    EXPECT_FALSE(Vault::Upgrade(files_, home_, passphrase, [](Vault&) { return Ok(); }));
    // What was upgraded cannot be made to look as before: its key does not open so.
    Meddle("PRAGMA user_version = 2");
    EXPECT_FALSE(Vault::Upgrade(files_, home_, passphrase, [](Vault&) { return Ok(); }));
  }
}

// Format 4 has a policy that changed with its second release, format 5 states in pieces; in format
// 6 that release is a table.
TEST_F(UpkeepTest, VaultsThatNeedNoUpgradeGoOn) {
  const Passphrase passphrase = Text("a passphrase of earlier years");
  for (const unsigned format : {3u, 4u, 5u, 6u}) {
    SCOPED_TRACE(format);
    std::filesystem::remove_all(home_);
    TakeEarlier("format-" + std::to_string(format));
    auto vault = Vault::Open(files_, home_, Access::kWrite, passphrase);
    ASSERT_VALUE(vault);
    EXPECT_EQ(vault->format(), format);
    const auto history = vault->History();
    ASSERT_VALUE(history);
    ASSERT_EQ(history->size(), 2u);
    EXPECT_EQ(history->at(1).is_table(), format == 6);
    EXPECT_EQ(history->at(1).target == "published.series_2", format == 6);
    EXPECT_EQ(history->at(1).seal.starts_with("postgres 1\n"), format == 6);
    const std::vector<std::string> names = *vault->Secrets();
    EXPECT_THAT(names, Contains("policy/1"));
    EXPECT_EQ(std::count(names.begin(), names.end(), "policy/2"), format == 4 ? 1 : 0);
    for (const std::string& name : names) {
      const auto opened = vault->Unseal(name);
      ASSERT_VALUE(opened);
      EXPECT_TRUE(opened->has_value()) << name;
      if (format == 5 && name == "persons") {
        ASSERT_EQ((*opened)->size(), 10000u);
        for (std::size_t i = 0; i < 10000; ++i) {
          ASSERT_EQ((**opened)[i], static_cast<char>((i * i + 2) % 251)) << i;
        }
      }
    }
    ASSERT_VALUE(Publish(*vault, "third-" + std::to_string(format) + ".csv"));
    EXPECT_EQ(vault->History()->size(), 3u);
  }
}

TEST_F(UpkeepTest, AnInterruptedUpgradeLeavesTheVaultAsItWas) {
  const Passphrase passphrase = Text("a passphrase of earlier years");
  TakeEarlier("format-2");
  InDyingProcess([&] {
    return !Vault::Upgrade(files_, home_, passphrase, [](Vault&) -> Status { ::_exit(0); });
  });
  EXPECT_EQ(OpenToRead()->format(), 2u);
  EXPECT_EQ(OpenToRead()->History()->size(), 2u);
}

}  // namespace
}  // namespace reissue::ledger
