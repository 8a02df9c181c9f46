#include "reissue/sources/postgres/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/sources/postgres/session.h"

namespace reissue::sources::postgres {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Address, IsReadAsLibpqReadsIt) {
  EXPECT_TRUE(ReadAddress("hospital").has_value());
  EXPECT_TRUE(ReadAddress("host=db.example dbname=hospital").has_value());
  EXPECT_TRUE(ReadAddress("postgresql://reader@db.example/hospital?sslmode=require").has_value());
  EXPECT_TRUE(ReadAddress("service=hospital").has_value());
}

TEST(Address, ThatIsWrongIsNotRepeated) {
  const Result<Address> wrong = ReadAddress("host=db.example password = 'se cret");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code, ErrorCode::kUsage);
  EXPECT_THAT(wrong.error().ToString(), Not(HasSubstr("cret")));
  EXPECT_FALSE(ReadAddress("hots=db.example").has_value());
}

TEST(Address, OfAPolicyHasNoPassword) {
  const Place place{"policy.toml", 7, std::nullopt, ""};
  for (const char* const conninfo :
       {"host=db.example password=hushhush", "postgresql://reader:hushhush@db.example/hospital",
        "postgresql://reader@db.example/hospital?password=hushhush",
        "dbname=hospital sslpassword=hushhush"}) {
    const Result<Address> wrong = ReadAddressOfPolicy(conninfo, place);
    ASSERT_FALSE(wrong.has_value()) << conninfo;
    EXPECT_EQ(wrong.error().code, ErrorCode::kInput);
    EXPECT_THAT(wrong.error().ToString(), HasSubstr("policy.toml:7"));
    EXPECT_THAT(wrong.error().ToString(), Not(HasSubstr("hushhush")));
    EXPECT_TRUE(ReadAddress(conninfo).has_value());
  }
  EXPECT_TRUE(ReadAddressOfPolicy("service=hospital", place).has_value());
  EXPECT_TRUE(ReadAddressOfPolicy("host=db.example passfile=keys", place).has_value());
}

TEST(Address, IsLocalOrCanBeOverheard) {
  for (const char* const local : {"", "/run/postgresql", "@abstract", "localhost", "127.0.0.1",
                                  "127.8.9.1", "::1", "/run/postgresql,localhost"}) {
    EXPECT_TRUE(IsLocal(local, "")) << local;
  }
  for (const char* const far : {"db.example", "10.0.0.1", "127.evil.example", "localhost.example",
                                "localhost,db.example", "/run,db.example"}) {
    EXPECT_FALSE(IsLocal(far, "")) << far;
  }
  EXPECT_TRUE(IsLocal("db.example", "127.0.0.1"));
  EXPECT_FALSE(IsLocal("localhost", "10.0.0.1"));
  EXPECT_FALSE(IsLocal("a,b", "127.0.0.1,10.0.0.1"));
}

TEST(Address, IsShownWithoutItsPassword) {
  const auto shown = [](const std::string& conninfo) {
    return WithoutPassword({conninfo})->conninfo;
  };
  EXPECT_EQ(shown("clinic"), "clinic");
  EXPECT_EQ(shown("host=db  dbname=clinic"), "host=db  dbname=clinic");
  const std::string of_uri = shown("postgresql://me:hunter2@db/clinic");
  EXPECT_THAT(of_uri, HasSubstr("user='me'"));
  EXPECT_THAT(of_uri, HasSubstr("host='db'"));
  EXPECT_EQ(of_uri.find("hunter2"), std::string::npos);
  EXPECT_THAT(shown(R"(dbname='it\'s' password=x)"), HasSubstr(R"(dbname='it\'s')"));
}

TEST(TableName, IsReadAsSqlReadsIt) {
  const auto name = [](const std::string& text) {
    const Result<TableName> read = ReadTableName(text);
    return read ? read->schema + "|" + read->table : std::string("?");
  };
  EXPECT_EQ(name("people"), "|people");
  EXPECT_EQ(name("Register.People"), "register|people");
  EXPECT_EQ(name("\"Register\".\"a.b\"\"c\""), "Register|a.b\"c");
  for (const char* const wrong :
       {"", ".", "a.", ".b", "a.b.c", "\"a", "\"a\"b", "a\"b\"", "\"\""}) {
    EXPECT_EQ(name(wrong), "?") << wrong;
  }
  EXPECT_EQ(ReadTableName("\"Register\".people")->ToString(), "\"Register\".people");
}

// The server would cut the name and find another table.
TEST(TableName, IsNotCut) {
  EXPECT_TRUE(ReadTableName(std::string(63, 'a')).has_value());
  const Result<TableName> longer = ReadTableName("public." + std::string(64, 'a'));
  ASSERT_FALSE(longer.has_value());
  EXPECT_THAT(longer.error().message, HasSubstr("64 bytes"));
  std::string umlauts = "\"";
  for (int i = 0; i < 32; ++i) umlauts += "ä";
  EXPECT_FALSE(ReadTableName(umlauts + "\"").has_value());
}

}  // namespace
}  // namespace reissue::sources::postgres
