#pragma once
// Signatures of certificates (Ed25519), for whoever has the public key. In hexadecimal.

#include <optional>
#include <string>
#include <string_view>

namespace reissue::ledger {

inline constexpr std::size_t kPublicKeyDigits = 64;
inline constexpr std::size_t kSignatureDigits = 128;

std::string ToHex(std::string_view bytes);
// Nothing where it is not whole bytes in small letters: each text has one spelling.
std::optional<std::string> FromHex(std::string_view digits);

bool SignatureFits(std::string_view key, std::string_view bytes, std::string_view signature);

}  // namespace reissue::ledger
