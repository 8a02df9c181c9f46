// A release as a table: whole or not at all, whoever dies when.
#include "reissue/sources/postgres/target.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "postgres_servers.h"
#include "reissue/sources/postgres/seal.h"

namespace reissue::sources::postgres {
namespace {

using ::reissue::testing::PostgresServers;
using ::testing::HasSubstr;

class TargetTest : public ::testing::Test {
 protected:
  void SetUp() override { Sql("DROP SCHEMA IF EXISTS w CASCADE; CREATE SCHEMA w"); }
  void TearDown() override { Sql("DROP SCHEMA IF EXISTS w CASCADE"); }
  static std::string Sql(const std::string& sql, int server = 3) {
    return PostgresServers::Sql(server, "SET client_min_messages = error; " + sql);
  }
  Address Server(int server = 3) const { return {PostgresServers::Conninfo(server)}; }
  std::unique_ptr<ReleaseTarget> Open(const std::string& table = "w.release") {
    auto target = OpenTarget(Server(), table, Patience(), pool_);
    EXPECT_TRUE(target.has_value()) << target.error().ToString();
    return target ? *std::move(target) : nullptr;
  }
  static PublishedRows Release() {
    return {{"age", "a \"b\""},
            {{"[20,30)", "*"}, {"tab\there", "back\\slash", "line\nbreak", "", "\\N"}},
            {0, 0, 0, 1, 1, 2, 1, 3, 1, 4},
            {3, 1, 2, 1, 4}};
  }
  static bool IsThere(const std::string& table = "release") {
    return Sql("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE "
               "nspname = 'w' AND relname = '" +
               table + "'") == "1";
  }

