// A partitioned table whose partitions are on two other servers.
#include "reissue/sources/postgres/foreign.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres_servers.h"
#include "reissue/sources/postgres/source.h"

namespace reissue::sources::postgres {
namespace {

using ::reissue::testing::PostgresServers;
using ::testing::HasSubstr;

class ForeignTest : public ::testing::Test {
 protected:
  static void Sql(int server, const std::string& sql) {
    PostgresServers::Sql(server, "SET client_min_messages = error; " + sql);
  }
  static std::string Word(const std::string& conninfo, const std::string& name) {
    const std::size_t begin = conninfo.find(name + "=") + name.size() + 1;
    return conninfo.substr(begin, conninfo.find(' ', begin) - begin);
  }
  void SetUp() override {
    Sql(1,
        "DROP SCHEMA IF EXISTS f CASCADE; DROP EXTENSION IF EXISTS postgres_fdw CASCADE; CREATE "
        "EXTENSION postgres_fdw SCHEMA public; CREATE SCHEMA f; CREATE TABLE f.t (id int, a int, b "
        "text, c numeric, d interval) PARTITION BY HASH (id)");
    for (const int server : {2, 3}) {
      Sql(server, fmt::format("DROP SCHEMA IF EXISTS f CASCADE; CREATE SCHEMA f; CREATE TABLE "
                              "f.part (id int, a int, b "
                              "text, c numeric, d interval); INSERT INTO f.part SELECT i, i % 5, "
                              "chr(97 + i % 3), i % 2, "
                              "'1 day' FROM generate_series(1, 3000) i WHERE i % 2 = {}",
                              server - 2));
      const std::string conninfo = PostgresServers::Conninfo(server);
      Sql(1,
          fmt::format(
              "CREATE SERVER far{0} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '{1}', port "
              "'{2}', "
              "dbname 'postgres', options '-c row_security=off', async_capable 'true'); CREATE "
              "USER "
              "MAPPING FOR CURRENT_USER SERVER far{0} OPTIONS (user 'reissue', password_required "
              "'false'); CREATE FOREIGN TABLE f.part{0} PARTITION OF f.t FOR VALUES WITH (MODULUS "
              "2, "
              "REMAINDER {3}) SERVER far{0} OPTIONS (schema_name 'f', table_name 'part')",
              server, Word(conninfo, "host"), Word(conninfo, "port"), server - 2));
    }
  }
  void TearDown() override {
    Sql(1, "DROP SCHEMA f CASCADE; DROP EXTENSION postgres_fdw CASCADE");
    for (const int server : {2, 3}) Sql(server, "DROP SCHEMA f CASCADE");
  }
  SourceSettings Settings() const {
    SourceSettings settings;
    settings.servers = {{PostgresServers::Conninfo(1)}};
    return settings;
  }
  Result<Counted> Count(std::vector<std::string> columns, const std::string& identifier = "") {
    auto source = REISSUE_TRY(OpenTable(Settings(), "f.t", pool_, progress_));
    EXPECT_EQ(source->consistency(), Consistency::kApart);
    Wanted wanted;
    wanted.columns = std::move(columns);
    wanted.identifier = identifier;
    wanted.on_missing = on_missing_;
    wanted.hash = [](std::string_view id) {
      PersonKey key{};
      std::copy(id.begin(), id.end(), key.begin());
      return key;
    };
    return source->Count(wanted);
  }

  io::OnMissing on_missing_ = io::OnMissing::kError;
  ThreadPool pool_{2};
  Progress progress_;
};

TEST_F(ForeignTest, TheServersCount) {
  const Result<Counted> counted = Count({"a", "b", "c"});
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  EXPECT_EQ(counted->table.rows(), 30u);
  EXPECT_EQ(counted->table.total(), 3000u);
  for (const std::uint64_t weight : counted->table.weights()) EXPECT_EQ(weight, 100u);
}

TEST_F(ForeignTest, PersonsAreLedToTheirCombinations) {
  const Result<Counted> counted = Count({"a", "b"}, "id");
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  ASSERT_EQ(counted->persons.size(), 3000u);
  EXPECT_FALSE(counted->twice.has_value());
  for (const Person& person : counted->persons) {
    const int id = std::stoi(reinterpret_cast<const char*>(person.key.data()));
    EXPECT_EQ(counted->table[ColumnId(0)].text(RowId(person.row)), std::to_string(id % 5));
  }
}

TEST_F(ForeignTest, WhoHasNoIdentifierIsLeftOut) {
  for (const int server : {2, 3})
    Sql(server, "UPDATE f.part SET id = NULL WHERE a = 1 AND b = 'b'");
  EXPECT_FALSE(Count({"a", "b"}, "id").has_value());
  on_missing_ = io::OnMissing::kDropRow;
  const Result<Counted> counted = Count({"a", "b"}, "id");
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  EXPECT_EQ(counted->dropped_rows, 200u);
  EXPECT_EQ(counted->table.total(), 2800u);
  EXPECT_EQ(counted->table.rows(), 14u);
  EXPECT_EQ(counted->persons.size(), 2800u);
}

TEST_F(ForeignTest, WhatTheyCannotCountIsRefused) {
  const Result<Counted> refused = Count({"a", "d"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().ToString(), HasSubstr("column \"d\": by a column of type interval"));
  EXPECT_THAT(refused.error().ToString(), HasSubstr("shards"));
}

// By their plan; the planner's own choice is none that can be relied upon.
TEST_F(ForeignTest, IsProvenByThePlan) {
  TableName name = *ReadTableName("f.t");
  Connection connection = *OpenSession(Settings().servers[0], name, Transaction::kRead, Patience());
  const Described table = *Describe(connection, name);
  ASSERT_EQ(table.leaves.size(), 2u);
  const std::string pushed =
      "SELECT a, count(*) FROM ONLY f.part2 GROUP BY a UNION ALL SELECT a, count(*) FROM ONLY "
      "f.part3 "
      "GROUP BY a";
  const std::string sent =
      "SELECT a, count(*) FROM ONLY f.part2 GROUP BY a UNION ALL SELECT a + random()::int, "
      "count(*) "
      "FROM ONLY f.part3 GROUP BY 1";
  ASSERT_TRUE(ForceCountingFar(connection).has_value());
  EXPECT_TRUE(ProveCountingFar(connection, pushed, table).has_value());
  const Status refused = ProveCountingFar(connection, sent, table);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().ToString(), HasSubstr("only 1 of 2"));
  EXPECT_FALSE(
      ProveCountingFar(connection, "SELECT a, count(*) FROM f.t GROUP BY a", table).has_value());
}

TEST_F(ForeignTest, ServersThatMayHideRowsAreRefused) {
  Sql(1, "ALTER SERVER far3 OPTIONS (DROP options)");
  const Result<Counted> refused = Count({"a"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().ToString(), HasSubstr("\"far3\" may hide rows"));
}

TEST_F(ForeignTest, ThroughThemNothingIsLocked) {
  SourceSettings settings = Settings();
  settings.lock = true;
  EXPECT_FALSE(OpenTable(settings, "f.t", pool_, progress_).has_value());
}

TEST_F(ForeignTest, AServerBehindThatIsGoneIsAnError) {
  PostgresServers::Servers("crash", 3);
  const Result<Counted> failed = Count({"a"});
  PostgresServers::Servers("revive", 3);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, ErrorCode::kMachine);
}

}  // namespace
}  // namespace reissue::sources::postgres
