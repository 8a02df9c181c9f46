#pragma once
// Standard output. A reader who closes the pipe has seen enough: that is no error, but nothing more
// is written. Everything else that can go wrong is a machine error. Belongs to one thread.

#include <string_view>

#include "reissue/core/result.h"

namespace reissue::cli {

class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  // Writes all of `text`, unless the reader has gone.
  Status Write(std::string_view text);
  bool reader_gone() const { return reader_gone_; }

 private:
  int descriptor_;
  bool reader_gone_ = false;
};

}  // namespace reissue::cli
