#include "reissue/core/random.h"

#include <sodium.h>
#include <sys/random.h>

#include <bit>
#include <cerrno>

#include "reissue/core/result.h"

namespace reissue {
namespace {

constexpr std::size_t kBufferWords = 512;

std::uint64_t SplitMix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Random Random::Seeded(std::uint64_t seed) {
  Random random;
  random.seeded_ = true;
  for (std::uint64_t& word : random.state_) word = SplitMix(seed);
  return random;
}

Random Random::FromSystem() {
  Random random;
  random.buffer_.resize(kBufferWords);
  random.used_ = kBufferWords;
  return random;
}

Random Random::From(std::optional<std::uint64_t> seed) {
  return seed ? Seeded(*seed) : FromSystem();
}

// The system gives a key; ChaCha20 makes the numbers of it, several times as fast as the system
// would. The next ones have another key.
void Random::Refill() {
  static const bool ready = sodium_init() >= 0;
  REISSUE_CHECK(ready);
  std::array<unsigned char, randombytes_SEEDBYTES> key;
  unsigned char* out = key.data();
  std::size_t left = key.size();
  while (left > 0) {
    const ssize_t got = getrandom(out, left, 0);
    if (got < 0 && errno == EINTR) continue;
    REISSUE_CHECK(got > 0);
    out += got;
    left -= static_cast<std::size_t>(got);
  }
  randombytes_buf_deterministic(buffer_.data(), buffer_.size() * sizeof(std::uint64_t), key.data());
  sodium_memzero(key.data(), key.size());
  used_ = 0;
}

std::uint64_t Random::Next() {
  if (!seeded_) {
    if (used_ == buffer_.size()) Refill();
    return buffer_[used_++];
  }
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::Below(std::uint64_t bound) {
  // Lemire: multiply, and reject the few low products that would favour some results.
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(Next()) * bound;
  auto low = static_cast<std::uint64_t>(product);
  if (low < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (low < threshold) {
      product = static_cast<Wide>(Next()) * bound;
      low = static_cast<std::uint64_t>(product);
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Random::Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

std::uint64_t ProcessSeed() {
  static const std::uint64_t seed = Random::FromSystem().Next();
  return seed;
}

std::uint64_t DeriveSeed(std::uint64_t seed, std::uint64_t task) {
  std::uint64_t state = seed ^ (task * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du);
  SplitMix(state);
  return SplitMix(state);
}

}  // namespace reissue
