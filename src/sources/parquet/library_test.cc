// The library as it is found: there, absent, something else, of another age.
#include "reissue/sources/parquet/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "duckdb_files.h"

namespace reissue::sources::parquet {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string WhyNot(const std::string& path) {
  const auto library = Library::Open(path);
  EXPECT_FALSE(library.has_value());
  if (library) return "";
  EXPECT_EQ(library.error().code, ErrorCode::kUsage);
  EXPECT_THAT(library.error().remedy, AllOf(HasSubstr("--duckdb"), HasSubstr("REISSUE_DUCKDB")));
  return library.error().message;
}

TEST(Library, IsFoundByItsPath) {
  const auto library = Library::Open(testing::DuckDb::LibraryPath());
  ASSERT_TRUE(library.has_value()) << library.error().ToString();
  EXPECT_THAT((*library)->version(), HasSubstr("v1."));
}

TEST(Library, ThatIsNotThere) {
  EXPECT_THAT(WhyNot("/nonexistent/libduckdb.so"),
              HasSubstr("/nonexistent/libduckdb.so cannot be"));
}

TEST(Library, ThatIsNone) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "reissue-no-duckdb.so").string();
  std::ofstream(path) << "not a library";
  EXPECT_THAT(WhyNot(path), HasSubstr("cannot be loaded as the DuckDB library"));
  std::filesystem::remove(path);
}

TEST(Library, ThatIsAnother) {
  const auto somewhere = {"/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6",
                          "/lib64/libm.so.6"};
  for (const char* path : somewhere) {
    if (!std::filesystem::exists(path)) continue;
    EXPECT_THAT(WhyNot(path), HasSubstr("is a library, but not DuckDB"));
    return;
  }
  FAIL() << "no libm.so.6 was found to try it with";
}

TEST(Library, OfAnotherAge) {
  for (const char* version : {"v1.2.0", "v1.2.2", "v1.5.6", "v1.10.0", "v1.6.0-dev123", "1.4.1"}) {
    EXPECT_TRUE(KnownVersion("l", version).has_value()) << version;
  }
  for (const char* version : {"v1.1.3", "v0.10.2"}) {
    const Status known = KnownVersion("l", version);
    ASSERT_FALSE(known.has_value()) << version;
    EXPECT_THAT(known.error().message, HasSubstr("too old"));
  }
  const Status known = KnownVersion("l", "v2.0.0");
  ASSERT_FALSE(known.has_value());
  EXPECT_EQ(known.error().message,
            "l is DuckDB 2.0, which is too new: versions from 1.2 on, and before 2.0, are used");
  for (const char* version : {"", "v", "v1", "1.x", "dev"}) {
    EXPECT_THAT(KnownVersion("l", version).error().message, HasSubstr("does not say")) << version;
  }
}

}  // namespace
}  // namespace reissue::sources::parquet
