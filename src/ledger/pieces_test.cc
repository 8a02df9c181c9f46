// States that lie in pieces: through the life of a vault, and in the hands of somebody who takes
// pieces away, swaps them, repeats them or brings others.

#include "reissue/ledger/pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>

#include "reissue/ledger/records.h"
#include "reissue/ledger/seal.h"
#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kSmall = 7;  // bytes of a piece

std::string State(char first, std::size_t bytes) {
  std::string state(bytes, first);
  for (std::size_t i = 0; i < bytes; ++i) state[i] = static_cast<char>(first + i % 31);
  return state;
}

class PiecesTest : public VaultTest {
 protected:
  // As the fixture publishes, in small pieces.
  static Result<Vault::Pending> PendSmall(Vault& vault, const std::string& target,
                                          const std::string& content, Secrets secrets) {
    Vault::Pending pending =
        REISSUE_TRY(Pend(io::SystemFiles(), vault, target, content, std::move(secrets)));
    pending.piece_bytes = kSmall;
    return pending;
  }
  Status PublishSmall(Vault& vault, const std::string& name, Secrets secrets) {
    Vault::Pending pending =
        REISSUE_TRY(PendSmall(vault, Target(name), "content of " + name, std::move(secrets)));
    const std::uint32_t number = REISSUE_TRY(vault.Prepare(std::move(pending)));
    return vault.Commit(number);
  }
  static void ExpectState(Vault& vault, const std::string& name, const std::string& content) {
    const auto found = vault.Unseal(name);
    ASSERT_VALUE(found);
    ASSERT_TRUE(found->has_value());
    EXPECT_EQ(**found, content);
    std::string pieces;
    const auto taken =
        vault.UnsealPieces(name, [&](std::string_view piece, std::uint64_t left) -> Status {
          pieces.append(piece);
          EXPECT_EQ(pieces.size() + left, content.size());
          return Ok();
        });
    ASSERT_VALUE(taken);
    EXPECT_TRUE(*taken);
    EXPECT_EQ(pieces, content);
  }
  std::string File() const { return home_ + "/vault.db"; }
  std::uint64_t Count(const char* sql) const {
    const auto database = Database::Open(File(), Database::Mode::kRead);
    return *(*database)->QueryNumber(sql);
  }
};

TEST_F(PiecesTest, AsManyAsItTakes) {
  for (const std::size_t bytes : {0u, 1u, 6u, 7u, 8u, 13u, 14u, 15u, 70u, 700u}) {
    SCOPED_TRACE(bytes);
    std::filesystem::remove_all(home_);
    std::filesystem::remove(Target("R1.csv"));
    std::filesystem::remove(Target("R1.csv.certificate.json"));
    const std::string state = State('a', bytes);
    {
      auto vault = Make();
      ASSERT_VALUE(vault);
      ASSERT_VALUE(PublishSmall(*vault, "R1.csv", {{"persons", state}, {"other", "short"}}));
      ExpectState(*vault, "persons", state);
    }
    auto vault = Vault::Open(files_, home_, Access::kUnseal, None());
    ASSERT_VALUE(vault);
    ExpectState(*vault, "persons", state);
    ExpectState(*vault, "other", "short");
    EXPECT_THAT(*vault->Secrets(), testing::ElementsAre("other", "persons"));
    // Earlier programs read what fits into one piece.
    EXPECT_EQ(vault->format(), bytes > kSmall ? kPiecesFormat : kFormat);
    if (bytes > kSmall) {
      EXPECT_EQ(Count("SELECT count(*) FROM pieces"), (bytes - 1) / kSmall);
    }
  }
}

