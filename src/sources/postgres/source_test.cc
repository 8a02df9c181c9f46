// Tables of real servers as sources: one, two, and what becomes of them when servers fail.
#include "reissue/sources/postgres/source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <thread>

#include "postgres_servers.h"

namespace reissue::sources::postgres {
namespace {

using ::reissue::testing::PostgresServers;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

PersonKey KeyOf(std::string_view identifier) {
  PersonKey key{};
  std::memcpy(key.data(), identifier.data(), std::min(identifier.size(), key.size()));
  return key;
}

class SourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const int server : {1, 2, 3})
      Sql(server, "DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s");
  }
  void TearDown() override {
    for (const int server : {1, 2, 3}) Sql(server, "DROP SCHEMA IF EXISTS s CASCADE");
  }
  static void Sql(int server, const std::string& sql) {
    PostgresServers::Sql(server, "SET client_min_messages = error; " + sql);
  }
  static SourceSettings Of(std::vector<int> servers, bool lock = false) {
    SourceSettings settings;
    for (const int server : servers)
      settings.servers.push_back({PostgresServers::Conninfo(server)});
    settings.lock = lock;
    return settings;
  }
  std::unique_ptr<TableSource> Open(const SourceSettings& settings) {
    Result<std::unique_ptr<TableSource>> source = OpenTable(settings, "s.t", pool_, progress_);
    EXPECT_TRUE(source.has_value()) << source.error().ToString();
    return source ? *std::move(source) : nullptr;
  }
  Result<Counted> Count(const SourceSettings& settings, const Wanted& wanted) {
    auto source = REISSUE_TRY(OpenTable(settings, "s.t", pool_, progress_));
    return source->Count(wanted);
  }
  static Wanted Columns(std::vector<std::string> columns) {
    Wanted wanted;
    wanted.columns = std::move(columns);
    wanted.missing_markers = {""};
    return wanted;
  }
  // a=1 b=x ×2; …
  static std::string Text(const Table& table) {
    std::string text;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      for (const Column& column : table.columns()) {
        text += fmt::format("{}={} ", column.name(), column.text(RowId(row)));
      }
      text += fmt::format("×{}; ", table.weight(RowId(row)));
    }
    return text;
  }

  ThreadPool pool_{2};
  Progress progress_;
};

TEST_F(SourceTest, CountsOnTheServer) {
  Sql(1,
      "CREATE TABLE s.t (id int, b text, a int); INSERT INTO s.t SELECT i, chr(120 - i % 2), i % 3 "
      "FROM generate_series(1, 60) i");
  auto source = Open(Of({1}));
  EXPECT_EQ(source->name(), "s.t");
  EXPECT_THAT(source->columns(), ElementsAre("id", "b", "a"));
  EXPECT_EQ(source->consistency(), Consistency::kOneSnapshot);
  const Result<Counted> counted = source->Count(Columns({"a", "b"}));
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  EXPECT_EQ(counted->table.total(), 60u);
  EXPECT_EQ(Text(counted->table),
            "b=w a=0 ×10; b=w a=1 ×10; b=w a=2 ×10; b=x a=0 ×10; b=x a=1 ×10; b=x a=2 ×10; ");
  EXPECT_EQ(counted->digest.size(), 64u);
  EXPECT_TRUE(counted->persons.empty());
}

TEST_F(SourceTest, TheSameFromTwoShards) {
  const std::string make =
      "CREATE TABLE s.t (id int, b text, a numeric); INSERT INTO s.t SELECT i, "
      "chr(97 + i % 7), i % 5 FROM generate_series(1, 1000) i ";
  Sql(1, make);
  Sql(2, make + "WHERE i % 3 = 0");
  Sql(3, make + "WHERE i % 3 <> 0");
  const Result<Counted> one = Count(Of({1}), Columns({"a", "b"}));
  const Result<Counted> two = Count(Of({3, 2}), Columns({"a", "b"}));
  ASSERT_TRUE(one.has_value());
  ASSERT_TRUE(two.has_value()) << two.error().ToString();
  EXPECT_EQ(Text(two->table), Text(one->table));
  EXPECT_EQ(two->digest, one->digest);
  EXPECT_EQ(Open(Of({2, 3}))->consistency(), Consistency::kApart);
  EXPECT_EQ(Open(Of({2, 3}, true))->consistency(), Consistency::kBarrier);
}

