#pragma once
// Files as sources: CSV that is read once, from beginning to end. Counting keeps combinations and
// no rows, so that a file may be larger than memory.

#include <memory>
#include <string>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/io/file_system.h"
#include "reissue/sources/table_source.h"

namespace reissue::sources {

// Reads the header. `path` may be `-`. How missing values are written is said by `options` alone;
// Wanted says it again for others. Everything that is referred to must outlive the source.
Result<std::unique_ptr<TableSource>> OpenFile(io::FileSystem& files, const std::string& path,
                                              const io::CsvOptions& options, ThreadPool& pool,
                                              Progress& progress);

}  // namespace reissue::sources
