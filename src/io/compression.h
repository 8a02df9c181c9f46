#pragma once
// Files that arrive compressed: gzip (all members) and zstd (all frames), told by their first
// bytes.

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "reissue/core/result.h"

namespace reissue::io::internal {

// Bytes that grow without being cleared first.
class GrowingBuffer {
 public:
  std::string_view view() const { return {data_.get(), size_}; }
  // Room for at least one byte more; nullptr if the machine has none.
  char* Room();
  std::size_t room() const { return capacity_ - size_; }
  void Grew(std::size_t bytes) { size_ += bytes; }

 private:
  struct Free {
    void operator()(char* data) const { std::free(data); }
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

bool IsCompressed(std::string_view stored);

// What `stored` (of `file`, for errors) unpacks to. kInput if it is cut off or damaged.
Result<GrowingBuffer> Decompress(std::string_view stored, const std::string& file);

}  // namespace reissue::io::internal
