#include "reissue/io/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "faulty_file_system.h"
#include "memory_file_system.h"

namespace reissue::io {
namespace {

using ::testing::AllOf;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Ne;
using ::testing::UnorderedElementsAre;

class SystemFilesTest : public ::testing::Test {
 protected:
  SystemFilesTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "reissue-io-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
  }
  ~SystemFilesTest() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) const { return directory_ + "/" + name; }
  std::string ContentOf(const std::string& path) {
    auto bytes = SystemFiles().Read(path);
    return bytes ? std::string((*bytes)->view()) : "unreadable: " + bytes.error().message;
  }
  static mode_t ModeOf(const std::string& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777u : 0;
  }
  std::size_t FileCount() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory_)) {
      ++count;
    }
    return count;
  }

  std::string directory_;
};

TEST_F(SystemFilesTest, WritesAtomicallyAndReadsBack) {
  const std::string path = Path("release.csv");
  const std::string content(100'000, 'x');
  ASSERT_TRUE(WriteAtomically(SystemFiles(), path, content, true, false));
  EXPECT_THAT(ContentOf(path), Eq(content));
  EXPECT_EQ(ModeOf(path), 0600u);
  EXPECT_EQ(FileCount(), 1u);
  EXPECT_TRUE(SystemFiles().Exists(path));
}

TEST_F(SystemFilesTest, ReplacesOnlyWhenTold) {
  const std::string path = Path("a");
  ASSERT_TRUE(WriteAtomically(SystemFiles(), path, "old", false, false));
  const Status refused = WriteAtomically(SystemFiles(), path, "new", false, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kMachine);
  EXPECT_THAT(refused.error().ToString(), AllOf(HasSubstr(path), HasSubstr("exists already")));
  EXPECT_THAT(ContentOf(path), Eq("old"));
  EXPECT_EQ(FileCount(), 1u);
  ASSERT_TRUE(WriteAtomically(SystemFiles(), path, "new", false, true));
  EXPECT_THAT(ContentOf(path), Eq("new"));
}

TEST_F(SystemFilesTest, AnEmptyFileIsRead) {
  ASSERT_TRUE(WriteAtomically(SystemFiles(), Path("empty"), "", false, false));
  EXPECT_THAT(ContentOf(Path("empty")), Eq(""));
}

// Somebody cuts a table off or writes it anew while it is parsed, and while its digest is taken.
TEST_F(SystemFilesTest, WhatWasReadStaysWhateverBecomesOfTheFile) {
  const std::string path = Path("table.csv");
  for (const std::size_t size : {std::size_t{10'000}, std::size_t{9'000'001}}) {
    const std::string content(size, 'x');
    ASSERT_TRUE(WriteAtomically(SystemFiles(), path, content, false, true));
    const auto bytes = SystemFiles().Read(path);
    ASSERT_TRUE(bytes) << bytes.error().ToString();
    std::filesystem::resize_file(path, 0);
    EXPECT_TRUE((*bytes)->view() == content);
    std::filesystem::resize_file(path, size);
    EXPECT_TRUE((*bytes)->view() == content);
  }
}

TEST_F(SystemFilesTest, AFileThatIsWrittenWhileItIsReadIsWholeOrRefused) {
  const std::string path = Path("table.csv");
  const std::string content(2'000'000, 'x');
  ASSERT_TRUE(WriteAtomically(SystemFiles(), path, content, false, true));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    while (!stop) {
      std::filesystem::resize_file(path, content.size() / 2);
      std::ofstream(path, std::ios::binary | std::ios::app) << content.substr(content.size() / 2);
      std::this_thread::yield();
    }
  });
  std::size_t refused = 0;
  for (int i = 0; i < 300 && refused < 5; ++i) {
    const auto bytes = SystemFiles().Read(path);
    if (bytes) {
      // Between two writes: what was there then, every byte of it.
      EXPECT_EQ((*bytes)->view().find_first_not_of('x'), std::string_view::npos);
      continue;
    }
    ++refused;
    EXPECT_EQ(bytes.error().code, ErrorCode::kInput);
    EXPECT_THAT(bytes.error().ToString(), AllOf(HasSubstr(path), HasSubstr("wrote to this file")));
  }
  stop = true;
  writer.join();
  EXPECT_GT(refused, 0u);
}

TEST_F(SystemFilesTest, AMissingInputIsTheUsersToMend) {
  const auto missing = SystemFiles().Read(Path("nowhere.csv"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kInput);
  EXPECT_THAT(missing.error().ToString(),
              AllOf(HasSubstr(Path("nowhere.csv")), HasSubstr("No such file")));
  const auto directory = SystemFiles().Read(directory_);
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, ErrorCode::kInput);
  EXPECT_THAT(directory.error().message, HasSubstr("directory"));
}

TEST_F(SystemFilesTest, CreateRefusesWhatExistsAndLinksToNowhere) {
  ASSERT_TRUE(WriteAtomically(SystemFiles(), Path("a"), "old", false, false));
  std::filesystem::create_symlink(Path("elsewhere"), Path("link"));
  for (const char* name : {"a", "link"}) {
    const auto file = SystemFiles().Create(Path(name), false);
    ASSERT_FALSE(file) << name;
    EXPECT_EQ(file.error().code, ErrorCode::kMachine);
    EXPECT_THAT(file.error().ToString(), HasSubstr(Path(name)));
  }
  EXPECT_TRUE(SystemFiles().Exists(Path("link")));
  EXPECT_FALSE(SystemFiles().Exists(Path("elsewhere")));
}

TEST_F(SystemFilesTest, DirectoriesAreMadeOnceAndForTheOwner) {
  ASSERT_TRUE(SystemFiles().CreateDirectory(Path("vault"), true));
  EXPECT_EQ(ModeOf(Path("vault")), 0700u);
  EXPECT_FALSE(SystemFiles().CreateDirectory(Path("vault"), true));
  EXPECT_TRUE(SystemFiles().SyncDirectory(Path("vault")));
  EXPECT_FALSE(SystemFiles().SyncDirectory(Path("nowhere")));
}

TEST_F(SystemFilesTest, RemovingWhatIsNotThereIsFine) {
  EXPECT_TRUE(SystemFiles().Remove(Path("nowhere")));
  EXPECT_FALSE(SystemFiles().Remove(directory_));
}

TEST_F(SystemFilesTest, ADirectoryThatIsNotThereHasNoAbsoluteName) {
  std::filesystem::create_directory(Path("d"));
  EXPECT_EQ(Absolute(Path("d/a")).value(), Path("d/a"));
  const auto nowhere = Absolute(Path("gone/a"));
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kMachine);
  EXPECT_THAT(nowhere.error().ToString(), AllOf(HasSubstr(Path("gone")), HasSubstr("Make it")));
}

