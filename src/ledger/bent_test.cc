// Somebody who can write the vault's directory, knows this program, and has not the key. Checksums
// anybody can make, so he makes them; nothing that he does is believed, and no file is deleted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "reissue/core/random.h"
#include "reissue/ledger/pieces.h"
#include "reissue/ledger/records.h"
#include "reissue/ledger/seal.h"
#include "rounds.h"
#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

using testing::HasSubstr;

class BentVaultTest : public VaultTest {
 protected:
  void MakeSeries(const Passphrase& passphrase = None()) {
    auto vault = Vault::Create(files_, home_, SomePolicy(), passphrase);
    ASSERT_VALUE(vault);
    ASSERT_VALUE(Publish(*vault, "R1.csv", {{"state", "first"}, {"series/1", "one"}}));
    first_ = Copy();
    ASSERT_VALUE(Publish(*vault, "R2.csv", {{"state", "second"}, {"series/2", "two"}}));
    vault = Error{};
    Meddle("PRAGMA wal_checkpoint(TRUNCATE)");
    sound_ = ReadAll(File());
  }

  std::string File() const { return home_ + "/vault.db"; }

  // The database as it is now, the log included.
  std::string Copy() const {
    const std::string copy = root_ + "/copy.db";
    std::filesystem::remove(copy);
    Meddle("VACUUM INTO '" + copy + "'");
    return copy;
  }

  void Restore() const {
    std::filesystem::remove(File() + "-wal");
    std::filesystem::remove(File() + "-shm");
    WriteAll(File(), sound_);
  }

  // Writes rows as the program does, with their checksums.
  void Rewrite(const std::function<void(Header&)>& change_header,
               const std::function<void(StoredRelease&)>& change_last) {
    auto database = Database::Open(File(), Database::Mode::kWrite);
    ASSERT_VALUE(database);
    Header header = *LoadHeader(**database);
    change_header(header);
    ASSERT_VALUE(ReplaceKey(**database, header));
    std::vector<StoredRelease> releases = *LoadReleases(**database);
    StoredRelease last = releases.back();
    change_last(last);
    ASSERT_VALUE(
        (*database)->Run("PRAGMA foreign_keys = OFF; DELETE FROM releases WHERE number = 2"));
    ASSERT_VALUE(InsertRelease(**database, last));
    if (last.published) {
      ASSERT_VALUE(MarkPublished(**database, 2));
    }
  }

  // Writes the pages of another file that are not those of the sound one.
  void Forge(const std::string& forged) const {
    constexpr std::size_t kPage = 16384;
    std::fstream file(File(), std::ios::binary | std::ios::in | std::ios::out);
    for (std::size_t at = kPage; at < forged.size(); at += kPage) {
      if (forged.compare(at, kPage, sound_, at, kPage) == 0) continue;
      file.seekp(static_cast<std::streamoff>(at)).write(forged.data() + at, kPage);
    }
    ASSERT_TRUE(file.flush());
  }

  void ExpectRefused(const Passphrase& passphrase = None()) {
    for (const Access access : {Access::kWrite, Access::kUnseal}) {
      const auto vault = Vault::Open(files_, home_, access, passphrase);
      ASSERT_FALSE(vault);
      EXPECT_EQ(vault.error().code, ErrorCode::kInput) << vault.error().ToString();
      EXPECT_NE(vault.error().remedy, "");
    }
    for (const char* name : {"R1.csv", "R2.csv", "R1.csv.certificate.json", "precious"}) {
      EXPECT_TRUE(std::filesystem::exists(Target(name))) << name;
    }
  }

  std::string sound_, first_;
};

