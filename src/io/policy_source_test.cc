#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_file_system.h"
#include "reissue/io/policy.h"

namespace reissue::io {
namespace {

using ::testing::ElementsAre;

constexpr char kRest[] =
    "\n[columns]\na = { role = \"quasi\", type = \"numeric\" }\n[guarantee]\nmodel = \"k\"\nk = "
    "5\n";

// [source] begins on line 1; keys from line 2 on.
Result<Policy> WithSource(const std::string& keys) {
  MemoryFileSystem files;
  files.Put("dir/p.toml", (keys.empty() ? "" : "[source]\n" + keys) + kRest);
  return ReadPolicy(files, "dir/p.toml");
}

std::string SourceError(const std::string& keys) {
  const Result<Policy> policy = WithSource(keys);
  return policy ? "accepted" : policy.error().ToString();
}

TEST(PolicySource, SaysWhereTablesLive) {
  EXPECT_TRUE(WithSource("")->source.servers.empty());
  const Result<Policy> one = WithSource("connection = \"service=clinic\"");
  ASSERT_TRUE(one) << one.error().ToString();
  EXPECT_THAT(one->source.servers, ElementsAre("service=clinic"));
  EXPECT_EQ(one->source.line, 2u);
  EXPECT_FALSE(one->source.lock);
  EXPECT_FALSE(one->source.timeout.has_value());
  const Result<Policy> shards = WithSource(
      "timeout = 7200\nshards = [\"service=north\", \"service=south\"]\nconsistent = \"lock\"");
  ASSERT_TRUE(shards) << shards.error().ToString();
  EXPECT_THAT(shards->source.servers, ElementsAre("service=north", "service=south"));
  EXPECT_TRUE(shards->source.lock);
  EXPECT_EQ(shards->source.timeout, 7200u);
}

TEST(PolicySource, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(SourceError("conection = \"x\""),
            "dir/p.toml:2: unknown key \"conection\" in [source]\n"
            "  did you mean \"connection\"? known are: connection, shards, consistent, timeout");
  EXPECT_EQ(SourceError("timeout = 5"),
            "dir/p.toml:1: [source] names no server\n"
            "  add `connection = \"host=… dbname=…\"`, as for psql, or `shards = [ … ]`");
  EXPECT_EQ(SourceError("connection = \"x\"\nshards = [\"y\", \"z\"]"),
            "dir/p.toml:3: [source] has both \"connection\" and \"shards\"\n"
            "  keep `connection` for one server, `shards` for several");
  EXPECT_EQ(SourceError("shards = [\"y\"]"),
            "dir/p.toml:2: \"shards\" in [source] must name two servers or more\n"
            "  one server is `connection = \"…\"`");
  EXPECT_EQ(SourceError("connection = \"x\"\nconsistent = \"lock\""),
            "dir/p.toml:1: consistent = \"lock\" is for shards, and [source] names one server\n"
            "  leave it out: all that is read of one server is of one moment anyway");
  EXPECT_EQ(SourceError("shards = [\"y\", \"z\"]\nconsistent = \"look\""),
            "dir/p.toml:3: unknown way to be consistent, \"look\"\n"
            "  did you mean \"lock\"? use one of: lock, apart");
  EXPECT_EQ(SourceError("connection = \"x\"\ntimeout = 0.5"),
            "dir/p.toml:3: \"timeout\" in [source] must be a whole number of seconds, at least 1\n"
            "  for an hour, which is the default, write 3600; a week is the most");
}

}  // namespace
}  // namespace reissue::io
