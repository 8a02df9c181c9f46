#pragma once
// What every engine call needs from its front end. Holds references only; the front end owns all.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/io/file_system.h"

namespace reissue::sources {
class Catalog;
class ReleaseTarget;
class TargetServer;
}  // namespace reissue::sources

namespace reissue::ledger {
class Division;
}

namespace reissue::binding {

struct Context {
  io::FileSystem& files;
  ThreadPool& pool;
  Progress& progress;
  // Where names of tables and of releases lead; null: to files.
  sources::Catalog* catalog = nullptr;
  // States that the vault keeps and that are longer lie there in pieces; 0: as long as it thinks.
  std::size_t piece_bytes = 0;
  // Where people are published in parts: tables have rows of all of them, and those of the others
  // are passed over. Null: there are no parts. Only while a verb that was asked for a part is at
  // work.
  std::shared_ptr<const ledger::Division> division = nullptr;
  std::uint64_t passed_over = 0;  // rows of other parts, in the table that was read last
  // Of releases that are tables of a database; null: there are none, and nobody to ask.
  sources::TargetServer* server = nullptr;
  // Of a publication: the release that is no file, and where its name leads once it is read back;
  // null: files. Set by contract::Publication alone.
  sources::ReleaseTarget* target = nullptr;
  sources::Catalog* written = nullptr;
  // The file of the DuckDB library, which reads Parquet; empty: where the system has one.
  std::string duckdb = {};

  // The same for what was written here, whatever other names lead to.
  Context OfFiles() const {
    Context own = *this;
    own.catalog = written;
    return own;
  }
};

}  // namespace reissue::binding