// By hashes of rows, which is quick, and by all values, which is obvious.
TEST_F(SourceTest, PersonsAreLedToTheirCombinations) {
  for (const int server : {1, 2}) {
    Sql(server,
        fmt::format(
            "CREATE EXTENSION IF NOT EXISTS citext SCHEMA public; CREATE TABLE s.t (id int, b "
            "public.citext, a numeric, f float8); INSERT INTO s.t SELECT i, CASE WHEN i % 2 = 0 "
            "THEN 'x' "
            "ELSE 'X' END, CASE WHEN i % 3 = 0 THEN 1.0 ELSE 1.00 END, CASE WHEN i % 5 = 0 THEN "
            "'-0'::float8 ELSE 0 END FROM generate_series({}, {}) i",
            server * 100, server * 100 + 99));
  }
  Wanted wanted = Columns({"a", "b", "f"});
  wanted.identifier = "id";
  wanted.hash = KeyOf;
  const Result<Counted> counted = Count(Of({1, 2}), wanted);
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  EXPECT_EQ(Text(counted->table), "b=X a=1 f=0 ×100; b=x a=1 f=0 ×100; ");
  ASSERT_EQ(counted->persons.size(), 200u);
  EXPECT_FALSE(counted->twice.has_value());
  for (const Person& person : counted->persons) {
    const int id = std::stoi(reinterpret_cast<const char*>(person.key.data()));
    EXPECT_EQ(person.row, id % 2 == 0 ? 1u : 0u);
  }
}

TEST_F(SourceTest, AnIdentifierThatIsThereTwiceIsSaid) {
  Sql(1, "CREATE TABLE s.t (id int, a int); INSERT INTO s.t VALUES (1, 1), (2, 1)");
  Sql(2, "CREATE TABLE s.t (id int, a int); INSERT INTO s.t VALUES (3, 1), (2, 5)");
  Wanted wanted = Columns({"a"});
  wanted.identifier = "id";
  wanted.hash = KeyOf;
  const Result<Counted> counted = Count(Of({1, 2}), wanted);
  ASSERT_TRUE(counted.has_value());
  ASSERT_TRUE(counted->twice.has_value());
  EXPECT_EQ(counted->twice->place.column, "id");
  EXPECT_FALSE(Count(Of({1}), wanted)->twice.has_value());
}

TEST_F(SourceTest, NullIsMissing) {
  Sql(1,
      "CREATE TABLE s.t (id int, a text); INSERT INTO s.t VALUES (1, 'MARKED'), (2, NULL), (NULL, "
      "'MARKED'), (4, ''), (5, 'b')");
  Wanted wanted = Columns({"a"});
  const Result<Counted> refused = Count(Of({1}), wanted);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().ToString(), HasSubstr("s.t, column \"a\": a value is missing"));
  wanted.on_missing = io::OnMissing::kDropRow;
  EXPECT_EQ(Text(Count(Of({1}), wanted)->table), "a=MARKED ×2; a=b ×1; ");
  EXPECT_EQ(Count(Of({1}), wanted)->dropped_rows, 2u);
  wanted.missing_markers = {"b"};
  EXPECT_EQ(Text(Count(Of({1}), wanted)->table), "a= ×1; a=MARKED ×2; ");
  wanted.on_missing = io::OnMissing::kValue;
  EXPECT_EQ(Text(Count(Of({1}), wanted)->table), "a= ×1; a=MARKED ×2; a=b ×2; ");
  // Who has no identifier is left out, too.
  wanted = Columns({"a"});
  wanted.on_missing = io::OnMissing::kDropRow;
  wanted.identifier = "id";
  wanted.hash = KeyOf;
  const Result<Counted> persons = Count(Of({1}), wanted);
  ASSERT_TRUE(persons.has_value()) << persons.error().ToString();
  EXPECT_EQ(Text(persons->table), "a=MARKED ×1; a=b ×1; ");
  EXPECT_EQ(persons->dropped_rows, 3u);
  EXPECT_EQ(persons->persons.size(), 2u);
}