TEST_F(PiecesTest, WhatIsReplacedGoes) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  ASSERT_VALUE(
      PublishSmall(*vault, "R1.csv", {{"persons", State('a', 50)}, {"kept", State('k', 20)}}));
  EXPECT_EQ(Count("SELECT count(*) FROM pieces"), 7u + 2u);
  ASSERT_VALUE(PublishSmall(*vault, "R2.csv", {{"persons", State('b', 29)}}));
  EXPECT_EQ(Count("SELECT count(*) FROM pieces"), 4u + 2u);
  ExpectState(*vault, "persons", State('b', 29));
  ExpectState(*vault, "kept", State('k', 20));
  // Also by one that fits; what it was before stays the format of the vault.
  ASSERT_VALUE(PublishSmall(*vault, "R3.csv", {{"persons", "few"}}));
  EXPECT_EQ(Count("SELECT count(*) FROM pieces"), 2u);
  ExpectState(*vault, "persons", "few");
  vault = Error{};
  EXPECT_EQ(OpenToRead()->format(), kPiecesFormat);
}

TEST_F(PiecesTest, AnErrorOfTheTakerEndsIt) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  ASSERT_VALUE(PublishSmall(*vault, "R1.csv", {{"persons", State('a', 50)}}));
  int taken = 0;
  const auto stopped =
      vault->UnsealPieces("persons", [&](std::string_view, std::uint64_t) -> Status {
        return ++taken < 3 ? Status(Ok()) : Status(MachineError("enough"));
      });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(taken, 3);
  ExpectState(*vault, "persons", State('a', 50));
  EXPECT_EQ(*vault->UnsealPieces("nothing", [](std::string_view, std::uint64_t) { return Ok(); }),
            false);
}

// Killed before and after the rename, given up, and with a name that is taken.
TEST_F(PiecesTest, KilledAndRecovered) {
  const Secrets first = {{"persons", State('a', 50)}}, second = {{"persons", State('b', 90)}};
  {
    auto vault = Make();
    ASSERT_VALUE(vault);
    ASSERT_VALUE(PublishSmall(*vault, "R1.csv", first));
  }
  for (const bool renamed : {false, true}) {
    SCOPED_TRACE(renamed);
    InDyingProcess([&] {
      auto vault = OpenToWrite();
      auto pending = PendSmall(*vault, Target("R2.csv"), "two", second);
      if (!pending) return false;
      const std::string temporary = pending->temporary;
      if (!vault->Prepare(std::move(*pending))) return false;
      if (renamed) std::filesystem::rename(temporary, Target("R2.csv"));
      ::_exit(0);
    });
    EXPECT_EQ(Count("SELECT count(*) FROM pieces"), 7u + 12u);
    auto vault = OpenToWrite();
    ASSERT_VALUE(vault);
    EXPECT_EQ(vault->History()->size(), renamed ? 2u : 1u);
    ExpectState(*vault, "persons", State(renamed ? 'b' : 'a', renamed ? 90 : 50));
    EXPECT_EQ(Count("SELECT count(*) FROM pieces"), renamed ? 12u : 7u);
    EXPECT_THAT(Temporaries(), IsEmpty());
  }
  auto vault = OpenToWrite();
  ASSERT_VALUE(vault);
  auto pending = PendSmall(*vault, Target("R3.csv"), "three", first);
  ASSERT_VALUE(pending);
  const auto number = vault->Prepare(std::move(*pending));
  ASSERT_VALUE(number);
  ASSERT_VALUE(vault->Abandon(*number));
  EXPECT_EQ(Count("SELECT count(*) FROM pieces"), 12u);
  ExpectState(*vault, "persons", State('b', 90));
}

TEST_F(PiecesTest, ExportedImportedRehearsedAndRekeyed) {
  const Passphrase passphrase = None();  // the others take their time on purpose
  std::string exported;
  {
    auto vault = Vault::Create(files_, home_, SomePolicy(), passphrase);
    ASSERT_VALUE(vault);
    ASSERT_VALUE(PublishSmall(*vault, "R1.csv", {{"persons", State('a', 500)}}));
    exported = *vault->Export();
  }
  {
    auto stage = Vault::Rehearse(files_, home_, passphrase);
    ASSERT_VALUE(stage);
    ExpectState(*stage, "persons", State('a', 500));
  }
  home_ = root_ + "/copy";
  ASSERT_VALUE(Vault::Import(files_, exported, "x", home_, passphrase));
  auto vault = Vault::Open(files_, home_, Access::kWrite, passphrase);
  ASSERT_VALUE(vault);
  ExpectState(*vault, "persons", State('a', 500));
  ASSERT_VALUE(vault->ChangePassphrase(None()));
  ASSERT_VALUE(PublishSmall(*vault, "R2.csv", {{"persons", State('b', 60)}}));
  ExpectState(*vault, "persons", State('b', 60));
  // An old copy, put back: it opens, and a mark tells.
  const std::string mark = *vault->Mark();
  vault = Error{};
  std::filesystem::remove_all(home_);
  ASSERT_VALUE(Vault::Import(files_, exported, "x", home_, passphrase));
  auto old = Vault::Open(files_, home_, Access::kWrite, passphrase);
  ASSERT_VALUE(old);
  ExpectState(*old, "persons", State('a', 500));
  EXPECT_THAT(old->CheckMark(mark, "m").error().message, HasSubstr("old copy"));
}

