#include "reissue/ledger/signature.h"

#include <sodium.h>

#include "reissue/core/result.h"

namespace reissue::ledger {

std::string ToHex(std::string_view bytes) {
  std::string hex(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                 bytes.size());
  hex.pop_back();
  return hex;
}

std::optional<std::string> FromHex(std::string_view digits) {
  if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
  std::string bytes(digits.size() / 2, '\0');
  if (digits.size() % 2 != 0 ||
      sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), digits.data(),
                     digits.size(), nullptr, nullptr, nullptr) != 0) {
    return std::nullopt;
  }
  return bytes;
}

bool SignatureFits(std::string_view key, std::string_view bytes, std::string_view signature) {
  REISSUE_CHECK(sodium_init() >= 0);
  const auto raw_key = FromHex(key), raw_signature = FromHex(signature);
  if (!raw_key || raw_key->size() != crypto_sign_PUBLICKEYBYTES || !raw_signature ||
      raw_signature->size() != crypto_sign_BYTES) {
    return false;
  }
  const auto raw = [](std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  };
  return crypto_sign_verify_detached(raw(*raw_signature), raw(bytes), bytes.size(),
                                     raw(*raw_key)) == 0;
}

}  // namespace reissue::ledger
