// What is done to a vault as a whole: another passphrase, a copy, another format.

#include <fmt/format.h>

#include "reissue/ledger/creation.h"
#include "reissue/ledger/pieces.h"
#include "reissue/ledger/place.h"
#include "reissue/ledger/vault_impl.h"

namespace reissue::ledger {
namespace {

// An export: this line, the stored key and the id as fields with their lengths, and then the
// database, sealed with a subkey of its own and bound to all that stands before it.
constexpr std::string_view kExportLine = "reissue vault export 1\n";

std::string Field(std::string_view bytes) { return fmt::format("{}:{}", bytes.size(), bytes); }

std::string OpenPart(const Header& header) {
  std::string open(kExportLine);
  const StoredKey& key = header.key;
  for (const std::string& field :
       {header.id, std::string(key.wrapped ? "1" : "0"), key.salt, std::to_string(key.operations),
        std::to_string(key.memory), key.content}) {
    open += Field(field);
  }
  return open;
}

std::optional<std::string> TakeField(std::string_view& text) {
  constexpr std::size_t kLongest = 4096;
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon > 4) return std::nullopt;
  std::size_t size = 0;
  for (const char digit : text.substr(0, colon)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    size = size * 10 + static_cast<std::size_t>(digit - '0');
  }
  if (size > kLongest || text.size() - colon - 1 < size) return std::nullopt;
  const std::string field(text.substr(colon + 1, size));
  text.remove_prefix(colon + 1 + size);
  return field;
}

std::uint64_t ToNumber(const std::string& digits) {
  const bool plain = !digits.empty() && digits.size() < 19 &&
                     digits.find_first_not_of("0123456789") == std::string::npos;
  return plain ? std::stoull(digits) : ~std::uint64_t{0};  // refused with the key
}

struct Exported {
  Header header;  // without a policy
  std::string_view open, packed;
};

std::optional<Exported> ParseExport(std::string_view text) {
  if (!text.starts_with(kExportLine)) return std::nullopt;
  std::string_view rest = text.substr(kExportLine.size());
  std::vector<std::string> fields;
  for (int i = 0; i < 6; ++i) {
    std::optional<std::string> field = TakeField(rest);
    if (!field) return std::nullopt;
    fields.push_back(std::move(*field));
  }
  Exported exported;
  exported.header.id = fields[0];
  exported.header.key = {fields[1] != "0", fields[2], ToNumber(fields[3]), ToNumber(fields[4]),
                         fields[5]};
  exported.open = text.substr(0, text.size() - rest.size());
  exported.packed = rest;
  return exported;
}

Error NoExportError(const std::string& file) {
  return InputError(At(file), "this is not an export of a vault, or it is damaged",
                    "`reissue vault export` makes one; take another copy of it.");
}

}  // namespace

Status Vault::ChangePassphrase(const Passphrase& next) {
  REISSUE_TRY(impl_->NeedWrite());
  Header header = impl_->header;
  header.key = REISSUE_TRY(WrapKey(*impl_->data_key, next, header.id));
  const Status replaced = impl_->seal->Write([&] { return ReplaceKey(*impl_->database, header); });
  if (!replaced) return replaced;
  impl_->header = std::move(header);
  // The old wrapping goes out of the log, too.
  return impl_->database->Run("PRAGMA wal_checkpoint(TRUNCATE)");
}

Result<std::string> Vault::Export() {
  REISSUE_TRY(impl_->NeedKey());
  Result<std::string> bytes = impl_->seal->Read([&]() -> Result<std::string> {
    const std::vector<StoredRelease> releases = REISSUE_TRY(LoadReleases(*impl_->database));
    if (!releases.empty() && !releases.back().published) {
      return MachineError(At(impl_->database->path()),
                          "a release is being put in place at this moment",
                          "Run the command again when it is done.");
    }
    impl_->header = REISSUE_TRY(LoadHeader(*impl_->database));
    return impl_->database->Serialize();
  });
  if (!bytes) return bytes.error();
  const std::string open = OpenPart(impl_->header);
  return open + impl_->keys->Pack(open, *bytes);
}

Status Vault::Import(io::FileSystem& files, std::string_view exported, const std::string& file,
                     const std::string& directory, const Passphrase& passphrase) {
  const std::optional<Exported> parts = ParseExport(exported);
  if (!parts) return NoExportError(file);
  const Header& header = parts->header;
  const SecretKey key = REISSUE_TRY(UnwrapKey(header.key, passphrase, header.id, file));
  const KeyRing keys = REISSUE_TRY(KeyRing::Make(key, header.id));
  const std::optional<std::string> bytes = keys.Unpack(parts->open, parts->packed);
  if (!bytes) return NoExportError(file);
  const std::string home = Normal(directory);
  REISSUE_TRY(ReadyDirectory(files, home));
  const PublisherLock lock = REISSUE_TRY(PublisherLock::Take(home + "/" + kLockName));
  return PutDatabase(files, home, *bytes);
}

Status Vault::Upgrade(io::FileSystem& files, const std::string& directory,
                      const Passphrase& passphrase, const std::function<Status(Vault&)>& approve,
                      std::size_t piece_bytes) {
  auto impl = REISSUE_TRY(Impl::Look(files, Normal(directory), Access::kWrite));
  if (impl->format >= kFormat) {
    return UsageError("the vault has the newest format already", "There is nothing to do.");
  }
  REISSUE_TRY(impl->Unlock(passphrase));
  Vault vault(std::move(impl));
  REISSUE_TRY(approve(vault));
  Impl& now = *vault.impl_;
  Header header = now.header;
  header.key = REISSUE_TRY(WrapKey(*now.data_key, passphrase, header.id));
  const KeyRing& keys = *now.keys;
  const std::string path = now.database->path();
  const Reseal reseal = [&](std::uint32_t release, const std::string& name,
                            const std::string& sealed) -> Status {
    std::string content;
    const bool same = keys.UnsealOld(name, sealed, content);
    if (same) return PutSecret(*now.database, keys, release, name, content, piece_bytes);
    return DamagedError(path, fmt::format("the sealed state \"{}\" has changed", name));
  };
  Seal seal(*now.database, &keys);
  const Status done = now.database->InTransaction([&]() -> Status {
    REISSUE_TRY(ReplaceTables(*now.database, header, reseal));
    return seal.Renew();
  });
  if (!done) return done;
  now.header = std::move(header);
  now.format = REISSUE_TRY(FormatOf(*now.database));
  now.seal.emplace(*now.database, &*now.keys);
  REISSUE_TRY(now.database->Run("PRAGMA wal_checkpoint(TRUNCATE)"));
  return now.Trust();
}

Result<std::vector<std::string>> Vault::Secrets() {
  return impl_->seal->Read([&] { return SecretNames(*impl_->database); });
}

}  // namespace reissue::ledger
