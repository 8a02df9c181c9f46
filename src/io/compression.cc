#include "reissue/io/compression.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

namespace reissue::io::internal {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

Error CutOff(const std::string& file, std::string_view format) {
  return InputError({.file = file, .line = {}, .byte = {}, .column = {}},
                    fmt::format("the {} stream is cut off before its end", format),
                    "The file was not copied or written completely; fetch it again.");
}

Error Damaged(const std::string& file, std::string_view format, std::uint64_t byte) {
  return InputError({.file = file, .line = {}, .byte = byte + 1, .column = {}},
                    fmt::format("the {} stream is damaged", format),
                    "The file was changed on its way; fetch it again.");
}

Error OutOfMemory(const std::string& file) {
  return MachineError({.file = file, .line = {}, .byte = {}, .column = {}},
                      "not enough memory to unpack this file",
                      "Close other programs, or run on a machine with more memory.");
}

class GzipStream {
 public:
  GzipStream() { ready_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }
  ~GzipStream() {
    if (ready_) inflateEnd(&stream_);
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  bool ready() const { return ready_; }
  z_stream& get() { return stream_; }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

template <typename Left>
uInt Portion(Left left) {
  return static_cast<uInt>(std::min<std::uint64_t>(left, std::numeric_limits<uInt>::max()));
}

Result<GrowingBuffer> DecompressGzip(std::string_view stored, const std::string& file) {
  GzipStream holder;
  if (!holder.ready()) return OutOfMemory(file);
  z_stream& stream = holder.get();
  GrowingBuffer out;
  std::size_t taken = 0;
  while (taken < stored.size()) {
    char* room = out.Room();
    if (room == nullptr) return OutOfMemory(file);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data() + taken));
    stream.avail_in = Portion(stored.size() - taken);
    stream.next_out = reinterpret_cast<Bytef*>(room);
    stream.avail_out = Portion(out.room());
    const uInt given = stream.avail_in;
    const uInt offered = stream.avail_out;
    const int outcome = inflate(&stream, Z_NO_FLUSH);
    taken += given - stream.avail_in;
    out.Grew(offered - stream.avail_out);
    if (outcome == Z_STREAM_END) {
      if (taken == stored.size()) return out;
      // Another member follows; zero bytes of padding do not count.
      if (stored.find_first_not_of('\0', taken) == std::string_view::npos) return out;
      if (inflateReset(&stream) != Z_OK) return Damaged(file, "gzip", taken);
    } else if (outcome == Z_MEM_ERROR) {
      return OutOfMemory(file);
    } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      return Damaged(file, "gzip", taken);
    }
  }
  // All input is taken: what is still inside comes out, or the end is missing.
  while (true) {
    char* room = out.Room();
    if (room == nullptr) return OutOfMemory(file);
    stream.next_out = reinterpret_cast<Bytef*>(room);
    stream.avail_out = Portion(out.room());
    const uInt offered = stream.avail_out;
    const int outcome = inflate(&stream, Z_NO_FLUSH);
    const uInt came = offered - stream.avail_out;
    out.Grew(came);
    if (outcome == Z_STREAM_END) return out;
    if (outcome != Z_OK || came == 0) return CutOff(file, "gzip");
  }
}

struct ZstdFree {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

Result<GrowingBuffer> DecompressZstd(std::string_view stored, const std::string& file) {
  const std::unique_ptr<ZSTD_DStream, ZstdFree> stream(ZSTD_createDStream());
  if (stream == nullptr) return OutOfMemory(file);
  GrowingBuffer out;
  ZSTD_inBuffer in{stored.data(), stored.size(), 0};
  std::size_t wanted = 1;  // 0 where a frame is complete
  while (true) {
    char* room = out.Room();
    if (room == nullptr) return OutOfMemory(file);
    ZSTD_outBuffer part{room, out.room(), 0};
    const std::size_t before = in.pos;
    wanted = ZSTD_decompressStream(stream.get(), &part, &in);
    if (ZSTD_isError(wanted)) return Damaged(file, "zstd", in.pos);
    out.Grew(part.pos);
    if (in.pos < in.size || part.pos == part.size) {
      if (wanted == 0 && in.pos == in.size) return out;
      continue;
    }
    if (wanted == 0) return out;
    if (in.pos == before && part.pos == 0) return CutOff(file, "zstd");
  }
}

}  // namespace

char* GrowingBuffer::Room() {
  constexpr std::size_t kFirst = 1 << 16;
  if (room() == 0) {
    const std::size_t bigger = capacity_ == 0 ? kFirst : capacity_ * 2;
    char* moved = static_cast<char*>(std::realloc(data_.get(), bigger));
    if (moved == nullptr) return nullptr;
    (void)data_.release();
    data_.reset(moved);
    capacity_ = bigger;
  }
  return data_.get() + size_;
}

bool IsCompressed(std::string_view stored) {
  return stored.starts_with(kGzipMagic) || stored.starts_with(kZstdMagic);
}

Result<GrowingBuffer> Decompress(std::string_view stored, const std::string& file) {
  return stored.starts_with(kGzipMagic) ? DecompressGzip(stored, file)
                                        : DecompressZstd(stored, file);
}

}  // namespace reissue::io::internal
