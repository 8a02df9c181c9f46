#pragma once
// What every engine call needs from its front end. Holds references only; the front end owns all.

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/io/file_system.h"

namespace reissue::binding {

struct Context {
  io::FileSystem& files;
  ThreadPool& pool;
  Progress& progress;
};

}  // namespace reissue::binding