TEST_F(BentVaultTest, NoRowCanBeChangedAddedOrRemoved) {
  MakeSeries();
  WriteAll(Target("precious"), "of somebody else");
  const std::string precious = Target("precious");
  const std::string hidden = Target(".precious.reissue-00000000.tmp");
  WriteAll(hidden, "named like one of ours");
  const std::vector<std::string> changes = {
      "DELETE FROM releases WHERE number = 2",
      "DELETE FROM releases",
      "UPDATE releases SET state = 'prepared' WHERE number = 2",
      "INSERT INTO temporaries VALUES ('" + precious + "')",
      "INSERT INTO temporaries VALUES ('" + hidden + "')",
      "INSERT INTO companions VALUES (2, 1, x'00', 'a', 'b', 'c', 0)",
      "DELETE FROM secrets WHERE name = 'state'",
      "DELETE FROM secrets",
      "UPDATE secrets SET name = 'series/9' WHERE name = 'series/1'",
      "UPDATE secrets SET release = 1 WHERE name = 'state'",
      "UPDATE secrets SET tag = (SELECT tag FROM secrets WHERE name = 'series/1'), "
      "sealed = (SELECT sealed FROM secrets WHERE name = 'series/1') WHERE name = 'series/2'",
      "UPDATE secrets SET sealed = zeroblob(length(sealed)), tag = zeroblob(40)",
      "UPDATE secrets SET tag = zeroblob(40)",
      "INSERT INTO secrets VALUES (2, 'more', zeroblob(40), x'00')",
      // What an old copy has, put into the new one.
      "ATTACH '" + first_ +
          "' AS old; UPDATE secrets SET "
          "tag = (SELECT tag FROM old.secrets WHERE name = 'state'), "
          "sealed = (SELECT sealed FROM old.secrets WHERE name = 'state') WHERE name = 'state'",
      "ATTACH '" + first_ + "' AS old; UPDATE seal SET content = (SELECT content FROM old.seal)",
      "ATTACH '" + first_ + "' AS old; DELETE FROM releases WHERE number = 2",
      "DELETE FROM seal",
      "UPDATE seal SET content = zeroblob(32)",
      "CREATE TRIGGER t AFTER INSERT ON releases BEGIN DELETE FROM releases WHERE number < "
      "new.number; END",
      "CREATE VIEW v AS SELECT * FROM releases",
      "CREATE INDEX i ON releases (digest)",
      "CREATE TABLE more (x)",
      "ALTER TABLE temporaries ADD COLUMN more TEXT",
      "DROP TABLE seal",
      "DROP TABLE companions",
      "UPDATE vault SET wrapped = 1",
      "UPDATE vault SET checksum = x'00'",
  };
  for (const std::string& sql : changes) {
    SCOPED_TRACE(sql);
    Restore();
    Meddle(sql);
    ExpectRefused();
  }
  EXPECT_TRUE(std::filesystem::exists(hidden));
  Restore();
  EXPECT_VALUE(OpenToWrite());
}

TEST_F(BentVaultTest, ChecksumsThatFitAreNotEnough) {
  MakeSeries();
  WriteAll(Target("precious"), "of somebody else");
  const auto same = [](auto&) {};
  const std::vector<std::function<void(Header&)>> headers = {
      [](Header& h) { h.policy.text += "\nk = 1\n"; },
      [](Header& h) { h.policy.digest = "11"; },
      [](Header& h) { h.policy.model = "k"; },
      [](Header& h) { h.policy.title = "other"; },
      [](Header& h) { h.policy.path = "/tmp/other"; },
      [](Header& h) { h.id = RandomBytes(kVaultIdBytes); },
      [](Header& h) { h.key.content = RandomBytes(32); }};
  for (const auto& change : headers) {
    Restore();
    Rewrite(change, same);
    ExpectRefused();
  }
  const std::vector<std::function<void(StoredRelease&)>> releases = {
      [](StoredRelease& r) { r.record.digest = io::Digest("other"); },
      [](StoredRelease& r) { r.record.target += "x"; },
      [](StoredRelease& r) { r.record.certificate = "{}"; },
      [](StoredRelease& r) { r.record.rows = 1; },
      [](StoredRelease& r) { r.record.set_aside = 0; },
      [](StoredRelease& r) { r.record.created = "1970-01-01T00:00:00Z"; },
      [](StoredRelease& r) { r.published = false; },
      [&](StoredRelease& r) {
        r.published = false;
        r.temporary = Target("precious");
      },
      [&](StoredRelease& r) {
        r.companions = {
            {Target("R9.csv"), Target("precious"), io::Digest("of somebody else"), false}};
      }};
  for (const auto& change : releases) {
    Restore();
    Rewrite(same, change);
    ExpectRefused();
  }
  Restore();
  EXPECT_VALUE(OpenToWrite());
}

// He may have written all of it in another encoding, which is one more way to say the same.
TEST_F(BentVaultTest, TextsOfAnotherEncodingAreReadWhereTheyAre) {
  const auto database = Database::InMemory("vault.db", "");
  ASSERT_VALUE(database);
  ASSERT_VALUE((*database)->Run("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (x)"));
  const auto text = (*database)->QueryText("SELECT 'what lies here'");
  ASSERT_VALUE(text);
  EXPECT_EQ(*text, "what lies here");
}

// A row that is written back as it was is no change.
TEST_F(BentVaultTest, TheTestItselfChangesNothingElse) {
  MakeSeries();
  Rewrite([](Header&) {}, [](StoredRelease&) {});
  const auto vault = OpenToWrite();
  // The secrets of release 2 survive, since foreign keys are off while it is replaced.
  ASSERT_VALUE(vault);
}

