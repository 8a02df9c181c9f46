// Vaults in memory, to try publications out on.

#include "reissue/ledger/creation.h"
#include "reissue/ledger/database.h"
#include "reissue/ledger/vault_impl.h"

namespace reissue::ledger {
namespace {

// Where no log is, the file is all there is, and looking at it must not change anything. Whoever
// writes at this very moment is noticed by who reads the file, or by the seal.
Result<std::string> BytesOf(io::FileSystem& files, const std::string& path, bool log) {
  if (log) {
    const auto database = REISSUE_TRY(Database::Open(path, Database::Mode::kRead));
    return database->Serialize();
  }
  const auto bytes = REISSUE_TRY(files.Read(path));
  return std::string(bytes->view());
}

}  // namespace

Result<Vault> Vault::Rehearse(io::FileSystem& files, const std::string& directory,
                              const Passphrase& passphrase, AskTarget ask) {
  const std::string home = Normal(directory);
  if (!Exists(files, home)) return NoVaultError(files, home);
  const std::string path = home + "/" + kDatabaseName;
  REISSUE_TRY(BelongsToUs(path));
  std::string bytes = REISSUE_TRY(BytesOf(files, path, Impl::HasLog(files, path)));
  auto database = REISSUE_TRY(Database::InMemory(path, std::move(bytes)));
  auto impl = REISSUE_TRY(Impl::Of(files, std::move(database)));
  if (impl->format < kFormat) return EarlierFormatError(path, impl->format, home);
  impl->in_memory = true;
  impl->ask = std::move(ask);
  REISSUE_TRY(impl->Unlock(passphrase));
  REISSUE_TRY(impl->Trust());
  return Vault(std::move(impl));
}

Result<Vault> Vault::Rehearse(io::FileSystem& files, const VaultPolicy& policy) {
  FreshKey key = REISSUE_TRY(FreshKey::Draw());
  return Rehearse(files, policy, std::move(key));
}

Result<Vault> Vault::Rehearse(io::FileSystem& files, const VaultPolicy& policy, FreshKey key) {
  FreshKey::Drawn& drawn = *key.drawn_;
  Header header;
  header.id = drawn.vault_id;
  header.policy = policy;
  header.key = REISSUE_TRY(WrapKey(drawn.data_key, {true, {}}, header.id));
  auto database = REISSUE_TRY(Database::InMemory("the vault in memory", ""));
  REISSUE_TRY(FillDatabase(*database, header, drawn.keys));
  auto impl = REISSUE_TRY(Impl::Of(files, std::move(database)));
  impl->in_memory = true;
  REISSUE_TRY(impl->TakeKey(std::move(drawn.data_key)));
  REISSUE_TRY(impl->Trust());
  return Vault(std::move(impl));
}

}  // namespace reissue::ledger