TEST_F(SystemFilesTest, ADirectoryThatIsHeldIsNotMistakenForAnother) {
  FileSystem& files = SystemFiles();
  const std::string home = Path("home");
  ASSERT_TRUE(files.CreateDirectory(home, true));
  ASSERT_TRUE(WriteAtomically(files, home + "/a", "mine", true, false));
  auto held = files.HoldDirectory(home);
  ASSERT_TRUE(held) << held.error().ToString();
  ASSERT_TRUE(WriteAtomically(files, home + "/b", "mine too", true, false));
  std::filesystem::rename(home, Path("moved"));
  ASSERT_TRUE(files.CreateDirectory(home, false));
  EXPECT_THAT(ContentOf(home + "/a"), Eq("mine"));
  EXPECT_TRUE(files.Exists(home + "/b"));
  for (const Status& refused :
       {WriteAtomically(files, home + "/c", "secret", true, false),
        files.Rename(home + "/a", home + "/c", false), files.Rename(home + "/a", home + "/c", true),
        files.SyncDirectory(home)}) {
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().ToString(), AllOf(HasSubstr(home), HasSubstr("moved or replaced")));
  }
  EXPECT_FALSE(files.HoldDirectory(home)) << "two directories of one name";
  EXPECT_TRUE(files.Remove(home + "/a"));
  EXPECT_FALSE(std::filesystem::exists(Path("moved/a")));
  EXPECT_TRUE(std::filesystem::is_empty(home));
  EXPECT_TRUE(files.Exists(home));
  std::filesystem::remove_all(Path("moved"));
  EXPECT_FALSE(files.Exists(home)) << "another one has its name";
  // Whoever lets go gets what has the name.
  *held = nullptr;
  EXPECT_FALSE(files.Exists(home + "/b"));
  EXPECT_TRUE(WriteAtomically(files, home + "/c", "new", true, false));
}

