#pragma once
// Parquet files as sources. DuckDB counts; only distinct combinations with counts come here, and
// identifiers where persons are told apart.

#include <memory>
#include <string>
#include <string_view>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/io/file_system.h"
#include "reissue/sources/table_source.h"

namespace reissue::sources::parquet {

struct Settings {
  std::string library;       // the file of the DuckDB library; empty: where the system has it
  std::uint64_t memory = 0;  // bytes; 0: three quarters of what the machine has
};

// Whether the name of a file says that it is one: it ends in .parquet, in capitals or not; or it is
// that of a temporary which becomes one (io::TemporaryNameFor).
bool IsParquet(std::string_view path);

// Whether there is a library that can be used; the error says what is wrong with it.
Status LibraryIsThere(const Settings& settings);

// Opens the file and reads its columns. `files`, `pool` and `progress` must outlive the source.
// Errors: see Library::Open, ReadableFile::Open and Describe. What DuckDB says is never repeated.
Result<std::unique_ptr<TableSource>> OpenTable(const Settings& settings, io::FileSystem& files,
                                               const std::string& path, ThreadPool& pool,
                                               Progress& progress);

}  // namespace reissue::sources::parquet
