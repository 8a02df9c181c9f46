// What SQL counts as equal and what is written alike differ in many ways: each is a trap, and each
// is a test.
#include "reissue/sources/postgres/described.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres_servers.h"

namespace reissue::sources::postgres {
namespace {

using ::reissue::testing::PostgresServers;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

// A schema of its own for each test.
class DescribedTest : public ::testing::Test {
 protected:
  void SetUp() override { Sql("DROP SCHEMA IF EXISTS d CASCADE; CREATE SCHEMA d"); }
  void TearDown() override {
    connection_.reset();  // it holds locks
    Sql("DROP SCHEMA IF EXISTS d CASCADE");
  }

  static void Sql(const std::string& sql) {
    PostgresServers::Sql(1, "SET client_min_messages = error; " + sql);
  }

  Result<Described> Open(const std::string& more = "", const std::string& table = "d.t") {
    TableName name = REISSUE_TRY(ReadTableName(table));
    connection_.emplace(REISSUE_TRY(
        OpenSession({PostgresServers::Conninfo(1) + more}, name, Transaction::kRead, Patience())));
    return Describe(*connection_, name);
  }

  // Values of the only column, with how often the server counts them.
  std::vector<std::string> Counted(const std::string& more = "") {
    const Result<Described> table = Open(more);
    EXPECT_TRUE(table.has_value()) << table.error().ToString();
    if (!table) return {};
    const DescribedColumn& column = table->columns[0];
    std::vector<std::string> values;
    const Status done = connection_->Query(
        fmt::format("SELECT {}, count(*) FROM {} AS t GROUP BY {}", column.shown, table->from,
                    column.group),
        {}, [&](std::span<const Field> fields) {
          values.push_back(fmt::format("{}×{}", fields[0].value_or("NULL"), *fields[1]));
          return Ok();
        });
    EXPECT_TRUE(done.has_value()) << done.error().ToString();
    return values;
  }

  std::vector<std::string> Of(const std::string& type, const std::string& values,
                              const std::string& more = "") {
    connection_.reset();
    Sql("DROP TABLE IF EXISTS d.t; CREATE TABLE d.t (c " + type + "); INSERT INTO d.t VALUES " +
        values);
    return Counted(more);
  }

