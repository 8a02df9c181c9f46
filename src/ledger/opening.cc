#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "reissue/io/csv.h"
#include "reissue/ledger/creation.h"
#include "reissue/ledger/pieces.h"
#include "reissue/ledger/place.h"
#include "reissue/ledger/recovery.h"
#include "reissue/ledger/signature.h"
#include "reissue/ledger/vault_impl.h"

namespace reissue::ledger {

Status BelongsToUs(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || info.st_uid == ::geteuid()) return Ok();
  return MachineError(At(path), "this vault belongs to another user",
                      "Run the command as the user who owns it.");
}

Error EarlierFormatError(const std::string& file, std::uint64_t format,
                         const std::string& directory) {
  return InputError(At(file),
                    fmt::format("this vault has format {}, which does not protect what it records "
                                "from being changed",
                                format),
                    fmt::format("Run `reissue vault upgrade {}` once: it looks at all of it, and "
                                "tells what it found.",
                                directory));
}

std::string Normal(std::string directory) {
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  return directory.empty() ? "." : directory;
}

Vault::Impl::~Impl() {
  if (!trusted) return;
  try {
    (void)Recover(files, *seal, {});  // no server is asked on the way out
  } catch (...) {                     // too little memory: the next opening has more
  }
}

Result<std::unique_ptr<Vault::Impl>> Vault::Impl::Look(io::FileSystem& files,
                                                       const std::string& home, Access access,
                                                       std::optional<PublisherLock> lock) {
  if (!Exists(files, home)) return NoVaultError(files, home);
  const std::string path = home + "/" + kDatabaseName;
  if (access != Access::kRead) REISSUE_TRY(BelongsToUs(path));
  if (access == Access::kWrite && !lock) {
    lock.emplace(REISSUE_TRY(PublisherLock::Take(home + "/" + kLockName)));
  }
  auto database = REISSUE_TRY(Database::Open(
      path, access == Access::kWrite ? Database::Mode::kWrite : Database::Mode::kRead));
  return Of(files, std::move(database), std::move(lock));
}

bool Vault::Impl::HasLog(io::FileSystem& files, const std::string& path) {
  const std::string log = path + "-wal";
  if (!files.Exists(log)) return false;
  const auto bytes = files.Read(log);
  return !bytes || !(*bytes)->view().empty();
}

Result<std::unique_ptr<Vault::Impl>> Vault::Impl::Glance(io::FileSystem& files,
                                                         const std::string& home) {
  const std::string path = home + "/" + kDatabaseName;
  if (Exists(files, home) && !HasLog(files, path)) {
    auto database = Database::Open(path, Database::Mode::kGlance);
    if (database) {
      auto impl = Of(files, *std::move(database));
      if (impl) return impl;
    }
  }
  // Somebody has begun to write, or it says what is wrong.
  return Look(files, home, Access::kRead);
}

Result<std::unique_ptr<Vault::Impl>> Vault::Impl::Of(io::FileSystem& files,
                                                     std::unique_ptr<Database> database,
                                                     std::optional<PublisherLock> lock) {
  REISSUE_TRY(CheckFormat(*database));
  Header header = REISSUE_TRY(LoadHeader(*database));
  const std::uint64_t format = REISSUE_TRY(FormatOf(*database));
  std::unique_ptr<Impl> impl(
      new Impl{files, std::move(lock), std::move(database), std::move(header), format});
  impl->seal.emplace(*impl->database, nullptr);
  return impl;
}

Status Vault::Impl::Unlock(const Passphrase& passphrase) {
  const Era era = format < kFormat ? Era::kUnsealed : Era::kSealed;
  return TakeKey(REISSUE_TRY(UnwrapKey(header.key, passphrase, header.id, database->path(), era)));
}

Status Vault::Impl::TakeKey(SecretKey key) {
  data_key.emplace(std::move(key));
  keys.emplace(REISSUE_TRY(KeyRing::Make(*data_key, header.id)));
  seal.emplace(*database, format < kFormat ? nullptr : &*keys, writable());
  return Ok();
}

