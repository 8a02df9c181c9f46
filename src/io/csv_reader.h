#pragma once
// The inside of ReadCsv, with the knobs that only tests and benchmarks turn. No knob changes the
// result.

#include <cstddef>
#include <string>

#include "reissue/io/csv.h"
#include "reissue/io/csv_lane.h"

namespace reissue::io::internal {

struct CsvTuning {
  std::size_t lanes = 0;  // 0: by the number of threads and the size of the file
  std::size_t window_bytes = 1 << 15;
  bool portable = false;  // as on a processor without AVX2
};

Result<CsvFile> ReadCsvTuned(FileSystem& files, const std::string& path, const CsvOptions& options,
                             ThreadPool& pool, Progress& progress, const CsvTuning& tuning);

// The name of an input in messages and origins.
std::string NameOf(const std::string& path);

// A fault as the user reads it. `line` counts from 1; `width` is how many fields there should be;
// `header` as in CsvOptions.
Error ErrorOf(const LaneFault& fault, const std::string& file, std::uint64_t line,
              std::size_t width, bool header, const std::string& column);

}  // namespace reissue::io::internal
