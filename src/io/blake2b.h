#pragma once
// BLAKE2b-256 without a key (RFC 7693), as `b2sum -l 256` prints it. In plain words of 64 bits and
// not in vectors: a file is one chain of blocks, of which each waits for the one before, and the
// four columns of a block keep a processor busier side by side than one after the other in a
// vector, where every step waits for the last.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reissue::io::internal {

class Blake2b {
 public:
  Blake2b();
  void Add(std::string_view bytes);
  // Once, at the end.
  std::array<std::uint8_t, 32> Finish();

 private:
  static constexpr std::size_t kBlock = 128;

  void Compress(const char* block, std::uint64_t last);

  std::array<std::uint64_t, 8> hash_;
  std::uint64_t counted_ = 0;  // bytes that were compressed
  std::array<char, kBlock> waiting_{};
  std::size_t waits_ = 0;  // bytes; a full block waits too, as it may be the last
};

}  // namespace reissue::io::internal