  std::optional<Connection> connection_;
};

TEST_F(DescribedTest, NumbersOfAnyScale) {
  EXPECT_THAT(Of("numeric", "(1.0), (1.00), (1), (100), (NULL)"),
              UnorderedElementsAre("1×3", "100×1", "NULL×1"));
  EXPECT_THAT(Of("numeric(6,2)", "(1.0), (1.00), (2.5)"), UnorderedElementsAre("1.00×2", "2.50×1"));
}

TEST_F(DescribedTest, NumbersInBinary) {
  EXPECT_THAT(Of("float8", "(-0.0::float8), (0), (0.1), ('NaN'), ('NaN')"),
              UnorderedElementsAre("0×2", "0.1×1", "NaN×2"));
  EXPECT_THAT(Of("float4", "(0.1), (1e10)"), UnorderedElementsAre("0.1×1", "1e+10×1"));
}

TEST_F(DescribedTest, TextsThatDifferInCaseAlone) {
  Sql("CREATE EXTENSION IF NOT EXISTS citext SCHEMA public");
  EXPECT_THAT(Of("public.citext", "('Flu'), ('flu'), ('flu')"),
              UnorderedElementsAre("Flu×1", "flu×2"));
  Sql("CREATE DOMAIN d.ill AS public.citext");
  EXPECT_THAT(Of("d.ill", "('Flu'), ('flu')"), UnorderedElementsAre("Flu×1", "flu×1"));
}

TEST_F(DescribedTest, CollationsThatOverlookCase) {
  Sql("CREATE COLLATION d.loose (provider = icu, locale = 'und-u-ks-level2', deterministic = "
      "false)");
  EXPECT_THAT(Of("text COLLATE d.loose", "('Flu'), ('flu'), ('flu')"),
              UnorderedElementsAre("Flu×1", "flu×2"));
  EXPECT_THAT(Of("char(5) COLLATE d.loose", "('Flu'), ('flu')"),
              UnorderedElementsAre("Flu×1", "flu×1"));
}

TEST_F(DescribedTest, Intervals) {
  EXPECT_THAT(Of("interval", "('1 day'), ('24 hours'), ('24 hours')"),
              UnorderedElementsAre("1 day×1", "24:00:00×2"));
}

TEST_F(DescribedTest, WhatCannotBeGrouped) {
  EXPECT_THAT(Of("json", "('{\"a\":1}'), ('{\"a\": 1}')"),
              UnorderedElementsAre("{\"a\":1}×1", "{\"a\": 1}×1"));
  EXPECT_THAT(Of("jsonb", "('[1.0]'), ('[1.00]')"), UnorderedElementsAre("[1.0]×1", "[1.00]×1"));
  EXPECT_THAT(Of("numeric[]", "('{1.0}'), ('{1.00}')"),
              UnorderedElementsAre("{1.0}×1", "{1.00}×1"));
  EXPECT_THAT(Of("point", "('(1,2)'), ('(1,2)')"), UnorderedElementsAre("(1,2)×2"));
}

TEST_F(DescribedTest, BooleansAsTheServerWritesThem) {
  EXPECT_THAT(Of("boolean", "(true), (false), (true)"), UnorderedElementsAre("t×2", "f×1"));
}

TEST_F(DescribedTest, EmptyIsNotMissing) {
  EXPECT_THAT(Of("text", "(''), (NULL), (NULL)"), UnorderedElementsAre("×1", "NULL×2"));
}

TEST_F(DescribedTest, BlanksAtTheEndOfFixedWidth) {
  EXPECT_THAT(Of("char(6)", "('ab'), ('ab ')"), UnorderedElementsAre("ab×2"));
}

TEST_F(DescribedTest, EnumsAndCodes) {
  Sql("CREATE TYPE d.mood AS ENUM ('well', 'ill')");
  EXPECT_THAT(Of("d.mood", "('ill'), ('ill'), ('well')"), UnorderedElementsAre("ill×2", "well×1"));
  EXPECT_THAT(Of("uuid", "('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')"),
              UnorderedElementsAre("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11×1"));
}

// Whatever the user, the database or the environment prefers.
TEST_F(DescribedTest, SettingsOfTheSessionArePinned) {
  const std::string prefers =
      " options='-c datestyle=german -c intervalstyle=iso_8601 -c timezone=Asia/Tokyo -c "
      "extra_float_digits=-3 -c bytea_output=escape -c lc_monetary=C'";
  EXPECT_THAT(Of("date", "('2024-03-01')", prefers), UnorderedElementsAre("2024-03-01×1"));
  EXPECT_THAT(Of("timestamptz", "('2024-03-01 12:00+00'), ('2024-03-01 13:00+01')", prefers),
              UnorderedElementsAre("2024-03-01 12:00:00+00×2"));
  EXPECT_THAT(Of("interval", "('1 day 2 hours')", prefers),
              UnorderedElementsAre("1 day 02:00:00×1"));
  EXPECT_THAT(Of("float8", "(0.1::float8 + 0.2)", prefers),
              UnorderedElementsAre("0.30000000000000004×1"));
  EXPECT_THAT(Of("bytea", "('\\x6162')", prefers), UnorderedElementsAre("\\x6162×1"));
}

TEST_F(DescribedTest, TextIsUtf8WhateverTheEncodingOfTheClient) {
  EXPECT_THAT(Of("text", "('Zürich')", " client_encoding=LATIN1"),
              UnorderedElementsAre("Zürich×1"));
}

// A third of the rows, and not a word: row-level security is an error.
TEST_F(DescribedTest, RowsThatAreHiddenAreAnError) {
  Sql("DROP ROLE IF EXISTS d_reader; CREATE ROLE d_reader LOGIN; GRANT USAGE ON SCHEMA d TO "
      "d_reader; CREATE TABLE d.t (c int); INSERT INTO d.t SELECT i % 3 FROM generate_series(1, 9) "
      "i; GRANT SELECT ON d.t TO d_reader; ALTER TABLE d.t ENABLE ROW LEVEL SECURITY; CREATE "
      "POLICY "
      "third ON d.t USING (c = 0); CREATE VIEW d.v WITH (security_invoker) AS SELECT * FROM d.t; "
      "GRANT SELECT ON d.v TO d_reader");
  EXPECT_EQ(PostgresServers::SqlAt(PostgresServers::Conninfo(1) + " user=d_reader",
                                   "SELECT count(*) FROM d.t"),
            "3");
  const Result<Described> hidden = Open(" user=d_reader");
  ASSERT_FALSE(hidden.has_value());
  EXPECT_EQ(hidden.error().code, ErrorCode::kInput);
  EXPECT_THAT(hidden.error().ToString(), HasSubstr("row-level security"));
  // Below a view nobody is told before the rows are read; then the server refuses.
  const Result<Described> below = Open(" user=d_reader", "d.v");
  ASSERT_FALSE(below.has_value() && connection_->Rows("SELECT count(*) FROM d.v").has_value());
  EXPECT_EQ(connection_->state(), "42501");
  connection_.reset();
  Sql("DROP OWNED BY d_reader; DROP ROLE d_reader");
}

TEST_F(DescribedTest, MissingRightsAreAnError) {
  Sql("DROP ROLE IF EXISTS d_stranger; CREATE ROLE d_stranger LOGIN; CREATE TABLE d.t (c int); "
      "GRANT "
      "USAGE ON SCHEMA d TO d_stranger");
  const Result<Described> refused = Open(" user=d_stranger");
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().ToString(), HasSubstr("right to SELECT"));
  connection_.reset();
  Sql("DROP OWNED BY d_stranger; DROP ROLE d_stranger");
}

TEST_F(DescribedTest, NamesAreTakenAsTheyAre) {
  Sql("CREATE TABLE d.\"T \"\"x\"\"; DROP\" (\"a\"\"b; --\" text, \"ÄÖ\" int); INSERT INTO "
      "d.\"T \"\"x\"\"; DROP\" VALUES ('v', 1)");
  const Result<Described> table = Open("", "d.\"T \"\"x\"\"; DROP\"");
  ASSERT_TRUE(table.has_value()) << table.error().ToString();
  EXPECT_EQ(table->columns[0].name, "a\"b; --");
  EXPECT_EQ(table->columns[1].name, "ÄÖ");
  EXPECT_EQ(table->columns[1].type, "integer");
  EXPECT_FALSE(Open("", "d.nosuch").has_value());
  EXPECT_FALSE(Open("", "nosuch.t").has_value());
}

TEST_F(DescribedTest, ATableIsFoundAlongThePath) {
  Sql("CREATE TABLE d.only_here (c int)");
  const Result<Described> found = Open(" options='-c search_path=d,public'", "only_here");
  ASSERT_TRUE(found.has_value()) << found.error().ToString();
  EXPECT_EQ(found->name.schema, "d");
  EXPECT_FALSE(Open("", "only_here").has_value());
  Sql("DROP SCHEMA IF EXISTS d2 CASCADE; CREATE SCHEMA d2; CREATE TABLE d2.only_here (c int)");
  const Result<Described> two = Open(" options='-c search_path=d,d2'", "only_here");
  ASSERT_FALSE(two.has_value());
  EXPECT_THAT(two.error().ToString(), HasSubstr("SCHEMA.TABLE"));
  Sql("DROP SCHEMA d2 CASCADE");
}

// A function of the user's in front of the catalogue's, for whoever looks names up along a path.
TEST_F(DescribedTest, NothingIsLookedUpAlongThePath) {
  Sql("CREATE FUNCTION d.trim_scale(numeric) RETURNS numeric LANGUAGE sql AS 'SELECT 7.0'");
  EXPECT_THAT(Of("numeric", "(1.0)", " options='-c search_path=d,pg_catalog'"),
              UnorderedElementsAre("1×1"));
}

TEST_F(DescribedTest, AllStatementsSeeOneState) {
  Sql("CREATE TABLE d.t (c int); INSERT INTO d.t VALUES (1)");
  const Result<Described> table = Open();
  ASSERT_TRUE(table.has_value());
  Sql("INSERT INTO d.t VALUES (2)");
  const auto rows = connection_->Rows("SELECT count(*) FROM d.t");
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ((*rows)[0][0], "1");
  EXPECT_FALSE(connection_->Execute("INSERT INTO d.t VALUES (3)").has_value());
  EXPECT_EQ(connection_->state(), "25006");
}

TEST_F(DescribedTest, ShardsMustHaveTheSameColumns) {
  Sql("CREATE TABLE d.t (a int, b text); CREATE TABLE d.u (b text, a int); CREATE TABLE d.v (a "
      "int, "
      "b varchar(3)); CREATE TABLE d.w (a int); CREATE TABLE d.x (a int, b text, c int)");
  const auto described = [&](const std::string& table) { return *Open("", table); };
  const Described t = described("d.t");
  EXPECT_TRUE(SameColumns(t, "one", described("d.u"), "two").has_value());
  const Status type = SameColumns(t, "one", described("d.v"), "two");
  ASSERT_FALSE(type.has_value());
  EXPECT_THAT(type.error().ToString(), HasSubstr("character varying(3)"));
  EXPECT_FALSE(SameColumns(t, "one", described("d.w"), "two").has_value());
  EXPECT_FALSE(SameColumns(t, "one", described("d.x"), "two").has_value());
}

}  // namespace
}  // namespace reissue::sources::postgres
