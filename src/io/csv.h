#pragma once
// CSV in, CSV out (RFC 4180). Reading scans with SIMD, and runs on all threads of the pool with the
// same result for any number of them.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/io/file_system.h"

namespace reissue::io {

enum class OnMissing { kError, kDropRow, kValue };

// What becomes of columns that are not among CsvOptions::expected_columns.
enum class OtherColumns { kUnexpected, kKept, kSkipped };

enum class Encoding { kUtf8, kWindows1252 };

struct CsvOptions {
  std::optional<char> separator;     // recognised from the first line (`,` `;` tab) where not told
  bool header = true;                // false: names come from `columns`
  std::vector<std::string> columns;  // the names where there is no header
  bool trim = false;                 // drop blanks around unquoted fields
  // What the header may name; empty: anything. A first line of which less than half are such names
  // is no header, and nothing of it is shown.
  std::vector<std::string> expected_columns;
  // kKept, kSkipped: half of the expected names make a header, whatever stands beside them; so do
  // half of the fields, whatever else was expected.
  OtherColumns others = OtherColumns::kUnexpected;
  // What to do about such a line; empty: what the holder of a table does.
  std::string no_header_remedy;
  std::vector<std::string> skip_columns;     // parsed, checked for UTF-8, not kept
  std::vector<std::string> missing_markers;  // for example "?", "", "NA"
  OnMissing on_missing = OnMissing::kError;
  std::string comment_prefix;  // lines that begin with it are passed over
  Encoding encoding = Encoding::kUtf8;
  // Columns whose numbers have a decimal comma: the table has them with a point. A number that has
  // a point is an error.
  std::vector<std::string> decimal_comma;
  bool digest = true;  // false: CsvFile::digest stays empty
  // Looks at the names of all columns before a row is read.
  std::function<Status(const std::vector<std::string>& header)> check_header;
};

// 128 bits that tell two readings of a file apart at the speed of memory. They are keyed with a
// random number of this process, so that nobody can aim at them, and mean nothing to another one.
struct Fingerprint {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Fingerprint&) const = default;
};
Fingerprint FingerprintOf(std::string_view bytes);

struct CsvFile {
  Table table;                      // kept columns, in file order
  std::vector<std::string> header;  // all columns, in file order
  std::uint64_t dropped_rows = 0;   // by on_missing = kDropRow (in any column that is not skipped)
  char separator = ',';
  std::string digest;       // hex BLAKE2b-256 of the bytes of the file as stored
  Fingerprint fingerprint;  // of the same bytes, from the same reading
};

// Reads a table. `path` may be `-`; gzip and zstd are recognised by their first bytes. Empty lines
// at the end of the file are ignored. Errors (kInput with file and line): wrong number of fields,
// an open quote at the end, bytes after a closing quote, invalid UTF-8, a NUL byte, a column twice,
// an empty column name, no header, no rows, a missing value (with column), a truncated gzip or zstd
// stream. Time O(bytes); memory: the file plus four bytes per kept value plus dictionaries.
Result<CsvFile> ReadCsv(FileSystem& files, const std::string& path, const CsvOptions& options,
                        ThreadPool& pool, Progress& progress);

// The first bytes of a table, unpacked; whole where it is small. For a look at how it is written.
Result<std::string> ReadBeginning(FileSystem& files, const std::string& path);
// The same as UTF-8.
std::string AsUtf8(Encoding encoding, std::string text);
bool IsUtf8(std::string_view text);
// Whether a reader has found bytes that are no UTF-8.
bool IsAboutEncoding(const Error& error);

// A small file as records of strings with line numbers; for hierarchies. The separator is
// recognised from the first record (`;` before `,` before tab) unless told.
struct Record {
  std::uint64_t line = 0;
  std::vector<std::string> fields;
};
Result<std::vector<Record>> ReadRecords(std::string_view text, const std::string& file,
                                        std::optional<char> separator = std::nullopt);

// Appends one field with quotes where RFC 4180 needs them (separator, quote, CR, LF, leading or
// trailing blank, or empty as the only field of a row).
void AppendField(std::string& line, std::string_view field, char separator = ',');

// Hex BLAKE2b-256.
std::string Digest(std::string_view bytes);
// Both of them, with the bytes read from memory once.
std::pair<std::string, Fingerprint> DigestAndFingerprint(std::string_view bytes);
// The same of bytes that come piece by piece.
class RunningDigest {
 public:
  RunningDigest();
  ~RunningDigest();
  void Add(std::string_view bytes);
  // Each half of Add; from two threads at once, if they like.
  void AddToDigest(std::string_view bytes);
  void AddToFingerprint(std::string_view bytes);
  std::pair<std::string, Fingerprint> Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace reissue::io
