#pragma once
// The inside of CsvStream, with the knobs that only tests and benchmarks turn.

#include <cstddef>
#include <memory>
#include <string>

#include "reissue/io/csv_count.h"
#include "reissue/io/csv_lines.h"
#include "reissue/io/csv_reader.h"

namespace reissue::io::internal {

struct CountTuning {
  CsvTuning csv;
  std::size_t piece_bytes = std::size_t{2} << 20;
  std::size_t longest_record = kLongestRecord;
  LineTuning lines = {};
};

Result<std::unique_ptr<CsvStream>> StreamCsvTuned(FileSystem& files, const std::string& path,
                                                  const CsvOptions& options, ThreadPool& pool,
                                                  Progress& progress, const CountTuning& tuning);

}  // namespace reissue::io::internal
