// Bytes that change behind the vault's back: an error that says so, or the same answer as before.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vault_fixture.h"

namespace reissue::ledger {
namespace {

using testing::HasSubstr;

class DamageTest : public VaultTest {
 protected:
  void MakeSeries() {
    auto vault = Make();
    ASSERT_VALUE(vault);
    ASSERT_VALUE(Publish(*vault, "R1.csv", {{"state", kState}, {"twin", kState}}));
    ASSERT_VALUE(Publish(*vault, "R2.csv", {{"later", "more"}}));
  }

  // Everything that can be asked of the vault, or the error.
  Result<std::string> Answers() {
    Vault vault = REISSUE_TRY(OpenToWrite());
    const auto history = REISSUE_TRY(vault.History());
    std::string all = vault.policy().model + vault.policy().title + vault.policy().text +
                      vault.policy().digest + (vault.unprotected() ? "u" : "p");
    for (const ReleaseRecord& record : history) {
      all += std::to_string(record.number) + record.target + record.digest + record.certificate +
             record.created + std::to_string(record.rows) + std::to_string(record.set_aside);
    }
    for (const char* name : {"state", "twin", "later"}) {
      const auto secret = REISSUE_TRY(vault.Unseal(name));
      all += secret.value_or("(none)") + "|";
    }
    const PersonKey key = REISSUE_TRY(vault.KeyOf("4711"));
    return all.append(key.begin(), key.end());
  }

  void ExpectDamaged(const std::string& what) {
    const auto answers = Answers();
    ASSERT_FALSE(answers);
    EXPECT_EQ(answers.error().code, ErrorCode::kInput);
    EXPECT_THAT(answers.error().message, HasSubstr("damaged"));
    EXPECT_THAT(answers.error().message, HasSubstr(what));
    EXPECT_THAT(answers.error().remedy, HasSubstr("backup"));
    EXPECT_THAT(answers.error().place->file, HasSubstr("vault.db"));
  }

  // As it lies in the database.
  std::string SealedBytes(const std::string& name, const std::string& column) const {
    sqlite3* database = nullptr;
    sqlite3_stmt* row = nullptr;
    const std::string sql = "SELECT " + column + " FROM secrets WHERE name = '" + name + "'";
    EXPECT_EQ(sqlite3_open((home_ + "/vault.db").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &row, nullptr), SQLITE_OK);
    EXPECT_EQ(sqlite3_step(row), SQLITE_ROW);
    const std::string bytes(static_cast<const char*>(sqlite3_column_blob(row, 0)),
                            static_cast<std::size_t>(sqlite3_column_bytes(row, 0)));
    sqlite3_finalize(row);
    sqlite3_close(database);
    return bytes;
  }

