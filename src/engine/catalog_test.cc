#include "reissue/engine/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/sources/postgres/source.h"

namespace reissue::engine {
namespace {

using ::testing::HasSubstr;

class TableCatalogTest : public ::testing::Test {
 protected:
  static io::PolicySource Source(std::vector<std::string> servers) {
    io::PolicySource source;
    source.servers = std::move(servers);
    source.file = "p.toml";
    source.line = 3;
    return source;
  }

  ThreadPool pool_{1};
  Progress progress_;
  TableCatalog catalog_{io::SystemFiles(), pool_, progress_};
};

TEST_F(TableCatalogTest, WithoutAServerEverythingIsAFile) {
  for (const char* const name : {"people", "ward.people", "people.csv", "-", "./people"}) {
    EXPECT_TRUE(catalog_.IsFile(name)) << name;
  }
  EXPECT_TRUE(catalog_.Follow({}).has_value());
  EXPECT_TRUE(catalog_.IsFile("people"));
}

TEST_F(TableCatalogTest, AProgramWithoutPostgresSaysSo) {
  if (sources::postgres::Available()) GTEST_SKIP() << "it has PostgreSQL";
  EXPECT_THAT(catalog_.Connect({"clinic"}).error().message, HasSubstr("without PostgreSQL"));
}

TEST_F(TableCatalogTest, WithAServerNamesOfFilesAreTold) {
  if (!sources::postgres::Available()) GTEST_SKIP() << "built without PostgreSQL";
  ASSERT_TRUE(catalog_.Connect({"clinic"}).has_value());
  for (const char* const name :
       {"-", "./people", "a/b", "people.csv", "people.csv.gz", "people.tsv.zst", "people.txt"}) {
    EXPECT_TRUE(catalog_.IsFile(name)) << name;
  }
  for (const char* const name : {"people", "ward.people", "\"ward\".\"people.csv\"", "gz", "csv"}) {
    EXPECT_FALSE(catalog_.IsFile(name)) << name;
  }
}

TEST_F(TableCatalogTest, WhatWasDialledWinsOverThePolicy) {
  if (!sources::postgres::Available()) GTEST_SKIP() << "built without PostgreSQL";
  ASSERT_TRUE(catalog_.Follow(Source({"service=clinic"})).has_value());
  EXPECT_FALSE(catalog_.IsFile("people"));
  EXPECT_THAT(*catalog_.ServersWithoutPasswords(), ::testing::ElementsAre("service=clinic"));
  ASSERT_TRUE(catalog_.Connect({"dbname=other password=x"}).has_value());
  ASSERT_TRUE(catalog_.Follow(Source({"service=clinic"})).has_value());
  EXPECT_THAT(*catalog_.ServersWithoutPasswords(), ::testing::ElementsAre("dbname='other'"));
}

TEST_F(TableCatalogTest, APolicyHoldsNoPassword) {
  if (!sources::postgres::Available()) GTEST_SKIP() << "built without PostgreSQL";
  const Status refused = catalog_.Follow(Source({"dbname=x password=hunter2"}));
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().ToString(), HasSubstr("p.toml:3: a policy must not hold a password"));
  EXPECT_THAT(refused.error().ToString(), ::testing::Not(HasSubstr("hunter2")));
  EXPECT_TRUE(catalog_.IsFile("people"));
}

}  // namespace
}  // namespace reissue::engine
