#include "reissue/io/rehearsal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_file_system.h"

namespace reissue::io {
namespace {

std::string Text(FileSystem& files, const std::string& path) {
  const auto bytes = files.Read(path);
  return bytes ? std::string((*bytes)->view()) : "(none)";
}

TEST(RehearsalFilesTest, NothingReachesTheBase) {
  MemoryFileSystem base;
  base.Put("a", "one");
  base.Put("b", "two");
  RehearsalFiles files(base);
  const auto file = files.Create("c", true);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->Append("three"));
  ASSERT_TRUE(files.Rename("c", "d", false));
  ASSERT_TRUE(files.Rename("a", "e", false));
  ASSERT_TRUE(files.Remove("b"));
  ASSERT_TRUE(files.CreateDirectory("f", true));
  EXPECT_EQ(Text(files, "d"), "three");
  EXPECT_EQ(Text(files, "e"), "one");
  for (const char* gone : {"a", "b", "c"}) {
    EXPECT_FALSE(files.Exists(gone)) << gone;
    EXPECT_FALSE(files.Read(gone)) << gone;
  }
  EXPECT_TRUE(files.Exists("f"));
  EXPECT_THAT(base.Paths(), ::testing::ElementsAre("a", "b"));
  EXPECT_EQ(base.Get("a"), "one");
}

TEST(RehearsalFilesTest, RefusesWhatADiskRefuses) {
  MemoryFileSystem base;
  base.Put("a", "one");
  RehearsalFiles files(base);
  files.Put("b", "two");
  EXPECT_FALSE(files.Create("a", false));
  EXPECT_FALSE(files.Rename("b", "a", false));
  EXPECT_EQ(Text(files, "a"), "one");
  EXPECT_TRUE(files.Rename("b", "a", true));
  EXPECT_EQ(Text(files, "a"), "two");
  EXPECT_FALSE(files.Rename("b", "c", false));
  EXPECT_TRUE(files.Create("b", false));
}

TEST(RehearsalFilesTest, StandardInputIsReadOnce) {
  MemoryFileSystem base;
  base.Put("-", "rows");
  RehearsalFiles files(base);
  EXPECT_EQ(Text(files, "-"), "rows");
  base.Put("-", "");
  EXPECT_EQ(Text(files, "-"), "rows");
}

}  // namespace
}  // namespace reissue::io
