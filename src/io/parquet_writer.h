#pragma once
// A release as a Parquet file: columns of texts that are never missing, each with a dictionary, not
// compressed. What readers need and nothing else: no statistics, no index, no word of the machine
// or the time, so that the same rows in the same order are the same bytes. Belongs to one thread.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/file_system.h"

namespace reissue::io {

class ParquetWriter {
 public:
  // `texts`: per column, UTF-8; both must outlive it. At least one column.
  ParquetWriter(WritableFile& file, const std::vector<std::string>& names,
                const std::vector<std::vector<std::string>>& texts);

  // One row: per column the number of one of its texts.
  Status Add(std::span<const std::uint32_t> numbers);
  // What makes it a file; not synced yet. Memory: the rows of one group, kRowsOfGroup at most, and
  // some bytes per group that was written.
  Status Finish();

  static constexpr std::size_t kRowsOfGroup = std::size_t{1} << 17;

 private:
  struct Chunk {
    std::uint64_t dictionary_at = 0, data_at = 0, bytes = 0;
  };
  struct Group {
    std::vector<Chunk> chunks;
    std::uint64_t rows = 0;
  };

  Status WriteGroup();
  Result<Chunk> WriteColumn(std::size_t column);
  Status Append(const std::string& bytes);
  std::string Footer() const;

  WritableFile& file_;
  const std::vector<std::string>& names_;
  const std::vector<std::vector<std::string>>& texts_;
  std::vector<std::vector<std::uint32_t>> rows_;  // per column, of the group that is being filled
  // Per column and text: its number in the dictionary of the group, plus one; 0: not in it yet.
  std::vector<std::vector<std::uint32_t>> number_in_group_;
  std::vector<Group> groups_;
  std::uint64_t at_ = 0;  // bytes written
};

}  // namespace reissue::io
