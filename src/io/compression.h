#pragma once
// Files that arrive compressed: gzip (all members) and zstd (all frames), told by their first
// bytes.

#include <cstdint>
#include <cstdlib>
#include <functional>
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

// A few bytes can unpack to very many. What is wrong is to be found before all of them are there.
struct UnpackLimits {
  std::uint64_t most = std::uint64_t{16} << 30;  // bytes
  // Looks at what there is once it is kGlance bytes; not called where all of it is less.
  std::function<Status(std::string_view)> glance;
};
inline constexpr std::size_t kGlance = 1 << 20;

// What `stored` (of `file`, for errors) unpacks to. kInput if it is cut off or damaged, if it is no
// text, and if it goes beyond the limits; then nothing more is unpacked.
Result<GrowingBuffer> Decompress(std::string_view stored, const std::string& file,
                                 const UnpackLimits& limits = {});

// The same piece by piece, in memory that does not grow. Belongs to one thread.
class Unpacker {
 public:
  // `beginning`: the first bytes of the file, of which the format is told.
  Unpacker(std::string_view beginning, std::string file, std::uint64_t most);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  // Unpacks from the front of `stored`, which becomes what is left of it, as much as there is room
  // for; 0: more is needed. Errors as Decompress.
  Result<std::size_t> Unpack(std::string_view& stored, char* to, std::size_t room);
  // At the end of the file: an error if the stream is not at its end.
  Status Finish() const;

 private:
  class Format;
  class Gzip;
  class Zstd;
  std::string file_;
  std::uint64_t most_, taken_ = 0, given_ = 0;
  std::unique_ptr<Format> format_;
};

}  // namespace reissue::io::internal
