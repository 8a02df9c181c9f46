#pragma once
// The vault's keys (docs/formats/vault.md): a random data key, wrapped by a key made from the
// passphrase; from the data key, one subkey for each purpose. For src/ledger only. Keys live in
// locked memory that is wiped when freed. Immutable once made.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"

namespace reissue::ledger {

// 32 secret bytes; move-only.
class SecretKey {
 public:
  static constexpr std::size_t kBytes = 32;
  // All zero, to be filled in.
  static Result<SecretKey> Make();
  std::uint8_t* data() { return bytes_.get(); }
  const std::uint8_t* data() const { return bytes_.get(); }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const;
  };
  explicit SecretKey(std::uint8_t* bytes) : bytes_(bytes) {}
  std::unique_ptr<std::uint8_t[], Free> bytes_;
};

// The data key as it lies in the vault.
struct StoredKey {
  bool wrapped = true;
  std::string salt;              // of Argon2id; empty where not wrapped
  std::uint64_t operations = 0;  // limits of Argon2id
  std::uint64_t memory = 0;
  std::string content;  // nonce and ciphertext, or the bare key where not wrapped
};

std::string RandomBytes(std::size_t count);
// Unkeyed BLAKE2b-256 (raw bytes): against accidents, not against forgers.
std::string Checksum(std::string_view bytes);

Result<SecretKey> RandomKey();
// kMachine where there is not enough memory for Argon2id, kUsage for an empty passphrase.
Result<StoredKey> WrapKey(const SecretKey& key, const Passphrase& passphrase,
                          std::string_view vault_id);
// kInput for a wrong or missing passphrase. `file` is for the message.
Result<SecretKey> UnwrapKey(const StoredKey& stored, const Passphrase& passphrase,
                            std::string_view vault_id, const std::string& file);

class KeyRing {
 public:
  // Derives the subkeys; the data key is wiped afterwards.
  static Result<KeyRing> Make(SecretKey data_key, std::string vault_id);

  PersonKey KeyOf(std::string_view identifier) const;
  std::string KeyedDigest(std::string_view bytes) const;  // hex
  // Nonce and ciphertext. Bound to the vault and the name.
  std::string Seal(std::string_view name, std::string_view content) const;
  // Nothing where a bit of it, its name or its vault is not what it was.
  std::optional<std::string> Unseal(std::string_view name, std::string_view sealed) const;

 private:
  KeyRing(SecretKey seal, SecretKey person, SecretKey digest, std::string vault_id)
      : seal_(std::move(seal)),
        person_(std::move(person)),
        digest_(std::move(digest)),
        vault_id_(std::move(vault_id)) {}

  SecretKey seal_, person_, digest_;
  std::string vault_id_;
};

}  // namespace reissue::ledger
