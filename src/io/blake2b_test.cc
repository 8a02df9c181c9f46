#include "reissue/io/blake2b.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <string>

#include "reissue/core/random.h"
#include "reissue/io/csv.h"
#include "rounds.h"

namespace reissue::io::internal {
namespace {

using ::testing::Eq;

std::array<std::uint8_t, 32> OfSodium(std::string_view bytes) {
  EXPECT_GE(sodium_init(), 0);
  std::array<std::uint8_t, 32> digest;
  crypto_generichash(digest.data(), digest.size(),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                     0);
  return digest;
}

std::string SomeBytes(Random& random, std::size_t length) {
  std::string bytes;
  while (bytes.size() < length) bytes += static_cast<char>(random.Below(256));
  return bytes;
}

// As `printf '' | b2sum -l 256` and `printf abc | b2sum -l 256` print them.
TEST(Blake2b, IsWhatOtherToolsPrint) {
  EXPECT_THAT(Digest(""), Eq("0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"));
  EXPECT_THAT(Digest("abc"),
              Eq("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"));
}

TEST(Blake2b, EqualsLibsodiumForEveryLengthAroundABlock) {
  Random random = Random::Seeded(1);
  for (std::size_t length = 0; length <= 4 * 128 + 1; ++length) {
    const std::string bytes = SomeBytes(random, length);
    Blake2b hash;
    hash.Add(bytes);
    ASSERT_THAT(hash.Finish(), Eq(OfSodium(bytes))) << length;
  }
}

TEST(Blake2b, DoesNotDependOnHowBytesCome) {
  Random random = Random::Seeded(2);
  for (int round = 0; round < Rounds(300); ++round) {
    const std::string bytes = SomeBytes(random, random.Below(2000));
    Blake2b hash;
    for (std::string_view rest = bytes; !rest.empty();) {
      const std::size_t some =
          std::min<std::size_t>(rest.size(), random.Below(3) * random.Below(200));
      hash.Add(rest.substr(0, some));
      rest.remove_prefix(some);
    }
    ASSERT_THAT(hash.Finish(), Eq(OfSodium(bytes))) << bytes.size();
  }
}

}  // namespace
}  // namespace reissue::io::internal