TEST_F(PiecesTest, AdoptedAndUpgraded) {
  {
    auto vault = Make();
    ASSERT_VALUE(vault);
    std::vector<Vault::Adopted> releases(2);
    for (std::size_t i = 0; i < 2; ++i) {
      releases[i].record.target = Target("A" + std::to_string(i));
      releases[i].record.digest = io::Digest(std::to_string(i));
      releases[i].secrets = {{"series/" + std::to_string(i + 1), State('a', 30 + i)}};
    }
    ASSERT_VALUE(vault->Adopt(releases, kSmall));
    ExpectState(*vault, "series/1", State('a', 30));
    ExpectState(*vault, "series/2", State('a', 31));
  }
  const Passphrase passphrase{.none = false, .text = "a passphrase of earlier years"};
  std::filesystem::remove_all(home_);
  std::filesystem::create_directory(home_);
  std::filesystem::copy_file(
      std::string(REISSUE_SOURCE_DIR) + "/tests/golden/_vaults/format-2/vault.db", File());
  std::vector<std::pair<std::string, std::string>> before;
  const auto look = [&](Vault& vault) -> Status {
    const std::vector<std::string> names = REISSUE_TRY(vault.Secrets());
    for (const std::string& name : names) {
      const auto content = REISSUE_TRY(vault.Unseal(name));
      before.emplace_back(name, content.value());
    }
    return Ok();
  };
  ASSERT_VALUE(Vault::Upgrade(files_, home_, passphrase, look, kSmall));
  auto vault = Vault::Open(files_, home_, Access::kWrite, passphrase);
  ASSERT_VALUE(vault);
  EXPECT_EQ(vault->format(), kPiecesFormat);
  EXPECT_FALSE(before.empty());
  for (const auto& [name, content] : before) ExpectState(*vault, name, content);
}

// Whether the policy was changed, its own format says no more.
TEST_F(PiecesTest, APolicyThatWasChanged) {
  auto vault = Make();
  ASSERT_VALUE(vault);
  ASSERT_VALUE(PublishSmall(*vault, "R1.csv", {{"policy/1", State('p', 20)}}));
  EXPECT_EQ(*Vault::PolicyWasChanged(files_, home_), false);
  auto pending = PendSmall(*vault, Target("R2.csv"), "two", {{"policy/2", State('q', 30)}});
  ASSERT_VALUE(pending);
  pending->policy_changed = true;
  ASSERT_VALUE(vault->Prepare(std::move(*pending)));
  ASSERT_VALUE(vault->Commit(2));
  EXPECT_EQ(*Vault::PolicyWasChanged(files_, home_), true);
  vault = Error{};
  EXPECT_EQ(OpenToRead()->format(), kPiecesFormat);
}