TEST_F(BentVaultTest, AnotherVaultInItsPlaceIsRefused) {
  const Passphrase passphrase{.none = false, .text = "only the holder knows"};
  MakeSeries(passphrase);
  WriteAll(Target("precious"), "of somebody else");
  // One without a passphrase, of the intruder's own making.
  const std::string theirs = root_ + "/theirs";
  VaultPolicy weaker = SomePolicy();
  weaker.text = "k = 1";
  ASSERT_VALUE(Vault::Create(files_, theirs, weaker, None()));
  Restore();
  std::filesystem::copy_file(theirs + "/vault.db", File(),
                             std::filesystem::copy_options::overwrite_existing);
  ExpectRefused(passphrase);
  // His passphrase for the same policy.
  std::filesystem::remove_all(theirs);
  ASSERT_VALUE(Vault::Create(files_, theirs, SomePolicy(), {.none = false, .text = "his"}));
  std::filesystem::copy_file(theirs + "/vault.db", File(),
                             std::filesystem::copy_options::overwrite_existing);
  ExpectRefused(passphrase);
  // The key of the holder's vault beside his policy.
  Restore();
  Rewrite([](Header& h) { h.policy.text = "k = 1"; }, [](StoredRelease&) {});
  ExpectRefused(passphrase);
  // An earlier format, which had no seal.
  Meddle("DROP TABLE seal; PRAGMA user_version = 2");
  ExpectRefused(passphrase);
  Restore();
  EXPECT_VALUE(Vault::Open(files_, home_, Access::kWrite, passphrase));
}

TEST_F(BentVaultTest, WhatChangesWhileItIsOpenIsNoticed) {
  MakeSeries();
  auto vault = OpenToWrite();
  ASSERT_VALUE(vault);
  Meddle("DELETE FROM releases WHERE number = 2");
  EXPECT_FALSE(vault->History());
  EXPECT_FALSE(vault->Unseal("state"));
  EXPECT_FALSE(vault->Reserve(Target("R3.csv")));
}

TEST_F(BentVaultTest, AnOlderStateIsNotPutBackWhileItIsOpen) {
  MakeSeries();
  auto vault = OpenToWrite();
  ASSERT_VALUE(vault);
  ASSERT_VALUE(vault->History());
  Meddle("ATTACH '" + first_ +
         "' AS old; DELETE FROM releases WHERE number = 2; "
         "DELETE FROM secrets WHERE release = 2; "
         "INSERT INTO secrets SELECT * FROM old.secrets WHERE name = 'state'; "
         "UPDATE seal SET content = (SELECT content FROM old.seal)");
  EXPECT_FALSE(vault->History());
  vault = Error{};
  // By itself it is a state that was sealed; that it is old, a mark tells.
  EXPECT_VALUE(OpenToWrite());
}

TEST_F(BentVaultTest, AVaultThatIsGonePublishesNothing) {
  namespace fs = std::filesystem;
  MakeSeries();
  const std::string kept = root_ + "/kept", moved = root_ + "/moved";
  fs::copy(home_, kept, fs::copy_options::recursive);
  for (const bool replaced : {false, true}) {
    for (const bool removed : {false, true}) {
      SCOPED_TRACE(std::to_string(replaced) + std::to_string(removed));
      auto vault = OpenToWrite();
      ASSERT_VALUE(vault);
      const auto pending = Pend(files_, *vault, Target("R3.csv"), "three");
      ASSERT_VALUE(pending);
      const auto number = vault->Prepare(*pending);
      ASSERT_VALUE(number);
      fs::rename(home_, moved);
      if (removed) fs::remove_all(moved);
      if (replaced) fs::copy(kept, home_, fs::copy_options::recursive);
      const Status committed = vault->Commit(*number);
      ASSERT_FALSE(committed);
      EXPECT_THAT(committed.error().message, HasSubstr("removed, moved or replaced"));
      EXPECT_FALSE(fs::exists(Target("R3.csv")));
      EXPECT_FALSE(fs::exists(pending->temporary));
      vault = Error{};
      fs::remove_all(home_);
      fs::remove_all(moved);
      fs::copy(kept, home_, fs::copy_options::recursive);
    }
  }
}