  ThreadPool pool_{2};
  Random random_ = Random::Seeded(1);
};

TEST_F(TargetTest, IsThereWhenItIsCommitted) {
  auto target = Open();
  EXPECT_EQ(target->name(), "w.release");
  ASSERT_TRUE(target->Write(Release(), random_).has_value());
  const Result<Counted> back = target->ReadBack();
  ASSERT_TRUE(back.has_value()) << back.error().ToString();
  EXPECT_EQ(back->table.rows(), 5u);
  EXPECT_EQ(back->table.total(), 11u);
  const Result<std::string> seal = target->Seal();
  ASSERT_TRUE(seal.has_value()) << seal.error().ToString();
  EXPECT_FALSE(IsThere());
  ASSERT_TRUE(target->Commit().has_value());
  EXPECT_TRUE(IsThere());
  EXPECT_EQ(Sql("SELECT count(*) FROM w.release WHERE age = '*' AND \"a \"\"b\"\"\" = '\\N'"), "4");
  EXPECT_EQ(Sql("SELECT count(*) FROM w.release WHERE \"a \"\"b\"\"\" IS NULL"), "0");
  EXPECT_EQ(Sql("SELECT count(*) FROM pg_class WHERE relname = 'reissue_lines'"), "0");
  const Result<Fate> fate = RecoveryAt(Server(), Patience())->FateOf(*seal);
  ASSERT_TRUE(fate.has_value()) << fate.error().ToString();
  EXPECT_EQ(*fate, Fate::kPublished);
}

TEST_F(TargetTest, LeavesNothingBehindBeforeThat) {
  auto target = Open();
  ASSERT_TRUE(target->Write(Release(), random_).has_value());
  const Result<std::string> seal = target->Seal();
  ASSERT_TRUE(seal.has_value());
  target.reset();
  EXPECT_EQ(*RecoveryAt(Server(), Patience())->FateOf(*seal), Fate::kForgotten);
  EXPECT_FALSE(IsThere());
}

TEST_F(TargetTest, ThatWasDroppedOrRenamedSinceWasPublished) {
  for (const char* const since : {"DROP TABLE w.release", "ALTER TABLE w.release RENAME TO old"}) {
    auto target = Open();
    ASSERT_TRUE(target->Write(Release(), random_).has_value());
    const std::string seal = *target->Seal();
    ASSERT_TRUE(target->Commit().has_value());
    Sql(since);
    EXPECT_EQ(*RecoveryAt(Server(), Patience())->FateOf(seal), Fate::kPublished) << since;
  }
}

// Rows of one line must not stand together.
TEST_F(TargetTest, StandsInRandomOrder) {
  PublishedRows rows{{"a"}, {{"x", "y"}}, {0, 1}, {5000, 5000}};
  auto target = Open();
  ASSERT_TRUE(target->Write(rows, random_).has_value());
  ASSERT_TRUE(target->Seal().has_value() && target->Commit().has_value());
  const int changes = std::stoi(Sql(
      "SELECT count(*) FROM (SELECT a, lag(a) OVER (ORDER BY ctid) AS b FROM w.release) t WHERE a "
      "<> b"));
  EXPECT_GT(changes, 4500);
  EXPECT_LT(changes, 5500);
}

TEST_F(TargetTest, ANameThatIsTakenIsRefused) {
  Sql("CREATE TABLE w.release (a int)");
  const auto taken = OpenTarget(Server(), "w.release", Patience(), pool_);
  ASSERT_FALSE(taken.has_value());
  EXPECT_EQ(taken.error().code, ErrorCode::kInput);
  const auto longer = OpenTarget(Server(), "w." + std::string(64, 'x'), Patience(), pool_);
  EXPECT_FALSE(longer.has_value());
  auto first = Open("w.other");
  const auto second = OpenTarget(Server(), "w.other", Patience(), pool_);
  ASSERT_FALSE(second.has_value());
  EXPECT_THAT(second.error().ToString(), HasSubstr("somebody else"));
}

TEST_F(TargetTest, AnotherServerIsNotAsked) {
  auto target = Open();
  ASSERT_TRUE(target->Write(Release(), random_).has_value());
  const std::string seal = *target->Seal();
  ASSERT_TRUE(target->Commit().has_value());
  TargetSeal other = *TargetSeal::Parse(seal);
  other.system += "1";
  const Result<Fate> elsewhere = RecoveryAt(Server(), Patience())->FateOf(other.ToString());
  ASSERT_FALSE(elsewhere.has_value());
  EXPECT_THAT(elsewhere.error().ToString(), HasSubstr("not the server"));
  const Result<Fate> nowhere = RecoveryAt({"host=/nowhere dbname=x"}, Patience())->FateOf(seal);
  EXPECT_FALSE(nowhere.has_value());
  EXPECT_FALSE(RecoveryAt(Server(), Patience())->FateOf("postgres 9\n").has_value());
}

// Whoever asks while the transaction may still be committed waits, and guesses nothing.
TEST_F(TargetTest, ThatIsStillUnderWayIsWaitedFor) {
  auto target = Open();
  ASSERT_TRUE(target->Write(Release(), random_).has_value());
  const std::string seal = *target->Seal();
  Patience patience;
  patience.lock = std::chrono::seconds(1);
  const Result<Fate> fate = RecoveryAt(Server(), patience)->FateOf(seal);
  ASSERT_FALSE(fate.has_value());
  EXPECT_THAT(fate.error().ToString(), HasSubstr("55P03"));
}

// A commit that the server does not keep when it falls would be a release that nobody has.
TEST_F(TargetTest, StaysWhenTheServerFalls) {
  auto target = OpenTarget({Server().conninfo + " options='-c synchronous_commit=off'"},
                           "w.release", Patience(), pool_);
  ASSERT_TRUE(target.has_value());
  ASSERT_TRUE((*target)->Write(Release(), random_).has_value());
  ASSERT_TRUE((*target)->Seal().has_value() && (*target)->Commit().has_value());
  PostgresServers::Servers("crash", 3);
  PostgresServers::Servers("revive", 3);
  EXPECT_TRUE(IsThere());
}

// A number that nothing on the disk says was used would be used again, and the transaction of
// somebody else would then stand for ours.
TEST_F(TargetTest, NumbersOfTransactionsAreNotUsedAgain) {
  // Otherwise somebody else brings it to the disk by chance.
  PostgresServers::Sql(3, "ALTER SYSTEM SET wal_writer_delay = '10s'");
  PostgresServers::Sql(3, "SELECT pg_reload_conf()");
  auto target = Open();
  ASSERT_TRUE(target->Write(Release(), random_).has_value());
  const Result<std::string> seal = target->Seal();
  ASSERT_TRUE(seal.has_value()) << seal.error().ToString();
  PostgresServers::Servers("crash", 3);
  PostgresServers::Servers("revive", 3);
  PostgresServers::Sql(
      3, "DO $$ BEGIN FOR i IN 1..200 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
  const Result<Fate> fate = RecoveryAt(Server(), Patience())->FateOf(*seal);
  PostgresServers::Sql(3, "ALTER SYSTEM RESET wal_writer_delay");
  PostgresServers::Sql(3, "SELECT pg_reload_conf()");
  ASSERT_TRUE(fate.has_value()) << fate.error().ToString();
  EXPECT_EQ(*fate, Fate::kForgotten);
  EXPECT_FALSE(IsThere());
}

TEST_F(TargetTest, WhoMayNotMakeTablesIsToldAtOnce) {
  const auto missing = OpenTarget(Server(), "nowhere.release", Patience(), pool_);
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().ToString(), HasSubstr("no schema of that name"));
  Sql("DROP ROLE IF EXISTS w_reader; CREATE ROLE w_reader LOGIN");
  const auto refused =
      OpenTarget({Server().conninfo + " user=w_reader"}, "w.release", Patience(), pool_);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kInput);
  EXPECT_THAT(refused.error().ToString(), HasSubstr("may not make tables"));
  Sql("DROP ROLE w_reader");
}

// The program is killed after each step, with and without a fall of the server; whatever the vault
// would find later is what is there.
TEST_F(TargetTest, KilledAtEachStep) {
  const std::string file = ::testing::TempDir() + "/seal";
  for (int step = 0; step <= 4; ++step) {
    for (const bool falls : {false, true}) {
      Sql("DROP TABLE IF EXISTS w.release");
      ::unlink(file.c_str());
      const pid_t child = ::fork();
      if (child == 0) {
        ThreadPool pool(1);
        Random random = Random::Seeded(1);
        auto target = OpenTarget(Server(), "w.release", Patience(), pool);
        if (step >= 1) (void)(*target)->Write(Release(), random).has_value();
        if (step >= 2) (void)(*target)->ReadBack().has_value();
        if (step >= 3) std::ofstream(file) << *(*target)->Seal();
        if (step >= 4) (void)(*target)->Commit().has_value();
        ::raise(SIGKILL);
      }
      ::waitpid(child, nullptr, 0);
      if (falls) {
        PostgresServers::Servers("crash", 3);
        PostgresServers::Servers("revive", 3);
      }
      std::ifstream sealed(file);
      const std::string seal{std::istreambuf_iterator<char>(sealed), {}};
      if (!seal.empty()) {
        const Result<Fate> fate = RecoveryAt(Server(), Patience())->FateOf(seal);
        ASSERT_TRUE(fate.has_value()) << fate.error().ToString();
        EXPECT_EQ(*fate, step == 4 ? Fate::kPublished : Fate::kForgotten) << step;
      }
      EXPECT_EQ(IsThere(), step == 4) << step << falls;
    }
  }
}

}  // namespace
}  // namespace reissue::sources::postgres
