#pragma once
// Parquet files as DuckDB writes them, for tests that read them: statements on a database in memory
// that may do whatever it likes.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "reissue/sources/parquet/library.h"

namespace reissue::testing {

class DuckDb {
 public:
  // The library that scripts/setup has brought. Tests without it fail: they are never skipped.
  static std::string LibraryPath() {
    const char* const path = std::getenv("REISSUE_DUCKDB");
    if (path == nullptr || !std::filesystem::exists(path)) {
      ADD_FAILURE() << "REISSUE_DUCKDB names no file: scripts/setup brings DuckDB into "
                       "build/duckdb, by npm";
      return "";
    }
    return path;
  }

  static void Sql(const std::string& sql) {
    using sources::parquet::DuckResult;
    const auto library = sources::parquet::Library::Open(LibraryPath());
    ASSERT_TRUE(library.has_value()) << library.error().ToString();
    const auto& duck = (*library)->call();
    void *config = nullptr, *database = nullptr, *connection = nullptr;
    ASSERT_EQ(duck.create_config(&config), 0);
    ASSERT_EQ(duck.open_ext(":memory:", &database, config, nullptr), 0);
    duck.destroy_config(&config);
    ASSERT_EQ(duck.connect(database, &connection), 0);
    DuckResult result;
    EXPECT_EQ(duck.query(connection, sql.c_str(), &result), 0) << duck.result_error(&result);
    duck.destroy_result(&result);
    duck.disconnect(&connection);
    duck.close(&database);
  }

  // What a SELECT gives, as a file.
  static void Write(const std::string& select, const std::string& path) {
    Sql("COPY (" + select + ") TO '" + path + "' (FORMAT parquet)");
  }
};

}  // namespace reissue::testing
