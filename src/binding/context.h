#pragma once
// What every engine call needs from its front end. Holds references only; the front end owns all.

#include <string>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/io/file_system.h"

namespace reissue::sources {
class Catalog;
}

namespace reissue::binding {

struct Context {
  io::FileSystem& files;
  ThreadPool& pool;
  Progress& progress;
  // Where names of tables and of releases lead; null: to files.
  sources::Catalog* catalog = nullptr;
  // The file of the DuckDB library, which reads Parquet; empty: where the system has one.
  std::string duckdb = {};

  // The same for files that were written here, whatever names lead to.
  Context OfFiles() const { return {files, pool, progress}; }
};

}  // namespace reissue::binding
