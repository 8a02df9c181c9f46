#include "reissue/io/utf8.h"

#include <cstdint>
#include <cstring>

namespace reissue::io::internal {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080u;
constexpr std::uint64_t kLowBits = 0x0101010101010101u;

// True where all eight bytes are ASCII and none is NUL.
bool EightPlain(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  return ((word | (word - kLowBits)) & kHighBits) == 0;
}

bool Continues(unsigned char byte) { return (byte & 0xC0u) == 0x80u; }

}  // namespace

std::size_t CharacterLength(const char* at, const char* end) {
  const auto byte = [at](std::size_t i) { return static_cast<unsigned char>(at[i]); };
  const auto left = static_cast<std::size_t>(end - at);
  const unsigned char lead = byte(0);
  if (lead < 0x80) return lead == 0 ? 0 : 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return left >= 2 && Continues(byte(1)) ? 2 : 0;
  if (lead < 0xF0) {
    if (left < 3 || !Continues(byte(1)) || !Continues(byte(2))) return 0;
    const bool overlong = lead == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  if (left < 4 || !Continues(byte(1)) || !Continues(byte(2)) || !Continues(byte(3))) return 0;
  const bool overlong = lead == 0xF0 && byte(1) < 0x90;
  const bool beyond = lead == 0xF4 && byte(1) >= 0x90;
  return overlong || beyond ? 0 : 4;
}

const char* FirstIllFormed(const char* begin, const char* stop, const char* end) {
  for (const char* at = begin; at < stop;) {
    if (end - at >= 8 && EightPlain(at)) {
      at += 8;
      continue;
    }
    const std::size_t length = CharacterLength(at, end);
    if (length == 0) return at;
    at += length;
  }
  return nullptr;
}

}  // namespace reissue::io::internal