TEST_F(SystemFilesTest, CloseTwiceIsFine) {
  auto file = SystemFiles().Create(Path("a"), false);
  ASSERT_TRUE(file);
  EXPECT_TRUE((*file)->Append("x"));
  EXPECT_TRUE((*file)->Close());
  EXPECT_TRUE((*file)->Close());
}

TEST_F(SystemFilesTest, AFailedRenameLeavesTheFileWhereItIs) {
  ASSERT_TRUE(WriteAtomically(SystemFiles(), Path("a"), "old", false, false));
  for (const bool replace : {false, true}) {
    const auto renamed = SystemFiles().Rename(Path("a"), Path("no/such/place"), replace);
    ASSERT_FALSE(renamed);
    EXPECT_THAT(renamed.error().ToString(), HasSubstr("no/such/place"));
    EXPECT_THAT(ContentOf(Path("a")), Eq("old"));
  }
}

TEST(FileErrors, AFullDiskSaysSoAndWhatToDo) {
  for (const int error : {ENOSPC, EDQUOT}) {
    const Error full = FileError("out/r.csv", "write this file", error);
    EXPECT_EQ(full.code, ErrorCode::kMachine);
    EXPECT_THAT(full.ToString(),
                AllOf(HasSubstr("out/r.csv"), HasSubstr("the disk is full"),
                      HasSubstr("nothing was published"), HasSubstr("Free space")));
  }
  const Error denied = FileError("out/r.csv", "write this file", EACCES);
  EXPECT_THAT(denied.ToString(), AllOf(HasSubstr("Permission denied"), HasSubstr("permissions")));
}

TEST(FileNames, DirectoryOfAPath) {
  EXPECT_EQ(DirectoryOf("a"), ".");
  EXPECT_EQ(DirectoryOf("/a"), "/");
  EXPECT_EQ(DirectoryOf("x/y/a"), "x/y");
}

TEST(FileNames, TemporariesAreHiddenSiblingsAndDiffer) {
  const std::string name = TemporaryNameFor("out/r.csv");
  EXPECT_THAT(name, MatchesRegex("out/\\.r\\.csv\\.reissue-[0-9a-f]{8}\\.tmp"));
  EXPECT_THAT(TemporaryNameFor("out/r.csv"), Ne(name));
  EXPECT_LE(TemporaryNameFor(std::string(255, 'x')).size(), 255u);
}

// Every operation fails in turn, as on a full disk: the old file stays, nothing is left behind.
TEST(WriteAtomicallyTest, NothingIsLeftBehindWhereverTheDiskFails) {
  MemoryFileSystem memory;
  FaultyFileSystem faulty(memory);
  memory.Put("d/a", "old");
  ASSERT_TRUE(WriteAtomically(faulty, "d/a", "new content", true, true));
  const std::uint64_t operations = faulty.operations();
  ASSERT_EQ(operations, 5u);  // create, append, sync, rename, sync of the directory
  for (std::uint64_t n = 1; n <= operations; ++n) {
    memory.Put("d/a", "old");
    faulty.FailAt(n);
    faulty.WriteShort(3);
    const Status status = WriteAtomically(faulty, "d/a", "new content", true, true);
    ASSERT_FALSE(status) << n;
    EXPECT_EQ(status.error().code, ErrorCode::kMachine);
    EXPECT_THAT(memory.Paths(), UnorderedElementsAre("d/a")) << n;
    // Once renamed, the new content is there whole, though perhaps not yet on the disk.
    EXPECT_THAT(memory.Get("d/a"), Eq(n < operations ? "old" : "new content")) << n;
  }
}

TEST(WriteAtomicallyTest, AKilledProcessLeavesTheOldFileOrTheNewOneWhole) {
  MemoryFileSystem memory;
  FaultyFileSystem faulty(memory);
  for (std::uint64_t n = 1; n <= 5; ++n) {
    memory.Put("d/a", "old");
    faulty.DieAt(n);
    faulty.WriteShort(3);
    ASSERT_FALSE(WriteAtomically(faulty, "d/a", "new content", true, true)) << n;
    EXPECT_THAT(memory.Get("d/a"), Eq(n < 5 ? "old" : "new content")) << n;
    EXPECT_FALSE(faulty.Read("d/a")) << "a dead process reads nothing";
    faulty.Heal();
    EXPECT_TRUE(faulty.Read("d/a"));
  }
}

}  // namespace
}  // namespace reissue::io
