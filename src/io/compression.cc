#include "reissue/io/compression.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>

#include "reissue/io/csv_reader.h"
#include "reissue/io/utf8.h"

namespace reissue::io::internal {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

constexpr char kAllowMore[] =
    "If the file is what it should be, allow more with --max-unpacked, for example --max-unpacked "
    "64G.";

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

std::string InUnits(std::uint64_t bytes) {
  constexpr std::uint64_t kUnit = 1024;
  if (bytes < kUnit) return fmt::format("{} bytes", bytes);
  if (bytes < kUnit * kUnit) return fmt::format("{} KiB", bytes / kUnit);
  if (bytes < kUnit * kUnit * kUnit) return fmt::format("{} MiB", bytes / (kUnit * kUnit));
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (kUnit * kUnit * kUnit));
}

// What comes out of a stream, looked at as it comes.
class Unpacking {
 public:
  Unpacking(std::string_view stored, const std::string& file, const UnpackLimits& limits)
      : stored_(stored), file_(file), limits_(limits) {}

  char* Room() { return out_.Room(); }
  // So little at a time that what is wrong is seen soon.
  std::size_t room() const {
    const std::uint64_t left = limits_.most + 1 - out_.view().size();
    return static_cast<std::size_t>(std::min({std::uint64_t{out_.room()}, left, kPortion}));
  }
  Status Grew(std::size_t bytes) {
    out_.Grew(bytes);
    const std::string_view text = out_.view();
    if (text.size() > limits_.most) return TooMuch();
    if (limits_.glance == nullptr || text.size() < kGlance) return Ok();
    if (looked_ == 0) REISSUE_TRY(limits_.glance(text));
    return LookAtNew(text);
  }
  GrowingBuffer Take() { return std::move(out_); }

 private:
  static constexpr std::uint64_t kPortion = 1 << 20;

  Error TooMuch() const {
    return InputError(
        {.file = file_, .line = {}, .byte = {}, .column = {}},
        fmt::format("these {} unpack to more than {}; {} are there so far, and "
                    "nothing more was unpacked",
                    InUnits(stored_.size()), InUnits(limits_.most), InUnits(out_.view().size())),
        kAllowMore);
  }

  // Whether it is text, up to where a character begins.
  Status LookAtNew(std::string_view text) {
    std::size_t to = text.size();
    const auto continues = [&](std::size_t at) {
      return (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u;
    };
    for (int back = 0; back < 4 && to > looked_ && (back == 0 || continues(to)); ++back) --to;
    const char* wrong =
        FirstIllFormed(text.data() + looked_, text.data() + to, text.data() + text.size());
    looked_ = to;
    if (wrong == nullptr) return Ok();
    const auto before = static_cast<std::size_t>(wrong - text.data());
    return ErrorOf({FaultOfText(wrong), 0, 0, 0}, file_,
                   1 + CountByte(text.substr(0, before), '\n'), 0, true, {});
  }

  std::string_view stored_;
  const std::string& file_;
  const UnpackLimits& limits_;
  GrowingBuffer out_;
  std::size_t looked_ = 0;
};

}  // namespace

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

