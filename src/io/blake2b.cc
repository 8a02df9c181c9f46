#include "reissue/io/blake2b.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace reissue::io::internal {
namespace {

constexpr std::array<std::uint64_t, 8> kStart = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
// 32 bytes of digest, no key, a sequence and no tree.
constexpr std::uint64_t kParameters = 0x01010020;
constexpr std::size_t kRounds = 12;

// In which order a round takes the words of a block.
constexpr std::uint8_t kOrder[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                         {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                         {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                         {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                         {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                         {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                         {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                         {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                         {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                         {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

// No std::array: a compiler that has inlined this much leaves calls of operator[].
using Words = std::uint64_t[16];

template <std::size_t kA, std::size_t kB, std::size_t kC, std::size_t kD>
inline __attribute__((always_inline)) void Mix(Words& v, std::uint64_t x, std::uint64_t y) {
  v[kA] += v[kB] + x;
  v[kD] = std::rotr(v[kD] ^ v[kA], 32);
  v[kC] += v[kD];
  v[kB] = std::rotr(v[kB] ^ v[kC], 24);
  v[kA] += v[kB] + y;
  v[kD] = std::rotr(v[kD] ^ v[kA], 16);
  v[kC] += v[kD];
  v[kB] = std::rotr(v[kB] ^ v[kC], 63);
}

// The number of the round is known to the compiler, so that nothing looks up an order.
template <std::size_t kRound>
inline __attribute__((always_inline)) void MixAll(Words& v, const Words& block) {
  if constexpr (kRound < kRounds) {
    constexpr auto& kWord = kOrder[kRound % 10];
    Mix<0, 4, 8, 12>(v, block[kWord[0]], block[kWord[1]]);
    Mix<1, 5, 9, 13>(v, block[kWord[2]], block[kWord[3]]);
    Mix<2, 6, 10, 14>(v, block[kWord[4]], block[kWord[5]]);
    Mix<3, 7, 11, 15>(v, block[kWord[6]], block[kWord[7]]);
    Mix<0, 5, 10, 15>(v, block[kWord[8]], block[kWord[9]]);
    Mix<1, 6, 11, 12>(v, block[kWord[10]], block[kWord[11]]);
    Mix<2, 7, 8, 13>(v, block[kWord[12]], block[kWord[13]]);
    Mix<3, 4, 9, 14>(v, block[kWord[14]], block[kWord[15]]);
    MixAll<kRound + 1>(v, block);
  }
}

}  // namespace

Blake2b::Blake2b() : hash_(kStart) { hash_[0] ^= kParameters; }

// `last`: all ones for the last block. A file has less than 2^64 bytes.
void Blake2b::Compress(const char* block, std::uint64_t last) {
  static_assert(std::endian::native == std::endian::little);
  Words words, v;
  std::memcpy(words, block, kBlock);
  std::copy(hash_.begin(), hash_.end(), v);
  std::copy(kStart.begin(), kStart.end(), v + 8);
  v[12] ^= counted_;
  v[14] ^= last;
  MixAll<0>(v, words);
  for (std::size_t i = 0; i < hash_.size(); ++i) hash_[i] ^= v[i] ^ v[i + 8];
}

void Blake2b::Add(std::string_view bytes) {
  while (!bytes.empty()) {
    if (waits_ == kBlock) {
      counted_ += kBlock;
      Compress(waiting_.data(), 0);
      waits_ = 0;
    }
    // Whole blocks are taken where they lie, but for the last of them.
    while (waits_ == 0 && bytes.size() > kBlock) {
      counted_ += kBlock;
      Compress(bytes.data(), 0);
      bytes.remove_prefix(kBlock);
    }
    const std::size_t some = bytes.copy(waiting_.data() + waits_, kBlock - waits_);
    waits_ += some;
    bytes.remove_prefix(some);
  }
}

std::array<std::uint8_t, 32> Blake2b::Finish() {
  std::fill(waiting_.begin() + static_cast<std::ptrdiff_t>(waits_), waiting_.end(), '\0');
  counted_ += waits_;
  Compress(waiting_.data(), ~std::uint64_t{0});
  std::array<std::uint8_t, 32> digest;
  std::memcpy(digest.data(), hash_.data(), digest.size());
  return digest;
}

}  // namespace reissue::io::internal