// Run by hand: sixty million people, more than a field of SQLite holds. Says what it took.
TEST_F(PiecesTest, DISABLED_SixtyMillionPeople) {
  const auto peak = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
  };
  constexpr std::size_t kPeople = 60'000'000, kBytes = 20;
  std::string state(kPeople * kBytes, '\0');
  for (std::size_t i = 0; i < state.size(); ++i)
    state[i] = static_cast<char>(i * 2654435761u >> 24);
  const std::string digest = io::Digest(state);
  std::printf("state: %zu bytes; peak %ld MB\n", state.size(), peak());
  auto vault = Make();
  ASSERT_VALUE(vault);
  auto pending = Pend(files_, *vault, Target("R1.csv"), "one");
  ASSERT_VALUE(pending);
  pending->secrets.emplace_back("persons", std::move(state));
  ASSERT_VALUE(vault->Prepare(std::move(*pending)));
  std::printf("sealed; peak %ld MB\n", peak());
  ASSERT_VALUE(vault->Commit(1));
  vault = Error{};
  std::printf("published; peak %ld MB; vault.db %ju bytes, %ju pieces beside the first\n", peak(),
              static_cast<std::uintmax_t>(std::filesystem::file_size(File())),
              static_cast<std::uintmax_t>(Count("SELECT count(*) FROM pieces")));
  vault = OpenToWrite();
  ASSERT_VALUE(vault);
  const auto back = vault->Unseal("persons");
  ASSERT_VALUE(back);
  EXPECT_EQ(io::Digest(back->value()), digest);
  EXPECT_EQ(vault->format(), kPiecesFormat);
  std::printf("read back, the same; peak %ld MB\n", peak());
}

// Somebody changes the table of pieces. `first_` is the vault after its first release, `fork_` one
// that has gone another way since.
class BentPiecesTest : public PiecesTest {
 protected:
  BentPiecesTest() {
    {
      auto vault = Make();
      (void)PublishSmall(*vault, "R1.csv",
                         {{"persons", State('a', 35)}, {"starred", State('s', 35)}});
    }
    first_ = CopyTo("first.db");
    const std::string sound = ReadAll(first_);
    {
      auto vault = OpenToWrite();
      (void)PublishSmall(*vault, "other.csv",
                         {{"persons", State('c', 35)}, {"starred", State('u', 35)}});
    }
    fork_ = CopyTo("fork.db");
    Put(sound);
    auto vault = OpenToWrite();
    (void)PublishSmall(
        *vault, "R2.csv",
        {{"persons", State('b', 35)}, {"starred", State('t', 35)}, {"one", "single"}});
    vault = Error{};
    sound_ = ReadAll(CopyTo("sound.db"));
  }
  std::string CopyTo(const std::string& name) const {
    Meddle("VACUUM INTO '" + root_ + "/" + name + "'");
    return root_ + "/" + name;
  }
  void Put(const std::string& bytes) const {
    for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(File() + end);
    WriteAll(File(), bytes);
  }
  // Who has the bare key of a vault without a passphrase seals what he likes.
  void Reseal() const {
    auto database = Database::Open(File(), Database::Mode::kWrite);
    const Header header = *LoadHeader(**database);
    const auto key = UnwrapKey(header.key, None(), header.id, "");
    const auto keys = KeyRing::Make(*key, header.id);
    Seal seal(**database, &*keys);
    ASSERT_VALUE((*database)->InTransaction([&] { return seal.Renew(); }));
  }
  // What is done to the pieces of "persons" of release 2, of which there are five.
  std::vector<std::string> Changes() const {
    const std::string of = " WHERE release = 2 AND name = 'persons' AND piece = ";
    const auto take = [&](const std::string& from, const std::string& which, int piece) {
      return "UPDATE pieces SET tag = (SELECT tag FROM " + from + " WHERE " + which +
             "), sealed = (SELECT sealed FROM " + from + " WHERE " + which + ")" + of +
             std::to_string(piece) + ";";
    };
    const std::string off = "PRAGMA foreign_keys = OFF;";
    const auto attach = [&](const std::string& file) { return "ATTACH '" + file + "' AS old;"; };
    const std::string old_piece = "name = 'persons' AND release = ";
    return {
        "DELETE FROM pieces" + of + "5",
        "DELETE FROM pieces" + of + "3",
        "DELETE FROM pieces" + of +
            "3; UPDATE pieces SET piece = piece - 1 WHERE release = 2 AND "
            "name = 'persons' AND piece > 3",
        "DELETE FROM pieces WHERE release = 2 AND name = 'persons'",
        off + "DELETE FROM secrets WHERE release = 2 AND name = 'persons'",
        // Swapped.
        "UPDATE pieces SET piece = 9" + of + "2; UPDATE pieces SET piece = 2" + of +
            "4; UPDATE pieces SET piece = 4" + of + "9",
        // Repeated: in the place of another, and beyond the last.
        take("pieces", "release = 2 AND name = 'persons' AND piece = 2", 3),
        "INSERT INTO pieces SELECT release, name, 6, tag, sealed FROM pieces" + of + "5",
        take("secrets", "release = 2 AND name = 'persons'", 2),
        // The same place of another state.
        take("pieces", "release = 2 AND name = 'starred' AND piece = 3", 3),
        // The same place and state of the release before.
        attach(first_) + take("old.pieces", old_piece + "1 AND piece = 3", 3),
        // The same place and state of a release 2 of this very vault, which went another way.
        attach(fork_) + take("old.pieces", old_piece + "2 AND piece = 3", 3),
        attach(fork_) + take("old.pieces", old_piece + "2 AND piece = 2", 2) +
            take("old.pieces", old_piece + "2 AND piece = 3", 3) +
            take("old.pieces", old_piece + "2 AND piece = 4", 4) +
            take("old.pieces", old_piece + "2 AND piece = 5", 5) +
            "UPDATE secrets SET tag = (SELECT tag FROM old.secrets WHERE release = 2 AND name = "
            "'persons'), sealed = (SELECT sealed FROM old.secrets WHERE release = 2 AND name = "
            "'persons') WHERE release = 2 AND name = 'persons'",
        // A state of one piece as the first of several.
        off +
            "DELETE FROM secrets WHERE release = 2 AND name = 'persons'; UPDATE secrets SET name "
            "= 'persons' WHERE release = 2 AND name = 'one'",
        "UPDATE pieces SET sealed = zeroblob(length(sealed))" + of + "4",
        "UPDATE pieces SET tag = zeroblob(40)" + of + "4",
    };
  }
  std::string first_, fork_, sound_;
};

