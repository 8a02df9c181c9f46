#pragma once
// The vault's keys (docs/formats/vault.md): a random data key, wrapped by a key made from the
// passphrase; from the data key, one subkey for each purpose, and a pair of keys that signs. For
// src/ledger only. Keys live in locked memory that is wiped when freed. Immutable once made.

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
// Before format 3 what a vault records was not authenticated. Its key is wrapped otherwise, so that
// no vault can be made to look like one of those.
enum class Era { kUnsealed, kSealed };
// kInput for a wrong or missing passphrase, and for one where there is none. `file` is for the
// message.
Result<SecretKey> UnwrapKey(const StoredKey& stored, const Passphrase& passphrase,
                            std::string_view vault_id, const std::string& file,
                            Era era = Era::kSealed);

// A secret as it lies in the vault.
struct Sealed {
  std::string tag;      // nonce and authentication tag
  std::string content;  // encrypted
};

// Which state, and which piece of it. States of several pieces are also bound to the history of the
// vault (pieces.h); those of one piece are sealed as they were before there were pieces.
struct SecretPiece {
  std::uint32_t release = 0;
  std::string_view name;
  std::string_view history = {};
  std::size_t index = 1, count = 1;
};

class KeyRing {
 public:
  // Derives the subkeys.
  static Result<KeyRing> Make(const SecretKey& data_key, std::string vault_id);

  PersonKey KeyOf(std::string_view identifier) const;
  std::string KeyedDigest(std::string_view bytes) const;  // hex
  // 32 bytes that only the key can make: of the vault's records, or of a mark.
  std::string Authenticate(std::string_view purpose, std::string_view bytes) const;
  // Ed25519.
  std::string PublicKey() const;                   // 32 bytes
  std::string Sign(std::string_view bytes) const;  // 64 bytes
  // Bound to the vault and to which piece it is.
  Sealed Seal(const SecretPiece& piece, std::string_view content) const;
  // Appended to `content`. False, and nothing is, where a bit of it, its vault, or which piece it
  // is is not what it was.
  bool Unseal(const SecretPiece& piece, std::string_view tag, std::string_view sealed,
              std::string& content) const;
  // The same of a vault before format 3: nonce, content and tag in one, bound to vault and name.
  bool UnsealOld(std::string_view name, std::string_view sealed, std::string& content) const;
  // A whole vault in one text, bound to what is said openly before it.
  std::string Pack(std::string_view open, std::string_view content) const;
  std::optional<std::string> Unpack(std::string_view open, std::string_view packed) const;

 private:
  KeyRing() = default;
  std::optional<SecretKey> seal_, person_, digest_, record_, sign_, pack_;
  std::string vault_id_;
};

// A data key and the vault that it will be of.
struct FreshKey::Drawn {
  std::string vault_id;
  SecretKey data_key;
  KeyRing keys;
};

}  // namespace reissue::ledger
