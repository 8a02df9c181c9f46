#pragma once
// A lane is a stretch of the text from one record to another, read by one thread into columns of
// its own. Lanes together, in order, are the table, wherever the boundaries lie.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/progress.h"
#include "reissue/io/csv.h"
#include "reissue/io/csv_column.h"
#include "reissue/io/csv_lines.h"
#include "reissue/io/csv_record.h"
#include "reissue/io/csv_scan.h"

namespace reissue::io::internal {

// Says whether a field is one of the markers for "missing".
class MissingTest {
 public:
  MissingTest() = default;
  explicit MissingTest(std::vector<std::string> markers);
  bool empty() const { return markers_.empty(); }
  bool operator()(std::string_view field) const {
    // Most fields are told apart by their length or their first byte.
    if (field.size() > longest_ || lengths_[field.size()] == 0) return false;
    return field.empty() || (first_bytes_[static_cast<unsigned char>(field[0])] && Find(field));
  }

 private:
  bool Find(std::string_view field) const;

  std::vector<std::string> markers_;
  std::size_t longest_ = 0;
  std::vector<std::uint8_t> lengths_ = {0};  // which lengths occur
  std::array<bool, 256> first_bytes_{};
};

// What all lanes of a file have in common.
struct LanePlan {
  char separator = ',';
  bool trim = false;
  std::string comment_prefix;
  std::size_t width = 0;                   // fields of a record
  std::vector<std::size_t> kept;           // which of them become columns
  std::vector<std::size_t> decimal_comma;  // which of them are numbers with a decimal comma
  MissingTest missing;                     // empty where missing values are ordinary ones
  bool drop_missing = false;
  bool record_by_record = false;  // comments may contain quotes: nothing can be said in advance
  std::size_t window_bytes = 0;
  bool portable = false;  // as Scanner
  // Rows that are the same are counted (Lane::weights), by lines that are known. Not with hashed
  // columns, comments or missing values.
  bool counts_lines = false;
  LineTuning lines = {};
};

struct LaneFault {
  Fault fault = Fault::kNone;
  std::uint64_t line = 0;  // lines of the lane before it
  std::size_t fields = 0;  // kFieldCount: how many there are
  std::size_t column = 0;  // kMissing: which field
};

struct Lane {
  std::string_view text;
  std::vector<ColumnBuilder> columns;  // of LanePlan::kept
  std::uint64_t rows = 0;
  std::uint64_t dropped = 0;
  std::uint64_t line_count = 0;  // lines, where there is no fault
  std::uint64_t first_line = 0;  // lines before row 0
  // Lines before each row; empty where row i has first_line + i.
  std::vector<std::uint64_t> lines;
  std::vector<std::uint64_t> weights;  // with counts_lines: how often each row is there
  KnownLines known;                    // likewise
  std::optional<LaneFault> fault;      // the first one; nothing behind it was read
};

// Reads lane.text into the rest of `lane`. Columns and lines that are there already go on:
// they keep their codes and forget their rows. O(bytes).
void ReadLane(const LanePlan& plan, Lane& lane, Progress& progress);

// Cuts the text (which begins at a record) into at most `count` lanes at records. With `quotes`,
// their balance is counted first.
std::vector<std::string_view> CutIntoLanes(std::string_view text, std::size_t count, bool quotes,
                                           ThreadPool& pool);

}  // namespace reissue::io::internal
