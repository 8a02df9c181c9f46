#pragma once
// What every engine call needs from its front end. Holds references only; the front end owns all.

#include <cstddef>

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
  // States that the vault keeps and that are longer lie there in pieces; 0: as long as it thinks.
  std::size_t piece_bytes = 0;
};

}  // namespace reissue::binding