struct ZstdFree {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

namespace {

template <typename Left>
uInt Portion(Left left) {
  return static_cast<uInt>(std::min<std::uint64_t>(left, std::numeric_limits<uInt>::max()));
}

Result<GrowingBuffer> DecompressGzip(std::string_view stored, const std::string& file,
                                     Unpacking& out) {
  GzipStream holder;
  if (!holder.ready()) return OutOfMemory(file);
  z_stream& stream = holder.get();
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
    REISSUE_TRY(out.Grew(offered - stream.avail_out));
    if (outcome == Z_STREAM_END) {
      if (taken == stored.size()) return out.Take();
      // Another member follows; zero bytes of padding do not count.
      if (stored.find_first_not_of('\0', taken) == std::string_view::npos) return out.Take();
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
    REISSUE_TRY(out.Grew(came));
    if (outcome == Z_STREAM_END) return out.Take();
    if (outcome != Z_OK || came == 0) return CutOff(file, "gzip");
  }
}

Result<GrowingBuffer> DecompressZstd(std::string_view stored, const std::string& file,
                                     Unpacking& out) {
  const std::unique_ptr<ZSTD_DStream, ZstdFree> stream(ZSTD_createDStream());
  if (stream == nullptr) return OutOfMemory(file);
  ZSTD_inBuffer in{stored.data(), stored.size(), 0};
  std::size_t wanted = 1;  // 0 where a frame is complete
  while (true) {
    char* room = out.Room();
    if (room == nullptr) return OutOfMemory(file);
    ZSTD_outBuffer part{room, out.room(), 0};
    const std::size_t before = in.pos;
    wanted = ZSTD_decompressStream(stream.get(), &part, &in);
    if (ZSTD_getErrorCode(wanted) == ZSTD_error_memory_allocation) return OutOfMemory(file);
    if (ZSTD_isError(wanted)) return Damaged(file, "zstd", in.pos);
    REISSUE_TRY(out.Grew(part.pos));
    if (in.pos < in.size || part.pos == part.size) {
      if (wanted == 0 && in.pos == in.size) return out.Take();
      continue;
    }
    if (wanted == 0) return out.Take();
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

Result<GrowingBuffer> Decompress(std::string_view stored, const std::string& file,
                                 const UnpackLimits& limits) {
  Unpacking out(stored, file, limits);
  return stored.starts_with(kGzipMagic) ? DecompressGzip(stored, file, out)
                                        : DecompressZstd(stored, file, out);
}

class Unpacker::Format {
 public:
  virtual ~Format() = default;
  // What went in and what came out.
  struct Moved {
    std::size_t in = 0, out = 0;
  };
  virtual Result<Moved> Move(std::string_view stored, char* to, std::size_t room,
                             std::uint64_t taken, const std::string& file) = 0;
  virtual bool complete() const = 0;
  virtual std::string_view name() const = 0;
};

class Unpacker::Gzip : public Unpacker::Format {
 public:
  Result<Moved> Move(std::string_view stored, char* to, std::size_t room, std::uint64_t taken,
                     const std::string& file) override {
    if (!holder_.ready()) return OutOfMemory(file);
    if (complete_ && !stored.empty()) {
      // Another member follows; zero bytes of padding do not count.
      const std::size_t padding = std::min(stored.find_first_not_of('\0'), stored.size());
      padded_ = padded_ || padding > 0;
      if (padding > 0) return Moved{padding, 0};
      if (padded_ || inflateReset(&holder_.get()) != Z_OK) return Damaged(file, "gzip", taken);
      complete_ = false;
    }
    z_stream& stream = holder_.get();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data()));
    stream.avail_in = Portion(stored.size());
    stream.next_out = reinterpret_cast<Bytef*>(to);
    stream.avail_out = Portion(room);
    const uInt given = stream.avail_in, offered = stream.avail_out;
    const int outcome = complete_ ? Z_BUF_ERROR : inflate(&stream, Z_NO_FLUSH);
    if (outcome == Z_MEM_ERROR) return OutOfMemory(file);
    const Moved moved{given - stream.avail_in, offered - stream.avail_out};
    if (outcome == Z_STREAM_END) {
      complete_ = true;
    } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      return Damaged(file, "gzip", taken + moved.in);
    }
    return moved;
  }
  bool complete() const override { return complete_; }
  std::string_view name() const override { return "gzip"; }

 private:
  GzipStream holder_;
  bool complete_ = false, padded_ = false;
};

class Unpacker::Zstd : public Unpacker::Format {
 public:
  Result<Moved> Move(std::string_view stored, char* to, std::size_t room, std::uint64_t taken,
                     const std::string& file) override {
    if (stream_ == nullptr) return OutOfMemory(file);
    ZSTD_inBuffer in{stored.data(), stored.size(), 0};
    ZSTD_outBuffer out{to, room, 0};
    if (stored.empty() && complete_) return Moved{};
    const std::size_t wanted = ZSTD_decompressStream(stream_.get(), &out, &in);
    if (ZSTD_getErrorCode(wanted) == ZSTD_error_memory_allocation) return OutOfMemory(file);
    if (ZSTD_isError(wanted)) return Damaged(file, "zstd", taken + in.pos);
    complete_ = wanted == 0;
    return Moved{in.pos, out.pos};
  }
  bool complete() const override { return complete_; }
  std::string_view name() const override { return "zstd"; }

 private:
  std::unique_ptr<ZSTD_DStream, ZstdFree> stream_{ZSTD_createDStream()};
  bool complete_ = false;
};

Unpacker::Unpacker(std::string_view beginning, std::string file, std::uint64_t most)
    : file_(std::move(file)), most_(most) {
  if (beginning.starts_with(kGzipMagic)) {
    format_ = std::make_unique<Gzip>();
  } else {
    format_ = std::make_unique<Zstd>();
  }
}

Unpacker::~Unpacker() = default;

Result<std::size_t> Unpacker::Unpack(std::string_view& stored, char* to, std::size_t room) {
  while (true) {
    const Format::Moved moved = REISSUE_TRY(format_->Move(stored, to, room, taken_, file_));
    taken_ += moved.in;
    given_ += moved.out;
    stored.remove_prefix(moved.in);
    if (given_ > most_) {
      return InputError(
          {.file = file_, .line = {}, .byte = {}, .column = {}},
          fmt::format("the first {} of this file unpack to more than {}; nothing more was unpacked",
                      InUnits(taken_), InUnits(most_)),
          kAllowMore);
    }
    if (moved.out > 0 || moved.in == 0 || stored.empty()) return moved.out;
  }
}

Status Unpacker::Finish() const {
  if (format_->complete()) return Ok();
  return CutOff(file_, format_->name());
}

}  // namespace reissue::io::internal