Status Vault::Impl::Trust() {
  // Read once more, together with the seal.
  header = REISSUE_TRY(seal->Read([&] { return LoadHeader(*database); }));
  trusted = writable();
  return trusted ? Recover(files, *seal, ask) : Ok();
}

Status Vault::Impl::NeedKey() const {
  if (keys.has_value()) return Ok();
  return UsageError("the vault was opened without its key", "Open it with the passphrase.");
}

Result<std::vector<StoredRelease>> Vault::Impl::Releases() {
  return seal->Read([&] { return LoadReleases(*database); });
}

// Someone else may be publishing at this moment: a temporary that is gone says something only if
// the intent is still there afterwards.
Result<bool> Vault::Impl::CountsAsPublished(const StoredRelease& release) {
  if (release.published) return true;
  const bool in_place = REISSUE_TRY(IsInPlace(files, release, ask));
  if (!in_place) return false;
  const std::vector<StoredRelease> now = REISSUE_TRY(Releases());
  const std::size_t index = release.record.number - 1;
  return index < now.size() && now[index].record.digest == release.record.digest;
}

Vault::Vault(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Vault::Vault(Vault&&) noexcept = default;
Vault& Vault::operator=(Vault&&) noexcept = default;
Vault::~Vault() = default;

FreshKey::FreshKey(std::unique_ptr<Drawn> drawn) : drawn_(std::move(drawn)) {}
FreshKey::FreshKey(FreshKey&&) noexcept = default;
FreshKey& FreshKey::operator=(FreshKey&&) noexcept = default;
FreshKey::~FreshKey() = default;

Result<FreshKey> FreshKey::Draw() {
  std::string vault_id = RandomBytes(kVaultIdBytes);
  SecretKey data_key = REISSUE_TRY(RandomKey());
  KeyRing keys = REISSUE_TRY(KeyRing::Make(data_key, vault_id));
  return FreshKey(
      std::make_unique<Drawn>(std::move(vault_id), std::move(data_key), std::move(keys)));
}

PersonKey FreshKey::KeyOf(std::string_view identifier) const {
  return drawn_->keys.KeyOf(identifier);
}

Result<Vault> Vault::Create(io::FileSystem& files, const std::string& directory,
                            const VaultPolicy& policy, const Passphrase& passphrase) {
  FreshKey key = REISSUE_TRY(FreshKey::Draw());
  return Create(files, directory, policy, passphrase, std::move(key));
}

Result<Vault> Vault::Create(io::FileSystem& files, const std::string& directory,
                            const VaultPolicy& policy, const Passphrase& passphrase, FreshKey key) {
  const std::string home = Normal(directory);
  FreshKey::Drawn& drawn = *key.drawn_;
  // The slow part comes first: it leaves nothing behind.
  Header header;
  header.id = drawn.vault_id;
  header.policy = policy;
  header.key = REISSUE_TRY(WrapKey(drawn.data_key, passphrase, header.id));
  REISSUE_TRY(ReadyDirectory(files, home));
  PublisherLock lock = REISSUE_TRY(PublisherLock::Take(home + "/" + kLockName));
  REISSUE_TRY(BuildDatabase(files, home, header, drawn.keys));
  auto impl = REISSUE_TRY(Impl::Look(files, home, Access::kWrite, std::move(lock)));
  REISSUE_TRY(impl->TakeKey(std::move(drawn.data_key)));
  REISSUE_TRY(impl->Trust());
  return Vault(std::move(impl));
}

Result<Vault> Vault::Open(io::FileSystem& files, const std::string& directory, Access access,
                          const Passphrase& passphrase, AskTarget ask) {
  auto impl = REISSUE_TRY(Impl::Look(files, Normal(directory), access));
  impl->ask = std::move(ask);
  if (access == Access::kRead) return Vault(std::move(impl));
  if (access == Access::kWrite && impl->format < kFormat) {
    return EarlierFormatError(impl->database->path(), impl->format, Normal(directory));
  }
  REISSUE_TRY(impl->Unlock(passphrase));
  REISSUE_TRY(impl->Trust());
  return Vault(std::move(impl));
}

bool Vault::Exists(io::FileSystem& files, const std::string& directory) {
  return files.Exists(Normal(directory) + "/" + kDatabaseName);
}

Result<bool> Vault::NeedsPassphrase(io::FileSystem& files, const std::string& directory) {
  const auto impl = REISSUE_TRY(Impl::Glance(files, Normal(directory)));
  return impl->header.key.wrapped;
}

Result<VaultPolicy> Vault::PolicyOf(io::FileSystem& files, const std::string& directory) {
  const auto impl = REISSUE_TRY(Impl::Glance(files, Normal(directory)));
  return impl->header.policy;
}

Result<bool> Vault::PolicyWasChanged(io::FileSystem& files, const std::string& directory) {
  const auto impl = REISSUE_TRY(Impl::Glance(files, Normal(directory)));
  if (impl->format <= kLivingFormat) return impl->format == kLivingFormat;
  // Later formats do not say it.
  const std::vector<std::string> names = REISSUE_TRY(SecretNames(*impl->database));
  return std::ranges::any_of(names, [](const std::string& name) {
    return name.starts_with("policy/") && name != "policy/1";
  });
}

void Vault::Ask(AskTarget ask) { impl_->ask = std::move(ask); }

const VaultPolicy& Vault::policy() const { return impl_->header.policy; }

std::uint64_t Vault::format() const { return impl_->format; }

bool Vault::unprotected() const { return !impl_->header.key.wrapped; }

Result<std::vector<ReleaseRecord>> Vault::History() {
  const std::vector<StoredRelease> releases = REISSUE_TRY(impl_->Releases());
  std::vector<ReleaseRecord> published;
  for (const StoredRelease& release : releases) {
    const bool counts = REISSUE_TRY(impl_->CountsAsPublished(release));
    if (!counts) continue;
    published.push_back(release.record);
    published.back().directory = io::DirectoryOf(
        release.record.is_table() ? release.certificate_file : release.record.target);
  }
  // A name that was used again belongs to the later release.
  std::set<std::string> taken;
  for (auto record = published.rbegin(); record != published.rend(); ++record) {
    if (record->is_table()) continue;
    record->file_present =
        taken.insert(record->target).second && impl_->files.Exists(record->target);
  }
  return published;
}

Result<PersonKey> Vault::KeyOf(std::string_view identifier) {
  REISSUE_TRY(impl_->NeedKey());
  return impl_->keys->KeyOf(identifier);
}

Result<std::function<PersonKey(std::string_view)>> Vault::Hash() {
  REISSUE_TRY(impl_->NeedKey());
  return std::function<PersonKey(std::string_view)>(
      [&keys = *impl_->keys](std::string_view identifier) { return keys.KeyOf(identifier); });
}

Result<std::string> Vault::KeyedDigest(std::string_view bytes) {
  REISSUE_TRY(impl_->NeedKey());
  return impl_->keys->KeyedDigest(bytes);
}

Result<std::string> Vault::PublicKey() {
  REISSUE_TRY(impl_->NeedKey());
  return ToHex(impl_->keys->PublicKey());
}

Result<std::string> Vault::Sign(std::string_view bytes) {
  REISSUE_TRY(impl_->NeedKey());
  return ToHex(impl_->keys->Sign(bytes));
}

Result<std::optional<std::string>> Vault::Unseal(const std::string& name) {
  REISSUE_TRY(impl_->NeedKey());
  std::string content;
  const Appended more = [&](std::uint64_t left) -> Status {
    content.reserve(content.size() + left);
    return Ok();
  };
  const bool found = REISSUE_TRY(impl_->seal->Read(
      [&] { return AppendSecret(*impl_->database, *impl_->keys, name, content, more); }));
  return found ? std::optional(std::move(content)) : std::nullopt;
}

Result<bool> Vault::UnsealPieces(const std::string& name, const TakePiece& take) {
  REISSUE_TRY(impl_->NeedKey());
  return impl_->seal->Read([&] { return TakeSecret(*impl_->database, *impl_->keys, name, take); });
}

}  // namespace reissue::ledger
