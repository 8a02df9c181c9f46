#include "reissue/binding/state_bytes.h"

#include <gtest/gtest.h>

#include "reissue/core/random.h"

namespace reissue::binding {
namespace {

std::string LittleEndian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t b = 0; b < bytes; ++b) text += static_cast<char>(value >> (8 * b) & 0xff);
  return text;
}

std::string InSevens(std::uint32_t value) {
  std::string text;
  for (; value >= 128; value /= 128) text += static_cast<char>(value % 128 + 128);
  return text + static_cast<char>(value);
}

// Writes one thing at random, and says what its bytes are.
std::string WriteOne(StateWriter& out, Random& random) {
  const std::uint64_t value = random.Next() >> random.Below(64);
  const auto half = static_cast<std::uint32_t>(value);
  switch (random.Below(5)) {
    case 0:
      out.Number(value);
      return LittleEndian(value, 8);
    case 1:
      out.Number(static_cast<std::uint8_t>(value));
      return LittleEndian(value & 0xff, 1);
    case 2:
      out.Small(half);
      return InSevens(half);
    case 3: {
      const std::string text(random.Below(random.Below(50) == 0 ? 100'000 : 10), 'x');
      out.Text(text);
      return LittleEndian(text.size(), 4) + text;
    }
    default: {
      ledger::PersonKey key{};
      key.fill(static_cast<std::uint8_t>(value));
      out.Raw(key);
      return std::string(key.begin(), key.end());
    }
  }
}

TEST(StateWriterTest, WritesTheBytesOfOneAfterTheOther) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random = Random::Seeded(seed);
    StateWriter out;
    if (seed % 2 == 0) out.Reserve(random.Below(100'000));
    std::string expected;
    for (std::uint64_t i = random.Below(3'000); i > 0; --i) expected += WriteOne(out, random);
    ASSERT_EQ(out.Take(), expected) << seed;
    EXPECT_EQ(out.Take(), "");
  }
}

}  // namespace
}  // namespace reissue::binding
