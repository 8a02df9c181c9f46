#include "reissue/ledger/keys.h"

#include <fmt/format.h>
#include <sodium.h>

#include <new>

#include "reissue/ledger/signature.h"

namespace reissue::ledger {
namespace {

constexpr std::size_t kNonceBytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTagBytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr char kContext[crypto_kdf_CONTEXTBYTES + 1] = "reissueV";
// Never renumber: the numbers are part of the format.
constexpr std::uint64_t kSealSubkey = 1, kPersonSubkey = 2, kDigestSubkey = 3, kRecordSubkey = 4,
                        kSignSubkey = 5, kPackSubkey = 6;
// Above what any vault of ours asks for; a larger number in the file is nonsense.
constexpr std::uint64_t kMostMemory = std::uint64_t{4} << 30;
constexpr std::uint64_t kMostOperations = 64;

static_assert(SecretKey::kBytes == crypto_aead_xchacha20poly1305_ietf_KEYBYTES);
static_assert(SecretKey::kBytes == crypto_kdf_KEYBYTES);
static_assert(SecretKey::kBytes == crypto_generichash_KEYBYTES);
static_assert(SecretKey::kBytes == crypto_sign_SEEDBYTES);

const unsigned char* Raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Raw(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

void Start() { REISSUE_CHECK(sodium_init() >= 0); }

// Hash functions leave their key on the stack. At the end of its scope, what was called there is
// wiped, more than any of them takes.
struct CleanStack {
  CleanStack() = default;
  CleanStack(const CleanStack&) = delete;
  CleanStack& operator=(const CleanStack&) = delete;
  ~CleanStack() { sodium_stackzero(8192); }
};

std::string SealWith(const SecretKey& key, std::string_view associated, std::string_view content) {
  const CleanStack clean;
  std::string sealed(kNonceBytes + content.size() + kTagBytes, '\0');
  randombytes_buf(sealed.data(), kNonceBytes);
  crypto_aead_xchacha20poly1305_ietf_encrypt(Raw(sealed) + kNonceBytes, nullptr, Raw(content),
                                             content.size(), Raw(associated), associated.size(),
                                             nullptr, Raw(sealed), key.data());
  return sealed;
}

// Writes the content, which is sealed.size() − kNonceBytes − kTagBytes long.
bool UnsealWith(const SecretKey& key, std::string_view associated, std::string_view sealed,
                unsigned char* content) {
  const CleanStack clean;
  if (sealed.size() < kNonceBytes + kTagBytes) return false;
  return crypto_aead_xchacha20poly1305_ietf_decrypt(
             content, nullptr, nullptr, Raw(sealed) + kNonceBytes, sealed.size() - kNonceBytes,
             Raw(associated), associated.size(), Raw(sealed), key.data()) == 0;
}

std::optional<std::string> Opened(const SecretKey& key, std::string_view associated,
                                  std::string_view sealed) {
  if (sealed.size() < kNonceBytes + kTagBytes) return std::nullopt;
  std::string content(sealed.size() - kNonceBytes - kTagBytes, '\0');
  if (!UnsealWith(key, associated, sealed, Raw(content))) return std::nullopt;
  return content;
}

std::string KeyAssociated(std::string_view vault_id, Era era) {
  return std::string(era == Era::kSealed ? "reissue data key 3" : "reissue data key")
      .append(vault_id);
}

std::string OldSecretAssociated(std::string_view vault_id, std::string_view name) {
  return std::string("reissue secret").append(vault_id).append(name);
}

std::string SecretAssociated(std::string_view vault_id, const SecretPiece& piece) {
  if (piece.count == 1) {
    return fmt::format("reissue secret 3{}{}:{}", vault_id, piece.release, piece.name);
  }
  return fmt::format("reissue secret 5{}{}:{}/{}:{}{}", vault_id, piece.release, piece.index,
                     piece.count, piece.history, piece.name);
}

// The pair that signs, made for one use; its secret half lives in locked memory.
struct Pair {
  std::string open = std::string(crypto_sign_PUBLICKEYBYTES, '\0');
  std::unique_ptr<unsigned char[], void (*)(void*)> secret{
      static_cast<unsigned char*>(sodium_malloc(crypto_sign_SECRETKEYBYTES)), sodium_free};
};

Pair PairOf(const SecretKey& seed) {
  const CleanStack clean;
  Pair pair;
  if (pair.secret == nullptr) throw std::bad_alloc();
  crypto_sign_seed_keypair(Raw(pair.open), pair.secret.get(), seed.data());
  return pair;
}

Result<SecretKey> KeyFromPassphrase(const StoredKey& stored, const Passphrase& passphrase) {
  const CleanStack clean;
  SecretKey key = REISSUE_TRY(SecretKey::Make());
  if (crypto_pwhash(key.data(), SecretKey::kBytes, passphrase.text.view().data(),
                    passphrase.text.size(), Raw(std::string_view(stored.salt)), stored.operations,
                    stored.memory, crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return MachineError("not enough memory to turn the passphrase into a key",
                        "Free 256 MB of memory, then run the command again.");
  }
  return key;
}

Result<SecretKey> Subkey(const SecretKey& key, std::uint64_t number) {
  const CleanStack clean;
  SecretKey subkey = REISSUE_TRY(SecretKey::Make());
  crypto_kdf_derive_from_key(subkey.data(), SecretKey::kBytes, number, kContext, key.data());
  return subkey;
}

std::string KeyedHash(const SecretKey& key, std::string_view bytes, std::size_t size) {
  const CleanStack clean;
  std::string hash(size, '\0');
  crypto_generichash(Raw(hash), size, Raw(bytes), bytes.size(), key.data(), SecretKey::kBytes);
  return hash;
}

}  // namespace

Result<SecretKey> SecretKey::Make() {
  Start();
  auto* bytes = static_cast<std::uint8_t*>(sodium_malloc(kBytes));
  if (bytes == nullptr) return MachineError("not enough memory for the vault's keys");
  sodium_memzero(bytes, kBytes);
  return SecretKey(bytes);
}

void SecretKey::Free::operator()(std::uint8_t* bytes) const { sodium_free(bytes); }

std::string RandomBytes(std::size_t count) {
  Start();
  std::string bytes(count, '\0');
  randombytes_buf(bytes.data(), count);
  return bytes;
}

std::string Checksum(std::string_view bytes) {
  Start();
  std::string hash(32, '\0');
  crypto_generichash(Raw(hash), hash.size(), Raw(bytes), bytes.size(), nullptr, 0);
  return hash;
}

Result<SecretKey> RandomKey() {
  SecretKey key = REISSUE_TRY(SecretKey::Make());
  randombytes_buf(key.data(), SecretKey::kBytes);
  return key;
}

Result<StoredKey> WrapKey(const SecretKey& key, const Passphrase& passphrase,
                          std::string_view vault_id) {
  const std::string_view bare(reinterpret_cast<const char*>(key.data()), SecretKey::kBytes);
  StoredKey stored;
  if (passphrase.none) {
    stored.wrapped = false;
    stored.content = bare;
    return stored;
  }
  if (passphrase.text.empty()) {
    return UsageError("a new vault needs a passphrase",
                      "Give one that you will not forget: "
                      "without it the state in the vault is lost.");
  }
  stored.salt = RandomBytes(crypto_pwhash_SALTBYTES);
  stored.operations = crypto_pwhash_OPSLIMIT_MODERATE;
  stored.memory = crypto_pwhash_MEMLIMIT_MODERATE;
  const SecretKey wrapping = REISSUE_TRY(KeyFromPassphrase(stored, passphrase));
  stored.content = SealWith(wrapping, KeyAssociated(vault_id, Era::kSealed), bare);
  return stored;
}

Result<SecretKey> UnwrapKey(const StoredKey& stored, const Passphrase& passphrase,
                            std::string_view vault_id, const std::string& file, Era era) {
  const Place place{.file = file, .line = {}, .byte = {}, .column = {}};
  SecretKey key = REISSUE_TRY(SecretKey::Make());
  const std::size_t expected = SecretKey::kBytes + (stored.wrapped ? kNonceBytes + kTagBytes : 0);
  if (stored.content.size() != expected || stored.memory > kMostMemory ||
      stored.operations > kMostOperations ||
      (stored.wrapped && stored.salt.size() != crypto_pwhash_SALTBYTES)) {
    return InputError(place, "the vault is damaged: its key has the wrong form",
                      "Restore the vault's directory from a backup.");
  }
  if (!stored.wrapped && !passphrase.none) {
    return InputError(place,
                      "a passphrase was given, and this vault has none: it is not the vault that "
                      "was made with this passphrase",
                      "Look for the right one, or restore it from a backup. If it was made without "
                      "a passphrase, say --no-passphrase.");
  }
  if (!stored.wrapped) {
    std::copy(stored.content.begin(), stored.content.end(), key.data());
    return key;
  }
  if (passphrase.none || passphrase.text.empty()) {
    return InputError(place, "the vault is protected by a passphrase, and none was given",
                      "Give the passphrase that the vault was made with.");
  }
  const SecretKey wrapping = REISSUE_TRY(KeyFromPassphrase(stored, passphrase));
  if (!UnsealWith(wrapping, KeyAssociated(vault_id, era), stored.content, key.data())) {
    return InputError(
        place, "this is not the passphrase of the vault",
        "Give the passphrase that the vault was made with; capitals and blanks count.");
  }
  return key;
}

Result<KeyRing> KeyRing::Make(const SecretKey& data_key, std::string vault_id) {
  KeyRing ring;
  ring.seal_ = REISSUE_TRY(Subkey(data_key, kSealSubkey));
  ring.person_ = REISSUE_TRY(Subkey(data_key, kPersonSubkey));
  ring.digest_ = REISSUE_TRY(Subkey(data_key, kDigestSubkey));
  ring.record_ = REISSUE_TRY(Subkey(data_key, kRecordSubkey));
  ring.sign_ = REISSUE_TRY(Subkey(data_key, kSignSubkey));
  ring.pack_ = REISSUE_TRY(Subkey(data_key, kPackSubkey));
  ring.vault_id_ = std::move(vault_id);
  return ring;
}

PersonKey KeyRing::KeyOf(std::string_view identifier) const {
  // Identifiers are short and many: SipHash takes a tenth of the time of BLAKE2b.
  static_assert(std::tuple_size_v<PersonKey> == crypto_shorthash_siphashx24_BYTES);
  static_assert(SecretKey::kBytes >= crypto_shorthash_siphashx24_KEYBYTES);
  PersonKey key;
  crypto_shorthash_siphashx24(key.data(), Raw(identifier), identifier.size(), person_->data());
  return key;
}

std::string KeyRing::KeyedDigest(std::string_view bytes) const {
  return ToHex(KeyedHash(*digest_, bytes, 32));
}

std::string KeyRing::Authenticate(std::string_view purpose, std::string_view bytes) const {
  std::string all = fmt::format("{}:{}", purpose.size(), purpose);
  return KeyedHash(*record_, all.append(vault_id_).append(bytes), 32);
}

std::string KeyRing::PublicKey() const { return PairOf(*sign_).open; }

std::string KeyRing::Sign(std::string_view bytes) const {
  const CleanStack clean;
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(Raw(signature), nullptr, Raw(bytes), bytes.size(),
                       PairOf(*sign_).secret.get());
  return signature;
}

Sealed KeyRing::Seal(const SecretPiece& piece, std::string_view content) const {
  const CleanStack clean;
  const std::string associated = SecretAssociated(vault_id_, piece);
  Sealed sealed{RandomBytes(kNonceBytes + kTagBytes), std::string(content.size(), '\0')};
  crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
      Raw(sealed.content), Raw(sealed.tag) + kNonceBytes, nullptr, Raw(content), content.size(),
      Raw(std::string_view(associated)), associated.size(), nullptr, Raw(sealed.tag),
      seal_->data());
  return sealed;
}

bool KeyRing::Unseal(const SecretPiece& piece, std::string_view tag, std::string_view sealed,
                     std::string& content) const {
  const CleanStack clean;
  if (tag.size() != kNonceBytes + kTagBytes) return false;
  const std::string associated = SecretAssociated(vault_id_, piece);
  const std::size_t before = content.size();
  content.resize(before + sealed.size());
  const bool same =
      crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
          Raw(content) + before, nullptr, Raw(sealed), sealed.size(), Raw(tag.substr(kNonceBytes)),
          Raw(std::string_view(associated)), associated.size(), Raw(tag), seal_->data()) == 0;
  if (!same) content.resize(before);
  return same;
}

bool KeyRing::UnsealOld(std::string_view name, std::string_view sealed,
                        std::string& content) const {
  const auto opened = Opened(*seal_, OldSecretAssociated(vault_id_, name), sealed);
  if (opened) content += *opened;
  return opened.has_value();
}

std::string KeyRing::Pack(std::string_view open, std::string_view content) const {
  return SealWith(*pack_, open, content);
}

std::optional<std::string> KeyRing::Unpack(std::string_view open, std::string_view packed) const {
  return Opened(*pack_, open, packed);
}

}  // namespace reissue::ledger