TEST_F(SourceTest, NoRowsIsAnError) {
  Sql(1, "CREATE TABLE s.t (a text)");
  Wanted wanted = Columns({"a"});
  EXPECT_THAT(Count(Of({1}), wanted).error().ToString(), HasSubstr("has no rows"));
  Sql(1, "INSERT INTO s.t VALUES (NULL)");
  wanted.on_missing = io::OnMissing::kDropRow;
  EXPECT_THAT(Count(Of({1}), wanted).error().ToString(), HasSubstr("all 1 rows were left out"));
}

TEST_F(SourceTest, RowsForModelsThatNeedThem) {
  Sql(2, "CREATE TABLE s.t (id int, a text); INSERT INTO s.t VALUES (1, E'x\\ty'), (2, NULL)");
  Sql(3, "CREATE TABLE s.t (id int, a text); INSERT INTO s.t VALUES (3, 'z')");
  Wanted wanted = Columns({"a", "id"});
  wanted.on_missing = io::OnMissing::kDropRow;
  auto source = Open(Of({2, 3}));
  const Result<Listed> rows = source->Rows(wanted);
  ASSERT_TRUE(rows.has_value()) << rows.error().ToString();
  EXPECT_EQ(Text(rows->table), "id=1 a=x\ty ×1; id=3 a=z ×1; ");
  EXPECT_EQ(rows->dropped_rows, 1u);
}

TEST_F(SourceTest, AShardWithOtherColumnsIsAnError) {
  Sql(1, "CREATE TABLE s.t (a int); INSERT INTO s.t VALUES (1)");
  Sql(2, "CREATE TABLE s.t (a text); INSERT INTO s.t VALUES ('1')");
  const Result<Counted> refused = Count(Of({1, 2}), Columns({"a"}));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kInput);
  EXPECT_THAT(refused.error().ToString(), HasSubstr("is of type text"));
}

TEST_F(SourceTest, AShardThatDiesStopsTheOthers) {
  for (const int server : {1, 2}) {
    Sql(server,
        "CREATE VIEW s.t AS SELECT 1 AS a, pg_sleep(600)::text AS b FROM generate_series(1, 9)");
  }
  auto source = Open(Of({1, 2}));
  ASSERT_NE(source, nullptr);
  std::thread end([] {
    // Once both have begun.
    while (PostgresServers::Sql(2,
                                "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND "
                                "query LIKE '%GROUP BY%' AND pid <> pg_backend_pid()") == "0") {
    }
    PostgresServers::Servers("crash", 2);
  });
  const Result<Counted> failed = source->Count(Columns({"a", "b"}));
  end.join();
  PostgresServers::Servers("revive", 2);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, ErrorCode::kMachine);
  EXPECT_THAT(failed.error().ToString(), Not(HasSubstr("another server")));
}

TEST_F(SourceTest, AShardThatIsNotThereIsAnError) {
  Sql(1, "CREATE TABLE s.t (a int); INSERT INTO s.t VALUES (1)");
  SourceSettings settings = Of({1});
  settings.servers.push_back({"host=/nowhere dbname=x"});
  const Result<Counted> refused = Count(settings, Columns({"a"}));
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().ToString(), HasSubstr("no connection"));
}

