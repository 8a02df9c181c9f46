#include "reissue/ledger/division.h"

#include <fmt/format.h>
#include <sodium.h>

#include <charconv>

#include "reissue/ledger/keys.h"
#include "reissue/ledger/place.h"
#include "reissue/ledger/signature.h"

namespace reissue::ledger {
namespace {

constexpr std::string_view kKeyLine = "reissue part key 1\n";
constexpr std::string_view kStateLine = "reissue part 1\n";
// Purposes of the key, as in keys.cc: the first half divides, all of it is named.
static_assert(SecretKey::kBytes >= crypto_shorthash_siphashx24_KEYBYTES);

// 64 digits and the end of the line.
Result<std::unique_ptr<SecretKey>> KeyOf(std::string_view text, const Error& otherwise) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  std::optional<std::string> bytes = FromHex(text);
  if (!bytes || bytes->size() != SecretKey::kBytes) return otherwise;
  auto key = std::make_unique<SecretKey>(REISSUE_TRY(SecretKey::Make()));
  std::copy(bytes->begin(), bytes->end(), key->data());
  sodium_memzero(bytes->data(), bytes->size());
  return key;
}

bool TakeNumber(std::string_view& text, char after, std::uint32_t& number) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end == text.data() + text.size() || *end != after) return false;
  text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
  return true;
}

}  // namespace

Division::Division(std::uint32_t part, std::uint32_t parts, std::unique_ptr<SecretKey> key)
    : part_(part), parts_(parts), key_(std::move(key)) {}
Division::Division(Division&&) noexcept = default;
Division& Division::operator=(Division&&) noexcept = default;
Division::~Division() = default;

std::string Division::NewKey() {
  return std::string(kKeyLine) + ToHex(RandomBytes(SecretKey::kBytes)) + "\n";
}

Result<Division> Division::Of(std::uint32_t part, std::uint32_t parts, std::string_view text,
                              const std::string& file) {
  REISSUE_CHECK(part >= 1 && part <= parts && parts <= kMostParts);
  const Error none = InputError(At(file), "this is not a key that divides people into parts",
                                "`reissue key part FILE` makes one; all parts have the same.");
  if (!text.starts_with(kKeyLine)) return none;
  auto key = REISSUE_TRY(KeyOf(text.substr(kKeyLine.size()), none));
  return Division(part, parts, std::move(key));
}

std::string Division::Save() const {
  const std::string_view key(reinterpret_cast<const char*>(key_->data()), SecretKey::kBytes);
  return fmt::format("{}{}/{}\n{}\n", kStateLine, part_, parts_, ToHex(key));
}

Result<Division> Division::Load(std::string_view state) {
  const Error senseless =
      MachineError("the vault's record of its part makes no sense",
                   "Restore the vault from a copy, or use the version of reissue that wrote it.");
  std::uint32_t part = 0, parts = 0;
  if (!state.starts_with(kStateLine)) return senseless;
  state.remove_prefix(kStateLine.size());
  if (!TakeNumber(state, '/', part) || !TakeNumber(state, '\n', parts)) return senseless;
  if (part < 1 || part > parts || parts > kMostParts) return senseless;
  auto key = REISSUE_TRY(KeyOf(state, senseless));
  return Division(part, parts, std::move(key));
}

bool Division::Has(std::string_view identifier) const {
  std::uint8_t hash[crypto_shorthash_siphashx24_BYTES];
  crypto_shorthash_siphashx24(hash, reinterpret_cast<const unsigned char*>(identifier.data()),
                              identifier.size(), key_->data());
  // Of the first 32 bits: parts are of equal size but for one in 400,000.
  std::uint64_t head = 0;
  for (int i = 0; i < 4; ++i) head = head << 8 | hash[i];
  return (head * parts_ >> 32) + 1 == part_;
}

std::string Division::Digest() const {
  const std::string named = fmt::format("reissue parts of {}", parts_);
  std::string digest(32, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(digest.data()), digest.size(),
                     reinterpret_cast<const unsigned char*>(named.data()), named.size(),
                     key_->data(), SecretKey::kBytes);
  sodium_stackzero(8192);  // it leaves its key there
  return ToHex(digest);
}

}  // namespace reissue::ledger
