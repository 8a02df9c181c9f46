#pragma once
// The beginning of a table: byte order mark, comments, separator, header; and how the records that
// follow are to be read.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/io/csv_lane.h"
#include "reissue/io/csv_reader.h"

namespace reissue::io::internal {

// Both must outlive it.
class CsvOpening {
 public:
  CsvOpening(const std::string& file, const CsvOptions& options, const CsvTuning& tuning)
      : file_(file), options_(options), tuning_(tuning) {}

  // Reads everything up to the first record of data. `text` has all of that.
  Status Open(std::string_view text);
  // Whether that would have ended the same with more text behind it.
  bool settled() const { return settled_; }

  std::string_view text() const { return text_; }  // what is still to be read
  std::uint64_t line() const { return line_; }     // of its first byte
  char separator() const { return separator_; }
  const std::vector<std::string>& names() const { return names_; }
  const LanePlan& plan() const { return plan_; }

 private:
  Place At(std::uint64_t line) const {
    return {.file = file_, .line = line, .byte = {}, .column = {}};
  }
  void TakeWordOfExcel();
  Status SkipComments();
  void RecogniseSeparator();
  Status ReadHeader();
  Status CheckNames() const;
  LanePlan MakePlan() const;

  const std::string& file_;
  const CsvOptions& options_;
  CsvTuning tuning_;
  std::string_view text_;
  std::uint64_t line_ = 1;
  std::uint64_t header_line_ = 1;
  std::optional<char> told_;  // by a first line
  char separator_ = ',';
  std::vector<std::string> names_;
  LanePlan plan_;
  bool settled_ = false;
};

// Comments with quotes in them: records must be read one after the other.
bool NeedsRecords(const LanePlan& plan, std::string_view text);

// An error where there are none.
Status RowsAreThere(std::uint64_t rows, std::uint64_t dropped, const std::string& file,
                    bool header);

}  // namespace reissue::io::internal
