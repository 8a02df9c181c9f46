#pragma once
// Somebody with a pair of keys of his own, who signs what he likes. For tests only.

#include <gtest/gtest.h>
#include <sodium.h>

#include <array>
#include <string>

#include "anew.h"
#include "reissue/ledger/signature.h"

namespace certificates {

// Signed by a key of the stranger's own, so that it is not the signature that gives it away.
class Stranger {
 public:
  Stranger() {
    EXPECT_GE(sodium_init(), 0);
    crypto_sign_keypair(open_.data(), secret_.data());
  }

  std::string Sealed(Json json) const {
    if (!json.is_object()) return json.dump();
    json.erase("signature");
    const auto series = json.find("series");
    if (series != json.end() && series->is_object() && series->contains("key") &&
        series->at("key").is_string() && series->at("key").get<std::string>().size() == 64) {
      (*series)["key"] = Hex(open_.data(), open_.size());
    }
    std::string text = json.dump(2);
    text.replace(text.size() - 2, 2, ",\n");
    std::array<unsigned char, crypto_sign_BYTES> signature;
    crypto_sign_detached(signature.data(), nullptr,
                         reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                         secret_.data());
    return text + "  \"signature\": \"" + Hex(signature.data(), signature.size()) + "\"\n}\n";
  }

 private:
  static std::string Hex(const unsigned char* bytes, std::size_t size) {
    return reissue::ledger::ToHex({reinterpret_cast<const char*>(bytes), size});
  }
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> open_;
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret_;
};

}  // namespace certificates
