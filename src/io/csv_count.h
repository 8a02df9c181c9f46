#pragma once
// A table as a stream: distinct combinations of columns with counts, in memory that grows with the
// combinations and not with the rows. The same rows, errors and places as ReadCsv (csv.h), of a
// file, a pipe, gzip or zstd, but that a record has at most kLongestRecord bytes.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/io/csv.h"
#include "reissue/io/file_system.h"

namespace reissue::io {

inline constexpr std::size_t kLongestRecord = std::size_t{64} << 20;

// A row of the file: what became of its identifier, and its row of the counted table.
struct KeyedRow {
  std::array<std::uint8_t, 16> key;
  std::uint32_t row = 0;
};
// Called from several threads at once.
using HashIdentifier = std::function<std::array<std::uint8_t, 16>(std::string_view)>;

struct CsvCounted {
  Table table;                    // canonical: dictionaries by text, rows by value ids; weights
  std::vector<KeyedRow> persons;  // where there is an identifier: the rows of the file, in order
  // Lines of the first row whose identifier stands in an earlier one, and of that one.
  struct Twice {
    std::uint64_t line = 0, earlier = 0;
  };
  std::optional<Twice> twice;
  std::uint64_t dropped_rows = 0;
  std::string digest;  // as CsvFile
  Fingerprint fingerprint;
};

class CsvStream {
 public:
  // Reads the header. `files`, `pool` and `progress` must outlive it.
  static Result<std::unique_ptr<CsvStream>> Open(FileSystem& files, const std::string& path,
                                                 const CsvOptions& options, ThreadPool& pool,
                                                 Progress& progress);
  virtual ~CsvStream() = default;
  // All columns, in file order.
  virtual const std::vector<std::string>& header() const = 0;
  // Reads the rest; once, as List. Of the header: the columns to count, in any order, and the one
  // that is hashed, if it is not empty. Others are parsed and checked for UTF-8, no more.
  virtual Result<CsvCounted> Count(const std::vector<std::string>& columns,
                                   const std::string& identifier = {},
                                   const HashIdentifier& hash = {}) = 0;
  // The same rows as ReadCsv of these columns, in file order. Instead of Count.
  virtual Result<CsvFile> List(const std::vector<std::string>& columns) = 0;
};

}  // namespace reissue::io