TEST_F(BentPiecesTest, WithoutTheKeyNothingIsOpened) {
  std::vector<std::string> changes = Changes();
  changes.push_back("DROP TABLE pieces");
  changes.push_back("PRAGMA user_version = 3");
  changes.push_back("DROP TABLE pieces; PRAGMA user_version = 3");
  changes.push_back("ALTER TABLE pieces ADD COLUMN more TEXT");
  for (const std::string& sql : changes) {
    SCOPED_TRACE(sql);
    Put(sound_);
    Meddle(sql);
    // What is in a piece is looked at when it is read, everything else at once.
    const bool content = sql.find("zeroblob(length") != std::string::npos;
    for (const Access access : {Access::kUnseal, Access::kWrite}) {
      auto vault = Vault::Open(files_, home_, access, None());
      EXPECT_EQ(vault.has_value(), content);
      if (vault) {
        EXPECT_FALSE(vault->Unseal("persons"));
      }
    }
  }
  Put(sound_);
  auto vault = OpenToWrite();
  ASSERT_VALUE(vault);
  ExpectState(*vault, "persons", State('b', 35));
}

// Each piece by itself says where it belongs: nothing of it rests on the seal.
TEST_F(BentPiecesTest, EachPieceIsBoundToItsPlace) {
  for (const std::string& sql : Changes()) {
    SCOPED_TRACE(sql);
    Put(sound_);
    Meddle(sql);
    Reseal();
    auto vault = Vault::Open(files_, home_, Access::kUnseal, None());
    ASSERT_VALUE(vault);
    const auto opened = vault->Unseal("persons");
    if (opened) {
      // A state that is gone altogether is one that was never there, but for the seal.
      EXPECT_FALSE(opened->has_value());
      EXPECT_THAT(sql, HasSubstr("DELETE FROM secrets"));
      EXPECT_THAT(sql, testing::Not(HasSubstr("'one'")));
    } else {
      EXPECT_THAT(opened.error().message, HasSubstr("\"persons\" has changed"));
    }
    ExpectState(*vault, "starred", State('t', 35));
  }
  Put(sound_);
  Reseal();
  auto vault = OpenToWrite();
  ASSERT_VALUE(vault);
  ExpectState(*vault, "persons", State('b', 35));
}

}  // namespace
}  // namespace reissue::ledger