TEST_F(BentVaultTest, OnlyNamesOfTemporariesAreRemoved) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  const std::string precious = Target("precious");
  WriteAll(precious, "of somebody else");
  vault = Error{};
  {
    // Whoever has the bare key of a vault without passphrase can seal what he likes.
    auto database = Database::Open(File(), Database::Mode::kWrite);
    ASSERT_VALUE(database);
    const Header header = *LoadHeader(**database);
    const auto key = UnwrapKey(header.key, None(), header.id, "");
    const auto keys = KeyRing::Make(*key, header.id);
    ASSERT_VALUE(keys);
    Seal seal(**database, &*keys);
    ASSERT_VALUE(seal.Write([&] { return PutTemporary(**database, precious); }));
  }
  EXPECT_VALUE(OpenToWrite());
  EXPECT_EQ(ReadAll(precious), "of somebody else");
}

// He waits until so much was written, or erased, that what was checked may have gone from memory.
TEST_F(BentVaultTest, WhatChangesBehindTheCheckIsNotSealed) {
  MakeSeries();
  WriteAll(Target("precious"), "of somebody else");
  Rewrite([](Header& h) { h.policy.text.replace(h.policy.text.find("k = 5"), 5, "k = 1"); },
          [](StoredRelease&) {});
  Meddle("PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string forged = ReadAll(File());
  const std::string large(std::size_t{60} << 20, 'x');
  for (const bool erased : {false, true}) {
    SCOPED_TRACE(erased);
    Restore();
    ASSERT_EQ(forged.size(), sound_.size());
    auto database = Database::Open(File(), Database::Mode::kWrite);
    ASSERT_VALUE(database);
    const Header header = *LoadHeader(**database);
    const auto key = UnwrapKey(header.key, None(), header.id, "");
    const auto keys = KeyRing::Make(*key, header.id);
    ASSERT_VALUE(keys);
    Seal seal(**database, &*keys);
    ASSERT_VALUE(seal.Write([&]() -> Status {
      REISSUE_TRY(PutSecret(**database, *keys, 2, "one", large, std::size_t{20} << 20));
      REISSUE_TRY(PutSecret(**database, *keys, 2, "two", large, std::size_t{64} << 20));
      if (!erased) Forge(forged);
      return Ok();
    }));
    if (erased) {
      ASSERT_VALUE((*database)->Run("PRAGMA wal_checkpoint(TRUNCATE)"));
      ASSERT_VALUE(seal.Write([&]() -> Status {
        REISSUE_TRY(DeleteRelease(**database, 2));
        Forge(forged);
        return Ok();
      }));
    }
    database = Error{};
    ExpectRefused();
  }
}

// What is long fills the memory; what was checked is read from there all the same.
TEST_F(BentVaultTest, WhatChangesBehindTheCheckIsNotRead) {
  constexpr std::uint32_t kReleases = 300;
  MakeSeries();
  const auto record = [](std::uint32_t number) {
    StoredRelease release;
    release.record.number = number;
    release.record.digest = io::Digest(std::to_string(number));
    release.record.certificate = std::string(15'000, 'c');
    return release;
  };
  const auto with_keys = [&](Database::Mode mode, const auto& body) {
    auto database = Database::Open(File(), mode);
    ASSERT_VALUE(database);
    const Header header = *LoadHeader(**database);
    const auto key = UnwrapKey(header.key, None(), header.id, "");
    const auto keys = KeyRing::Make(*key, header.id);
    ASSERT_VALUE(keys);
    Seal seal(**database, &*keys);
    body(**database, seal);
  };
  with_keys(Database::Mode::kWrite, [&](Database& database, Seal& seal) {
    ASSERT_VALUE(seal.Write([&]() -> Status {
      for (std::uint32_t number = 3; number <= kReleases; ++number) {
        REISSUE_TRY(InsertRelease(database, record(number)));
        REISSUE_TRY(MarkPublished(database, number));
      }
      return Ok();
    }));
  });
  Meddle("PRAGMA wal_checkpoint(TRUNCATE)");
  sound_ = ReadAll(File());
  with_keys(Database::Mode::kWrite, [&](Database& database, Seal&) {
    ASSERT_VALUE(database.Run("DELETE FROM releases WHERE number = 3"));
    StoredRelease other = record(3);
    other.record.digest = io::Digest("other");
    ASSERT_VALUE(InsertRelease(database, other));
    ASSERT_VALUE(MarkPublished(database, 3));
  });
  Meddle("PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string forged = ReadAll(File());
  ASSERT_EQ(forged.size(), sound_.size());
  for (const auto mode : {Database::Mode::kRead, Database::Mode::kWrite}) {
    Restore();
    with_keys(mode, [&](Database& database, Seal& seal) {
      const auto releases = seal.Read([&] {
        Forge(forged);
        return LoadReleases(database);
      });
      ASSERT_VALUE(releases);
      ASSERT_EQ(releases->size(), kReleases);
      EXPECT_EQ((*releases)[2].record.digest, record(3).record.digest);
    });
  }
}

// He changes bytes of the file, whatever they are, while it is open: what is said of it afterwards
// is what was recorded, or that it is damaged.
TEST_F(BentVaultTest, BytesThatChangeWhileItIsOpenAreNotBelieved) {
  Random random = Random::Seeded(3);
  int refused = 0, opened = 0, published = 0;
  for (int round = 0; round < Rounds(150); ++round) {
    SCOPED_TRACE(round);
    std::filesystem::remove_all(root_);
    std::filesystem::create_directory(root_);
    MakeSeries();
    const std::string older = ReadAll(first_);
    std::map<std::string, std::string> secrets = {
        {"state", "second"}, {"series/1", "one"}, {"series/2", "two"}};
    const auto is_sound = [&](Vault& vault, std::size_t releases) {
      if (const auto history = vault.History()) {
        EXPECT_EQ(history->size(), releases);
        for (const ReleaseRecord& record : *history) {
          const std::string name = "R" + std::to_string(record.number) + ".csv";
          EXPECT_EQ(record.digest, io::Digest("content of " + name));
        }
      }
      for (const auto& [name, content] : secrets) {
        const auto secret = vault.Unseal(name);
        EXPECT_TRUE(!secret || *secret == content) << name;
      }
    };
    auto vault = OpenToWrite();
    ASSERT_VALUE(vault);
    if (random.Below(2) == 0) is_sound(*vault, 2);
    std::string bent = sound_;
    for (std::uint64_t n = 1 + random.Below(4); n > 0; --n) {
      const std::size_t at = random.Below(bent.size()), page = at / 4096 * 4096;
      const std::uint64_t kind = random.Below(5);
      if (kind < 2) bent[at] = static_cast<char>(bent[at] ^ (1 << random.Below(8)));
      if (kind == 2) bent.replace(page, 4096, 4096, '\0');
      if (kind == 3)
        bent.replace(page, 4096, sound_, random.Below(bent.size()) / 4096 * 4096, 4096);
      if (kind == 4 && page < older.size()) bent.replace(page, 4096, older, page, 4096);
    }
    std::fstream(File(), std::ios::binary | std::ios::in | std::ios::out) << bent;
    if (random.Below(2) == 0) is_sound(*vault, 2);
    (void)Publish(*vault, "R3.csv", {{"state", "third"}});
    const bool third = std::filesystem::exists(Target("R3.csv"));
    published += third;
    if (third) secrets["state"] = "third";
    vault = Error{};
    vault = OpenToWrite();
    refused += !vault;
    opened += vault.has_value();
    if (vault) is_sound(*vault, third ? 3 : 2);
  }
  EXPECT_GT(refused, LeastSeen(20));
  EXPECT_GT(published, LeastSeen(20));
  EXPECT_GT(opened, LeastSeen(5));
}

// A policy that was changed is sealed with the release that was made under it: who has not the key
// can neither take the change back nor put another one in its place.
TEST_F(BentVaultTest, ThePoliciesOfASeries) {
  auto vault = Vault::Create(files_, home_, SomePolicy(), None());
  ASSERT_VALUE(vault);
  ASSERT_VALUE(Publish(*vault, "R1.csv", {{"policy/1", "k = 5"}}));
  EXPECT_EQ(vault->format(), kFormat);
  auto pending = Pend(files_, *vault, Target("R2.csv"), "content", {{"policy/2", "k = 9"}});
  ASSERT_VALUE(pending);
  pending->policy_changed = true;
  ASSERT_VALUE(vault->Prepare(std::move(*pending)));
  ASSERT_VALUE(vault->Commit(2));
  vault = Error{};
  Meddle("PRAGMA wal_checkpoint(TRUNCATE)");
  sound_ = ReadAll(File());
  {
    const auto sound = Vault::Open(files_, home_, Access::kWrite, None());
    ASSERT_VALUE(sound);
    EXPECT_EQ(sound->format(), kLivingFormat);
  }
  for (const char* sql :
       {"DELETE FROM secrets WHERE name = 'policy/2'",
        "UPDATE secrets SET name = 'policy/3' WHERE name = 'policy/2'",
        "UPDATE secrets SET sealed = x'00' WHERE name = 'policy/2'", "PRAGMA user_version = 3"}) {
    SCOPED_TRACE(sql);
    Restore();
    Meddle(sql);
    EXPECT_FALSE(Vault::Open(files_, home_, Access::kWrite, None()));
  }
}

}  // namespace
}  // namespace reissue::ledger