TEST_F(SourceTest, ALockNeedsARightToWrite) {
  for (const int server : {1, 2}) {
    Sql(server,
        "DROP ROLE IF EXISTS s_reader; CREATE ROLE s_reader LOGIN; GRANT USAGE ON SCHEMA s TO "
        "s_reader; CREATE TABLE s.t (a int); INSERT INTO s.t VALUES (1); GRANT SELECT ON s.t TO "
        "s_reader");
  }
  SourceSettings settings = Of({1, 2}, true);
  for (Address& server : settings.servers) server.conninfo += " user=s_reader";
  const Result<Counted> refused = Count(settings, Columns({"a"}));
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().ToString(), HasSubstr("no right to write"));
  settings.lock = false;
  EXPECT_TRUE(Count(settings, Columns({"a"})).has_value());
  for (const int server : {1, 2}) Sql(server, "DROP OWNED BY s_reader; DROP ROLE s_reader");
}

// As the catalogue of Citus says it: this is not Citus, which no test has.
TEST_F(SourceTest, WorkersHaveNoSnapshotInCommon) {
  PostgresServers::Sql(1, "DROP DATABASE IF EXISTS lookalike");
  PostgresServers::Sql(1, "CREATE DATABASE lookalike");
  const std::string there = PostgresServers::Conninfo(1) + " dbname=lookalike";
  PostgresServers::SqlAt(
      there,
      "SET allow_system_table_mods = on; CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid "
      "regclass); INSERT INTO pg_catalog.pg_extension VALUES (99999, 'citus', 10, 11, false, '1', "
      "NULL, NULL); CREATE SCHEMA s; CREATE TABLE s.t (a int); CREATE TABLE s.here (a int); INSERT "
      "INTO pg_catalog.pg_dist_partition VALUES ('s.t')");
  SourceSettings settings;
  settings.servers = {{there}};
  EXPECT_EQ(Open(settings)->consistency(), Consistency::kApart);
  EXPECT_EQ((*OpenTable(settings, "s.here", pool_, progress_))->consistency(),
            Consistency::kOneSnapshot);
  PostgresServers::Sql(1, "DROP DATABASE lookalike WITH (FORCE)");
}

// Rows wander between the shards by two-phase commit; there are always as many.
TEST_F(SourceTest, BehindTheBarrierNoRowIsTorn) {
  Sql(2, "CREATE TABLE s.t (a int); INSERT INTO s.t SELECT generate_series(1, 100)");
  Sql(3, "CREATE TABLE s.t (a int)");
  std::atomic<bool> done = false;
  std::atomic<int> moved = 0;
  std::thread writer([&] {
    Result<Connection> from = Connection::Open({PostgresServers::Conninfo(2)}, Patience());
    Result<Connection> to = Connection::Open({PostgresServers::Conninfo(3)}, Patience());
    ASSERT_TRUE(from.has_value() && to.has_value());
    for (int i = 0; !done; ++i) {
      Connection& source = i % 2 == 0 ? *from : *to;
      Connection& target = i % 2 == 0 ? *to : *from;
      const bool kept = source.Execute("BEGIN").has_value() &&
                        source.Execute("DELETE FROM s.t WHERE a = 1").has_value() &&
                        target.Execute("BEGIN").has_value() &&
                        target.Execute("INSERT INTO s.t VALUES (1)").has_value() &&
                        source.Execute("PREPARE TRANSACTION 'move'").has_value() &&
                        target.Execute("PREPARE TRANSACTION 'move'").has_value() &&
                        source.Execute("COMMIT PREPARED 'move'").has_value() &&
                        target.Execute("COMMIT PREPARED 'move'").has_value();
      ASSERT_TRUE(kept);
      ++moved;
    }
  });
  int torn = 0, cuts = 0;
  for (; cuts < 60; ++cuts) {
    const Result<Counted> counted = Count(Of({2, 3}, true), Columns({"a"}));
    EXPECT_TRUE(counted.has_value()) << counted.error().ToString();
    if (!counted || counted->table.total() != 100) ++torn;
  }
  done = true;
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_GT(moved, 60);
}

}  // namespace
}  // namespace reissue::sources::postgres
