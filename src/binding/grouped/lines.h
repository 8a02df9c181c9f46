#pragma once
// Lines of CSV into a file that only its owner can read, until the vault puts it in place.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/binding/release_writer.h"
#include "reissue/core/result.h"
#include "reissue/io/file_system.h"

namespace reissue::binding {

// Lines into a new private file, which is synced when it is closed.
class FileLines {
 public:
  static Result<FileLines> Create(const std::string& path, Context& context) {
    FileLines lines;
    lines.file_ = REISSUE_TRY(context.files.Create(path, /*owner_only=*/true));
    return lines;
  }
  std::string& buffer() { return buffer_; }
  Status EndLine() {
    buffer_ += '\n';
    if (buffer_.size() < kBufferBytes) return Ok();
    REISSUE_TRY(file_->Append(buffer_));
    buffer_.clear();
    return Ok();
  }
  // Rows that threads put together, behind what is there.
  Status Append(std::size_t rows, const PutRows& put, Context& context) {
    REISSUE_TRY(file_->Append(buffer_));
    buffer_.clear();
    return AppendRows(*file_, rows, put, context);
  }
  Status Close() {
    REISSUE_TRY(file_->Append(buffer_));
    REISSUE_TRY(file_->Sync());
    return file_->Close();
  }

 private:
  static constexpr std::size_t kBufferBytes = 1 << 20;
  std::unique_ptr<io::WritableFile> file_;
  std::string buffer_;
};

Status WriteNames(const std::vector<std::string>& names, FileLines& lines);
// The sensitive columns of every value as they stand in a file.
std::vector<std::string> ValueFields(const std::vector<ValueTexts>& values);
void AppendNumber(std::uint64_t number, std::string& text);

}  // namespace reissue::binding