  const std::string kState = std::string(300, 's');
};

TEST_F(DamageTest, AFlippedBitAnywhereIsNoticedOrHarmless) {
  MakeSeries();
  const std::string file = home_ + "/vault.db";
  const std::string sound = ReadAll(file);
  const auto expected = Answers();
  ASSERT_VALUE(expected);
  std::size_t noticed = 0;
  // Every used byte would take a minute; a prime step meets every part of every page.
  for (std::size_t at = 0; at < sound.size(); at += 59) {
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    WriteAll(file, damaged);
    const auto answers = Answers();
    if (!answers) {
      ++noticed;
      EXPECT_NE(answers.error().message, "");
      EXPECT_NE(answers.error().code, ErrorCode::kUsage);
    } else {
      EXPECT_EQ(*answers, *expected) << "byte " << at << " of " << sound.size();
    }
    std::filesystem::remove(file + "-wal");
    std::filesystem::remove(file + "-shm");
  }
  EXPECT_GT(noticed, 50u);
}

TEST_F(DamageTest, EveryByteOfASealedSecretIsProtected) {
  MakeSeries();
  const std::string file = home_ + "/vault.db";
  const std::string sound = ReadAll(file);
  for (const auto& [column, size] :
       {std::pair<std::string, std::size_t>{"tag", 24 + 16}, {"sealed", kState.size()}}) {
    const std::string sealed = SealedBytes("state", column);
    ASSERT_EQ(sealed.size(), size);
    const std::size_t begin = sound.find(sealed);
    ASSERT_NE(begin, std::string::npos);
    for (std::size_t at = begin; at < begin + sealed.size(); ++at) {
      std::string damaged = sound;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
      WriteAll(file, damaged);
      ExpectDamaged("");
    }
  }
  WriteAll(file, sound);
  EXPECT_EQ(*OpenToWrite()->Unseal("state"), kState);
}

TEST_F(DamageTest, ShortenedSecretsAreRejected) {
  MakeSeries();
  for (const char* column : {"sealed", "tag"}) {
    for (const int length : {39, 24, 1, 0}) {
      Meddle(std::string("UPDATE secrets SET ") + column + " = substr(" + column + ", 1, " +
             std::to_string(length) + ") WHERE name = 'state'");
      ExpectDamaged("");
    }
  }
}

TEST_F(DamageTest, SwappedSecretsAreRejected) {
  MakeSeries();
  Meddle(
      "UPDATE secrets SET sealed = (SELECT sealed FROM secrets WHERE name = 'twin') "
      "WHERE name = 'state'");
  ExpectDamaged("\"state\" has changed");
}

TEST_F(DamageTest, SecretsOfAnotherVaultAreRejected) {
  MakeSeries();
  const std::string first = home_;
  home_ = root_ + "/second";
  auto vault = Make();
  ASSERT_VALUE(vault);
  ASSERT_VALUE(Publish(*vault, "R3.csv", {{"state", kState}, {"twin", kState}, {"later", "x"}}));
  vault = Error{};
  Meddle("ATTACH '" + first +
         "/vault.db' AS first; UPDATE secrets SET sealed = (SELECT sealed "
         "FROM first.secrets WHERE name = 'state') WHERE name = 'state'");
  ExpectDamaged("\"state\" has changed");
}

TEST_F(DamageTest, ChangedRecordsAreRejected) {
  MakeSeries();
  const std::string file = home_ + "/vault.db";
  const std::string sound = ReadAll(file);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"UPDATE releases SET certificate = replace(certificate, 'o', 'p') WHERE number = 1",
       "release 1"},
      {"UPDATE releases SET rows = 18 WHERE number = 2", "release 2"},
      {"UPDATE releases SET digest = digest || '0' WHERE number = 2", "release 2"},
      {"UPDATE releases SET target = target || 'x' WHERE number = 1", "release 1"},
      {"UPDATE releases SET number = 9 WHERE number = 2", "not what was recorded"},
      {"PRAGMA ignore_check_constraints = 1; UPDATE releases SET state = 'hidden'", "contradicts"},
      {"UPDATE releases SET state = 'prepared' WHERE number = 1", "not what was recorded"},
      {"DELETE FROM releases WHERE number = 1", "not what was recorded"},
      {"UPDATE vault SET policy = replace(policy, '5', '2')", "policy and key"},
      {"UPDATE vault SET key = zeroblob(32)", "policy and key"},
      {"UPDATE vault SET id = zeroblob(16)", "policy and key"},
      {"DELETE FROM vault", "first record is missing"},
      {"DROP TABLE secrets", "contradicts itself"}};
  for (const auto& [sql, what] : cases) {
    SCOPED_TRACE(sql);
    WriteAll(file, sound);
    Meddle(sql);
    ExpectDamaged(what);
  }
}

TEST_F(DamageTest, OtherFilesAreRecognised) {
  MakeSeries();
  const std::string file = home_ + "/vault.db";
  const std::string sound = ReadAll(file);
  Meddle("PRAGMA user_version = 4");  // that of a series whose policy was changed
  ASSERT_FALSE(OpenToWrite());
  EXPECT_THAT(OpenToWrite().error().message, HasSubstr("changed"));
  Meddle("PRAGMA user_version = 99");
  for (const auto& vault : {OpenToRead().error(), OpenToWrite().error()}) {
    EXPECT_EQ(vault.code, ErrorCode::kInput);
    EXPECT_THAT(vault.message, HasSubstr("format 99"));
    EXPECT_THAT(vault.remedy, HasSubstr("later"));
  }
  WriteAll(file, sound);
  Meddle("PRAGMA application_id = 1");
  EXPECT_THAT(OpenToRead().error().message, HasSubstr("not a vault"));
  WriteAll(file, "");
  EXPECT_THAT(OpenToRead().error().message, HasSubstr("not a vault"));
  WriteAll(file, std::string(5000, 'x'));
  EXPECT_THAT(OpenToRead().error().message, HasSubstr("not a vault"));
  WriteAll(file, sound.substr(0, sound.size() / 2));
  EXPECT_THAT(OpenToRead().error().message, HasSubstr("damaged"));
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_EQ(OpenToRead().error().code, ErrorCode::kMachine);
}

}  // namespace
}  // namespace reissue::ledger
